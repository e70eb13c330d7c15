/* C11 calls with wrong arguments, whose error texts say why; structures of older and newer callers. */

#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "texlate/texlate.h"

static int failures = 0;
#define CHECK(condition)                                                                                     \
  do {                                                                                                       \
    if (!(condition)) {                                                                                      \
      fprintf(stderr, "%s:%d: failed: %s (%s)\n", __FILE__, __LINE__, #condition, texlate_argument_error()); \
      ++failures;                                                                                            \
    }                                                                                                        \
  } while (0)
#define REFUSED(call, text)                             \
  do {                                                  \
    CHECK((call) == TEXLATE_ERROR_ARGUMENT);            \
    CHECK(strcmp(texlate_argument_error(), text) == 0); \
  } while (0)

static const char kShader[] = "ps_5_0\ndcl_output o0.xyzw\nmov o0.xyzw, l(0,0,0,0)\nret \n";

int main(void) {
  CHECK(strcmp(texlate_argument_error(), "") == 0);
  texlate_program* program = NULL;
  texlate_output* output = NULL;
  texlate_translate_options options = TEXLATE_TRANSLATE_OPTIONS_INIT;
  REFUSED(texlate_parse(NULL, 5, NULL, &program), "data is null but size is not 0");
  const texlate_allocator nothing = {NULL, NULL, NULL};
  texlate_parse_options parse = TEXLATE_PARSE_OPTIONS_INIT;
  parse.allocator = &nothing;
  REFUSED(texlate_parse(kShader, sizeof kShader - 1, &parse, &program),
          "the allocator lacks a function: it needs both allocate and release");
  CHECK(texlate_parse(kShader, sizeof kShader - 1, NULL, &program) == TEXLATE_OK);
  REFUSED(texlate_translate(program, NULL, &output), "options is null");
  REFUSED(texlate_translate(NULL, &options, &output), "program is null");
  REFUSED(texlate_translate(program, &options, NULL), "output is null");
  options.target = "metal";
  REFUSED(texlate_translate(program, &options, &output),
          "options.target: there is no target 'metal' (texlate_target_get_info)");
  options.target = "spirv";
  const texlate_uav_format format = {0, 3, 32, TEXLATE_TEXEL_FLOAT, TEXLATE_FORMAT_UNKNOWN};
  options.uav_formats = &format;
  options.uav_format_count = 1;
  REFUSED(texlate_translate(program, &options, &output),
          "options.uav_formats[0].components is 3: not 1, 2 or 4, nor a packed format");
  options.uav_format_stride = 0;
  REFUSED(texlate_translate(program, &options, &output),
          "the stride of options.uav_formats is 0, less than 16");
  options.uav_format_stride = sizeof format;
  options.uav_formats = NULL;
  REFUSED(texlate_translate(program, &options, &output), "options.uav_formats is null but its count is 1");
  options.uav_format_count = 0;
  texlate_spirv_options spirv = TEXLATE_SPIRV_OPTIONS_INIT;
  options.spirv = &spirv;
  spirv.version = 0x00010700;
  REFUSED(texlate_translate(program, &options, &output),
          "options.spirv.version is 0x10700, which is neither 0 nor 0x10000 nor in 0x10300 to 0x10600");
  spirv.version = 0;
  spirv.robustness = (texlate_robustness)9;
  REFUSED(texlate_translate(program, &options, &output),
          "options.spirv.robustness is 9, which is not an enumerator");
  spirv.robustness = TEXLATE_ROBUSTNESS_DRIVER;
  spirv.struct_size = 8;
  CHECK(texlate_translate(program, &options, &output) == TEXLATE_ERROR_ARGUMENT);
  CHECK(strstr(texlate_argument_error(), "options.spirv.struct_size is 8, less than ") != NULL);

  /* A caller of the first version: nothing past the end of its structure is read. */
  spirv.struct_size = offsetof(texlate_spirv_options, binding_stride);
  memset((char*)&spirv + spirv.struct_size, 0xab, sizeof spirv - spirv.struct_size);
  CHECK(texlate_translate(program, &options, &output) == TEXLATE_OK);
  texlate_output_free(output);
  options.spirv = NULL;

  /* A caller of a later version is accepted if the members that this library does not know are zero. */
  struct {
    texlate_translate_options known;
    size_t unknown;
  } newer = {options, 0};
  newer.known.struct_size = sizeof newer;
  CHECK(texlate_translate(program, &newer.known, &output) == TEXLATE_OK);
  texlate_output_free(output);
  newer.unknown = 1;
  REFUSED(texlate_translate(program, &newer.known, &output),
          "options has members that texlate 0.3.0 does not know, and they are not zero");
  struct {
    texlate_program_info known;
    size_t unknown;
  } info;
  memset(&info, 0xab, sizeof info);
  info.known.struct_size = sizeof info;
  CHECK(texlate_program_get_info(program, &info.known) == TEXLATE_OK);
  CHECK(info.known.struct_size == sizeof info && info.unknown == 0 && info.known.instruction_count == 2);
  texlate_program_free(program);
  return failures == 0 ? 0 : 1;
}
