/*
 * texlate: Direct3D shader-model 4.0-5.1 programs to PTX and other targets.
 *
 * The C interface. Nothing throws, prints, exits or reads the environment. Strings have explicit lengths and
 * need not be terminated unless stated.
 *
 * Threads. There is no global state, except the text of texlate_argument_error(), which is separate for each
 * thread. A function that takes `const` objects only reads them: any number of threads may call it at the
 * same time with the same object. The functions whose names end in _free need exclusive access to the object,
 * and so does a translation to its context. Callbacks run in the calling thread, before the function returns,
 * and may call any function except those that free an object of the call. An exception that leaves a callback
 * ends the function with TEXLATE_ERROR_INTERNAL; a callback may end its thread.
 *
 * Lifetimes. A pointer that a function returns is valid as long as the object that was queried, unless stated
 * otherwise. What you pass in must be valid until the function returns, with one exception: the functions
 * and the `user` of an allocator must outlive every object made with it; the texlate_allocator itself is
 * copied.
 *
 * Versions. A structure that you fill begins with its size: set `struct_size` (the INIT macros do). A library
 * that is newer than your header uses defaults for the members that your header lacks. A library that is
 * older accepts your structure if the members that it does not know are zero, and refuses it otherwise. For
 * arrays whose elements may grow, the member `..._stride` gives the size of an element; it may be 0 only
 * with a header that has no such member. texlate_allocator and texlate_diagnostic never change.
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

/* On Windows, users of the static library define TEXLATE_STATIC (its CMake target does). */
#if defined(_WIN32)
#if defined(TEXLATE_STATIC)
#define TEXLATE_API
#elif defined(TEXLATE_BUILDING)
#define TEXLATE_API __declspec(dllexport)
#else
#define TEXLATE_API __declspec(dllimport)
#endif
#else
#define TEXLATE_API __attribute__((visibility("default")))
#endif

#define TEXLATE_VERSION_MAJOR 0
#define TEXLATE_VERSION_MINOR 3
#define TEXLATE_VERSION_PATCH 0

/* The version of the library, which may be newer than this header: "0.3.0", terminated. Always valid. */
TEXLATE_API const char* texlate_version(void);

typedef enum texlate_status {
  TEXLATE_OK = 0,
  TEXLATE_ERROR_INPUT = 1,    /* the program is wrong or not supported: see the diagnostics */
  TEXLATE_ERROR_ARGUMENT = 2, /* the call is wrong: see texlate_argument_error() */
  TEXLATE_ERROR_MEMORY = 3,   /* the allocator returned null */
  TEXLATE_ERROR_INTERNAL = 4  /* a bug in texlate */
} texlate_status;

/* Why a function last returned TEXLATE_ERROR_ARGUMENT in this thread. The text names the member:
 * "options.spirv.bindings[2].count is 0". Empty if no function has returned it. Terminated; valid until the
 * next such return in this thread. */
TEXLATE_API const char* texlate_argument_error(void);

/* Memory for handles, programs and outputs. `allocate` returns null on failure; `alignment` is a power of
 * two and at least 4, so that SPIR-V words can be read in place. Small short-lived strings (the texts of
 * diagnostics, JSON) may come from the C++ runtime's allocator.
 */
typedef struct texlate_allocator {
  void* (*allocate)(void* user, size_t size, size_t alignment);
  void (*release)(void* user, void* memory, size_t size, size_t alignment);
  void* user;
} texlate_allocator;

typedef enum texlate_severity { TEXLATE_NOTE = 0, TEXLATE_WARNING = 1, TEXLATE_ERROR = 2 } texlate_severity;

/* A message and its location in the input. `line` and `column` are 1-based; line 0: no location in text.
 * `offset` is a byte offset in binary input; UINT32_MAX: none. */
typedef struct texlate_diagnostic {
  texlate_severity severity;
  uint32_t line;
  uint32_t column;
  uint32_t length; /* number of characters that the message is about */
  uint32_t offset;
  const char* message;
  size_t message_length;
} texlate_diagnostic;

typedef void (*texlate_diagnostic_callback)(void* user, const texlate_diagnostic* diagnostic);

/* ---- Contexts ---- */

