// Vertices of a draw as primitives (D3D11.3 functional specification 8.10, 8.14; docs/reference/pipeline.md
// 3).
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace texlate::sim {

enum class Topology : uint8_t {
  point_list,
  line_list,
  line_strip,
  triangle_list,
  triangle_strip,
  line_list_adjacency,
  line_strip_adjacency,
  triangle_list_adjacency,
  triangle_strip_adjacency,
  patch_list,
};
inline constexpr std::string_view kTopologyNames[] = {"point_list",
                                                      "line_list",
                                                      "line_strip",
                                                      "triangle_list",
                                                      "triangle_strip",
                                                      "line_list_adjacency",
                                                      "line_strip_adjacency",
                                                      "triangle_list_adjacency",
                                                      "triangle_strip_adjacency",
                                                      "patch_list"};

/// Vertices of a primitive as a geometry shader sees it, with those that are adjacent.
uint32_t vertices_of(Topology topology, uint32_t control_points);

/// The vertices of whole primitives, one primitive after the other. An index equal to `cut` starts the
/// topology anew; incomplete primitives are dropped.
std::vector<uint32_t> assemble_primitives(Topology topology, uint32_t control_points,
                                          std::span<const uint32_t> indices,
                                          std::optional<uint32_t> cut = std::nullopt);

/// The places of a primitive's own vertices among those that assemble_primitives() gives: 0, 2, 4 of a
/// triangle with adjacency.
std::vector<uint32_t> own_vertices(Topology topology);

}  // namespace texlate::sim
