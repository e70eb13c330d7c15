#include "tools/executor/dksh_primitives.h"

#include <algorithm>
#include <bit>

#include "sim/maxwell/primitive_stage.h"
#include "tools/executor/dksh_slots.h"

namespace texlate::executor {

namespace {

using sim::maxwell::Dksh;
using sim::maxwell::PrimitiveStage;

constexpr uint32_t kWarp = 32;
/// A batch numbers its primitives with 8 bits; the machine does not begin with 0.
constexpr uint32_t kMostInBatch = 200;
/// What attributes hold that nothing has written.
constexpr uint32_t kPoison = 0xbadc0ffe;

PrimitiveStage::Flags flags_of(const std::array<uint8_t, sim::maxwell::kAttributeWords>& bytes) {
  PrimitiveStage::Flags flags;
  for (size_t word = 0; word < bytes.size(); ++word) flags[word] = bytes[word] != 0;
  return flags;
}

class PrimitiveRun {
 public:
  PrimitiveRun(const DkshShader& shader, const ir::Module& module, const sim::Scene& scene,
               RouteResult& result)
      : dksh_(shader.dksh),
        layout_(shader.layout()),
        module_(module),
        scene_(scene),
        primitives_(scene.primitives()),
        result_(result) {
    declare();
    number_primitives();
    put_inputs();
    switch (module.stage) {
      case ir::Stage::hull: add_threads_of_hull(); break;
      case ir::Stage::domain: add_threads_of_domain(); break;
      default: add_threads_of_geometry(); break;
    }
    stage_.begin();
  }

  PrimitiveStage& stage() { return stage_; }
  uint32_t blocks() const { return static_cast<uint32_t>(stage_.threads.size() / kWarp); }

  void take_results() {
    if (module_.stage == ir::Stage::geometry) return take_emissions();
    make_room();
    take_outputs();
    if (module_.stage == ir::Stage::hull) take_patch_constants();
  }

  /// The elements of threads.
  void convert(std::vector<uint32_t>& threads) const {
    for (uint32_t& thread : threads) thread = element_[thread];
  }

 private:
  void declare() {
    switch (dksh_.stage) {
      case Dksh::Stage::hull: stage_.kind = PrimitiveStage::Kind::hull; break;
      case Dksh::Stage::domain: stage_.kind = PrimitiveStage::Kind::domain; break;
      default: stage_.kind = PrimitiveStage::Kind::geometry; break;
    }
    stage_.readable = flags_of(dksh_.inputs);
    stage_.writable = flags_of(dksh_.outputs);
    stage_.store_first = dksh_.store_first;
    stage_.store_last = dksh_.store_last;
    stage_.patch_words = dksh_.patch_words;
    stage_.streams = dksh_.streams;
    stage_.max_vertices = dksh_.max_vertices;
    stage_.vertices = std::max(1u, primitives_.vertices);
  }

  void number_primitives() {
    for (uint32_t p = 0; p < primitives_.count; ++p)
      stage_.ids.push_back(p < primitives_.ids.size() ? primitives_.ids[p] : p);
  }

  // ---- inputs

  void put_inputs() {
    PrimitiveStage::Words nothing;
    nothing.fill(kPoison);
    stage_.inputs.assign(size_t{primitives_.count} * stage_.vertices, nothing);
    for (size_t i = 0; i < module_.inputs.size(); ++i) {
      visit_components(module_.inputs[i], layout_.inputs[i], [&](uint32_t plane, uint32_t word) {
        for (size_t v = 0; v < stage_.inputs.size(); ++v) {
          const size_t at = plane * stage_.inputs.size() + v;
          stage_.inputs[v][word] = at < scene_.inputs().size() ? scene_.inputs()[at] : 0;
        }
      });
    }
    if (module_.stage != ir::Stage::domain) return;
    stage_.patch_inputs.assign(primitives_.count, nothing);
    for (size_t i = 0; i < module_.patch_constants.size(); ++i) {
      const auto put = [&](uint32_t plane, uint32_t word) {
        for (uint32_t p = 0; p < primitives_.count; ++p) {
          const size_t at = size_t{plane} * primitives_.count + p;
          stage_.patch_inputs[p][word] = at < primitives_.constants.size() ? primitives_.constants[at] : 0;
        }
      };
      visit_components(module_.patch_constants[i], layout_.patch_constants[i], put);
    }
  }

