/*
 * texlate: Direct3D shader-model 4.0-5.1 programs to PTX and other targets.
 *
 * The C interface. There is no global state: every function works on what it is given, and different threads
 * may work on different objects, or read the same object, at the same time. Nothing throws, prints or exits.
 * Strings have explicit lengths and are not necessarily terminated unless it says so.
 *
 *     texlate_program* program = NULL;
 *     texlate_parse(text, size, NULL, &program);
 *     texlate_translate_options options = TEXLATE_TRANSLATE_OPTIONS_INIT;
 *     options.target = "ptx";
 *     texlate_output* output = NULL;
 *     if (texlate_translate(program, &options, &output) == TEXLATE_OK) {
 *       size_t length;
 *       const char* ptx = texlate_output_data(output, &length);
 *     }
 *     texlate_output_free(output);
 *     texlate_program_free(program);
 */
#ifndef TEXLATE_TEXLATE_H
#define TEXLATE_TEXLATE_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(_WIN32)
#define TEXLATE_API __declspec(dllexport)
#else
#define TEXLATE_API __attribute__((visibility("default")))
#endif

#define TEXLATE_VERSION_MAJOR 0
#define TEXLATE_VERSION_MINOR 1
#define TEXLATE_VERSION_PATCH 0

/* "0.1.0", terminated. */
TEXLATE_API const char* texlate_version(void);

typedef enum texlate_status {
  TEXLATE_OK = 0,
  TEXLATE_ERROR_INPUT = 1,    /* the program is wrong, or uses what is not supported: see the diagnostics */
  TEXLATE_ERROR_ARGUMENT = 2, /* a null pointer, an unknown enumerator or a struct_size that is too small */
  TEXLATE_ERROR_MEMORY = 3,   /* the allocator returned null */
  TEXLATE_ERROR_INTERNAL = 4  /* a defect in texlate */
} texlate_status;

/* Memory for handles, programs and outputs. `allocate` returns null on failure; `alignment` is a power of
 * two, 4 at least: the words of SPIR-V may be read where they are. Small short-lived strings (the texts of
 * diagnostics, JSON) may come from the C++ runtime's allocator.
 */
typedef struct texlate_allocator {
  void* (*allocate)(void* user, size_t size, size_t alignment);
  void (*release)(void* user, void* memory, size_t size, size_t alignment);
  void* user;
} texlate_allocator;

typedef enum texlate_severity { TEXLATE_NOTE = 0, TEXLATE_WARNING = 1, TEXLATE_ERROR = 2 } texlate_severity;

/* Where in the input, and what. `line` and `column` are 1-based; line 0: not a place in text. `offset` is a
 * byte offset in binary input; UINT32_MAX: none. */
typedef struct texlate_diagnostic {
  texlate_severity severity;
  uint32_t line;
  uint32_t column;
  uint32_t length; /* characters that are meant */
  uint32_t offset;
  const char* message;
  size_t message_length;
} texlate_diagnostic;

typedef void (*texlate_diagnostic_callback)(void* user, const texlate_diagnostic* diagnostic);

/* ---- Programs ---- */

typedef struct texlate_program texlate_program;

/* What is done about a container's digest. Direct3D's runtime checks it before a driver sees the container;
 * whoever has checked it already saves the time (a twentieth of a translation). */
typedef enum texlate_digest {
  TEXLATE_DIGEST_WARN = 0,    /* a wrong one is a warning */
  TEXLATE_DIGEST_REQUIRE = 1, /* a wrong one is an error */
  TEXLATE_DIGEST_IGNORE = 2   /* not looked at */
} texlate_digest;

typedef struct texlate_parse_options {
  size_t struct_size;                   /* sizeof(texlate_parse_options) */
  const texlate_allocator* allocator;   /* null: malloc. Must outlive the program and its outputs */
  texlate_diagnostic_callback callback; /* null: diagnostics are only kept in the program */
  void* callback_user;
  texlate_digest digest; /* of containers */
} texlate_parse_options;
#define TEXLATE_PARSE_OPTIONS_INIT \
  { sizeof(texlate_parse_options), NULL, NULL, NULL, TEXLATE_DIGEST_WARN }

/* Reads a program: assembly text as fxc prints it, or a DXBC container or token stream, told apart by their
 * first bytes. `*program` is set unless memory ran out or an argument was null, also when the input is wrong:
 * it then carries the diagnostics and cannot be translated. `options` may be null. */
TEXLATE_API texlate_status texlate_parse(const void* data, size_t size, const texlate_parse_options* options,
                                         texlate_program** program);
