// Arbitrary bytes as a program, through the C interface: text, a container, a token stream, the IR. A program
// that can be read goes to every target; SPIR-V is validated. Each call ends with a result, or with an error
// that has a message.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "texlate/texlate.h"

namespace {

[[noreturn]] void fail(const char* what, const char* target, const char* message = "") {
  std::fprintf(stderr, "%s (%s): %s\n", what, target, message);
  std::abort();
}

void check_output(texlate_status status, texlate_output* output, const char* target) {
  if (status != TEXLATE_OK && status != TEXLATE_ERROR_INPUT) fail("status of a defect", target);
  bool has_error = false;
  for (size_t i = 0; i < texlate_output_diagnostic_count(output); ++i) {
    texlate_diagnostic diagnostic;
    texlate_output_diagnostic(output, i, &diagnostic);
    has_error |= diagnostic.severity == TEXLATE_ERROR;
    if (std::strncmp(diagnostic.message, "defect", 6) == 0) fail("a defect", target, diagnostic.message);
  }
  if (has_error != (status == TEXLATE_ERROR_INPUT))
    fail(status == TEXLATE_OK ? "errors beside a result" : "refused without a message", target);
  texlate_output_free(output);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  texlate_parse_options parsing = TEXLATE_PARSE_OPTIONS_INIT;
  parsing.digest = TEXLATE_DIGEST_IGNORE;
  texlate_program* program = nullptr;
  const texlate_status read = texlate_parse(data, size, &parsing, &program);
  if (read != TEXLATE_OK && read != TEXLATE_ERROR_INPUT) fail("status of a defect", "parse");
  if (read == TEXLATE_ERROR_INPUT && texlate_program_diagnostic_count(program) == 0)
    fail("refused without a message", "parse");
  if (read == TEXLATE_OK) {
    texlate_output* output = nullptr;
    texlate_status status = texlate_check(program, &output);
    check_output(status, output, "check");
    status = texlate_info(program, 1, &output);
    check_output(status, output, "info");
    for (uint32_t i = 0; i < texlate_target_count(); ++i) {
      texlate_target_info info{};
      info.struct_size = sizeof info;
      texlate_target_get_info(i, &info);
      texlate_spirv_options spirv = TEXLATE_SPIRV_OPTIONS_INIT;
      spirv.validate = 1;
      texlate_translate_options options = TEXLATE_TRANSLATE_OPTIONS_INIT;
      options.target = info.name;
      options.spirv = &spirv;
      options.reflect = info.reflection;
      status = texlate_translate(program, &options, &output);
      check_output(status, output, info.name);
    }
  }
  texlate_program_free(program);
  return 0;
}
