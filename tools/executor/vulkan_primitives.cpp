#include "tools/executor/vulkan_primitives.h"

#include <algorithm>
#include <bit>

#include "backend/spirv/interface_elements.h"
#include "sim/pipeline/patch_factors.h"
#include "sim/pipeline/stream_assembly.h"

namespace texlate::executor {

namespace {

using ir::SystemValue;
using sim::vulkan::StageJob;

constexpr uint32_t kNoPlace = ~0u;

/// Where component `c` of a parameter is among the words of the device's variables; nothing if the parameter
/// has another system value.
StageJob::Place builtin_place(std::span<const ir::Parameter> parameters, const ir::Parameter& parameter,
                              uint32_t c) {
  switch (parameter.system_value) {
    case SystemValue::position: return {true, builtin_of(parameter.system_value), c};
    case SystemValue::render_target_array_index:
    case SystemValue::viewport_array_index:
    case SystemValue::primitive_id: return {true, builtin_of(parameter.system_value), 0};
    case SystemValue::clip_distance:
    case SystemValue::cull_distance: break;
    default: return {true, kNoPlace, 0};
  }
  // The distances of all registers are one array, in the order of registers and components.
  uint32_t word = 0;
  for (const ir::Parameter& one : parameters) {
    if (one.system_value != parameter.system_value || one.stream != parameter.stream) continue;
    if (&one == &parameter) {
      word += static_cast<uint32_t>(std::popcount(one.mask & ((1u << c) - 1u)));
      break;
    }
    word += static_cast<uint32_t>(std::popcount(one.mask));
  }
  return {true, builtin_of(parameter.system_value), word};
}

class StageRun {
 public:
  StageRun(const ir::Module& module, const sim::Scene& scene, RouteResult& result)
      : module_(module), scene_(scene), primitives_(scene.primitives()), result_(result) {}

  bool check(Diagnostics& diagnostics) const {
    for (uint32_t p = 0; p < primitives_.ids.size(); ++p) {
      if (primitives_.ids[p] == p) continue;
      diagnostics.error({}, "vulkan: the device numbers primitives, and the scene cannot set their numbers");
      return false;
    }
    if (module_.stage != ir::Stage::domain) return true;
    if (primitives_.listed_points) {
      diagnostics.error({}, "vulkan: the device makes the domain points, and the scene cannot list them");
      return false;
    }
    for (const ir::Parameter& constant : module_.patch_constants) {
      const auto place = sim::factor_place(constant.system_value);
      const auto component = static_cast<uint32_t>(std::countr_zero(constant.mask));
      for (uint32_t p = 0; p < primitives_.count && place; ++p) {
        const sim::TessellationFactors& factors = factors_of(p);
        const float factor = place->inside ? factors.inside[place->index] : factors.edge[place->index];
        if (constant_word(constant.reg * 4 + component, p) == std::bit_cast<uint32_t>(factor)) continue;
        diagnostics.error({}, "vulkan: vpc{}.{} is a tessellation factor, which 'tessellation' sets",
                          constant.reg, "xyzw"[component]);
        return false;
      }
    }
    return true;
  }

  StageJob job() const {
    StageJob job;
    job.primitives = primitives_.count;
    job.vertices = primitives_.vertices;
    job.output_points = module_.output_control_points;
    job.vertex_word = [this](const StageJob::Place& place, uint32_t vertex) {
      const uint32_t plane = plane_of(place);
      const size_t at = size_t{plane} * primitives_.count * primitives_.vertices + vertex;
      return plane != kNoPlace && at < scene_.inputs().size() ? scene_.inputs()[at] : 0;
    };
    job.patch_word = [this](const StageJob::Place& place, uint32_t patch) {
      return constant_word((kLastLocation - place.number) * 4 + place.word, patch);
    };
    if (module_.stage == ir::Stage::domain) describe_domain(job);
    const auto topology = static_cast<sim::OutputTopology>(module_.output_topology);
    // Each emission but the first of a strip ends one primitive at most.
    if (module_.stage == ir::Stage::geometry)
      job.most_results = uint64_t{std::max(1u, module_.gs_instances)} * module_.max_vertex_count *
                         sim::vertices_per_primitive(topology);
    return job;
  }

