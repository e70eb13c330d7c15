/* How a driver uses texlate: with a custom allocator that gives exactly the requested alignment and counts
 * the memory in use, and with one program that four threads translate at the same time. All get the same
 * bytes.
 *
 *     c_driver SHADER      exit status 0: four equal SPIR-V modules, and no memory left over
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "texlate/texlate.h"

enum { kThreads = 4, kHeader = 64 };

static atomic_size_t bytes_in_use;

/* Memory at an odd multiple of `alignment`: this exposes code that relies on more than it requested. */
static void* allocate(void* user, size_t size, size_t alignment) {
  (void)user;
  unsigned char* block = malloc(size + 4 * alignment + kHeader);
  if (block == NULL) return NULL;
  uintptr_t at = ((uintptr_t)block + kHeader + alignment - 1) / alignment * alignment;
  if (at / alignment % 2 == 0) at += alignment;
  memcpy((unsigned char*)at - sizeof(void*), &block, sizeof(void*));
  atomic_fetch_add(&bytes_in_use, size);
  return (void*)at;
}

static void release(void* user, void* memory, size_t size, size_t alignment) {
  (void)user;
  (void)alignment;
  void* block;
  memcpy(&block, (unsigned char*)memory - sizeof(void*), sizeof(void*));
  atomic_fetch_sub(&bytes_in_use, size);
  free(block);
}

struct work {
  const texlate_program* program;
  texlate_output* output;
  texlate_status status;
};

static void* translate(void* argument) {
  struct work* work = argument;
  texlate_translate_options options = TEXLATE_TRANSLATE_OPTIONS_INIT;
  options.target = "spirv";
  work->status = texlate_translate(work->program, &options, &work->output);
  return NULL;
}

static void print_diagnostics(const texlate_program* program) {
  texlate_diagnostic diagnostic;
  for (size_t i = 0; texlate_program_diagnostic(program, i, &diagnostic); ++i) {
    fprintf(stderr, "%u:%u: %.*s\n", diagnostic.line, diagnostic.column, (int)diagnostic.message_length,
            diagnostic.message);
  }
}

int main(int count, char** arguments) {
  if (count != 2) return 2;
  FILE* file = fopen(arguments[1], "rb");
  if (file == NULL) return 2;
  static char shader[1 << 20];
  const size_t size = fread(shader, 1, sizeof shader, file);
  fclose(file);

  const texlate_allocator allocator = {allocate, release, NULL};
  texlate_parse_options parse = TEXLATE_PARSE_OPTIONS_INIT;
  parse.allocator = &allocator;
  texlate_program* program = NULL;
  if (texlate_parse(shader, size, &parse, &program) != TEXLATE_OK) {
    print_diagnostics(program);
    texlate_program_free(program);
    return 1;
  }

  struct work work[kThreads];
  pthread_t threads[kThreads];
  for (int i = 0; i < kThreads; ++i) {
    work[i] = (struct work){program, NULL, TEXLATE_ERROR_INTERNAL};
    if (pthread_create(&threads[i], NULL, translate, &work[i]) != 0) return 2;
  }
  for (int i = 0; i < kThreads; ++i) pthread_join(threads[i], NULL);

  int equal = 1;
  size_t first_size = 0;
  const char* first = texlate_output_data(work[0].output, &first_size);
  for (int i = 0; i < kThreads; ++i) {
    size_t module_size = 0;
    const char* module = texlate_output_data(work[i].output, &module_size);
    equal = equal && work[i].status == TEXLATE_OK && module_size == first_size &&
            memcmp(module, first, first_size) == 0 && (uintptr_t)module % sizeof(uint32_t) == 0;
  }
  printf("%d threads, %zu bytes of SPIR-V each, %s\n", kThreads, first_size, equal ? "equal" : "NOT equal");
  for (int i = 0; i < kThreads; ++i) texlate_output_free(work[i].output);
  texlate_program_free(program);
  const size_t left = atomic_load(&bytes_in_use);
  if (left != 0) printf("%zu bytes were not released\n", left);
  return equal && left == 0 ? 0 : 1;
}
