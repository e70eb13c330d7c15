// libtexlate-vkd3d.so: vkd3d_shader_compile() implemented with texlate, for clients of an installed
// libvkd3d-shader. It is placed before that library by LD_PRELOAD or by link order. Requests that texlate
// does not support go to the real library; docs/library.md lists them. The interface is the public header of
// vkd3d 1.2.

#include <dlfcn.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <string>
#include <unordered_set>

#include "library/vkd3d/request.h"
#include "texlate/texlate.hpp"

#define TEXLATE_VKD3D_EXPORT extern "C" __attribute__((visibility("default")))

namespace texlate::vkd3d {

namespace {

/// A function of the real library: the next one with this name, or the one in libvkd3d-shader.so.1.
template <typename Function>
Function real(const char* name) {
  void* symbol = dlsym(RTLD_NEXT, name);
  if (symbol == nullptr) {
    static void* const library = dlopen("libvkd3d-shader.so.1", RTLD_NOW | RTLD_LOCAL);
    if (library != nullptr) symbol = dlsym(library, name);
  }
  return reinterpret_cast<Function>(symbol);
}

/// Memory that was returned to clients and is not yet freed. The real library frees what it allocated itself.
class Given {
 public:
  /// A copy of the bytes; null if there is no memory.
  void* copy(const void* bytes, size_t size) {
    void* const memory = std::malloc(size);
    if (memory == nullptr) return nullptr;
    std::memcpy(memory, bytes, size);
    const std::lock_guard lock(mutex_);
    pointers_.insert(memory);
    return memory;
  }
  bool release(const void* memory) {
    {
      const std::lock_guard lock(mutex_);
      if (pointers_.erase(memory) == 0) return false;
    }
    std::free(const_cast<void*>(memory));
    return true;
  }