  bool take(const StageJob& job, Diagnostics& diagnostics) {
    switch (module_.stage) {
      case ir::Stage::hull: take_hull(job); return true;
      case ir::Stage::geometry: take_geometry(job); return true;
      default: break;
    }
    if (job.results[0] != scene_.element_count() && !job.outputs.empty()) {
      diagnostics.error({}, "vulkan: the device makes {} domain points, not {}", job.results[0],
                        scene_.element_count());
      return false;
    }
    take_elements(job);
    return true;
  }

 private:
  static constexpr uint32_t kLastLocation = 31;  // of vpc0; see docs/spirv.md

  const sim::TessellationFactors& factors_of(uint32_t patch) const {
    return primitives_.factors[patch % primitives_.factors.size()];
  }
  uint32_t constant_word(uint32_t plane, uint32_t patch) const {
    const size_t at = size_t{plane} * primitives_.count + patch;
    return at < primitives_.constants.size() ? primitives_.constants[at] : 0;
  }

  void describe_domain(StageJob& job) const {
    using enum sim::vulkan::Spacing;
    switch (primitives_.partitioning) {
      case sim::Partitioning::integer:
      case sim::Partitioning::pow2: job.spacing = equal; break;
      case sim::Partitioning::fractional_odd: job.spacing = fractional_odd; break;
      case sim::Partitioning::fractional_even: job.spacing = fractional_even; break;
    }
    for (uint32_t p = 0; p < primitives_.count; ++p) {
      const sim::TessellationFactors& factors = factors_of(p);
      auto& levels = job.levels.emplace_back();
      for (size_t i = 0; i < 4; ++i) levels[i] = std::bit_cast<uint32_t>(factors.edge[i]);
      for (size_t i = 0; i < 2; ++i) levels[4 + i] = std::bit_cast<uint32_t>(factors.inside[i]);
    }
    job.most_results = scene_.element_count();
  }

  /// The plane of v# that a word of the device's variables has.
  uint32_t plane_of(const StageJob::Place& place) const {
    if (!place.is_builtin) return place.number * 4 + place.word;
    for (const ir::Parameter& input : module_.inputs) {
      for (uint32_t c = 0; c < 4; ++c) {
        if (((input.mask >> c) & 1) == 0) continue;
        const StageJob::Place own = builtin_place(module_.inputs, input, c);
        if (own.number == place.number && own.word == place.word) return input.reg * 4 + c;
      }
    }
    return kNoPlace;
  }

  /// The words of a component of an output; null if the device does not show it.
  const StageJob::Output* find(const StageJob& job, const StageJob::Place& place, uint32_t stream,
                               bool is_patch, uint32_t& word) const {
    for (const StageJob::Output& output : job.outputs) {
      if (output.is_builtin != place.is_builtin || output.number != place.number || output.stream != stream ||
          output.is_patch != is_patch)
        continue;
      const uint32_t first = output.is_builtin ? 0 : output.component;
      if (place.word < first || place.word - first >= output.words) continue;
      word = place.word - first;
      return &output;
    }
    return nullptr;
  }
  /// A built-in, or a plain location.
  const StageJob::Output* find_output(const StageJob& job, const ir::Parameter& parameter, uint32_t c,
                                      uint32_t& word) const {
    const StageJob::Place builtin = builtin_place(module_.outputs, parameter, c);
    if (const StageJob::Output* found = find(job, builtin, parameter.stream, false, word)) return found;
    return find(job, {false, spirv::location_of(module_, parameter), c}, parameter.stream, false, word);
  }

  /// Calls take(output, word of it, plane) for each component of each output.
  template <typename Take>
  void for_each_output(const StageJob& job, Take take) const {
    for (const ir::Parameter& parameter : module_.outputs) {
      const uint32_t reg = sim::output_plane_register(module_, parameter);
      bool known = true;
      for (uint32_t c = 0; c < 4; ++c) {
        if (((parameter.mask >> c) & 1) == 0) continue;
        uint32_t word = 0;
        const StageJob::Output* output = find_output(job, parameter, c, word);
        known = known && output != nullptr;
        if (output != nullptr) take(*output, word, reg * 4 + c);
      }
      if (!known) result_.unknown.push_back(reg);
    }
  }