  /// visit(plane, attribute word) for each component that has an address.
  template <typename Visit>
  static void visit_components(const ir::Parameter& parameter, const maxwell::graphics::Attribute& place,
                               Visit visit) {
    for (uint32_t c = 0; c < 4; ++c) {
      if (((parameter.mask >> c) & 1) != 0 && place[c] != maxwell::graphics::kNotUsed)
        visit(parameter.reg * 4 + c, place[c] / 4);
    }
  }

  // ---- threads

  void begin_block(uint32_t first_primitive) {
    while (stage_.threads.size() % kWarp != 0) add_idle();
    stage_.batch_first.push_back(first_primitive);
  }
  void add_idle() {
    stage_.threads.push_back({});
    element_.push_back(0);
  }
  void add(const PrimitiveStage::Thread& thread, uint32_t element) {
    stage_.threads.push_back(thread);
    element_.push_back(element);
  }
  void finish_block() {
    while (stage_.threads.size() % kWarp != 0) add_idle();
  }

  /// The lanes of a patch are neighbors in one warp, which holds as many patches as fit.
  void add_threads_of_hull() {
    const uint32_t points = dksh_.threads, patches = kWarp / points;
    for (uint32_t p = 0; p < primitives_.count; ++p) {
      if (p % patches == 0) begin_block(p);
      for (uint32_t k = 0; k < points; ++k) add({true, p, k, 0, 0}, p * points + k);
    }
    finish_block();
  }

  void add_threads_of_domain() {
    const uint32_t count = scene_.element_count();
    for (uint32_t e = 0; e < count;) {
      uint32_t end = e, least = primitives_.point_patch[e], most = least;
      for (; end < count && end - e < kWarp; ++end) {
        const uint32_t patch = primitives_.point_patch[end];
        if (std::max(most, patch) - std::min(least, patch) > kMostInBatch) break;
        least = std::min(least, patch);
        most = std::max(most, patch);
      }
      begin_block(least);
      for (; e < end; ++e) {
        add({true, primitives_.point_patch[e], 0, primitives_.locations[e], primitives_.locations[count + e]},
            e);
      }
    }
    finish_block();
  }

  void add_threads_of_geometry() {
    const uint32_t instances = dksh_.threads;
    for (uint32_t t = 0; t < primitives_.count * instances; ++t) {
      if (t % kWarp == 0) begin_block(t / instances);
      add({true, t / instances, t % instances, 0, 0}, t);
    }
    finish_block();
  }

  // ---- results

  void make_room() {
    const uint32_t count = scene_.element_count();
    result_.outputs.assign(size_t{sim::output_plane_count(module_)} * count, 0);
    result_.written.assign(count, 1);
    result_.undefined.assign(count, 0);
  }

  void take_outputs() {
    const uint32_t count = scene_.element_count();
    for (size_t i = 0; i < module_.outputs.size(); ++i) {
      ir::Parameter output = module_.outputs[i];
      output.reg = sim::output_plane_register(module_, module_.outputs[i]);
      visit_components(output, layout_.outputs[i], [&](uint32_t plane, uint32_t word) {
        for (uint32_t t = 0; t < stage_.threads.size(); ++t) {
          if (stage_.threads[t].runs)
            result_.outputs[size_t{plane} * count + element_[t]] = stage_.outputs[t].words[word];
        }
      });
    }
  }

  void take_patch_constants() {
    const uint32_t patches = primitives_.count;
    result_.patch_constants.assign(size_t{sim::patch_constant_plane_count(module_)} * patches, 0);
    for (size_t i = 0; i < module_.patch_constants.size(); ++i) {
      const auto take = [&](uint32_t plane, uint32_t word) {
        for (uint32_t p = 0; p < patches; ++p)
          result_.patch_constants[size_t{plane} * patches + p] = stage_.patch_outputs[p].words[word];
      };
      visit_components(module_.patch_constants[i], layout_.patch_constants[i], take);
    }
  }

  void take_emissions() {
    result_.emitted = {};
    result_.emitted.planes = sim::output_plane_count(module_);
    for (size_t t = 0; t < stage_.threads.size(); ++t) {
      uint32_t open = 0;  // streams with a vertex since the last cut
      for (const PrimitiveStage::Emitted& emitted : stage_.emitted[t]) {
        const uint32_t stream = 1u << emitted.stream;
        if (emitted.cut) {
          open &= ~stream;
          continue;
        }
        take_vertex(emitted, stage_.threads[t], (open & stream) == 0);
        open |= stream;
      }
    }
  }

