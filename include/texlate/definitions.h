/* Names and types of a container. A part of texlate/texlate.h, which includes it. */
#ifndef TEXLATE_DEFINITIONS_H
#define TEXLATE_DEFINITIONS_H

#ifndef TEXLATE_TEXLATE_H
#error "include texlate/texlate.h"
#endif

/* ---- Names and types (chunk RDEF) ---- */

/* What a container's chunk RDEF says: names, types, places and default values of constant-buffer variables
 * and names of resources. Text has no such chunk, and a stripped container neither: all lists are then empty.
 * Numbers are those of Direct3D's enumerations (d3dcommon.h). Names are terminated. */

typedef struct texlate_type_definition {
  const char* name;        /* as stored since shader model 5.0: "float4x4", "Light"; else empty */
  uint32_t variable_class; /* D3D_SHADER_VARIABLE_CLASS: 0 scalar, 1 vector, 2 row-major and 3 column-major
                              matrix, 4 object, 5 structure, 6 and 7 interfaces */
  uint32_t scalar_type;    /* D3D_SHADER_VARIABLE_TYPE: 1 bool, 2 int, 3 float, 19 uint ... */
  uint32_t rows, columns;
  uint32_t elements;                   /* of an array; 0: not an array */
  uint32_t first_member, member_count; /* structures: entries of `members` */
} texlate_type_definition;

typedef struct texlate_member_definition {
  const char* name;
  uint32_t type;   /* an entry of `types`, before that of the structure: no type contains itself */
  uint32_t offset; /* in bytes from the start of the structure */
} texlate_member_definition;

typedef struct texlate_variable_definition {
  const char* name;
  uint32_t offset, size;     /* in bytes */
  uint32_t flags;            /* D3D_SHADER_VARIABLE_FLAGS: 2 used */
  uint32_t type;             /* an entry of `types` */
  const void* default_value; /* `size` bytes of any alignment, or null */
} texlate_variable_definition;

typedef struct texlate_buffer_definition {
  const char* name;
  uint32_t kind;  /* D3D_CBUFFER_TYPE: 0 cbuffer, 1 tbuffer, 2 interfaces, 3 layout of a structured buffer */
  uint32_t size;  /* in bytes */
  uint32_t flags; /* D3D_SHADER_CBUFFER_FLAGS */
  uint32_t first_variable, variable_count; /* entries of `variables` */
} texlate_buffer_definition;

typedef struct texlate_resource_definition {
  const char* name; /* of a constant buffer, sampler, texture, buffer or view */
  uint32_t type;    /* D3D_SHADER_INPUT_TYPE: 0 cbuffer, 1 tbuffer, 2 texture, 3 sampler, 4 typed view ... */
  texlate_register_class kind; /* the registers that it is bound to */
  uint32_t first_register;     /* compare with texlate_binding::lower_bound */
  uint32_t count;              /* of registers; 0: unbounded */
  uint32_t space;
  uint32_t id;           /* compare with texlate_binding::id */
  uint32_t return_type;  /* D3D_RESOURCE_RETURN_TYPE */
  uint32_t dimension;    /* D3D_SRV_DIMENSION */
  uint32_t sample_count; /* of multisampled textures; structured buffers: the stride in bytes */
  uint32_t flags;        /* D3D_SHADER_INPUT_FLAGS */
} texlate_resource_definition;

typedef struct texlate_definitions_description {
  size_t struct_size;
  size_t type_stride, member_stride, variable_stride, buffer_stride, resource_stride; /* bytes per element */
  const texlate_type_definition* types;
  size_t type_count;
  const texlate_member_definition* members;
  size_t member_count;
  const texlate_variable_definition* variables;
  size_t variable_count;
  const texlate_buffer_definition* buffers;
  size_t buffer_count;
  const texlate_resource_definition* resources;
  size_t resource_count;
  const char* compiler; /* its name and version; terminated */
  int is_complete;      /* 0: a part of the chunk is broken, and missing here */
} texlate_definitions_description;

typedef struct texlate_definitions texlate_definitions;

/* Reads the chunk of a program that was read without errors. Every other function works without it.
 * Everything that the description points to is valid as long as both the definitions and the program.
 * Elements are at the distances that the strides give, which may be larger than in your header. */
TEXLATE_API texlate_status texlate_definitions_read(const texlate_program* program,
                                                    texlate_definitions** definitions);
/* Never null for definitions that were read. */
TEXLATE_API const texlate_definitions_description* texlate_definitions_get(
    const texlate_definitions* definitions);
/* `definitions` may be null. */
TEXLATE_API void texlate_definitions_free(texlate_definitions* definitions);

#endif /* TEXLATE_DEFINITIONS_H */
