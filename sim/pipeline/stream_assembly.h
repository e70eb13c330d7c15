// What geometry shaders emit, as lists of whole primitives (D3D11.3 functional specification 13, 14;
// docs/reference/pipeline.md 2).
#pragma once

#include <array>
#include <span>
#include <vector>

#include "sim/ir/primitive_launch.h"

namespace texlate::sim {

/// D3D10_SB_PRIMITIVE_TOPOLOGY of a geometry shader's output.
enum class OutputTopology : uint8_t { points = 1, line_strip = 3, triangle_strip = 5 };
uint32_t vertices_per_primitive(OutputTopology topology);

inline constexpr uint32_t kStreams = 4;

/// Indices into the emitted vertices: those of the first primitive, of the second ... Strips that are too
/// short for a primitive leave nothing. Odd triangles of a strip keep their first vertex and exchange the
/// other two.
std::vector<uint32_t> assemble_stream(std::span<const EmittedVertex> vertices, uint32_t stream,
                                      OutputTopology topology);

}  // namespace texlate::sim
