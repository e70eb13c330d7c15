/* State of Direct3D 9's pipeline. A part of texlate/texlate.h, which includes it. */
#ifndef TEXLATE_FIXED_FUNCTION_H
#define TEXLATE_FIXED_FUNCTION_H

#ifndef TEXLATE_TEXLATE_H
#error "include texlate/texlate.h"
#endif

/* ---- Fixed-function state of Direct3D 9 ----
 * What Direct3D 9's pipeline does around shaders and later versions leave to them. The translation does it
 * where the shader returns. Since 0.3. */

/* A number, or four: a constant, or where the host stores it. */
typedef struct texlate_state_value {
  int in_buffer;    /* 0: `constant`; 1: in a constant buffer that the shader does not declare */
  uint32_t bits[4]; /* of floats, or of an unsigned integer; a single number: [0] */
  uint32_t buffer;  /* the register cb#, below 4096, for the host's bindings; before shader model 5.1 `space`
                       is 0 */
  uint32_t space;
  uint32_t offset; /* in bytes: a multiple of 4, of four numbers a multiple of 16 */
} texlate_state_value;

/* Members that are 0 change nothing. */
typedef struct texlate_fixed_function {
  size_t struct_size; /* sizeof(texlate_fixed_function) */
  /* Pixel shaders: the pixel is kept if alpha of o0, before fog, compares so with the reference. */
  uint32_t
      alpha_function; /* D3DCMPFUNC: 1 never, 2 less, 3 equal, 4 less or equal ... 8 always; 0: no test */
  int alpha_is_uint;  /* compare unsigned integers, for targets of that type */
  texlate_state_value alpha_reference;
  /* Pixel shaders: o0 = f * o0 + (1 - f) * fog_color, with c the input FOG0.x, which is added if there is
   * none. f is limited to 0 to 1: 2^-(scale * c), 2^-((scale * c)^2), (end - c) * scale. */
  uint32_t fog_mode; /* D3DFOGMODE: 1 exp, 2 exp2, 3 linear; 0: no fog */
  texlate_state_value fog_color, fog_end, fog_scale;
  /* Vertex shaders: clip distances, the products of the position and the planes whose bits are set. */
  uint32_t clip_plane_mask;
  texlate_state_value clip_planes[8];
  /* Vertex and domain shaders: what the output FOG0.x is, which is added if there is none. */
  uint32_t fog_source; /* 0 what the shader writes, 1 the same or else COLOR1.w, 2 z of the position, 3 w */
} texlate_fixed_function;
#define TEXLATE_STATE_VALUE_INIT \
  { 0, {0, 0, 0, 0}, 0, 0, 0 }
#define TEXLATE_FIXED_FUNCTION_INIT                                                              \
  {                                                                                              \
    sizeof(texlate_fixed_function), 0, 0, TEXLATE_STATE_VALUE_INIT, 0, TEXLATE_STATE_VALUE_INIT, \
        TEXLATE_STATE_VALUE_INIT, TEXLATE_STATE_VALUE_INIT, 0,                                   \
        {TEXLATE_STATE_VALUE_INIT, TEXLATE_STATE_VALUE_INIT, TEXLATE_STATE_VALUE_INIT,           \
         TEXLATE_STATE_VALUE_INIT, TEXLATE_STATE_VALUE_INIT, TEXLATE_STATE_VALUE_INIT,           \
         TEXLATE_STATE_VALUE_INIT, TEXLATE_STATE_VALUE_INIT},                                    \
        0                                                                                        \
  }

#endif /* TEXLATE_FIXED_FUNCTION_H */
