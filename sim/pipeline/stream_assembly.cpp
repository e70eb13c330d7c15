#include "sim/pipeline/stream_assembly.h"

namespace texlate::sim {

uint32_t vertices_per_primitive(OutputTopology topology) {
  switch (topology) {
    case OutputTopology::points: return 1;
    case OutputTopology::line_strip: return 2;
    case OutputTopology::triangle_strip: return 3;
  }
  return 1;
}

std::vector<uint32_t> assemble_stream(std::span<const EmittedVertex> vertices, uint32_t stream,
                                      OutputTopology topology) {
  const uint32_t size = vertices_per_primitive(topology);
  std::vector<uint32_t> indices;
  std::array<uint32_t, 2> last{};  // the vertices before this one, the older one first
  uint32_t in_strip = 0;
  for (uint32_t v = 0; v < vertices.size(); ++v) {
    if (vertices[v].stream != stream) continue;
    if (vertices[v].starts_strip) in_strip = 0;
    ++in_strip;
    if (in_strip >= size) {
      const bool odd = (in_strip - size) % 2 != 0;
      if (size == 3) {
        indices.push_back(last[0]);
        indices.push_back(odd ? v : last[1]);
        indices.push_back(odd ? last[1] : v);
      } else {
        if (size == 2) indices.push_back(last[1]);
        indices.push_back(v);
      }
    }
    last = {last[1], v};
  }
  return indices;
}

}  // namespace texlate::sim
