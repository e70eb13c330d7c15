// Which lane is traced, and what it wrote in words.

#include <algorithm>

#include <fmt/format.h>

#include "tools/executor/trace.h"

namespace texlate::executor {

namespace {

bool find_pixel(const sim::Scene& scene, std::array<uint32_t, 3> at, NamedLane& result,
                std::string& problem) {
  if (at[0] >= scene.width() || at[1] >= scene.height()) {
    problem = fmt::format("({}, {}) is outside the viewport of {} x {}", at[0], at[1], scene.width(),
                          scene.height());
    return false;
  }
  while (scene.pixel_of(result.lane.element) != std::array<uint32_t, 2>{at[0], at[1]}) ++result.lane.element;
  result.name = fmt::format("pixel ({}, {}) of {} x {}", at[0], at[1], scene.width(), scene.height());
  return true;
}

bool find_vertex(const sim::Scene& scene, uint32_t vertex, NamedLane& result, std::string& problem) {
  if (vertex >= scene.element_count()) {
    problem =
        fmt::format("the scene has {} vertices, so there is no vertex {}", scene.element_count(), vertex);
    return false;
  }
  result.lane.element = vertex;
  result.name = fmt::format("vertex {} of {}", vertex, scene.element_count());
  return true;
}

bool find_thread(const sim::Scene& scene, const ir::Module& module, std::array<uint32_t, 3> at,
                 NamedLane& result, std::string& problem) {
  std::array<uint32_t, 3> within{};
  sim::TracedLane& lane = result.lane;
  for (size_t axis = 0; axis < 3; ++axis) {
    const uint32_t size = std::max(1u, module.thread_group[axis]);
    lane.group[axis] = at[axis] / size;
    within[axis] = at[axis] % size;
    if (lane.group[axis] < scene.groups()[axis]) continue;
    problem = fmt::format("the scene has {} x {} x {} groups, so there is no thread ({}, {}, {})",
                          scene.groups()[0], scene.groups()[1], scene.groups()[2], at[0], at[1], at[2]);
    return false;
  }
  lane.element = (within[2] * module.thread_group[1] + within[1]) * module.thread_group[0] + within[0];
  result.name = fmt::format("thread ({}, {}, {}), number {} of group ({}, {}, {})", at[0], at[1], at[2],
                            lane.element, lane.group[0], lane.group[1], lane.group[2]);
  return true;
}

}  // namespace

bool find_lane(const sim::Scene& scene, const ir::Module& module, std::array<uint32_t, 3> at,
               NamedLane& result, std::string& problem) {
  switch (module.stage) {
    case ir::Stage::pixel: return find_pixel(scene, at, result, problem);
    case ir::Stage::vertex: return find_vertex(scene, at[0], result, problem);
    case ir::Stage::compute: return find_thread(scene, module, at, result, problem);
    case ir::Stage::geometry:
    case ir::Stage::hull:
    case ir::Stage::domain: break;
  }
  problem = "only pixel, vertex and compute shaders can be traced";
  return false;
}

std::vector<RegisterWrite> register_writes(const std::vector<TracedWrite>& writes) {
  std::vector<RegisterWrite> registers;
  for (size_t i = 0; i < writes.size();) {
    RegisterWrite one{writes[i].reg + ".", {}};
    size_t end = i;
    for (; end < writes.size() && writes[end].reg == writes[i].reg &&
           (end == i || writes[end].component > writes[end - 1].component);
         ++end) {
      one.reg += "xyzw"[writes[end].component];
      one.values += (end == i ? "" : ", ") + word_text(writes[end].bits, writes[end].type);
    }
    registers.push_back(std::move(one));
    i = end;
  }
  return registers;
}

}  // namespace texlate::executor
