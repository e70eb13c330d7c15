/* The smallest use, built without CMake:
 *
 *     cc main.c $(pkg-config --cflags --libs texlate) -o plain_c
 */
#include <stdio.h>

#include "texlate/texlate.h"

static const char shader[] =
    "ps_5_0\n"
    "dcl_globalFlags refactoringAllowed\n"
    "dcl_input_ps linear v0.xy\n"
    "dcl_output o0.xyzw\n"
    "mov o0.xyzw, v0.xyxy\n"
    "ret \n";

int main(void) {
  texlate_program* program = NULL;
  texlate_output* output = NULL;
  texlate_status status = texlate_parse(shader, sizeof shader - 1, NULL, &program);
  texlate_translate_options options = TEXLATE_TRANSLATE_OPTIONS_INIT;
  options.target = "ptx";
  if (status == TEXLATE_OK) status = texlate_translate(program, &options, &output);
  size_t size = 0;
  const char* ptx = texlate_output_data(output, &size);
  printf("texlate %s: status %d\n%.*s", texlate_version(), (int)status, (int)size, ptx == NULL ? "" : ptx);
  texlate_output_free(output);
  texlate_program_free(program);
  return status == TEXLATE_OK ? 0 : 1;
}
