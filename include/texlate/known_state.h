/* What the host knows about its bindings. A part of texlate/texlate.h, which includes it. */
#ifndef TEXLATE_KNOWN_STATE_H
#define TEXLATE_KNOWN_STATE_H

#ifndef TEXLATE_TEXLATE_H
#error "include texlate/texlate.h"
#endif

/* ---- Known state ----
 * What the host knows about its bindings when it translates, for instance when a driver makes a pipeline.
 * Known facts are constants in the code: guards that cannot fail are not made, comparisons and filters done
 * in code shrink to the ones that are set, branches on known constants go. The code is then right only for
 * such bindings; the reflection lists what it relies on ("relies_on"). Registers are those to which the host
 * binds: before shader model 5.1 the number in the name, with space 0. Since 0.3. */

/* D3D12_STATIC_SAMPLER_DESC; enumerators have Direct3D's numbers. */
typedef struct texlate_static_sampler {
  uint32_t filter, address_u, address_v, address_w;
  float mip_lod_bias;
  uint32_t max_anisotropy, comparison, border_color;
  float min_lod, max_lod;
  uint32_t shader_register, space, visibility;
} texlate_static_sampler;

/* Members of texlate_known_resource that are given. */
typedef enum texlate_known {
  TEXLATE_KNOWN_BOUND = 1,
  TEXLATE_KNOWN_WIDTH = 2, /* any of these says also that something is bound */
  TEXLATE_KNOWN_HEIGHT = 4,
  TEXLATE_KNOWN_DEPTH = 8,
  TEXLATE_KNOWN_SLICES = 16,
  TEXLATE_KNOWN_MIPS = 32,
  TEXLATE_KNOWN_SAMPLES = 64,
  TEXLATE_KNOWN_COMPONENTS = 128,
  TEXLATE_KNOWN_UNORM_BITS = 256,
  TEXLATE_KNOWN_TEXEL_FORMAT = 512 /* of typed UAVs */
} texlate_known;

/* The same is known of registers [first, first + count). */
typedef struct texlate_known_resource {
  texlate_register_class register_class; /* TEXLATE_REGISTER_RESOURCE or TEXLATE_REGISTER_UAV */
  uint32_t space, first;
  uint32_t count; /* UINT32_MAX: all registers from `first` on */
  uint32_t known; /* texlate_known, or-ed */
  uint32_t bound; /* 0: nothing is bound. The other members then have no meaning */
  /* Of the view: texels of its first mip. Typed buffers: `width` is the number of elements, structured ones:
   * of structures, raw ones: of bytes. */
  uint32_t width, height, depth;
  uint32_t slices;       /* of arrays; cube arrays: the number of cubes */
  uint32_t mips;         /* of the view */
  uint32_t samples;      /* of multisampled textures */
  uint32_t components;   /* those that the view's format has: 1 red, 2 green, 4 blue, 8 alpha, or-ed */
  uint32_t unorm_bits;   /* bits of a UNORM red or depth up to 24; TEXLATE_KNOWN_SNORM; 0: another format */
  texlate_format format; /* of a typed UAV; a texlate_uav_format must not give it as well */
  uint32_t specialize;   /* "spirv": 1: sizes, slices, mips and samples are defaults of specialization
                            constants. Nothing else must be known then but that something is bound */
} texlate_known_resource;
#define TEXLATE_KNOWN_SNORM UINT32_MAX

/* The state of the samplers in registers [state.shader_register, state.shader_register + count) of a space.
 */
typedef struct texlate_known_sampler {
  texlate_static_sampler state; /* `visibility` is not read */
  uint32_t count;               /* UINT32_MAX: all registers from the first one on */
  uint32_t has_border;          /* 1: `border` is the border color, not state.border_color */
  float border[4];
} texlate_known_sampler;

/* Constant buffers in registers [first, first + count) of a space. */
typedef struct texlate_known_constants {
  uint32_t space, first;
  uint32_t count; /* UINT32_MAX: all registers from `first` on */
  uint32_t rows;  /* this many rows (vec4) are bound at least; 0: not known */
  const uint32_t*
      words; /* four for each row of [first_row, first_row + row_count); null: no values are known */
  uint32_t first_row, row_count;
  uint32_t specialize; /* "spirv": 1: the words are defaults of specialization constants */
} texlate_known_constants;

/* Members of texlate_known_state about launches that are given. */
typedef enum texlate_known_launch {
  TEXLATE_KNOWN_ELEMENTS = 1,
  TEXLATE_KNOWN_HELPER_LANES = 2,
  TEXLATE_KNOWN_EARLY_DEPTH = 4
} texlate_known_launch;

typedef struct texlate_known_state {
  size_t struct_size; /* sizeof(texlate_known_state) */
  const texlate_known_resource* resources;
  size_t resource_count, resource_stride; /* sizeof(texlate_known_resource) */
  const texlate_known_sampler* samplers;
  size_t sampler_count, sampler_stride; /* sizeof(texlate_known_sampler) */
  const texlate_known_constants* constants;
  size_t constant_count, constant_stride; /* sizeof(texlate_known_constants) */

  /* Of every launch of a pixel or vertex shader */
  uint32_t launch;       /* texlate_known_launch, or-ed */
  uint32_t elements;     /* kernels: pixels or vertices. A multiple of 32: there are as many threads */
  uint32_t helper_lanes; /* kernels of pixels: 0: every pixel is covered */
  uint32_t early_depth; /* pixels: 1: depth and stencil are tested before the shader, or never: what it writes
                           to them is not read */
} texlate_known_state;
#define TEXLATE_KNOWN_STATE_INIT                                                            \
  {                                                                                         \
    sizeof(texlate_known_state), NULL, 0, sizeof(texlate_known_resource), NULL, 0,          \
        sizeof(texlate_known_sampler), NULL, 0, sizeof(texlate_known_constants), 0, 0, 0, 0 \
  }

#endif /* TEXLATE_KNOWN_STATE_H */