  void take_vertex(const PrimitiveStage::Emitted& emitted, const PrimitiveStage::Thread& thread,
                   bool starts) {
    sim::EmittedVertices& to = result_.emitted;
    const size_t base = to.words.size();
    to.vertices.push_back({thread.primitive, thread.invocation, emitted.stream, starts, 0});
    to.words.resize(base + to.planes, 0);
    to.written.resize(base + to.planes, 0);
    for (size_t i = 0; i < module_.outputs.size(); ++i) {
      if (module_.outputs[i].stream != emitted.stream) continue;
      ir::Parameter output = module_.outputs[i];
      output.reg = sim::output_plane_register(module_, module_.outputs[i]);
      visit_components(output, layout_.outputs[i], [&](uint32_t plane, uint32_t word) {
        to.words[base + plane] = emitted.vertex.words[word];
        to.written[base + plane] = emitted.vertex.written[word] ? 1 : 0;
      });
    }
  }

  const Dksh& dksh_;
  const maxwell::graphics::Layout& layout_;
  const ir::Module& module_;
  const sim::Scene& scene_;
  const sim::ScenePrimitives& primitives_;
  RouteResult& result_;
  PrimitiveStage stage_;
  std::vector<uint32_t> element_;  // by thread
};

sim::maxwell::Report refused(const char* why) {
  sim::maxwell::Report report;
  report.fault_count = 1;
  report.faults.push_back({sim::maxwell::FaultKind::launch, 0, "", 0, {0, 0, 0}, 0, why, 1});
  return report;
}

}  // namespace

maxwell::graphics::HullFacts hull_of(const ir::Module& domain, const sim::Scene& scene) {
  constexpr uint32_t kIsoline = 1, kLine = 2, kTriangleClockwise = 3;
  maxwell::graphics::HullFacts hull;
  hull.domain = domain.tessellator_domain;
  hull.partitioning = static_cast<uint32_t>(scene.primitives().partitioning);
  hull.output_primitive = hull.domain == kIsoline ? kLine : kTriangleClockwise;
  hull.patch_constants = domain.patch_constants;
  return hull;
}

bool has_exact_points(const ir::Module& module, const sim::Scene& scene, Diagnostics& diagnostics) {
  constexpr uint32_t kTriangle = 2;
  if (module.stage != ir::Stage::domain || module.tessellator_domain != kTriangle) return true;
  const std::vector<uint32_t>& points = scene.primitives().locations;
  const size_t count = scene.element_count();
  for (size_t e = 0; e < count; ++e) {
    const float u = std::bit_cast<float>(points[e]), v = std::bit_cast<float>(points[count + e]);
    if (std::bit_cast<float>(points[2 * count + e]) == 1.0f - (u + v)) continue;
    diagnostics.error({}, "dksh: the third coordinate of domain point {} is not 1 - (u + v)", e);
    return false;
  }
  return true;
}

sim::maxwell::Report run_dksh_primitives(DkshShader& shader, const ir::Module& module, sim::Scene& scene,
                                         const sim::maxwell::MachineOptions& options, RouteResult& result) {
  if (module.stage == ir::Stage::hull && shader.dksh.threads != std::max(1u, module.output_control_points))
    return refused("the program has another number of output control points than the shader");
  DkshSlots slots(shader.layout(), module, scene.bindings(), shader.dksh);
  sim::maxwell::Machine machine(shader.dksh.program, options);
  slots.bind(machine);
  PrimitiveRun run(shader, module, scene, result);
  sim::maxwell::Attributes attributes;
  attributes.has_header = true;
  attributes.loads_or_stores = shader.dksh.loads_or_stores;
  attributes.stores = shader.dksh.stores;
  attributes.primitives = &run.stage();
  machine.set_attributes(attributes);
  sim::maxwell::Report report;
  if (run.blocks() != 0) report = machine.launch({run.blocks()}, {kWarp}, {});
  slots.copy_back();
  run.take_results();
  run.convert(report.undefined_threads);
  return report;
}

}  // namespace texlate::executor