TEXLATE_API void texlate_program_free(texlate_program* program);

TEXLATE_API size_t texlate_program_diagnostic_count(const texlate_program* program);
/* False: there is no such diagnostic. The message lives as long as the program. */
TEXLATE_API int texlate_program_diagnostic(const texlate_program* program, size_t index,
                                           texlate_diagnostic* diagnostic);

typedef enum texlate_stage {
  TEXLATE_STAGE_PIXEL = 0,
  TEXLATE_STAGE_VERTEX = 1,
  TEXLATE_STAGE_GEOMETRY = 2,
  TEXLATE_STAGE_HULL = 3,
  TEXLATE_STAGE_DOMAIN = 4,
  TEXLATE_STAGE_COMPUTE = 5
} texlate_stage;

typedef struct texlate_program_info {
  size_t struct_size; /* in: sizeof(texlate_program_info) */
  texlate_stage stage;
  uint32_t model_major, model_minor;
  uint32_t instruction_count; /* declarations not counted */
  uint32_t thread_group[3];   /* compute; 0 otherwise */
  uint32_t binding_count;
} texlate_program_info;

TEXLATE_API texlate_status texlate_program_get_info(const texlate_program* program,
                                                    texlate_program_info* info);

typedef enum texlate_binding_kind {
  TEXLATE_BINDING_CONSTANT_BUFFER = 0,
  TEXLATE_BINDING_SAMPLER = 1,
  TEXLATE_BINDING_RESOURCE = 2,
  TEXLATE_BINDING_UAV = 3
} texlate_binding_kind;

typedef struct texlate_binding {
  size_t struct_size; /* in: sizeof(texlate_binding) */
  texlate_binding_kind kind;
  uint32_t id;          /* the number in t#, s#, cb#, u# */
  uint32_t lower_bound; /* registers; both equal id before shader model 5.1 */
  uint32_t upper_bound; /* inclusive; UINT32_MAX: unbounded */
  uint32_t space;
  uint32_t dimension; /* resources and views: D3D10_SB_RESOURCE_DIMENSION (1 buffer, 3 texture2d ...) */
  uint32_t size;      /* constant buffers: vec4 rows, 0 not known; structured buffers: stride in bytes */
} texlate_binding;

TEXLATE_API texlate_status texlate_program_get_binding(const texlate_program* program, uint32_t index,
                                                       texlate_binding* binding);

/* ---- Translation ---- */

typedef struct texlate_output texlate_output;

/* What a program can be translated to, by name; the numbers may differ between versions.
 *   "ptx"         text: a module with one kernel
 *   "spirv"       words: a SPIR-V module for Vulkan 1.1 or newer (docs/spirv.md)
 *   "spirv-text"  text: the same, disassembled
 *   "ir"          text: the texture IR, before legalisation
 *   "asm"         text: shader assembly as fxc prints it
 *   "dxbc"        bytes: a DXBC container
 */
typedef struct texlate_target_info {
  size_t struct_size; /* in: sizeof(texlate_target_info) */
  const char* name;
  const char* title;     /* what it is, in a few words */
  const char* suffix;    /* of files, with the dot */
  int reflection;        /* has texlate_output_reflection */
  int takes_sm;          /* reads options.sm */
  int takes_uav_formats; /* reads options.uav_formats */
} texlate_target_info;

TEXLATE_API uint32_t texlate_target_count(void);
/* TEXLATE_ERROR_ARGUMENT: there is no such target. All strings are terminated and live for ever. */
TEXLATE_API texlate_status texlate_target_get_info(uint32_t index, texlate_target_info* info);

/* How a typed UAV's texels are stored. PTX packs and unpacks them in code; SPIR-V can read views whose format
 * is named here without the device feature shaderStorageImageReadWithoutFormat. */
typedef enum texlate_texel_kind {
  TEXLATE_TEXEL_FLOAT = 0,
  TEXLATE_TEXEL_UNORM = 1,
  TEXLATE_TEXEL_SNORM = 2,
  TEXLATE_TEXEL_UINT = 3,
  TEXLATE_TEXEL_SINT = 4
} texlate_texel_kind;

typedef struct texlate_uav_format {
  uint32_t uav;        /* the number in u# */
  uint32_t components; /* 1, 2, 4 */
  uint32_t bits;       /* of each: 8, 16, 32 */
  texlate_texel_kind kind;
} texlate_uav_format;

