#include "tools/executor/compare_primitives.h"

#include <algorithm>

#include "sim/pipeline/stream_assembly.h"
#include "tools/executor/output_name.h"

namespace texlate::executor {

namespace {

/// A vertex of one route beside the vertex of the other one.
struct VertexPair {
  size_t a = 0, b = 0;
  std::string place;
};

class Emissions {
 public:
  Emissions(const Shader& shader, const RouteResult& a, const RouteResult& b, DifferenceCollector& collector)
      : module_(shader.contract), a_(a.emitted), b_(b.emitted), collector_(collector) {}

  /// Emission by emission.
  void compare_raw() {
    const size_t count = std::min(a_.vertices.size(), b_.vertices.size());
    bool defined = true;
    for (size_t v = 0; v < count && defined; ++v) {
      const sim::EmittedVertex &x = a_.vertices[v], &y = b_.vertices[v];
      const std::string place =
          fmt::format("vertex {} of primitive {}, instance {}", v, x.primitive, x.instance);
      defined = (x.undefined | y.undefined) == 0;
      if (!defined) break;
      bool differs = false;
      const auto same = [&](uint32_t left, uint32_t right, const char* what) {
        differs |= collector_.word(left, right, WordType::integer, [&] { return what + (" of " + place); });
      };
      same(x.primitive, y.primitive, "primitive");
      same(x.instance, y.instance, "instance");
      same(x.stream, y.stream, "stream");
      if (has_strips_) same(x.starts_strip ? 1 : 0, y.starts_strip ? 1 : 0, "strip start");
      compare_vertex({v, v, place}, x.stream, differs);
    }
    finish(a_.vertices.size(), b_.vertices.size(), defined, "emitted vertices");
  }

  /// The lists of primitives of each stream.
  void compare_assembled() {
    const auto topology = static_cast<sim::OutputTopology>(module_.output_topology);
    for (uint32_t stream = 0; stream < sim::kStreams; ++stream) {
      const auto is_of = [&](const ir::Parameter& output) { return output.stream == stream; };
      if (std::ranges::none_of(module_.outputs, is_of)) continue;  // its vertices have nothing to see
      const std::vector<uint32_t> x = sim::assemble_stream(a_.vertices, stream, topology);
      const std::vector<uint32_t> y = sim::assemble_stream(b_.vertices, stream, topology);
      const size_t count = std::min(x.size(), y.size());
      bool defined = true;
      for (size_t i = 0; i < count; ++i) {
        defined = (a_.vertices[x[i]].undefined | b_.vertices[y[i]].undefined) == 0;
        if (!defined) break;
        compare_vertex({x[i], y[i], fmt::format("list vertex {} of stream {}", i, stream)}, stream, false);
      }
      finish(x.size(), y.size(), defined, fmt::format("list vertices of stream {}", stream));
    }
  }

 private:
  void compare_vertex(const VertexPair& pair, uint32_t stream, bool differs) {
    ++collector_.result.elements;
    for (const ir::Parameter& output : module_.outputs) {
      if (output.stream != stream) continue;
      const uint32_t reg = sim::output_plane_register(module_, output);
      for (uint32_t c = 0; c < 4; ++c) {
        if (((output.mask >> c) & 1) == 0) continue;
        const size_t plane = size_t{reg} * 4 + c, x = pair.a * a_.planes + plane,
                     y = pair.b * b_.planes + plane;
        if (!is_written(a_, x) || !is_written(b_, y)) {
          ++collector_.result.unassigned;
          continue;
        }
        differs |= collector_.word(a_.words[x], b_.words[y], type_of(output), [&, c] {
          return fmt::format("{} of {}", output_name(module_, output, c), pair.place);
        });
      }
    }
    collector_.result.different += differs ? 1 : 0;
  }

  static bool is_written(const sim::EmittedVertices& emitted, size_t word) {
    return emitted.written.empty() || emitted.written[word] != 0;
  }

  /// Vertices that one route alone has differ, unless something undefined came before them.
  void finish(size_t in_a, size_t in_b, bool defined, std::string_view what) {
    if (!defined) {
      collector_.result.masked += 1;
      return;
    }
    ++collector_.result.elements;  // the number, too, is a result
    if (in_a == in_b) return;
    const size_t more = std::max(in_a, in_b) - std::min(in_a, in_b);
    collector_.word(static_cast<uint32_t>(in_a), static_cast<uint32_t>(in_b), WordType::integer,
                    [&] { return fmt::format("number of {}", what); });
    collector_.result.elements += more - 1;
    collector_.result.different += more;
  }

  const ir::Module& module_;
  /// Cuts of points have no effect, and routes may leave them out.
  const bool has_strips_ =
      static_cast<sim::OutputTopology>(module_.output_topology) != sim::OutputTopology::points;
  const sim::EmittedVertices &a_, &b_;
  DifferenceCollector& collector_;
};

}  // namespace

void compare_patch_constants(const Shader& shader, const sim::Scene& scene, const RouteResult& a,
                             const RouteResult& b, DifferenceCollector& collector) {
  const uint32_t patches = scene.primitives().count, points = shader.contract.output_control_points;
  const auto is_undefined = [&](const RouteResult& route, uint32_t patch) {
    const size_t element = size_t{patch} * points;
    return element < route.undefined.size() && route.undefined[element] != 0;
  };
  const auto is_assigned = [](const RouteResult& route, size_t word) {
    return route.assigned_constants.empty() || route.assigned_constants[word] != 0;
  };
  for (uint32_t patch = 0; patch < patches; ++patch) {
    if (is_undefined(a, patch) || is_undefined(b, patch)) {
      ++collector.result.masked;
      continue;
    }
    ++collector.result.elements;
    bool differs = false;
    for (const ir::Parameter& constant : shader.contract.patch_constants) {
      for (uint32_t c = 0; c < 4; ++c) {
        if (((constant.mask >> c) & 1) == 0) continue;
        const size_t word = (size_t{constant.reg} * 4 + c) * patches + patch;
        if (!is_assigned(a, word) || !is_assigned(b, word)) {
          ++collector.result.unassigned;
          continue;
        }
        differs |= collector.word(
            a.patch_constants[word], b.patch_constants[word], type_of(constant),
            [&, c] { return fmt::format("{} of patch {}", patch_constant_name(constant, c), patch); });
      }
    }
    collector.result.different += differs ? 1 : 0;
  }
}

void compare_emissions(const Shader& shader, const RouteResult& a, const RouteResult& b,
                       DifferenceCollector& collector) {
  Emissions emissions(shader, a, b, collector);
  a.emits_lists || b.emits_lists ? emissions.compare_assembled() : emissions.compare_raw();
}

}  // namespace texlate::executor
