#include "library/vkd3d/compile.h"

#include <cstdlib>
#include <cstring>

#include "library/vkd3d/client_log.h"
#include "library/vkd3d/conversions.h"
#include "library/vkd3d/real_library.h"
#include "library/vkd3d/scan.h"
#include "library/vkd3d/signatures.h"
#include "library/vkd3d/translation.h"

// What decides whether texlate or the real library translates a shader is only what all stages of a pipeline
// have in common: the source's type, the target and the environment. The two libraries lay out the interfaces
// between stages in different ways, so a pipeline whose stages came from both would not work. A stage that
// texlate refuses is therefore an error, and does not go to the real library.

namespace texlate::vkd3d {

namespace {

using CompileFunction = int(const CompileInfo*, Code*, char**);
using ScanFunction = int(const CompileInfo*, char**);

std::string describe(const texlate_program_info& info, size_t size) {
  constexpr const char* kStages[] = {"ps", "vs", "gs", "hs", "ds", "cs"};
  return std::string(kStages[info.stage]) + '_' + std::to_string(info.model_major) + '_' +
         std::to_string(info.model_minor) + ", " + std::to_string(size) + " bytes";
}

std::string describe(const CompileInfo& info) {
  return std::string(name_of(info.source_type)) + ", " + std::to_string(info.source.size) + " bytes";
}

void add_errors(const std::vector<api::Diagnostic>& diagnostics, MessageCode code, Messages& messages) {
  for (const api::Diagnostic& diagnostic : diagnostics) {
    if (diagnostic.severity == TEXLATE_ERROR) messages.error(code, diagnostic.message);
  }
}

void add_warnings(const std::vector<api::Diagnostic>& diagnostics, Messages& messages) {
  for (const api::Diagnostic& diagnostic : diagnostics) {
    if (diagnostic.severity == TEXLATE_WARNING) messages.warning(MessageCode::program, diagnostic.message);
  }
}

/// What the shader's client cannot have from texlate, although texlate reads the shader; null if there is
/// nothing.
const char* reason_to_pass_on(const Request& request) {
  if (texlate_target(request.compile.target_type) == nullptr) return name_of(request.compile.target_type);
  if (request.environment() == Environment::opengl_4_5) return "SPIR-V for OpenGL";
  return nullptr;
}

/// The signatures that another library allocated, in memory that vkd3d_shader_free_scan_signature_info() of
/// this one frees: libraries differ in who owns the names.
int adopt_signatures(const Request& request) {
  ScanSignatureInfo* const info = request.scan_signatures;
  const auto release = real<void(ScanSignatureInfo*)>("vkd3d_shader_free_scan_signature_info");
  if (info == nullptr || release == nullptr) return kOk;
  ScanSignatureInfo theirs = *info;
  info->input = info->output = info->patch_constant = {};
  const bool good = copy_signature(theirs.input, info->input) &&
                    copy_signature(theirs.output, info->output) &&
                    copy_signature(theirs.patch_constant, info->patch_constant);
  release(&theirs);
  if (!good) free_signatures(*info);
  return good ? kOk : kOutOfMemory;
}

int refuse_foreign(const CompileInfo& info, const std::string& what, Messages& messages) {
  const std::string& error = real_error();
  messages.error(
      MessageCode::not_implemented,
      "texlate does not do this: " + what + ". " +
          (error.empty()
               ? "The environment variable TEXLATE_VKD3D_REAL may name a libvkd3d-shader.so that does"
               : error));
  record(Outcome::refused, describe(info) + ": " + what + (error.empty() ? "" : ". " + error));
  return kNotImplemented;
}

/// `call` is given the function of the real library with this name.
template <typename Function, typename Call>
int pass_on(const char* function, const Request& request, const std::string& what, Messages& messages,
            char** client_messages, Call call) {
  Function* const theirs = real<Function>(function);
  if (theirs == nullptr) return refuse_foreign(request.compile, what, messages);
  record(Outcome::passed, describe(request.compile) + ": " + what);
  char* text = nullptr;
  const int result = call(theirs, &text);
  if (client_messages != nullptr)
    *client_messages = text;
  else
    std::free(text);
  return result == kOk ? adopt_signatures(request) : result;
}

/// A request that no version can serve, with vkd3d-shader's status. It gives no message.
int refuse_unknown(const CompileInfo& info, int status, const std::string& what, Messages& messages) {
  messages.error(MessageCode::not_implemented,
                 what + " is unknown to vkd3d-shader 1.17, whose interface this is");
  record(Outcome::refused, describe(info) + ": " + messages.all());
  return status;
}

/// Reads a DXBC container as vkd3d-shader does and then as texlate does, so that nothing hostile goes
/// further.
class Shader {
 public:
  Shader(const CompileInfo& info, Messages& messages) : program_(read(info, messages)) {
    if (status_ != kOk) return;
    if (program_->status() == TEXLATE_ERROR_MEMORY) {
      status_ = kOutOfMemory;
    } else if (!program_->ok()) {
      add_errors(program_->diagnostics(), MessageCode::program, messages);
      status_ = kInvalidShader;
    } else {
      add_warnings(program_->diagnostics(), messages);
    }
  }
  int status() const { return status_; }
  const Container& container() const { return container_; }
  const api::Program& program() const { return *program_; }

