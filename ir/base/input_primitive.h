// What a geometry shader reads (D3D10_SB_PRIMITIVE in d3d12TokenizedProgramFormat.hpp).
#pragma once

#include <cstdint>
#include <iterator>

namespace texlate {

/// The vertices of a point, a line, a triangle, these two with their neighbors, or a patch; 0: there is no
/// such primitive.
constexpr uint32_t vertices_of_input_primitive(uint32_t primitive) {
  constexpr uint32_t kVertices[] = {0, 1, 2, 3, 0, 0, 4, 6};
  constexpr uint32_t kPatchOf1 = std::size(kVertices);
  return primitive < kPatchOf1 ? kVertices[primitive] : primitive - kPatchOf1 + 1;
}

}  // namespace texlate