/* What the translation may take for granted of the Vulkan device. */
typedef enum texlate_robustness {
  TEXLATE_ROBUSTNESS_DRIVER =
      0, /* robustBufferAccess2, robustImageAccess2 and nullDescriptor are on: no guards */
  TEXLATE_ROBUSTNESS_SHADER = 1 /* nothing: guards wherever Direct3D defines what Vulkan does not */
} texlate_robustness;

typedef enum texlate_register_class {
  TEXLATE_REGISTER_CONSTANT_BUFFER = 0, /* cb# */
  TEXLATE_REGISTER_SAMPLER = 1,         /* s# */
  TEXLATE_REGISTER_RESOURCE = 2,        /* t# */
  TEXLATE_REGISTER_UAV = 3,             /* u# */
  TEXLATE_REGISTER_COUNTER = 4          /* the counter of u# */
} texlate_register_class;

/* How the host passes what is at a register. */
typedef enum texlate_passing {
  TEXLATE_PASSING_DESCRIPTOR =
      0, /* uniform buffer, sampler, image; raw and structured buffers: storage buffer */
  TEXLATE_PASSING_TEXEL_BUFFER = 1,  /* raw and structured resources and UAVs: a texel buffer of R32_UINT */
  TEXLATE_PASSING_PUSH_CONSTANTS = 2 /* constant buffers */
} texlate_passing;

/* Registers [first, first + count) of a class and space: the first is at (set, binding), each other one
 * binding further. A range of registers (5.1) is one array at the place of its first register. */
typedef struct texlate_spirv_binding {
  texlate_register_class register_class;
  uint32_t space;
  uint32_t first;
  uint32_t count; /* at least 1; push constants: 1 */
  uint32_t set;
  uint32_t binding; /* push constants: offset in bytes, a multiple of 16 */
  texlate_passing passing;
} texlate_spirv_binding;

/* A texture and a sampler in one descriptor, for the accesses that sample this texture with this sampler. A
 * texture without a texlate_spirv_binding of its own comes only in its pairs: `ld` reads the first of them.
 */
typedef struct texlate_spirv_combined {
  uint32_t texture_space, texture;
  uint32_t sampler_space, sampler;
  uint32_t set, binding;
} texlate_spirv_combined;

typedef struct texlate_spirv_options {
  size_t struct_size; /* sizeof(texlate_spirv_options) */
  texlate_robustness robustness;
  uint32_t version;                      /* as in a module's header, 0x00010300 to 0x00010600; 0: 1.3 */
  const texlate_spirv_binding* bindings; /* registers without one live at the default place (docs/spirv.md) */
  size_t binding_count;
  const texlate_spirv_combined* combined;
  size_t combined_count;
  /* Names of bindings, inputs and outputs (SPIRV_TEXT has them in any case), and the assembly's lines as
   * OpLine; a container has no lines. */
  int debug;
  const char* source_name; /* debug: the file named in OpLine, terminated; null: "shader.asm" */
  int optimize;            /* run SPIRV-Tools' passes for performance on the module */
  int validate;            /* judge the module by SPIRV-Tools' validator; builds without NDEBUG always do */
  int float_controls; /* demand Direct3D's rounding, denormals, INF and NaN (VK_KHR_shader_float_controls) */
  /* Of these only signed zeros, INF and NaN of 32 bits (SignedZeroInfNanPreserve), for devices without the
   * others. */
  int preserve_specials;
} texlate_spirv_options;
#define TEXLATE_SPIRV_OPTIONS_INIT \
  { sizeof(texlate_spirv_options), TEXLATE_ROBUSTNESS_DRIVER, 0, NULL, 0, NULL, 0, 0, NULL, 0, 0, 0, 0 }

/* What is bound to an interface slot (class linkage): an instance of a class and where its data starts.
 * Without it `fcall` of the slot is an error. */
typedef struct texlate_class_instance {
  uint32_t slot;            /* number of the fp#, plus the index into its array */
  uint32_t table;           /* the class: number of an ft# that dcl_interface lists */
  uint32_t constant_buffer; /* cb# of its variables */
  uint32_t constant_offset; /* their first row (vec4) there */
  uint32_t texture;         /* its first t# */
  uint32_t sampler;         /* its first s# */
} texlate_class_instance;