 private:
  std::unique_ptr<api::Program> read(const CompileInfo& info, Messages& messages) {
    status_ = read_container(info.source, Digest::check, container_, messages);
    if (status_ == kOk) status_ = check_shader_chunk(container_, messages);
    if (status_ == kOk) status_ = check_signatures(container_, messages);
    if (status_ != kOk) return nullptr;
    texlate_parse_options parse = TEXLATE_PARSE_OPTIONS_INIT;
    parse.digest = TEXLATE_DIGEST_IGNORE;  // checked above
    parse.lenient = 1;                     // what Direct3D's drivers accept, vkd3d-shader accepts, too
    std::string_view bytes(static_cast<const char*>(info.source.code), info.source.size);
    std::string corrected;
    // vkd3d-shader does not read the size in the header, and texlate does.
    if (container_.size != bytes.size()) {
      const auto size = static_cast<uint32_t>(bytes.size());
      corrected = bytes;
      std::memcpy(corrected.data() + kContainerSizeAt, &size, sizeof size);
      bytes = corrected;
    }
    return std::make_unique<api::Program>(bytes, &parse);
  }

  int status_ = kOk;
  Container container_;
  std::unique_ptr<api::Program> program_;
};

/// Translates and gives the client the result. Nothing is written to `out` on an error.
int translate(const Request& request, const Shader& shader, Code& out, Messages& messages) {
  const char* const target = texlate_target(request.compile.target_type);
  const Translation translation(request, shader.program(), target, messages);
  if (translation.status() != kOk) return translation.status();
  thread_local const api::Context context;
  texlate_translate_options options = translation.options();
  options.context = context.get();
  const api::Output output = shader.program().translate(options);
  switch (output.status()) {
    case TEXLATE_OK: break;
    case TEXLATE_ERROR_MEMORY: return kOutOfMemory;
    case TEXLATE_ERROR_ARGUMENT:
      messages.error(MessageCode::bad_binding, texlate_argument_error());
      return kInvalidArgument;
    case TEXLATE_ERROR_INPUT:
    case TEXLATE_ERROR_INTERNAL: {
      if (translation.lacks_feature(output)) {
        add_errors(output.diagnostics(), MessageCode::no_feature, messages);
        return kInvalidShader;
      }
      const bool is_valid = shader.program().check().ok();
      add_errors(output.diagnostics(), is_valid ? MessageCode::not_implemented : MessageCode::program,
                 messages);
      return is_valid ? kNotImplemented : kInvalidShader;
    }
  }
  add_warnings(output.diagnostics(), messages);
  void* const copy = std::malloc(output.data().size());
  if (copy == nullptr) return kOutOfMemory;
  std::memcpy(copy, output.data().data(), output.data().size());
  if (const int result = fill_scans(request, shader.container(), shader.program(), messages); result != kOk) {
    std::free(copy);
    return result;
  }
  out = {copy, output.data().size()};
  return kOk;
}

int check(const Request& request, Purpose purpose, Messages& messages) {
  if (const int result = check_structures(request, messages); result != kOk) return result;
  return check_options(request, purpose, messages);
}

/// Compiles DXBC. A result of kOk with `*passes_on` set means that the real library is to do it.
int serve(const Request& request, Code& out, Messages& messages, bool* passes_on) {
  const CompileInfo& info = request.compile;
  const Shader shader(info, messages);
  if (shader.status() != kOk) {
    record(Outcome::refused, describe(info) + ": " + messages.all());
    return shader.status();
  }
  if (reason_to_pass_on(request) != nullptr) {
    const api::Output checked = shader.program().check();
    if (checked.ok()) {
      *passes_on = true;
      return kOk;
    }
    add_errors(checked.diagnostics(), MessageCode::program, messages);
    record(Outcome::refused, describe(info) + ": " + messages.all());
    return kInvalidShader;
  }
  int result = check(request, Purpose::compile, messages);
  if (result == kOk) result = translate(request, shader, out, messages);
  const std::string name = describe(shader.program().info(), info.source.size);
  if (result == kOk)
    record(Outcome::served,
           name + ": " + std::to_string(out.size) + " bytes of " + name_of(info.target_type));
  else
    record(Outcome::refused, name + ": " + messages.all());
  return result;
}

bool is_environment(Environment environment) {
  return environment == Environment::opengl_4_5 || environment == Environment::vulkan_1_0 ||
         environment == Environment::vulkan_1_1;
}

int compile(const Request& request, Code& out, Messages& messages, char** client_messages) {
  const CompileInfo& info = request.compile;
  const auto pass = [&](const std::string& what) {
    return pass_on<CompileFunction>(
        "vkd3d_shader_compile", request, what, messages, client_messages,
        [&](CompileFunction* theirs, char** text) { return theirs(&info, &out, text); });
  };
  if (info.target_type == TargetType::none || info.target_type > TargetType::msl)
    return refuse_unknown(info, kInvalidArgument,
                          "target type " + std::to_string(static_cast<uint32_t>(info.target_type)), messages);
  if (info.source_type != SourceType::dxbc_tpf)
    return pass(std::string("reading ") + name_of(info.source_type));
  if (!is_environment(request.environment()))
    return refuse_unknown(info, kError,
                          "environment " + std::to_string(static_cast<uint32_t>(request.environment())),
                          messages);
  bool passes_on = false;
  const int result = serve(request, out, messages, &passes_on);
  return passes_on ? pass(std::string("writing ") + reason_to_pass_on(request)) : result;
}

int scan(const Request& request, Messages& messages, char** client_messages) {
  const CompileInfo& info = request.compile;
  if (info.source_type != SourceType::dxbc_tpf) {
    return pass_on<ScanFunction>(
        "vkd3d_shader_scan", request, std::string("scanning ") + name_of(info.source_type), messages,
        client_messages, [&](ScanFunction* theirs, char** text) { return theirs(&info, text); });
  }
  if (const int result = check(request, Purpose::scan, messages); result != kOk) return result;
  const Shader shader(info, messages);
  if (shader.status() != kOk) return shader.status();
  return fill_scans(request, shader.container(), shader.program(), messages);
}

/// Runs `work`, whose parameters are the request, our messages, and where another library's messages go;
/// gives the client the messages.
template <typename Work>
int with_messages(const CompileInfo& info, char** messages, Work work) {
  if (messages != nullptr) *messages = nullptr;
  // Of a structure that is none of ours nothing can be read: neither its chain nor what names the source.
  if (info.type != StructureType::compile_info) return kInvalidArgument;
  const Request request(info);
  request.clear_scans();
  Messages texts(info.source_name, info.log_level);
  char* theirs = nullptr;
  const bool is_source = info.source_type > SourceType::none && info.source_type <= SourceType::tx;
  const int result =
      is_source
          ? work(request, texts, &theirs)
          : refuse_unknown(info, kInvalidArgument,
                           "source type " + std::to_string(static_cast<uint32_t>(info.source_type)), texts);
  if (messages == nullptr)
    std::free(theirs);
  else if (theirs != nullptr)
    *messages = theirs;
  else
    texts.copy_to(messages);
  return result;
}

}  // namespace

int compile(const CompileInfo& info, Code& out, char** messages) {
  return with_messages(info, messages, [&](const Request& request, Messages& texts, char** theirs) {
    return compile(request, out, texts, theirs);
  });
}

int scan(const CompileInfo& info, char** messages) {
  return with_messages(info, messages, [](const Request& request, Messages& texts, char** theirs) {
    return scan(request, texts, theirs);
  });
}

int preprocess(const CompileInfo& info, Code& out, char** messages) {
  return with_messages(info, messages, [&](const Request& request, Messages& texts, char** theirs) {
    return pass_on<CompileFunction>(
        "vkd3d_shader_preprocess", request, "preprocessing HLSL", texts, theirs,
        [&](CompileFunction* function, char** text) { return function(&info, &out, text); });
  });
}

}  // namespace texlate::vkd3d