/* What is kept from one translation to the next: memory, so that it need not be requested, and mapped by the
 * operating system, each time, and routines of Maxwell kernels. Contexts change no result. A thread that
 * translates often has one of its own, because two translations must not use a context at the same time. A
 * callback of a translation may translate with the same context. What a context keeps is at most 32 MiB;
 * longer shaders request more and release it. */
typedef struct texlate_context texlate_context;

/* `allocator`: for everything that the context keeps; null: malloc. It must outlive the context. */
TEXLATE_API texlate_status texlate_context_create(const texlate_allocator* allocator,
                                                  texlate_context** context);
/* `context` may be null. Programs and outputs stay valid. */
TEXLATE_API void texlate_context_free(texlate_context* context);

/* ---- Programs ---- */

typedef struct texlate_program texlate_program;

/* How a container's digest is checked. Direct3D's runtime checks it before a driver sees the container;
 * omitting a second check saves a twentieth of the time of a translation. */
typedef enum texlate_digest {
  TEXLATE_DIGEST_WARN = 0,    /* a wrong one is a warning */
  TEXLATE_DIGEST_REQUIRE = 1, /* a wrong one is an error */
  TEXLATE_DIGEST_IGNORE = 2   /* not checked */
} texlate_digest;

typedef struct texlate_parse_options {
  size_t struct_size;                   /* sizeof(texlate_parse_options) */
  const texlate_allocator* allocator;   /* null: malloc. Must outlive the program and its outputs */
  texlate_diagnostic_callback callback; /* null: diagnostics are only kept in the program */
  void* callback_user;
  texlate_digest digest; /* of containers */
  uint32_t reserved;     /* not read */
  /* not 0: what Direct3D's drivers accept although it is wrong gives warnings, not errors, in texlate_check
   * and texlate_translate (docs/frontend.md, "Lenient reading") */
  int lenient;
} texlate_parse_options;
#define TEXLATE_PARSE_OPTIONS_INIT \
  { sizeof(texlate_parse_options), NULL, NULL, NULL, TEXLATE_DIGEST_WARN, 0, 0 }

/* Reads a program: assembly text as fxc prints it, a DXBC container or token stream, or the text form of the
 * IR (docs/ir.md), recognized by their first bytes. `*program` is set unless memory runs out or an argument
 * is wrong. It is also set if the input is wrong: it then has the diagnostics and cannot be translated.
 * `options` may be null. The program keeps no pointer to `data`. */
TEXLATE_API texlate_status texlate_parse(const void* data, size_t size, const texlate_parse_options* options,
                                         texlate_program** program);
/* `program` may be null. Outputs of the program stay valid. */
TEXLATE_API void texlate_program_free(texlate_program* program);

TEXLATE_API size_t texlate_program_diagnostic_count(const texlate_program* program);
/* Returns 0 if there is no such diagnostic. The message lives as long as the program. */
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

/* Whether the depth and stencil test may run before a pixel shader. */
typedef enum texlate_early_depth {
  TEXLATE_EARLY_DEPTH_LATE = 0,    /* no: it decides depth, stencil reference or coverage, or writes to u# */
  TEXLATE_EARLY_DEPTH_ALLOWED = 1, /* yes: nobody can tell the difference */
  TEXLATE_EARLY_DEPTH_FORCED = 2   /* it must: forceEarlyDepthStencil */
} texlate_early_depth;

typedef struct texlate_program_info {
  size_t struct_size; /* in: sizeof(texlate_program_info) */
  texlate_stage stage;
  uint32_t model_major, model_minor;
  uint32_t instruction_count;      /* declarations not counted */
  uint32_t thread_group[3];        /* compute; 0 otherwise */
  uint32_t binding_count;          /* 0 for IR text */
  texlate_early_depth early_depth; /* pixel shaders */

  /* Since 0.3: hull shaders, as D3D11_SB_TESSELLATOR_... numbers them; 0 otherwise */
  uint32_t tessellator_domain;       /* 1 isoline, 2 triangle, 3 quad; also of domain shaders */
  uint32_t tessellator_partitioning; /* 1 integer, 2 pow2, 3 fractional_odd, 4 fractional_even */
  uint32_t tessellator_output;       /* 1 point, 2 line, 3 triangle_cw, 4 triangle_ccw */
} texlate_program_info;
#define TEXLATE_PROGRAM_INFO_INIT                                                                          \
  {                                                                                                        \
    sizeof(texlate_program_info), TEXLATE_STAGE_PIXEL, 0, 0, 0, {0, 0, 0}, 0, TEXLATE_EARLY_DEPTH_LATE, 0, \
        0, 0                                                                                               \
  }

