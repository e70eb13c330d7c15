/* Root signatures. A part of texlate/texlate.h, which includes it. */
#ifndef TEXLATE_ROOT_SIGNATURES_H
#define TEXLATE_ROOT_SIGNATURES_H

#ifndef TEXLATE_TEXLATE_H
#error "include texlate/texlate.h"
#endif

/* ---- Root signatures ---- */

/* A range of a descriptor table (D3D12_DESCRIPTOR_RANGE1). */
typedef struct texlate_root_range {
  uint32_t type;  /* D3D12_DESCRIPTOR_RANGE_TYPE: 0 t#, 1 u#, 2 cb#, 3 s# */
  uint32_t count; /* UINT32_MAX: unbounded */
  uint32_t base_register;
  uint32_t space;
  uint32_t flags;        /* D3D12_DESCRIPTOR_RANGE_FLAGS; version 1.1 */
  uint32_t table_offset; /* UINT32_MAX: right after the previous range */
} texlate_root_range;

/* D3D12_ROOT_PARAMETER1. */
typedef struct texlate_root_parameter {
  uint32_t type;                    /* D3D12_ROOT_PARAMETER_TYPE: 0 table, 1 constants, 2 cb#, 3 t#, 4 u# */
  uint32_t visibility;              /* D3D12_SHADER_VISIBILITY */
  uint32_t shader_register, space;  /* constants, cb#, t#, u# */
  uint32_t flags;                   /* cb#, t#, u#: D3D12_ROOT_DESCRIPTOR_FLAGS; version 1.1 */
  uint32_t value_count;             /* constants: 32-bit values */
  const texlate_root_range* ranges; /* table */
  size_t range_count;
} texlate_root_parameter;

typedef struct texlate_root_signature_description {
  size_t struct_size;      /* sizeof(texlate_root_signature_description) */
  uint32_t version;        /* D3D_ROOT_SIGNATURE_VERSION: 1 is 1.0, 2 is 1.1 */
  uint32_t flags;          /* D3D12_ROOT_SIGNATURE_FLAGS */
  size_t parameter_stride; /* sizeof(texlate_root_parameter) */
  size_t range_stride;     /* sizeof(texlate_root_range) */
  size_t sampler_stride;   /* sizeof(texlate_static_sampler) */
  const texlate_root_parameter* parameters;
  size_t parameter_count;
  const texlate_static_sampler* samplers;
  size_t sampler_count;
} texlate_root_signature_description;
#define TEXLATE_ROOT_SIGNATURE_DESCRIPTION_INIT                                       \
  {                                                                                   \
    sizeof(texlate_root_signature_description), 1, 0, sizeof(texlate_root_parameter), \
        sizeof(texlate_root_range), sizeof(texlate_static_sampler), NULL, 0, NULL, 0  \
  }

typedef struct texlate_root_signature texlate_root_signature;

/* Reads chunk RTS0 of a container: a serialized root signature, or a shader that contains one. `options` may
 * be null. TEXLATE_ERROR_INPUT: there is none, or it is broken; `*signature` is then null, and the callback
 * of `options` has been called with the reason. */
TEXLATE_API texlate_status texlate_root_signature_read(const void* data, size_t size,
                                                       const texlate_parse_options* options,
                                                       texlate_root_signature** signature);
/* Never null for a signature that was read; valid as long as the signature, with everything it points to. */
TEXLATE_API const texlate_root_signature_description* texlate_root_signature_get(
    const texlate_root_signature* signature);
/* `signature` may be null. */
TEXLATE_API void texlate_root_signature_free(texlate_root_signature* signature);

/* Writes a container with chunk RTS0, as D3D12SerializeVersionedRootSignature does; it is the data of
 * `*output`. Version 1.0 omits the flags of ranges and descriptors. `allocator` may be null. */
TEXLATE_API texlate_status texlate_root_signature_write(const texlate_root_signature_description* description,
                                                        const texlate_allocator* allocator,
                                                        texlate_output** output);

#endif /* TEXLATE_ROOT_SIGNATURES_H */
