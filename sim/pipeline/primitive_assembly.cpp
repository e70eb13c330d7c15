#include "sim/pipeline/primitive_assembly.h"

#include <algorithm>

namespace texlate::sim {

namespace {

/// Primitives of one run of indices without cuts.
class Run {
 public:
  Run(Topology topology, uint32_t size, std::span<const uint32_t> indices, std::vector<uint32_t>& to)
      : topology_(topology), size_(size), indices_(indices), to_(to) {}

  void assemble() {
    switch (topology_) {
      case Topology::line_strip: return walk(1);
      case Topology::line_strip_adjacency: return walk(1);
      case Topology::triangle_strip: return triangle_strip();
      case Topology::triangle_strip_adjacency: return triangle_strip_adjacency();
      default: return walk(size_);
    }
  }

 private:
  void put(std::initializer_list<size_t> places) {
    for (const size_t place : places) to_.push_back(indices_[place]);
  }
  void walk(uint32_t step) {
    for (size_t first = 0; first + size_ <= indices_.size(); first += step)
      to_.insert(to_.end(), indices_.begin() + static_cast<ptrdiff_t>(first),
                 indices_.begin() + static_cast<ptrdiff_t>(first + size_));
  }
  // Odd triangles exchange the last two vertices: the first one leads, and the winding stays.
  void triangle_strip() {
    for (size_t k = 0; k + 3 <= indices_.size(); ++k)
      k % 2 == 0 ? put({k, k + 1, k + 2}) : put({k, k + 2, k + 1});
  }
  void triangle_strip_adjacency() {
    const size_t count = indices_.size() < 6 ? 0 : (indices_.size() - 4) / 2;
    for (size_t k = 0; k < count; ++k) {
      const size_t before = k == 0 ? 1 : 2 * k - 2, after = k + 1 == count ? 2 * k + 5 : 2 * k + 6;
      if (k % 2 == 0) {
        put({2 * k, before, 2 * k + 2, after, 2 * k + 4, 2 * k + 3});
      } else {
        put({2 * k, 2 * k + 3, 2 * k + 4, after, 2 * k + 2, before});
      }
    }
  }

  const Topology topology_;
  const uint32_t size_;
  const std::span<const uint32_t> indices_;
  std::vector<uint32_t>& to_;
};

}  // namespace

uint32_t vertices_of(Topology topology, uint32_t control_points) {
  switch (topology) {
    case Topology::point_list: return 1;
    case Topology::line_list:
    case Topology::line_strip: return 2;
    case Topology::triangle_list:
    case Topology::triangle_strip: return 3;
    case Topology::line_list_adjacency:
    case Topology::line_strip_adjacency: return 4;
    case Topology::triangle_list_adjacency:
    case Topology::triangle_strip_adjacency: return 6;
    case Topology::patch_list: return control_points;
  }
  return 1;
}

std::vector<uint32_t> assemble_primitives(Topology topology, uint32_t control_points,
                                          std::span<const uint32_t> indices, std::optional<uint32_t> cut) {
  std::vector<uint32_t> made;
  const uint32_t size = std::max(1u, vertices_of(topology, control_points));
  for (size_t first = 0; first < indices.size();) {
    size_t end = first;
    while (end < indices.size() && indices[end] != cut) ++end;
    Run(topology, size, indices.subspan(first, end - first), made).assemble();
    first = end + 1;
  }
  return made;
}

std::vector<uint32_t> own_vertices(Topology topology) {
  switch (topology) {
    case Topology::point_list: return {0};
    case Topology::line_list:
    case Topology::line_strip: return {0, 1};
    case Topology::line_list_adjacency:
    case Topology::line_strip_adjacency: return {1, 2};
    case Topology::triangle_list:
    case Topology::triangle_strip: return {0, 1, 2};
    case Topology::triangle_list_adjacency:
    case Topology::triangle_strip_adjacency: return {0, 2, 4};
    case Topology::patch_list: return {};
  }
  return {};
}

}  // namespace texlate::sim