TEXLATE_API texlate_status texlate_program_get_info(const texlate_program* program,
                                                    texlate_program_info* info);

/* The kinds of registers. */
typedef enum texlate_register_class {
  TEXLATE_REGISTER_CONSTANT_BUFFER = 0, /* cb# */
  TEXLATE_REGISTER_SAMPLER = 1,         /* s# */
  TEXLATE_REGISTER_RESOURCE = 2,        /* t# */
  TEXLATE_REGISTER_UAV = 3,             /* u# */
  TEXLATE_REGISTER_COUNTER = 4,         /* the counter of u#; never in a texlate_binding */

  /* Their names before 0.3, for texlate_binding */
  TEXLATE_BINDING_CONSTANT_BUFFER = TEXLATE_REGISTER_CONSTANT_BUFFER,
  TEXLATE_BINDING_SAMPLER = TEXLATE_REGISTER_SAMPLER,
  TEXLATE_BINDING_RESOURCE = TEXLATE_REGISTER_RESOURCE,
  TEXLATE_BINDING_UAV = TEXLATE_REGISTER_UAV
} texlate_register_class;
typedef texlate_register_class texlate_binding_kind;

typedef struct texlate_binding {
  size_t struct_size; /* in: sizeof(texlate_binding) */
  texlate_register_class kind;
  uint32_t id;          /* the number in t#, s#, cb#, u# */
  uint32_t lower_bound; /* registers; both equal id before shader model 5.1 */
  uint32_t upper_bound; /* inclusive; UINT32_MAX: unbounded */
  uint32_t space;
  uint32_t dimension;      /* resources and views: D3D10_SB_RESOURCE_DIMENSION (1 buffer, 3 texture2d ...) */
  uint32_t size;           /* constant buffers: vec4 rows, 0: unknown; structured buffers: stride in bytes */
  uint32_t flags;          /* texlate_binding_flag */
  uint32_t component_type; /* typed resources and views: D3D10_RESOURCE_RETURN_TYPE of x (5 float); else 0 */
  uint32_t sample_count;   /* multisampled textures: as declared; 0: unknown */
} texlate_binding;
#define TEXLATE_BINDING_INIT \
  { sizeof(texlate_binding), TEXLATE_REGISTER_CONSTANT_BUFFER, 0, 0, 0, 0, 0, 0, 0, 0, 0 }

/* What the shader does with a binding, combined over all of its instructions. */
typedef enum texlate_binding_flag {
  TEXLATE_BINDING_READ = 1,
  TEXLATE_BINDING_WRITTEN = 2,
  TEXLATE_BINDING_ATOMIC = 4,            /* READ and WRITTEN are then set too */
  TEXLATE_BINDING_COUNTER = 8,           /* uses the hidden counter */
  TEXLATE_BINDING_COMPARISON = 16,       /* sampler with mode_comparison */
  TEXLATE_BINDING_COHERENT = 32,         /* globallycoherent */
  TEXLATE_BINDING_ORDERED = 64,          /* rasterizer-ordered */
  TEXLATE_BINDING_ORDERED_COUNTER = 128, /* an order-preserving counter */
  TEXLATE_BINDING_QUERIED = 256          /* resinfo, bufinfo, sampleinfo, samplepos, which READ does not
                                            include. Since 0.3 */
} texlate_binding_flag;

/* Bindings are in the order of their declarations. TEXLATE_ERROR_ARGUMENT: there is no binding `index`. */
TEXLATE_API texlate_status texlate_program_get_binding(const texlate_program* program, uint32_t index,
                                                       texlate_binding* binding);

#include "texlate/definitions.h"

/* A texture or buffer (t#), and the sampler with which the shader reads it. Since 0.3. */
typedef struct texlate_texture_use {
  uint32_t texture_space, texture; /* register */
  uint32_t sampler_space, sampler; /* UINT32_MAX: read without a sampler, or only queried */
  uint32_t is_indexed; /* not 0: a dynamic index selects the texture or the sampler; these are then the first
                          registers of their ranges */
} texlate_texture_use;

