#include "tools/executor/primitive_kernel.h"

#include <algorithm>

#include "backend/launch/lower_primitives.h"

namespace texlate::executor {

PrimitiveKernelRun::PrimitiveKernelRun(const Shader& shader, const sim::Scene& scene, RouteResult& result)
    : module_(shader.contract), scene_(scene), result_(result) {
  const sim::ScenePrimitives& primitives = scene.primitives();
  launch_.primitives = primitives.count;
  launch_.vertices = scene.inputs();
  ids_ = primitives.ids;
  while (!ids_.empty() && ids_.size() < primitives.count) ids_.push_back(static_cast<uint32_t>(ids_.size()));
  launch_.ids = ids_;
  switch (module_.stage) {
    case ir::Stage::hull: prepare_hull(); break;
    case ir::Stage::domain: prepare_domain(); break;
    default: prepare_geometry(); break;
  }
}

namespace {

std::array<uint32_t, 3> blocks_of(uint32_t threads) {
  return {(threads + kStreamBlock - 1) / kStreamBlock, 1, 1};
}

/// Outputs of all elements, each of which is written.
void make_room(const ir::Module& module, uint32_t count, RouteResult& result) {
  result.outputs.assign(size_t{sim::output_plane_count(module)} * count, 0);
  result.written.assign(count, 1);
  result.undefined.assign(count, 0);
}

}  // namespace

void PrimitiveKernelRun::prepare_hull() {
  make_room(module_, scene_.element_count(), result_);
  const uint32_t patches = launch_.primitives;
  result_.patch_constants.assign(size_t{sim::patch_constant_plane_count(module_)} * patches, 0);
  launch_.outputs = result_.outputs;
  launch_.written_constants = result_.patch_constants;
  const launch::HullBlock block = launch::hull_block(module_);
  launch_.block = {block.threads, block.patches, 1};
  launch_.grid = {(patches + block.patches - 1) / block.patches, 1, 1};
}

void PrimitiveKernelRun::prepare_domain() {
  const uint32_t count = scene_.element_count();
  const sim::ScenePrimitives& patches = scene_.primitives();
  make_room(module_, count, result_);
  points_ = patches.locations;
  points_.resize(size_t{launch::domain_plane::kPatch} * count);
  points_.insert(points_.end(), patches.point_patch.begin(), patches.point_patch.end());
  launch_.inputs = points_;
  launch_.outputs = result_.outputs;
  launch_.read_constants = patches.constants;
  launch_.threads = count;
  launch_.grid = blocks_of(count);
}

void PrimitiveKernelRun::prepare_geometry() {
  launch_.threads = launch_.primitives * std::max(module_.gs_instances, 1u);
  launch_.slots = launch_.threads * module_.max_vertex_count;
  counts_.assign(launch_.threads, 0);
  words_.assign(size_t{sim::output_plane_count(module_)} * launch_.slots, 0);
  tags_.assign(launch_.slots, 0);
  launch_.outputs = counts_;
  launch_.emitted = words_;
  launch_.tags = tags_;
  launch_.grid = blocks_of(launch_.threads);
}

void PrimitiveKernelRun::finish() {
  if (module_.stage != ir::Stage::geometry) return;
  sim::EmittedVertices& emitted = result_.emitted;
  emitted = {};
  emitted.planes = sim::output_plane_count(module_);
  const uint32_t instances = std::max(module_.gs_instances, 1u);
  for (uint32_t thread = 0; thread < launch_.threads; ++thread) {
    const uint32_t count = std::min(counts_[thread], module_.max_vertex_count);
    for (uint32_t v = 0; v < count; ++v) {
      const uint32_t slot = v * launch_.threads + thread, tag = tags_[slot];
      emitted.vertices.push_back({thread / instances, thread % instances, tag & launch::vertex_tag::kStream,
                                  (tag & launch::vertex_tag::kStartsStrip) != 0, 0});
      for (uint32_t plane = 0; plane < emitted.planes; ++plane)
        emitted.words.push_back(words_[size_t{plane} * launch_.slots + slot]);
    }
  }
}

}  // namespace texlate::executor
