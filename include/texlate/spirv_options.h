/* The options of the SPIR-V target. A part of texlate/texlate.h, which includes it. */
#ifndef TEXLATE_SPIRV_OPTIONS_H
#define TEXLATE_SPIRV_OPTIONS_H

#ifndef TEXLATE_TEXLATE_H
#error "include texlate/texlate.h"
#endif

/* Who handles out-of-bounds accesses and unbound slots on the Vulkan device. */
typedef enum texlate_robustness {
  TEXLATE_ROBUSTNESS_DRIVER =
      0, /* robustBufferAccess2, robustImageAccess2 and nullDescriptor are enabled: no guards */
  TEXLATE_ROBUSTNESS_SHADER = 1 /* they are disabled: guards where Direct3D defines what Vulkan does not */
} texlate_robustness;

/* How the host passes the resource of a register. */
typedef enum texlate_passing {
  TEXLATE_PASSING_DESCRIPTOR =
      0, /* uniform buffer, sampler, image; raw and structured buffers, counters: storage buffer */
  TEXLATE_PASSING_TEXEL_BUFFER =
      1, /* raw and structured resources and UAVs, counters: a texel buffer of R32_UINT */
  TEXLATE_PASSING_PUSH_CONSTANTS = 2, /* constant buffers */
  /* constant buffers: word i of the buffer is the specialization constant with id `binding` + i, an unsigned
   * integer with its bits, 0 by default. Rows must be known at translation. Since 0.3 */
  TEXLATE_PASSING_SPECIALIZATION = 3
} texlate_passing;

#define TEXLATE_UNSIZED_ARRAY UINT32_MAX

/* Registers [first, first + count) of a class and space: the first is at (set, binding), the following ones
 * are at the following bindings. A range of registers (5.1) is one array at the binding of its first
 * register. A register in two entries is an error of the arguments; two registers at one binding are an error
 * of the translation.
 *
 * Heaps: with an array_size, the binding is an array of descriptors. The first register is its element
 * `element`, the following ones are the following elements. With has_element_offset, the shader adds the
 * unsigned integer at byte `element_offset_at` of the push constants. */
typedef struct texlate_spirv_binding {
  texlate_register_class register_class;
  uint32_t space;
  uint32_t first;
  uint32_t count; /* at least 1; push constants: 1 */
  uint32_t set;
  uint32_t binding; /* push constants: offset in bytes, a multiple of 4 */
  texlate_passing passing;
  uint32_t size;       /* push constants: bytes, a multiple of 4; 0: as declared. Reads past it give 0 */
  uint32_t array_size; /* TEXLATE_UNSIZED_ARRAY: a run-time array; 0: not an array */
  uint32_t element;
  int has_element_offset;
  uint32_t element_offset_at; /* a multiple of 4 */
} texlate_spirv_binding;

/* A texture and a sampler in one descriptor, for the accesses that sample this texture with this sampler. A
 * texture without its own texlate_spirv_binding is bound only in its pairs, and `ld` uses the first pair.
 */
typedef struct texlate_spirv_combined {
  uint32_t texture_space, texture;
  uint32_t sampler_space, sampler; /* UINT32_MAX: none; the pair is only for `ld` and queries */
  uint32_t set, binding;
} texlate_spirv_combined;

/* Properties that a shader cannot query in Vulkan and the host must provide (docs/spirv.md), with the type
 * and default of their specialization constants. */
typedef enum texlate_fact {
  TEXLATE_FACT_RASTER_SAMPLES = 0, /* samples per pixel of the render target; uint, 1 */
  TEXLATE_FACT_BOUND = 1,          /* whether the register is bound; bool, true; robustness SHADER only */
  TEXLATE_FACT_MISSING_ALPHA = 2   /* alpha of an out-of-bounds read; uint, 0; robustness SHADER only */
} texlate_fact;

typedef struct texlate_spirv_parameter {
  texlate_fact fact;
  texlate_register_class register_class; /* BOUND, MISSING_ALPHA: RESOURCE or UAV */
  /* BOUND, MISSING_ALPHA: the register. The first of a range counts for those of it without an entry; of a
   * range of more than 16 registers no other counts. */
  uint32_t space, first;
  int is_constant; /* 1: the fact is `value`; 0: specialization constant id `value` */
  uint32_t value;
} texlate_spirv_parameter;

/* An entry of a stream output declaration (D3D11_SO_DECLARATION_ENTRY). Entries for the same buffer are
 * stored one after the other, without gaps, in the order of the array. */
typedef struct texlate_stream_output {
  uint32_t stream;
  const char* semantic_name; /* terminated; null: a gap of component_count words */
  uint32_t semantic_index;
  uint32_t first_component; /* relative to the first component of the element */
  uint32_t component_count; /* 1 to 4; a gap: 1 to 128 */
  uint32_t buffer;          /* 0 to 3; all entries of a buffer that are not gaps have one stream */
} texlate_stream_output;

/* What becomes of a pixel that the shader discards. Direct3D keeps it running for the derivatives of its
 * neighbors.
 */
typedef enum texlate_discard {
  TEXLATE_DISCARD_DEMOTE =
      0, /* the device makes it a helper: VK_EXT_shader_demote_to_helper_invocation, Vulkan 1.3 */
  TEXLATE_DISCARD_FLAG = 1 /* for devices without that: the shader omits its stores and kills it at the end */
} texlate_discard;

/* What the host says about its device: a feature, which it lacks if `value` is 0, or a limit. Names are those
 * of the members of Vulkan's structures ("shaderFloat64", "maxFragmentInputComponents"; of an array with the
 * component, "maxComputeWorkGroupSize.x"), or of the extension if it alone brings the feature. What is not
 * listed is there, and without limit. A shader that needs what is missing takes another form with the same
 * results, or is an error that names it (docs/spirv.md, "What the device must support"). */