/* The uses of textures in the order of the first instruction with each; none is listed twice. Of IR text, the
 * uses that its code has: those in code without effect may be gone. `stride` is
 * sizeof(texlate_texture_use). `*count` is the capacity of `uses` before the call and the number of entries
 * after it. If `uses` is null, only `*count` is set. If the capacity is too small, only `*count` is set and
 * the result is TEXLATE_ERROR_ARGUMENT. Hosts whose textures and samplers are one object make their
 * descriptors from it. */
TEXLATE_API texlate_status texlate_program_texture_uses(const texlate_program* program,
                                                        texlate_texture_use* uses, size_t stride,
                                                        size_t* count);

/* ---- Signatures ---- */

typedef enum texlate_signature {
  TEXLATE_SIGNATURE_INPUT = 0,
  TEXLATE_SIGNATURE_OUTPUT = 1,
  TEXLATE_SIGNATURE_PATCH_CONSTANT = 2 /* hull and domain shaders */
} texlate_signature;

typedef struct texlate_signature_element {
  size_t struct_size;        /* in: sizeof(texlate_signature_element) */
  const char* semantic_name; /* terminated; lives as long as the program */
  uint32_t semantic_index;
  uint32_t stream;       /* of a geometry shader's output; 0 otherwise */
  uint32_t system_value; /* D3D_NAME as the container stores it; 0: none, and pixel shaders' outputs, such as
                            SV_Target and SV_Depth, to which D3DReflect() gives numbers from 64 on */
  uint32_t component_type; /* D3D_REGISTER_COMPONENT_TYPE: 1 uint, 2 int, 3 float */
  uint32_t register_index; /* UINT32_MAX: none (SV_Depth, SV_Coverage ...) */
  uint32_t mask;           /* components, x in bit 0 */
  uint32_t used_mask;      /* the components that are read (inputs) or written (outputs) */
  uint32_t min_precision;  /* D3D_MIN_PRECISION */
} texlate_signature_element;
#define TEXLATE_SIGNATURE_ELEMENT_INIT \
  { sizeof(texlate_signature_element), NULL, 0, 0, 0, 0, 0, 0, 0, 0 }

/* Number of elements; 0 for text whose header has no signatures. */
TEXLATE_API size_t texlate_program_signature_size(const texlate_program* program, texlate_signature which);
TEXLATE_API texlate_status texlate_program_get_signature_element(const texlate_program* program,
                                                                 texlate_signature which, size_t index,
                                                                 texlate_signature_element* element);
/* Finds an element by its semantic. The name is terminated; case is ignored. TEXLATE_ERROR_ARGUMENT: there is
 * no such element. */
TEXLATE_API texlate_status texlate_program_find_signature_element(const texlate_program* program,
                                                                  texlate_signature which, const char* name,
                                                                  uint32_t semantic_index, uint32_t stream,
                                                                  texlate_signature_element* element);

/* Where the next stage reads an output. Components of both masks correspond in ascending order. */
typedef struct texlate_varying {
  uint32_t output_register; /* UINT32_MAX: nothing writes the input */
  uint32_t output_mask;
  uint32_t input_register;
  uint32_t input_mask;
} texlate_varying;

/* Matches the outputs of `program` (stream 0) with the inputs of `next` by semantic. The result has one entry
 * for every input element of `next` that is not a system value; before hull and geometry shaders, the indices
 * of render target and viewport are none. `stride` is sizeof(texlate_varying).
 * `*count` is the capacity of `varyings` before the call and the number of entries after it. If `varyings` is
 * null, only `*count` is set. If the capacity is too small, only `*count` is set and the result is
 * TEXLATE_ERROR_ARGUMENT. Both programs need signatures; `program` is a vertex, domain or geometry shader,
 * and `next` of a stage that may follow it. */
TEXLATE_API texlate_status texlate_link(const texlate_program* program, const texlate_program* next,
                                        texlate_varying* varyings, size_t stride, size_t* count);

/* ---- Translation ---- */

typedef struct texlate_output texlate_output;

/* What a program can be translated to. Use the names: the numbers may differ between versions.
 *   "ptx"          text: a module with one kernel
 *   "maxwell"      text: a kernel of Maxwell machine code (docs/maxwell.md)
 *   "cubin"        bytes: the same kernel as an ELF file that the CUDA driver loads
 *   "maxwell-bin"  words: only the 64-bit words of the same kernel
 *   "dksh"         bytes: a deko3d program (docs/dksh.md)
 *   "spirv"        words: a SPIR-V module for Vulkan 1.1 or newer (docs/spirv.md)
 *   "spirv-text"   text: the same module in SPIR-V assembly
 *   "ir"           text: the texture IR, before legalization
 *   "asm"          text: shader assembly as fxc prints it
 *   "dxbc"         bytes: a DXBC container
 */
