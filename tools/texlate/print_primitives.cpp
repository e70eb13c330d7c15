#include "tools/texlate/print_primitives.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>

#include "sim/pipeline/patch_factors.h"
#include "sim/pipeline/stream_assembly.h"
#include "tools/executor/output_name.h"

namespace texlate::cli {

namespace {

constexpr size_t kShownRows = 32;

/// Words of unknown type that are no usual float are probably integers.
std::string word_text(uint32_t word, executor::WordType type) {
  const auto value = std::bit_cast<float>(word);
  const bool is_usual = value == 0 || std::isnormal(value);
  const bool is_integer =
      type == executor::WordType::integer || (type == executor::WordType::any && word != 0 && !is_usual);
  return is_integer ? std::to_string(static_cast<int32_t>(word)) : fmt::format("{:g}", value);
}

/// "o0 = 1 0.5 0 1, o1 = 2": the declared components of these registers. `word` gives a plane's word, and
/// `is_written` says whether the shader wrote it.
template <typename Word, typename IsWritten>
std::string registers_text(std::span<const ir::Parameter> parameters, std::string_view prefix,
                           const auto& plane_register, Word word, IsWritten is_written) {
  std::string text;
  uint32_t last = ~0u;  // a register may be declared in parts
  for (const ir::Parameter& parameter : parameters) {
    const uint32_t reg = plane_register(parameter);
    if (reg != last) text += fmt::format("{}{}{} =", text.empty() ? "" : ", ", prefix, reg);
    last = reg;
    for (uint32_t c = 0; c < 4; ++c) {
      if (((parameter.mask >> c) & 1) == 0) continue;
      const size_t plane = size_t{reg} * 4 + c;
      text += " " + (is_written(plane) ? word_text(word(plane), executor::type_of(parameter)) : "undefined");
    }
  }
  return text;
}

std::string undefined_text(uint32_t undefined) {
  return undefined == 0 ? "" : fmt::format(" (undefined in Direct3D: {})", sim::undefined_names(undefined));
}

void print_more(size_t count) {
  if (count > kShownRows) fmt::print("... {} more\n", count - kShownRows);
}

void print_elements(const Execution& execution, const executor::RouteResult& result) {
  const ir::Module& module = execution.shader.contract;
  const uint32_t count = execution.scene->element_count();
  const auto output_register = [&](const ir::Parameter& one) {
    return sim::output_plane_register(module, one);
  };
  for (uint32_t e = 0; e < std::min<size_t>(count, kShownRows); ++e) {
    fmt::print("{}{}: {}\n", executor::element_name(module, *execution.scene, e),
               undefined_text(result.undefined[e]),
               registers_text(
                   module.outputs, "o", output_register,
                   [&](size_t plane) { return result.outputs[plane * count + e]; },
                   [&](size_t plane) {
                     return result.assigned.empty() || result.assigned[plane * count + e] != 0;
                   }));
  }
  print_more(count);
}

void print_patches(const Execution& execution, const executor::RouteResult& result) {
  const ir::Module& module = execution.shader.contract;
  const uint32_t patches = execution.scene->primitives().count;
  const TessellatedCounts counts = tessellated_counts(execution, result);
  for (uint32_t p = 0; p < std::min<size_t>(patches, kShownRows); ++p) {
    fmt::print("patch {}: {}\n  {} domain points, {} primitives\n", p,
               registers_text(
                   module.patch_constants, "vpc", [](const ir::Parameter& one) { return one.reg; },
                   [&](size_t plane) { return result.patch_constants[plane * patches + p]; },
                   [&](size_t plane) {
                     return result.assigned_constants.empty() ||
                            result.assigned_constants[plane * patches + p] != 0;
                   }),
               counts.points[p], counts.primitives[p]);
  }
  print_more(patches);
}

void print_emissions(const Execution& execution, const executor::RouteResult& result) {
  const ir::Module& module = execution.shader.contract;
  const sim::EmittedVertices& emitted = result.emitted;
  const auto topology = static_cast<sim::OutputTopology>(module.output_topology);
  const auto output_register = [&](const ir::Parameter& one) {
    return sim::output_plane_register(module, one);
  };
  for (size_t v = 0; v < std::min(emitted.vertices.size(), kShownRows); ++v) {
    const sim::EmittedVertex& vertex = emitted.vertices[v];
    std::vector<ir::Parameter> outputs;
    for (const ir::Parameter& output : module.outputs) {
      if (output.stream == vertex.stream) outputs.push_back(output);
    }
    fmt::print("primitive {}, instance {}, stream {}{}{}: {}\n", vertex.primitive, vertex.instance,
               vertex.stream, vertex.starts_strip ? ", new strip" : "", undefined_text(vertex.undefined),
               registers_text(
                   outputs, "o", output_register,
                   [&](size_t plane) { return emitted.words[v * emitted.planes + plane]; },
                   [&](size_t plane) {
                     return emitted.written.empty() || emitted.written[v * emitted.planes + plane] != 0;
                   }));
  }
  print_more(emitted.vertices.size());
  for (uint32_t stream = 0; stream < sim::kStreams; ++stream) {
    const auto is_of = [&](const sim::EmittedVertex& one) { return one.stream == stream; };
    const auto count = std::count_if(emitted.vertices.begin(), emitted.vertices.end(), is_of);
    if (count == 0 && stream != 0) continue;
    const size_t whole = sim::assemble_stream(emitted.vertices, stream, topology).size();
    fmt::print("stream {}: {} vertices, {} primitives\n", stream, count,
               whole / sim::vertices_per_primitive(topology));
  }
}

}  // namespace

TessellatedCounts tessellated_counts(const Execution& execution, const executor::RouteResult& result) {
  const ir::Module& hull = execution.shader.contract;
  const sim::Tessellation tessellation = sim::tessellation_of(hull);
  const uint32_t patches = execution.scene->primitives().count;
  TessellatedCounts counts;
  for (uint32_t patch = 0; patch < patches; ++patch) {
    const sim::TessellatedPatch made =
        sim::tessellate(tessellation, sim::factors_of(hull, result.patch_constants, patches, patch));
    counts.points.push_back(static_cast<uint32_t>(made.points.size()));
    counts.primitives.push_back(
        static_cast<uint32_t>(made.indices.size() / sim::indices_per_primitive(tessellation)));
  }
  return counts;
}

void print_primitives(const Execution& execution, const executor::RouteResult& result) {
  if (execution.shader.contract.stage == ir::Stage::geometry) return print_emissions(execution, result);
  print_elements(execution, result);
  if (execution.shader.contract.stage == ir::Stage::hull) print_patches(execution, result);
}

}  // namespace texlate::cli
