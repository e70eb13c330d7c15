/* Calls the C interface from C11: every function, its errors, the allocator, the callback. */

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/api/aligned_memory.h"
#include "texlate/texlate.h"

static int failures = 0;
#define CHECK(condition)                                                      \
  do {                                                                        \
    if (!(condition)) {                                                       \
      fprintf(stderr, "%s:%d: failed: %s\n", __FILE__, __LINE__, #condition); \
      ++failures;                                                             \
    }                                                                         \
  } while (0)

static const char kShader[] =
    "ps_5_0\n"
    "dcl_globalFlags refactoringAllowed\n"
    "dcl_constantbuffer cb2[3], immediateIndexed\n"
    "dcl_sampler s1, mode_default\n"
    "dcl_resource_texture2d (float,float,float,float) t7\n"
    "dcl_input_ps linear v1.xy\n"
    "dcl_output o0.xyzw\n"
    "dcl_temps 1\n"
    "sample_indexable(texture2d)(float,float,float,float) r0.xyzw, v1.xyxx, t7.xyzw, s1\n"
    "add o0.xyzw, r0.xyzw, cb2[1].xyzw\n"
    "ret \n";

struct Counter {
  size_t live;
  size_t allocations;
  size_t limit;
};

static void* count_allocate(void* user, size_t size, size_t alignment) {
  struct Counter* counter = user;
  if (counter->allocations == counter->limit) return NULL;
  ++counter->allocations;
  ++counter->live;
  return allocate_aligned(alignment, size);
}

static void count_release(void* user, void* memory, size_t size, size_t alignment) {
  struct Counter* counter = user;
  (void)size;
  (void)alignment;
  --counter->live;
  free_aligned(memory);
}

static void count_diagnostics(void* user, const texlate_diagnostic* diagnostic) {
  ++*(int*)user;
  CHECK(diagnostic->message_length != 0);
}

static void test_translation(void) {
  texlate_program* program = NULL;
  CHECK(texlate_parse(kShader, sizeof kShader - 1, NULL, &program) == TEXLATE_OK);
  texlate_program_info info;
  memset(&info, 0, sizeof info);
  info.struct_size = sizeof info;
  CHECK(texlate_program_get_info(program, &info) == TEXLATE_OK);
  CHECK(info.stage == TEXLATE_STAGE_PIXEL && info.model_major == 5 && info.model_minor == 0);
  CHECK(info.instruction_count == 3 && info.binding_count == 3);
  texlate_binding binding;
  memset(&binding, 0, sizeof binding);
  binding.struct_size = sizeof binding;
  CHECK(texlate_program_get_binding(program, 0, &binding) == TEXLATE_OK);
  CHECK(binding.kind == TEXLATE_BINDING_CONSTANT_BUFFER && binding.id == 2 && binding.size == 3);
  CHECK(texlate_program_get_binding(program, 2, &binding) == TEXLATE_OK);
  CHECK(binding.kind == TEXLATE_BINDING_RESOURCE && binding.id == 7 && binding.dimension == 3);
  CHECK(texlate_program_get_binding(program, 3, &binding) == TEXLATE_ERROR_ARGUMENT);

  const char* const targets[] = {"ptx", "ir", "asm"};
  for (int i = 0; i < 3; ++i) {
    texlate_translate_options options = TEXLATE_TRANSLATE_OPTIONS_INIT;
    const int is_ptx = i == 0;
    options.target = targets[i];
    options.explain = 1;
    options.reflect = 1;
    texlate_output* output = NULL;
    CHECK(texlate_translate(program, &options, &output) == TEXLATE_OK);
    size_t size = 0;
    CHECK(texlate_output_data(output, &size) != NULL && size > 100);
    CHECK((texlate_output_reflection(output, &size) != NULL) == is_ptx);
    CHECK((texlate_output_explanation_count(output) != 0) == is_ptx);
    texlate_diagnostic gap;
    if (is_ptx) {
      CHECK(texlate_output_explanation(output, 0, &gap) && gap.line == 9 && gap.severity == TEXLATE_NOTE);
    }
    CHECK(texlate_output_diagnostic_count(output) == 0);
    texlate_output_free(output);
  }
  texlate_program_free(program);
}

/* "asm" loses no bit of a literal unless the caller asks for literals as fxc prints them. */
static void test_literals(void) {
  static const char kText[] = "ps_5_0\ndcl_output o0.x\nmul o0.x, l(0.0000946969667), l(1.0)\nret \n";
  texlate_program* program = NULL;
  CHECK(texlate_parse(kText, sizeof kText - 1, NULL, &program) == TEXLATE_OK);
  texlate_translate_options options = TEXLATE_TRANSLATE_OPTIONS_INIT;
  options.target = "asm";
  for (int rounded = 0; rounded < 2; ++rounded) {
    texlate_output* output = NULL;
    options.rounded_literals = rounded;
    CHECK(texlate_translate(program, &options, &output) == TEXLATE_OK);
    size_t size = 0;
    const char* data = texlate_output_data(output, &size);
    char text[200] = {0};
    memcpy(text, data, size < sizeof text ? size : sizeof text - 1);
    CHECK((strstr(text, "l(9.46969667e-05)") != NULL || strstr(text, "l(9.469697e-05)") != NULL) == !rounded);
    CHECK((strstr(text, "l(0.000095)") != NULL) == rounded);
    texlate_output_free(output);
  }
  texlate_program_free(program);
}

static void test_targets(void) {
  int found = 0;
  texlate_target_info info;
  info.struct_size = sizeof info;
  for (uint32_t i = 0; i < texlate_target_count(); ++i) {
    CHECK(texlate_target_get_info(i, &info) == TEXLATE_OK);
    CHECK(info.name[0] != '\0' && info.title[0] != '\0' && info.suffix[0] == '.');
    if (strcmp(info.name, "ptx") == 0) found += info.reflection && info.takes_sm;
    if (strcmp(info.name, "dxbc") == 0)
      found += !info.reflection && !info.takes_sm && !info.takes_uav_formats;
  }
  CHECK(found == 2);
  CHECK(texlate_target_get_info(texlate_target_count(), &info) == TEXLATE_ERROR_ARGUMENT);
  info.struct_size = 0;
  CHECK(texlate_target_get_info(0, &info) == TEXLATE_ERROR_ARGUMENT);
}

/* Whether a SPIR-V module has `OpDecorate id decoration value` for any id. */
static int decorated(const char* data, size_t size, uint32_t decoration, uint32_t value) {
  uint32_t word[4];
  for (size_t at = 20; at + 16 <= size; at += 4) {
    memcpy(word, data + at, sizeof word);
    if (word[0] == (4u << 16 | 71u) && word[2] == decoration && word[3] == value) return 1;
  }
  return 0;
}

static void test_spirv(void) {
  texlate_program* program = NULL;
  CHECK(texlate_parse(kShader, sizeof kShader - 1, NULL, &program) == TEXLATE_OK);
  const texlate_spirv_binding bindings[] = {
      {TEXLATE_REGISTER_RESOURCE, 0, 7, 1, 5, 77, TEXLATE_PASSING_DESCRIPTOR, 0, 0, 0, 0, 0}};
  texlate_spirv_options spirv = TEXLATE_SPIRV_OPTIONS_INIT;
  spirv.bindings = bindings;
  spirv.binding_count = 1;
  spirv.robustness = TEXLATE_ROBUSTNESS_SHADER;
  spirv.version = 0x00010600;
  spirv.validate = TEXLATE_HAS_SPIRV_TOOLS;
  texlate_translate_options options = TEXLATE_TRANSLATE_OPTIONS_INIT;
  options.target = "spirv";
  options.reflect = 1;
  options.spirv = &spirv;
  texlate_output* output = NULL;
  CHECK(texlate_translate(program, &options, &output) == TEXLATE_OK);
  size_t size = 0;
  const char* data = texlate_output_data(output, &size);
  uint32_t header[2] = {0, 0};
  CHECK(size > 20 && size % 4 == 0);
  if (size > 20) memcpy(header, data, sizeof header);
  CHECK(header[0] == 0x07230203 && header[1] == 0x00010600);
  CHECK(decorated(data, size, 33 /* Binding */, 77) && decorated(data, size, 34 /* DescriptorSet */, 5));
  CHECK(texlate_output_reflection(output, &size) != NULL);
  texlate_output_free(output);

  options.reflect = 0;
  CHECK(texlate_translate(program, &options, &output) == TEXLATE_OK);
  CHECK(texlate_output_reflection(output, &size) == NULL && size == 0);
  texlate_output_free(output);

  texlate_spirv_binding wrong = bindings[0];
  spirv.bindings = &wrong;
  wrong.passing = TEXLATE_PASSING_PUSH_CONSTANTS;
  CHECK(texlate_translate(program, &options, &output) == TEXLATE_ERROR_ARGUMENT);
  wrong = bindings[0];
  wrong.count = 0;
  CHECK(texlate_translate(program, &options, &output) == TEXLATE_ERROR_ARGUMENT);
  wrong = bindings[0];
  spirv.version = 0x00010700;
  CHECK(texlate_translate(program, &options, &output) == TEXLATE_ERROR_ARGUMENT);
  spirv.version = 0;
  spirv.struct_size = 8;
  CHECK(texlate_translate(program, &options, &output) == TEXLATE_ERROR_ARGUMENT);
  texlate_program_free(program);
}

static const char kVertex[] =
    "// Output signature:\n//\n"
    "// Name                 Index   Mask Register SysValue Format   Used\n"
    "// -------------------- ----- ------ -------- -------- ------ ------\n"
    "// SV_Position              0   xyzw        0      POS  float   xyzw\n"
    "// COLOR                    2   xyz         1     NONE  float   xyz \n//\n"
    "vs_5_0\ndcl_globalFlags refactoringAllowed\ndcl_constantbuffer cb3[2], immediateIndexed\n"
    "dcl_output_siv o0.xyzw, position\ndcl_output o1.xyz\nmov o0.xyzw, cb3[0].xyzw\n"
    "mov o1.xyz, cb3[1].xyzx\nret \n";

/* What version 0.2 added: elements with strides, stream output, heaps, parameters, signatures. */
static void test_driver_options(void) {
  texlate_program* program = NULL;
  CHECK(texlate_parse(kVertex, sizeof kVertex - 1, NULL, &program) == TEXLATE_OK);
  texlate_signature_element element;
  memset(&element, 0, sizeof element);
  element.struct_size = sizeof element;
  CHECK(texlate_program_signature_size(program, TEXLATE_SIGNATURE_OUTPUT) == 2);
  CHECK(texlate_program_find_signature_element(program, TEXLATE_SIGNATURE_OUTPUT, "color", 2, 0, &element) ==
        TEXLATE_OK);
  CHECK(element.register_index == 1 && element.mask == 7 && strcmp(element.semantic_name, "COLOR") == 0);

  texlate_spirv_binding heap;
  memset(&heap, 0, sizeof heap);
  heap.register_class = TEXLATE_REGISTER_CONSTANT_BUFFER;
  heap.first = 3;
  heap.count = 1;
  heap.set = 6;
  heap.binding = 66;
  heap.array_size = TEXLATE_UNSIZED_ARRAY;
  heap.element = 5;
  const texlate_stream_output outputs[] = {{0, "SV_Position", 0, 0, 4, 1}, {0, "COLOR", 2, 0, 3, 1}};
  texlate_spirv_options spirv = TEXLATE_SPIRV_OPTIONS_INIT;
  spirv.bindings = &heap;
  spirv.binding_count = 1;
  spirv.strict_bindings = 1;
  spirv.stream_output = outputs;
  spirv.stream_output_count = 2;
  spirv.point_size = 1;
  spirv.validate = TEXLATE_HAS_SPIRV_TOOLS;
  texlate_translate_options options = TEXLATE_TRANSLATE_OPTIONS_INIT;
  options.target = "spirv";
  options.spirv = &spirv;
  texlate_output* output = NULL;
  CHECK(texlate_translate(program, &options, &output) == TEXLATE_OK);
  size_t size = 0;
  const char* data = texlate_output_data(output, &size);
  CHECK(decorated(data, size, 33 /* Binding */, 66) && decorated(data, size, 37 /* XfbStride */, 28));
  texlate_output_free(output);
  heap.first = 4;
  CHECK(texlate_translate(program, &options, &output) == TEXLATE_ERROR_INPUT);
  texlate_output_free(output);
  texlate_program_free(program);
}

static void test_errors(void) {
  static const char kWrong[] = "ps_5_0\ndcl_temps 1\nfrobnicate r0.x, r0.y\nmov r0.x\nret \n";
  int count = 0;
  texlate_parse_options options = TEXLATE_PARSE_OPTIONS_INIT;
  options.callback = count_diagnostics;
  options.callback_user = &count;
  texlate_program* program = NULL;
  CHECK(texlate_parse(kWrong, sizeof kWrong - 1, &options, &program) == TEXLATE_ERROR_INPUT);
  CHECK(program != NULL && count == 2 && texlate_program_diagnostic_count(program) == 2);
  texlate_diagnostic diagnostic;
  CHECK(texlate_program_diagnostic(program, 0, &diagnostic) && diagnostic.line == 3 &&
        diagnostic.severity == TEXLATE_ERROR);
  CHECK(!texlate_program_diagnostic(program, 2, &diagnostic));
  texlate_translate_options translate = TEXLATE_TRANSLATE_OPTIONS_INIT;
  texlate_output* output = NULL;
  CHECK(texlate_translate(program, &translate, &output) == TEXLATE_ERROR_INPUT && output != NULL);
  CHECK(texlate_output_data(output, NULL) == NULL && texlate_output_diagnostic_count(output) == 1);
  texlate_output_free(output);
  /* A program that could not be parsed cannot be checked, and the check reports why. */
  CHECK(texlate_check(program, &output) == TEXLATE_ERROR_INPUT && output != NULL);
  CHECK(texlate_output_diagnostic_count(output) == 2);
  CHECK(texlate_output_diagnostic(output, 0, &diagnostic) && diagnostic.line == 3);
  texlate_output_free(output);
  texlate_program_free(program);

  CHECK(texlate_parse(NULL, 5, NULL, &program) == TEXLATE_ERROR_ARGUMENT && program == NULL);
  CHECK(texlate_parse(kShader, 5, NULL, NULL) == TEXLATE_ERROR_ARGUMENT);
  options.struct_size = 4;
  CHECK(texlate_parse(kShader, 5, &options, &program) == TEXLATE_ERROR_ARGUMENT);
  CHECK(texlate_parse("", 0, NULL, &program) == TEXLATE_ERROR_INPUT);
  texlate_program_free(program);
  CHECK(texlate_translate(NULL, &translate, &output) == TEXLATE_ERROR_ARGUMENT && output == NULL);
  texlate_program_free(NULL);
  texlate_output_free(NULL);

  CHECK(texlate_parse(kShader, sizeof kShader - 1, NULL, &program) == TEXLATE_OK);
  translate.sm = 42;
  CHECK(texlate_translate(program, &translate, &output) == TEXLATE_ERROR_ARGUMENT && output == NULL);
  translate.sm = 0;
  translate.entry = "no name";
  CHECK(texlate_translate(program, &translate, &output) == TEXLATE_ERROR_INPUT);
  texlate_output_free(output);
  const char* const targets[] = {"ptx", "maxwell", "cubin", "dksh", "spirv", "ir"};
  for (size_t i = 0; i < sizeof targets / sizeof *targets; ++i) {
    translate.target = targets[i];
    translate.entry = "";
    CHECK(texlate_translate(program, &translate, &output) == TEXLATE_ERROR_ARGUMENT && output == NULL);
    CHECK(strcmp(texlate_argument_error(), "options.entry is empty") == 0);
    translate.entry = "a\tb";
    CHECK(texlate_translate(program, &translate, &output) == TEXLATE_ERROR_ARGUMENT && output == NULL);
    CHECK(strcmp(texlate_argument_error(), "options.entry has the control character 0x09") == 0);
  }
  translate.entry = NULL;
  translate.target = "nothing";
  CHECK(texlate_translate(program, &translate, &output) == TEXLATE_ERROR_ARGUMENT);
  translate.target = NULL;
  const texlate_uav_format bad = {0, 3, 32, TEXLATE_TEXEL_FLOAT, TEXLATE_FORMAT_UNKNOWN};
  translate.uav_formats = &bad;
  translate.uav_format_count = 1;
  CHECK(texlate_translate(program, &translate, &output) == TEXLATE_ERROR_ARGUMENT);
  texlate_program_free(program);
}

/* A container with a wrong digest, read with each of the three settings. */
static void test_digest(void) {
  texlate_program* program = NULL;
  texlate_output* output = NULL;
  texlate_translate_options translate = TEXLATE_TRANSLATE_OPTIONS_INIT;
  translate.target = "dxbc";
  CHECK(texlate_parse(kShader, sizeof kShader - 1, NULL, &program) == TEXLATE_OK);
  CHECK(texlate_translate(program, &translate, &output) == TEXLATE_OK);
  texlate_program_free(program);
  size_t size = 0;
  const void* made = texlate_output_data(output, &size);
  unsigned char* bytes = malloc(size);
  memcpy(bytes, made, size);
  bytes[4] ^= 1;
  const texlate_digest checks[] = {TEXLATE_DIGEST_WARN, TEXLATE_DIGEST_REQUIRE, TEXLATE_DIGEST_IGNORE};
  const texlate_status expected[] = {TEXLATE_OK, TEXLATE_ERROR_INPUT, TEXLATE_OK};
  const size_t messages[] = {1, 1, 0};
  for (size_t i = 0; i < 3; ++i) {
    texlate_parse_options options = TEXLATE_PARSE_OPTIONS_INIT;
    options.digest = checks[i];
    CHECK(texlate_parse(bytes, size, &options, &program) == expected[i]);
    CHECK(texlate_program_diagnostic_count(program) == messages[i]);
    texlate_program_free(program);
  }
  texlate_parse_options options = TEXLATE_PARSE_OPTIONS_INIT;
  options.digest = (texlate_digest)3;
  CHECK(texlate_parse(bytes, size, &options, &program) == TEXLATE_ERROR_ARGUMENT && program == NULL);
  free(bytes);
  texlate_output_free(output);
}

/* Each allocation fails in turn. Nothing leaks, and nothing crashes. */
static void test_allocator(void) {
  for (size_t limit = 0;; ++limit) {
    struct Counter counter = {0, 0, limit};
    texlate_allocator allocator = {count_allocate, count_release, &counter};
    texlate_parse_options options = TEXLATE_PARSE_OPTIONS_INIT;
    options.allocator = &allocator;
    texlate_program* program = NULL;
    texlate_output* output = NULL;
    texlate_status status = texlate_parse(kShader, sizeof kShader - 1, &options, &program);
    if (status == TEXLATE_OK) {
      texlate_translate_options translate = TEXLATE_TRANSLATE_OPTIONS_INIT;
      status = texlate_translate(program, &translate, &output);
    }
    texlate_output_free(output);
    texlate_program_free(program);
    CHECK(counter.live == 0);
    if (status == TEXLATE_OK) {
      CHECK(counter.allocations > 3);
      return;
    }
    CHECK(status == TEXLATE_ERROR_MEMORY);
    if (limit > 10000) {
      CHECK(!"never came to an end");
      return;
    }
  }
}

/* Memory with the requested alignment and no larger one: its address is an odd multiple of the alignment. */
static void* exact_allocate(void* user, size_t size, size_t alignment) {
  (void)user;
  char* block = malloc(size + 3 * alignment + sizeof(void*));
  if (block == NULL) return NULL;
  char* at = block + sizeof(void*);
  at += (alignment - (uintptr_t)at % alignment) % alignment;
  if ((uintptr_t)at / alignment % 2 == 0) at += alignment;
  memcpy(at - sizeof(void*), &block, sizeof block);
  return at;
}

static void exact_release(void* user, void* memory, size_t size, size_t alignment) {
  (void)user;
  (void)size;
  (void)alignment;
  void* block;
  memcpy(&block, (char*)memory - sizeof(void*), sizeof block);
  free(block);
}

static void test_alignment_of_words(void) {
  texlate_allocator allocator = {exact_allocate, exact_release, NULL};
  texlate_parse_options parse = TEXLATE_PARSE_OPTIONS_INIT;
  parse.allocator = &allocator;
  texlate_program* program = NULL;
  CHECK(texlate_parse(kShader, sizeof kShader - 1, &parse, &program) == TEXLATE_OK);
  texlate_translate_options options = TEXLATE_TRANSLATE_OPTIONS_INIT;
  options.target = "spirv";
  for (int i = 0; i < 8; ++i) {
    texlate_output* output = NULL;
    CHECK(texlate_translate(program, &options, &output) == TEXLATE_OK);
    const char* data = texlate_output_data(output, NULL);
    CHECK(data != NULL && (uintptr_t)data % 4 == 0);
    texlate_output_free(output);
  }
  texlate_program_free(program);
}

int main(void) {
  CHECK(strcmp(texlate_version(), "0.3.0") == 0);
  test_translation();
  test_targets();
  test_literals();
  test_spirv();
  test_driver_options();
  test_errors();
  test_digest();
  test_allocator();
  test_alignment_of_words();
  return failures == 0 ? 0 : 1;
}