typedef struct texlate_target_info {
  size_t struct_size; /* in: sizeof(texlate_target_info) */
  const char* name;
  const char* title;     /* a short description */
  const char* suffix;    /* the suffix of its files, with the dot */
  int reflection;        /* texlate_output_reflection is supported */
  int takes_sm;          /* options.sm is used */
  int takes_uav_formats; /* options.uav_formats is used */
} texlate_target_info;
#define TEXLATE_TARGET_INFO_INIT \
  { sizeof(texlate_target_info), NULL, NULL, NULL, 0, 0, 0 }

TEXLATE_API uint32_t texlate_target_count(void);
/* Targets are numbered from 0. TEXLATE_ERROR_ARGUMENT: there is no such target. All strings are terminated
 * and always valid. */
TEXLATE_API texlate_status texlate_target_get_info(uint32_t index, texlate_target_info* info);

/* How a typed UAV's texels are stored. For PTX and Maxwell the shader packs and unpacks them. SPIR-V can read
 * views whose format is given without the device feature shaderStorageImageReadWithoutFormat. */
typedef enum texlate_texel_kind {
  TEXLATE_TEXEL_FLOAT = 0,
  TEXLATE_TEXEL_UNORM = 1,
  TEXLATE_TEXEL_SNORM = 2,
  TEXLATE_TEXEL_UINT = 3,
  TEXLATE_TEXEL_SINT = 4,
  TEXLATE_TEXEL_UNORM_BGRA = 5, /* blue first: B8G8R8A8 (4 x 8), B8G8R8X8 (3 x 8), B5G6R5 (3 x 5), B5G5R5A1 (4
                                   x 5), B4G4R4A4 (4 x 4) */
  TEXLATE_TEXEL_UNORM_ALPHA = 6 /* A8 (1 x 8) */
} texlate_texel_kind;

#include "texlate/formats.h"

typedef struct texlate_uav_format {
  uint32_t uav;        /* the number in u# */
  uint32_t components; /* 1, 2, 4; 3 for R11G11B10_FLOAT (3 x 11) and formats with blue first */
  uint32_t bits; /* per component: 8, 16, 32; 10 for R10G10B10A2_UNORM, _UINT (4 x 10); mixed: of the first */
  texlate_texel_kind kind;
  /* Since 0.3. Says it all: the three members before it are then not read. TEXLATE_FORMAT_UNKNOWN: they count
   */
  texlate_format format;
} texlate_uav_format;

#include "texlate/fixed_function.h"

#include "texlate/spirv_options.h"

/* What is bound to an interface slot (class linkage): an instance of a class, and where its data starts.
 * Without it, `fcall` through the slot is an error. */
typedef struct texlate_class_instance {
  uint32_t slot;            /* number of the fp#, plus the index into its array */
  uint32_t table;           /* the class: the number of an ft# in the list of dcl_interface */
  uint32_t constant_buffer; /* cb# of its variables */
  uint32_t constant_offset; /* their first row (vec4) there */
  uint32_t texture;         /* its first t# */
  uint32_t sampler;         /* its first s# */
} texlate_class_instance;

/* Called after each pass, with the pass's terminated name and the text of the module (docs/ir.md) or machine
 * function (docs/maxwell.md), valid until the callback returns. For debugging: printing takes time. */
typedef void (*texlate_pass_callback)(void* user, const char* pass, const char* text, size_t length);

/* The names of the passes, in order; null past the last one. Always valid. */
TEXLATE_API const char* texlate_pass_name(uint32_t index);

/* For all kernels, and deko3d programs: "ptx", "maxwell", "maxwell-bin", "cubin", "dksh". A member that is 0
 * has its default. Since 0.3. */
typedef struct texlate_kernel_options {
  size_t struct_size;     /* sizeof(texlate_kernel_options) */
  int all_mapped;         /* the caller guarantees that no bound resource is tiled: everything is resident */
  uint32_t max_registers; /* per thread, 16 to 255; 0: chosen by the target, or by the assembler of PTX */
} texlate_kernel_options;
#define TEXLATE_KERNEL_OPTIONS_INIT \
  { sizeof(texlate_kernel_options), 0, 0 }

