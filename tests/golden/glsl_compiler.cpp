#include "tests/golden/glsl_compiler.h"

#include <glslang/Public/ResourceLimits.h>
#include <glslang/Public/ShaderLang.h>
#include <glslang/SPIRV/GlslangToSpv.h>

namespace texlate::test {

std::vector<uint32_t> compile_glsl(const std::string& source, GlslStage stage, std::string& log) {
  static const bool ready = glslang::InitializeProcess();
  if (!ready) return {};
  const EShLanguage language = stage == GlslStage::pixel ? EShLangFragment : EShLangCompute;
  glslang::TShader shader(language);
  const char* text = source.c_str();
  shader.setStrings(&text, 1);
  shader.setEnvInput(glslang::EShSourceGlsl, language, glslang::EShClientVulkan, 110);
  shader.setEnvClient(glslang::EShClientVulkan, glslang::EShTargetVulkan_1_1);
  shader.setEnvTarget(glslang::EShTargetSpv, glslang::EShTargetSpv_1_3);
  constexpr auto kMessages = static_cast<EShMessages>(EShMsgSpvRules | EShMsgVulkanRules);
  if (!shader.parse(GetDefaultResources(), 450, false, kMessages)) {
    log = shader.getInfoLog();
    return {};
  }
  glslang::TProgram program;
  program.addShader(&shader);
  if (!program.link(kMessages)) {
    log = program.getInfoLog();
    return {};
  }
  std::vector<unsigned int> words;
  glslang::GlslangToSpv(*program.getIntermediate(language), words);
  return {words.begin(), words.end()};
}

}  // namespace texlate::test