  void take_elements(const StageJob& job) {
    const uint32_t count = scene_.element_count();
    result_.outputs.assign(size_t{sim::output_plane_count(module_)} * count, 0);
    result_.written.assign(count, 1);
    result_.undefined.assign(count, 0);
    for_each_output(job, [&](const StageJob::Output& output, uint32_t word, uint32_t plane) {
      for (uint32_t e = 0; e < count; ++e)
        result_.outputs[size_t{plane} * count + e] = output.data[size_t{e} * output.words + word];
    });
  }

  void take_hull(const StageJob& job) {
    take_elements(job);
    const uint32_t patches = primitives_.count, points = module_.output_control_points;
    const size_t count = size_t{patches} * points;
    result_.patch_constants.assign(size_t{sim::patch_constant_plane_count(module_)} * patches, 0);
    result_.assigned.assign(result_.outputs.size(), 1);
    result_.assigned_constants.assign(result_.patch_constants.size(), 1);
    for (size_t word = 0; word < result_.assigned.size(); ++word)
      result_.assigned[word] = job.observed[word % count / points] != 0 ? 1 : 0;
    for (const ir::Parameter& constant : module_.patch_constants) {
      for (uint32_t c = 0; c < 4; ++c) {
        if (((constant.mask >> c) & 1) == 0) continue;
        const size_t first = (size_t{constant.reg} * 4 + c) * patches;
        const auto place = sim::factor_place(constant.system_value);
        uint32_t word = 0;
        const StageJob::Output* output =
            place ? nullptr : find(job, {false, kLastLocation - constant.reg, c}, 0, true, word);
        for (uint32_t p = 0; p < patches; ++p) {
          const bool known = job.observed[p] != 0 && (place || output != nullptr);
          result_.assigned_constants[first + p] = known ? 1 : 0;
          if (!known) continue;
          result_.patch_constants[first + p] = place ? job.levels[p][place->index + (place->inside ? 4 : 0)]
                                                     : output->data[size_t{p} * output->words + word];
        }
      }
    }
  }

  /// All vertices of lists, stream by stream.
  void take_geometry(const StageJob& job) {
    const uint32_t size =
        sim::vertices_per_primitive(static_cast<sim::OutputTopology>(module_.output_topology));
    sim::EmittedVertices& emitted = result_.emitted;
    emitted = {};
    emitted.planes = sim::output_plane_count(module_);
    result_.emits_lists = true;
    std::array<size_t, sim::kStreams> first{};
    for (uint32_t stream = 0; stream < sim::kStreams; ++stream) {
      first[stream] = emitted.vertices.size();
      for (uint32_t v = 0; v < job.results[stream]; ++v)
        emitted.vertices.push_back({0, 0, stream, v % size == 0, 0});
    }
    emitted.words.assign(emitted.vertices.size() * emitted.planes, 0);
    emitted.written.assign(emitted.words.size(), 0);
    for_each_output(job, [&](const StageJob::Output& output, uint32_t word, uint32_t plane) {
      for (uint32_t v = 0; v < job.results[output.stream]; ++v) {
        const size_t to = (first[output.stream] + v) * emitted.planes + plane;
        emitted.words[to] = output.data[size_t{v} * output.words + word];
        emitted.written[to] = 1;
      }
    });
  }

  const ir::Module& module_;
  const sim::Scene& scene_;
  const sim::ScenePrimitives& primitives_;
  RouteResult& result_;
};

}  // namespace

bool run_vulkan_primitives(sim::vulkan::Device& device, const ir::Module& module, const VulkanShader& shader,
                           const sim::Scene& scene, RouteResult& result, Diagnostics& diagnostics) {
  StageRun run(module, scene, result);
  if (!run.check(diagnostics)) return false;
  StageJob job = run.job();
  return device.run_stage(shader.shader, job, diagnostics) && run.take(job, diagnostics);
}

}  // namespace texlate::executor