typedef struct texlate_device_property {
  const char* name; /* terminated */
  int64_t value;
} texlate_device_property;

/* The names of the properties that matter, in order; null past the last one. Always valid. A host that passes
 * on what its device reports need not pass others: they are errors of the arguments. Since 0.3. */
TEXLATE_API const char* texlate_device_property_name(uint32_t index);

/* The size of points where the host stores it or its range: floats, also in a constant buffer that the shader
 * declares. The size is at least `least` and at most `most`; if these contradict, `most` counts. Since 0.3.
 */
typedef struct texlate_point_size {
  texlate_state_value size;
  texlate_state_value least, most; /* constants that limit nothing: 0 and INFINITY */
} texlate_point_size;

typedef struct texlate_spirv_options {
  size_t struct_size; /* sizeof(texlate_spirv_options) */
  texlate_robustness robustness;
  uint32_t version; /* as in a module's header: 0x00010000 (Vulkan 1.0), 0x00010300 to 0x00010600; 0: 1.3 */
  const texlate_spirv_binding* bindings; /* the other registers get default bindings (docs/spirv.md) */
  size_t binding_count;
  const texlate_spirv_combined* combined;
  size_t combined_count;
  /* Names of bindings, inputs and outputs ("spirv-text" always has them), and the source lines of assembly
   * text as OpLine. */
  int debug;
  const char* source_name; /* debug: the name of the text, terminated; null: "shader.asm" */
  int optimize;            /* run SPIRV-Tools' performance passes on the module */
  int validate;            /* check the module with SPIRV-Tools' validator; builds without NDEBUG always do */
  /* Require Direct3D's rounding, denormals, INF and NaN (VK_KHR_shader_float_controls). With f16tof32 that is
   * also shaderDenormPreserveFloat16: set this property to 0 if the device lacks it, or if its
   * denormBehaviorIndependence is NONE. */
  int float_controls;
  /* Require only 32-bit signed zeros, INF and NaN (SignedZeroInfNanPreserve), for devices that lack the
   * others. */
  int preserve_specials;

  /* Since 0.2 */
  size_t binding_stride;    /* sizeof(texlate_spirv_binding) */
  size_t combined_stride;   /* sizeof(texlate_spirv_combined) */
  int strict_bindings;      /* a register that is not in `bindings` is an error */
  int point_size;           /* vertex and domain shaders, and geometry shaders of points, write PointSize 1 */
  int dual_source_blending; /* o0 and o1 are the two sources of the blend of target 0 */
  int single_sample_images; /* Texture2DMS<T, 1> is a single-sample image */
  const texlate_spirv_parameter* parameters;        /* the others have the ids in docs/spirv.md */
  size_t parameter_count, parameter_stride;         /* sizeof(texlate_spirv_parameter) */
  const texlate_stream_output* stream_output;       /* vertex, domain, geometry shaders: transform feedback */
  size_t stream_output_count, stream_output_stride; /* sizeof(texlate_stream_output) */
  const uint32_t* buffer_strides; /* stride of each stream output buffer, in bytes; 0 or past the count: the
                                     size of its entries */
  size_t buffer_stride_count;
  /* Per render target: component i of the value written is component swizzle[i] of register o#. Targets past
   * the count are written unchanged. */
  const uint8_t (*output_swizzles)[4];
  size_t output_swizzle_count;
  /* Vertex, domain, geometry shaders: the locations of outputs; inputs that nothing writes are zero. Null:
   * each output has the location of its register, unless `next` is given. */
  const texlate_varying* varyings;
  size_t varying_count, varying_stride; /* sizeof(texlate_varying) */
  const texlate_program* next; /* instead of varyings: the program of the next stage, see texlate_link */

  /* Since 0.3 */
  texlate_discard discard;
  float point_size_value;                /* what `point_size` writes; 0: 1 */
  const texlate_device_property* device; /* null: a device that has everything */
  size_t device_count, device_stride;    /* sizeof(texlate_device_property) */
  /* NonSemantic.Shader.DebugInfo.100, with which a debugger (RenderDoc) steps through the assembly. The text
   * is `source`, whose lines those of the program are; null: a listing that texlate prints. */
  int debug_info;
  int messages;       /* printf() and errorf() of the shader become NonSemantic.DebugPrintf */
  const char* source; /* debug_info: terminated */
  /* Pixel shaders: inputs with the semantic TEXCOORD are (x, y, 0, 0) of the place in the point, as for
   * Direct3D 9's point sprites. */
  int point_sprite;
  const texlate_point_size* point_size_state; /* `point_size` writes this; null: point_size_value */
} texlate_spirv_options;
#define TEXLATE_SPIRV_OPTIONS_INIT                                                                          \
  {                                                                                                         \
    sizeof(texlate_spirv_options), TEXLATE_ROBUSTNESS_DRIVER, 0, NULL, 0, NULL, 0, 0, NULL, 0, 0, 0, 0,     \
        sizeof(texlate_spirv_binding), sizeof(texlate_spirv_combined), 0, 0, 0, 0, NULL, 0,                 \
        sizeof(texlate_spirv_parameter), NULL, 0, sizeof(texlate_stream_output), NULL, 0, NULL, 0, NULL, 0, \
        sizeof(texlate_varying), NULL, TEXLATE_DISCARD_DEMOTE, 0, NULL, 0, sizeof(texlate_device_property), \
        0, 0, NULL, 0, NULL                                                                                 \
  }

#endif /* TEXLATE_SPIRV_OPTIONS_H */
