#include "backend/spirv/spirv_tools.h"

#include <spirv-tools/libspirv.hpp>
#include <spirv-tools/optimizer.hpp>

#include "backend/spirv/emit.h"

namespace texlate::spirv {

namespace {

/// The first Vulkan that accepts the module's version (Vulkan specification, appendix "Vulkan Environment for
/// SPIR-V").
spv_target_env environment(std::span<const uint32_t> words) {
  if (words.size() < 2) return SPV_ENV_VULKAN_1_1;
  switch (static_cast<Version>(words[1])) {
    case Version::v1_0: return SPV_ENV_VULKAN_1_0;
    case Version::v1_3: break;
    case Version::v1_4: return SPV_ENV_VULKAN_1_1_SPIRV_1_4;
    case Version::v1_5: return SPV_ENV_VULKAN_1_2;
    case Version::v1_6: return SPV_ENV_VULKAN_1_3;
  }
  return SPV_ENV_VULKAN_1_1;
}

spvtools::MessageConsumer collect(std::string& message) {
  return [&message](spv_message_level_t, const char*, const spv_position_t& position, const char* text) {
    if (!message.empty()) message += '\n';
    message += std::to_string(position.index) + ": " + text;
  };
}

}  // namespace

bool has_spirv_tools() {
  return true;
}

bool validate(std::span<const uint32_t> words, std::string& message) {
  spvtools::SpirvTools tools(environment(words));
  tools.SetMessageConsumer(collect(message));
  return tools.Validate(words.data(), words.size());
}

bool optimize(std::pmr::vector<uint32_t>& words, std::string& message) {
  spvtools::Optimizer optimizer(environment(words));
  optimizer.SetMessageConsumer(collect(message));
  optimizer.RegisterPerformancePasses();
  std::vector<uint32_t> optimized;
  if (!optimizer.Run(words.data(), words.size(), &optimized)) return false;
  words.assign(optimized.begin(), optimized.end());
  return true;
}

}  // namespace texlate::spirv