 private:
  std::mutex mutex_;
  std::unordered_set<const void*> pointers_;
};

Given& given() {
  static Given* const all = new Given;  // never destroyed, because clients may free memory at exit
  return *all;
}

/// Appends a line for each shader to the file named by $TEXLATE_VKD3D_LOG.
void log(const std::string& line) {
  const char* const name = std::getenv("TEXLATE_VKD3D_LOG");
  if (name == nullptr) return;
  std::FILE* const file = std::fopen(name, "a");
  if (file == nullptr) return;
  std::fprintf(file, "%s\n", line.c_str());
  std::fclose(file);
}

std::string describe(const texlate_program_info& info, size_t size) {
  static constexpr const char* kStages[] = {"ps", "vs", "gs", "hs", "ds", "cs"};
  return std::string(kStages[info.stage]) + '_' + std::to_string(info.model_major) + '_' +
         std::to_string(info.model_minor) + ", " + std::to_string(size) + " bytes: ";
}

std::string texts(const std::vector<api::Diagnostic>& diagnostics) {
  std::string text;
  for (const api::Diagnostic& diagnostic : diagnostics) text.append(diagnostic.message).append("\n");
  return text;
}

int pass_on(const vkd3d_shader_compile_info* info, vkd3d_shader_code* out, char** messages,
            const std::string& line) {
  log(line);
  const auto compile = real<PFN_vkd3d_shader_compile>("vkd3d_shader_compile");
  return compile != nullptr ? compile(info, out, messages) : VKD3D_ERROR_NOT_IMPLEMENTED;
}

void give_messages(const vkd3d_shader_compile_info& info, const std::string& text, char** messages) {
  if (messages == nullptr) return;
  *messages = nullptr;
  if (text.empty() || info.log_level == VKD3D_SHADER_LOG_NONE) return;
  *messages = static_cast<char*>(given().copy(text.c_str(), text.size() + 1));
}

/// A capability that the module requires and that vkd3d's devices may lack; 0 if there is none.
uint32_t capability_beyond(const Request& request, std::string_view module) {
  constexpr uint32_t kHeaderWords = 5, kOpCapability = 17, kDemote = 5379;
  // StencilExportEXT, ShaderViewportIndexLayerEXT: vkd3d's translations require these, too.
  constexpr uint32_t kFirstOfExtensions = 4437, kStencilExport = 5013, kViewportIndexLayer = 5254;
  for (size_t at = kHeaderWords * 4; at + 8 <= module.size();) {
    uint32_t words[2];
    std::memcpy(words, module.data() + at, sizeof words);
    if ((words[0] & 0xffff) != kOpCapability) return 0;
    at += 8;
    if (words[1] < kFirstOfExtensions || words[1] == kStencilExport || words[1] == kViewportIndexLayer)
      continue;
    if (words[1] == kDemote && request.allows(VKD3D_SHADER_SPIRV_EXTENSION_EXT_DEMOTE_TO_HELPER_INVOCATION))
      continue;
    return words[1];
  }
  return 0;
}

/// False for stages with an interface that vkd3d and texlate lay out differently: both stages must come from
/// the same one.
bool stands_alone(texlate_stage stage) {
  return stage != TEXLATE_STAGE_HULL && stage != TEXLATE_STAGE_DOMAIN;
}

int compile(const vkd3d_shader_compile_info* info, vkd3d_shader_code* out, char** messages) {
  const Request request(info);
  if (const std::string reason = reason_to_pass_on(request); !reason.empty())
    return pass_on(info, out, messages, "vkd3d: " + reason);
  texlate_parse_options parse = TEXLATE_PARSE_OPTIONS_INIT;
  parse.digest = TEXLATE_DIGEST_IGNORE;  // vkd3d does not check it either
  const api::Program program({static_cast<const char*>(info->source.code), info->source.size}, &parse);
  if (!program.ok()) {
    give_messages(*info, texts(program.diagnostics()), messages);
    log("texlate: no shader: " + texts(program.diagnostics()));
    return VKD3D_ERROR_INVALID_SHADER;
  }
  const texlate_program_info about = program.info();
  const std::string shader = describe(about, info->source.size);
  const Options options(request, program.get(), about.stage);
  if (!options.obstacle().empty())
    return pass_on(info, out, messages, shader + "vkd3d: " + options.obstacle());
  thread_local const api::Context context;
  texlate_translate_options translation = *options.get();
  translation.context = context.get();
  const api::Output output = program.translate(translation);
  std::string reason =
      output.status() == TEXLATE_ERROR_ARGUMENT ? texlate_argument_error() : texts(output.diagnostics());
  if (output.ok()) {
    const uint32_t capability = capability_beyond(request, output.data());
    if (capability == 0) {
      out->size = output.data().size();
      out->code = given().copy(output.data().data(), out->size);
      if (out->code == nullptr) return VKD3D_ERROR_OUT_OF_MEMORY;
      give_messages(*info, info->log_level >= VKD3D_SHADER_LOG_WARNING ? reason : "", messages);
      log(shader + "texlate, " + std::to_string(out->size) + " bytes of SPIR-V");
      return VKD3D_OK;
    }
    reason = "capability " + std::to_string(capability);
  }
  if (stands_alone(about.stage)) return pass_on(info, out, messages, shader + "vkd3d: " + reason);
  give_messages(*info, reason, messages);
  log(shader + "refused: " + reason);
  return VKD3D_ERROR_NOT_IMPLEMENTED;
}

}  // namespace

}  // namespace texlate::vkd3d

using namespace texlate::vkd3d;

TEXLATE_VKD3D_EXPORT int vkd3d_shader_compile(const vkd3d_shader_compile_info* info, vkd3d_shader_code* out,
                                              char** messages) {
  try {
    return compile(info, out, messages);
  } catch (const std::bad_alloc&) {
    return VKD3D_ERROR_OUT_OF_MEMORY;
  }
}

TEXLATE_VKD3D_EXPORT void vkd3d_shader_free_shader_code(vkd3d_shader_code* code) {
  if (code == nullptr || given().release(code->code)) return;
  const auto release = real<PFN_vkd3d_shader_free_shader_code>("vkd3d_shader_free_shader_code");
  if (release != nullptr) release(code);
}

TEXLATE_VKD3D_EXPORT void vkd3d_shader_free_messages(char* messages) {
  if (given().release(messages)) return;
  const auto release = real<PFN_vkd3d_shader_free_messages>("vkd3d_shader_free_messages");
  if (release != nullptr) release(messages);
}