typedef struct texlate_translate_options {
  size_t struct_size; /* sizeof(texlate_translate_options) */
  const char* target; /* a texlate_target_info's name; null: "ptx" */
  uint32_t sm;        /* PTX: the number in .target sm_<sm>; 0: 75 */
  const char* entry;  /* name of the entry point, terminated; null: "main" */
  int explain;        /* keep what was closed between Direct3D's contract and the target's guarantee */
  /* PTX: typed UAVs that are not named have four 32-bit components of the declared type. SPIR-V: of those the
   * format is not known. */
  const texlate_uav_format* uav_formats;
  size_t uav_format_count;
  int rounded_literals; /* "asm": print floats with fxc's six decimals even where bits are lost; 0: lose none
                         */
  const texlate_spirv_options* spirv; /* "spirv", "spirv-text"; null: the defaults */
  int reflect;                        /* make the JSON of texlate_output_reflection, which costs time */
  const texlate_class_instance* classes;
  size_t class_count;
  texlate_diagnostic_callback callback;
  void* callback_user;
} texlate_translate_options;
#define TEXLATE_TRANSLATE_OPTIONS_INIT \
  { sizeof(texlate_translate_options), NULL, 0, NULL, 0, NULL, 0, 0, NULL, 0, NULL, 0, NULL, NULL }

/* Translates. `*output` is set unless memory ran out or an argument is bad, also on errors: it then carries
 * the diagnostics and no data. The program stays as it is and may be translated again, also by several
 * threads. */
TEXLATE_API texlate_status texlate_translate(const texlate_program* program,
                                             const texlate_translate_options* options,
                                             texlate_output** output);
TEXLATE_API void texlate_output_free(texlate_output* output);

/* The translation; lives as long as the output. Texts are not terminated; null and 0 after an error. */
TEXLATE_API const char* texlate_output_data(const texlate_output* output, size_t* size);

/* Reflection as JSON, for PTX (docs/launch_abi.md) and SPIR-V (docs/spirv.md): bindings, inputs, outputs, and
 * what else the host needs. Empty for other targets and without options.reflect. */
TEXLATE_API const char* texlate_output_reflection(const texlate_output* output, size_t* size);

TEXLATE_API size_t texlate_output_diagnostic_count(const texlate_output* output);
TEXLATE_API int texlate_output_diagnostic(const texlate_output* output, size_t index,
                                          texlate_diagnostic* diagnostic);

/* One closed gap, when options.explain was set: severity is TEXLATE_NOTE, the location that of the
 * instruction. */
TEXLATE_API size_t texlate_output_explanation_count(const texlate_output* output);
TEXLATE_API int texlate_output_explanation(const texlate_output* output, size_t index,
                                           texlate_diagnostic* explanation);

/* The same as JSON, an array with one object for each gap: docs/explain.md has the schema. Null without
 * options.explain. */
TEXLATE_API const char* texlate_output_explanation_json(const texlate_output* output, size_t* size);

/* Checks a program: declarations against uses, register ranges, operands, stage and model of each
 * instruction, control flow, resources. The findings are the output's diagnostics; it has no data.
 * TEXLATE_ERROR_INPUT: there are errors. texlate_translate does this by itself before it translates to
 * anything but assembly text and containers. */
TEXLATE_API texlate_status texlate_check(const texlate_program* program, texlate_output** output);

/* A summary (profile, bindings, signatures, counts, feature flags) as text, or as JSON when `json` is not 0.
 */
TEXLATE_API texlate_status texlate_info(const texlate_program* program, int json, texlate_output** output);

/* ---- Maxwell instruction set (sm_50 to sm_53) ---- */

typedef struct texlate_maxwell_options {
  size_t struct_size; /* sizeof(texlate_maxwell_options) */
  const texlate_allocator* allocator;
  int words;         /* disassemble: the raw word of each instruction as a comment */
  int unconstrained; /* assemble: also take what encodes but breaks a constraint of the machine (vector
                        alignment ...) */
  texlate_diagnostic_callback callback;
  void* callback_user;
} texlate_maxwell_options;
#define TEXLATE_MAXWELL_OPTIONS_INIT \
  { sizeof(texlate_maxwell_options), NULL, 0, 0, NULL, NULL }

/* A listing (docs/maxwell-isa.md) to machine code, control words included. `options` may be null. */
TEXLATE_API texlate_status texlate_maxwell_assemble(const char* text, size_t size,
                                                    const texlate_maxwell_options* options,
                                                    texlate_output** output);
/* A cubin, hexadecimal words as text, or raw machine code to a listing that assembles back to the same bytes.
 */
TEXLATE_API texlate_status texlate_maxwell_disassemble(const void* data, size_t size,
                                                       const texlate_maxwell_options* options,
                                                       texlate_output** output);

#ifdef __cplusplus
}
#endif

#endif /* TEXLATE_TEXLATE_H */