/* Since 0.2. A member that is 0 has its default. all_mapped and max_registers are for programs that were
 * compiled with 0.2: without options.kernel they mean the same, also for Maxwell machine code. */
typedef struct texlate_ptx_options {
  size_t struct_size;      /* sizeof(texlate_ptx_options) */
  int all_mapped;          /* see texlate_kernel_options */
  uint32_t max_threads;    /* per block of a pixel or vertex kernel: a multiple of 32 up to 1024; 0: 256 */
  uint32_t max_registers;  /* see texlate_kernel_options */
  int function;            /* a .func to be linked, instead of a kernel (docs/launch_abi.md) */
  int debug;               /* source lines as .loc and as comments; for a container byte offsets */
  const char* source_name; /* debug: the file named in .file, terminated; null: no .loc */
  const char* source;      /* debug: its text, terminated; null: no comments */
  int native_compare;      /* the caller guarantees that texture objects compare (docs/launch_abi.md) */
} texlate_ptx_options;
#define TEXLATE_PTX_OPTIONS_INIT \
  { sizeof(texlate_ptx_options), 0, 0, 0, 0, 0, NULL, NULL, 0 }

#include "texlate/known_state.h"

typedef struct texlate_translate_options {
  size_t struct_size; /* sizeof(texlate_translate_options) */
  const char* target; /* a texlate_target_info's name; null: "ptx" */
  /* the number in sm_<sm>; 0: PTX 75, Maxwell 52, dksh 53. One that the target does not have is an error of
   * the arguments; of the input for callers that were compiled with a header before 0.3 */
  uint32_t sm;
  const char* entry; /* name of the entry point, terminated, with no control characters; null: "main" */
  int explain;       /* record the guards that were added, for texlate_output_explanation */
  /* Typed UAVs that are not listed: for PTX and Maxwell they have four 32-bit components of the declared type
   * (with atomics one); for SPIR-V their format is unknown. */
  const texlate_uav_format* uav_formats;
  size_t uav_format_count;
  int rounded_literals;               /* "asm": print floats with fxc's six decimals, even if bits are lost */
  const texlate_spirv_options* spirv; /* "spirv", "spirv-text"; null: the defaults */
  int reflect;                        /* make the JSON for texlate_output_reflection, which costs time */
  const texlate_class_instance* classes;
  size_t class_count;
  texlate_diagnostic_callback callback;
  void* callback_user;

  /* Since 0.2 */
  size_t uav_format_stride;         /* sizeof(texlate_uav_format) */
  size_t class_stride;              /* sizeof(texlate_class_instance) */
  texlate_pass_callback after_pass; /* may be null */
  void* after_pass_user;
  const texlate_ptx_options* ptx; /* "ptx"; null: defaults */
  texlate_context* context;       /* may be null; used until the function returns */

  /* Since 0.3 */
  const texlate_known_state* known;             /* null: nothing is known. Not for "asm", "dxbc" and "ir" */
  const texlate_fixed_function* fixed_function; /* null: none. Not for "asm" and "dxbc" */
  /* "dksh", domain shaders: the program of the hull shader before it, which alone declares the partitioning
   * and the output primitive. Null for others. */
  const texlate_program* hull;
  const texlate_kernel_options* kernel; /* null: defaults, or what `ptx` says */
} texlate_translate_options;
#define TEXLATE_TRANSLATE_OPTIONS_INIT                                                                  \
  {                                                                                                     \
    sizeof(texlate_translate_options), NULL, 0, NULL, 0, NULL, 0, 0, NULL, 0, NULL, 0, NULL, NULL,      \
        sizeof(texlate_uav_format), sizeof(texlate_class_instance), NULL, NULL, NULL, NULL, NULL, NULL, \
        NULL, NULL                                                                                      \
  }

/* Translates. `*output` is set unless memory runs out or an argument is wrong. It is also set on errors: it
 * then has the diagnostics and no data. The program is not changed and may be translated again, also by
 * several threads at once. */
TEXLATE_API texlate_status texlate_translate(const texlate_program* program,
                                             const texlate_translate_options* options,
                                             texlate_output** output);
