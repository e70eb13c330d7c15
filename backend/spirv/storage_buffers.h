// How a module declares storage buffers: SPIR-V 1.3 has a storage class for them; before, they are uniform
// buffers whose structure is decorated BufferBlock (SPIR-V 3.7, 3.20).
#pragma once

#include <spirv/unified1/spirv.hpp>

#include "backend/spirv/emit.h"

namespace texlate::spirv {

constexpr bool has_storage_class(Version version) {
  return version >= Version::v1_3;
}

constexpr spv::StorageClass storage_of_buffers(Version version) {
  return has_storage_class(version) ? spv::StorageClassStorageBuffer : spv::StorageClassUniform;
}

constexpr spv::Decoration block_of_buffers(Version version) {
  return has_storage_class(version) ? spv::DecorationBlock : spv::DecorationBufferBlock;
}

}  // namespace texlate::spirv
