/* Prints, for each shader and each target, digests of the translation, its reflection, and everything that
 * was said about it. Programs built by other compilers and for other systems must print the same
 * (same_bytes.py).
 *
 *     digests LIST    the file LIST names a shader in each line
 */
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "texlate/texlate.h"

/* FNV-1a, 64 bits. */
static uint64_t digest_of(uint64_t digest, const char* data, size_t size) {
  size_t i;
  for (i = 0; i < size; ++i) digest = (digest ^ (unsigned char)data[i]) * UINT64_C(0x100000001b3);
  return digest;
}
static const uint64_t kStart = UINT64_C(0xcbf29ce484222325);

static void add_diagnostic(void* user, const texlate_diagnostic* diagnostic) {
  uint64_t* digest = user;
  char numbers[64];
  const int length = snprintf(numbers, sizeof numbers, "%d %" PRIu32 " %" PRIu32 " ",
                              (int)diagnostic->severity, diagnostic->line, diagnostic->column);
  *digest = digest_of(*digest, numbers, (size_t)length);
  *digest = digest_of(*digest, diagnostic->message, diagnostic->message_length);
}

static char* read_whole(const char* path, size_t* size) {
  FILE* const file = fopen(path, "rb");
  char* bytes = NULL;
  size_t room = 0;
  *size = 0;
  if (file == NULL) return NULL;
  do {
    room = 2 * room + 65536;
    bytes = realloc(bytes, room);
    if (bytes == NULL) break;
    *size += fread(bytes + *size, 1, room - 1 - *size, file);
  } while (*size == room - 1);
  fclose(file);
  if (bytes != NULL) bytes[*size] = '\0';
  return bytes;
}

static void translate(const texlate_program* program, const char* target, const char* name) {
  texlate_translate_options options = TEXLATE_TRANSLATE_OPTIONS_INIT;
  texlate_output* output = NULL;
  uint64_t said = kStart;
  size_t size = 0, i = 0, reflection_size = 0;
  options.target = target;
  options.explain = 1;
  options.reflect = 1;
  options.callback = add_diagnostic;
  options.callback_user = &said;
  if (texlate_translate(program, &options, &output) > TEXLATE_ERROR_INPUT) {
    printf("%s %s failed: %s\n", name, target, texlate_argument_error());
    return;
  }
  for (i = 0; i < texlate_output_explanation_count(output); ++i) {
    texlate_diagnostic guard;
    if (texlate_output_explanation(output, i, &guard)) add_diagnostic(&said, &guard);
  }
  const char* const data = texlate_output_data(output, &size);
  const char* const reflection = texlate_output_reflection(output, &reflection_size);
  printf("%s %s %zu %016" PRIx64 " %016" PRIx64 " %016" PRIx64 "\n", name, target, size,
         digest_of(kStart, data, size), digest_of(kStart, reflection, reflection_size), said);
  texlate_output_free(output);
}

static void process(const char* name) {
  size_t size = 0;
  uint32_t target = 0;
  char* const bytes = read_whole(name, &size);
  texlate_program* program = NULL;
  uint64_t said = kStart;
  texlate_parse_options options = TEXLATE_PARSE_OPTIONS_INIT;
  texlate_status status = TEXLATE_OK;
  if (bytes == NULL) {
    printf("%s cannot be read\n", name);
    return;
  }
  options.callback = add_diagnostic;
  options.callback_user = &said;
  status = texlate_parse(bytes, size, &options, &program);
  printf("%s parsed %d %016" PRIx64 "\n", name, (int)status, said);
  for (target = 0; status == TEXLATE_OK && target < texlate_target_count(); ++target) {
    texlate_target_info info = TEXLATE_TARGET_INFO_INIT;
    texlate_target_get_info(target, &info);
    translate(program, info.name, name);
  }
  texlate_program_free(program);
  free(bytes);
}

int main(int argc, char** argv) {
  size_t size = 0;
  char* const list = argc == 2 ? read_whole(argv[1], &size) : NULL;
  char* name = NULL;
  if (list == NULL) {
    fprintf(stderr, "usage: digests LIST\n");
    return 2;
  }
  for (name = strtok(list, "\r\n"); name != NULL; name = strtok(NULL, "\r\n")) process(name);
  free(list);
  return 0;
}