/* A key for caches of translations: a digest of the program, of every option that influences the translation
 * or its reflection, and of the library's version. Equal keys mean equal translations; callbacks and contexts
 * do not count. Since 0.3. */
#define TEXLATE_KEY_SIZE 16
TEXLATE_API texlate_status texlate_translation_key(const texlate_program* program,
                                                   const texlate_translate_options* options,
                                                   uint8_t key[TEXLATE_KEY_SIZE]);

/* `output` may be null. */
TEXLATE_API void texlate_output_free(texlate_output* output);

/* The translation, valid as long as the output. Text is not terminated. Null and 0 after an error. */
TEXLATE_API const char* texlate_output_data(const texlate_output* output, size_t* size);

/* Reflection as JSON: bindings, inputs, outputs, and everything else that the host needs (docs/launch_abi.md,
 * docs/spirv.md, docs/dksh.md). Empty if the target has no reflection or options.reflect is 0. */
TEXLATE_API const char* texlate_output_reflection(const texlate_output* output, size_t* size);

TEXLATE_API size_t texlate_output_diagnostic_count(const texlate_output* output);
TEXLATE_API int texlate_output_diagnostic(const texlate_output* output, size_t index,
                                          texlate_diagnostic* diagnostic);

/* One guard that was added, if options.explain was set: severity is TEXLATE_NOTE, and the location is that of
 * the instruction. */
TEXLATE_API size_t texlate_output_explanation_count(const texlate_output* output);
TEXLATE_API int texlate_output_explanation(const texlate_output* output, size_t index,
                                           texlate_diagnostic* explanation);

/* 1: the explanation is of a guard that known state made unnecessary, 0: of one that was added. Since 0.3. */
TEXLATE_API int texlate_output_explanation_is_left_out(const texlate_output* output, size_t index);

/* The same as JSON, an array with one object for each guard; docs/explain.md describes it. Null if
 * options.explain is 0. */
TEXLATE_API const char* texlate_output_explanation_json(const texlate_output* output, size_t* size);

/* Checks a program: declarations against uses, register ranges, operands, stage and model of each
 * instruction, control flow, resources. The errors found are the diagnostics of the output, which has no
 * data. TEXLATE_ERROR_INPUT: there are errors. texlate_translate does the same checks first, unless the
 * target is assembly text or a container. */
TEXLATE_API texlate_status texlate_check(const texlate_program* program, texlate_output** output);

/* A summary (profile, bindings, signatures, counts, feature flags) as text, or as JSON when `json` is not 0.
 */
TEXLATE_API texlate_status texlate_info(const texlate_program* program, int json, texlate_output** output);

#include "texlate/root_signatures.h"

/* ---- Maxwell instruction set (sm_50 to sm_53) ---- */

typedef struct texlate_maxwell_options {
  size_t struct_size; /* sizeof(texlate_maxwell_options) */
  const texlate_allocator* allocator;
  int words;         /* disassemble: the raw word of each instruction as a comment */
  int unconstrained; /* assemble: also accept what can be encoded but breaks a constraint of the machine
                        (vector alignment ...) */
  texlate_diagnostic_callback callback;
  void* callback_user;
  uint32_t sm; /* assemble: 50, 52 or 53: refuse what this target lacks; 0: that of the listing's .sm, if
                  it has one */
  const char* target; /* assemble: "maxwell-bin" or null: machine code; "cubin", "dksh": the file that the
                         listing's directives describe */
} texlate_maxwell_options;
#define TEXLATE_MAXWELL_OPTIONS_INIT \
  { sizeof(texlate_maxwell_options), NULL, 0, 0, NULL, NULL, 0, NULL }

/* Assembles a listing (docs/maxwell-isa.md): machine code with control words, or what options.target says.
 * `options` may be null. */
TEXLATE_API texlate_status texlate_maxwell_assemble(const char* text, size_t size,
                                                    const texlate_maxwell_options* options,
                                                    texlate_output** output);
/* Disassembles a cubin, a deko3d program, hexadecimal words as text, or raw machine code to a listing that
 * assembles back to the same bytes. */
TEXLATE_API texlate_status texlate_maxwell_disassemble(const void* data, size_t size,
                                                       const texlate_maxwell_options* options,
                                                       texlate_output** output);

#ifdef __cplusplus
}
#endif

#endif /* TEXLATE_TEXLATE_H */
