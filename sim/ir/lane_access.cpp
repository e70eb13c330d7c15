#include "sim/ir/lane_access.h"

#include <cstring>

#include "sim/ir/float_rules.h"

namespace texlate::sim {

using ir::Slot;

namespace {

const BoundResource kNothing;
const Sampler kDefaultSampler;
constexpr size_t kKeptReports = 16;

}  // namespace

const uint32_t* LaneAccess::row(Slot which) const {
  const ir::Value value = lanes.module.operands[instruction.first_operand + contract.position(which)];
  return lanes.row(lanes.program.row_of[value]);
}

float LaneAccess::float_slot(Slot which) const {
  return has(which) ? std::bit_cast<float>(slot(which)) : 0.0f;
}

void LaneAccess::put_texel(Word4 texel, Format format, bool keep_all) {
  if (lanes.options.promise_nothing && !keep_all && format != Format::unknown) {
    for (int c = 0; c < 4; ++c) {
      if (!format_info(format).has(c)) texel[static_cast<size_t>(c)] = kForeign;
    }
  }
  for (uint32_t c = 0; c < 4; ++c) put(c, texel[c]);
}

void LaneAccess::report_unguarded(const char* what) {
  if (!lanes.options.promise_nothing) return;
  ++lanes.report.unguarded_count;
  if (lanes.report.unguarded.size() < kKeptReports) {
    lanes.report.unguarded.push_back({step.source, lanes.module.location_of(instruction), what});
  }
}

uint64_t LaneAccess::address() const {
  uint64_t address = 0;
  std::memcpy(&address, row(Slot::address) + 2 * lane, sizeof address);
  return address;
}

uint32_t LaneAccess::register_index() const {
  if (has(Slot::address)) return (address() >> kViewBits) & ((1u << kRegisterBits) - 1);
  return has(Slot::resource_index) ? slot(Slot::resource_index) : 0;
}

const BoundResource& LaneAccess::resource() {
  // An unbound slot's address is 0, to which an access may have added.
  if (has(Slot::address) && address() < view_address(contract.resource, 0)) return kNothing;
  const auto& resources = lanes.bindings.resources(contract.resource);
  const uint32_t index = register_index();
  if (index < resources.size()) return resources[index];
  access.flag(Undefined::descriptor_index);
  return kNothing;
}

const Sampler& LaneAccess::sampler() {
  if (contract.sampler == ir::ResourceAccess::kNoSampler) return kDefaultSampler;
  const auto& samplers = lanes.bindings.samplers(contract.sampler);
  const uint32_t index = has(Slot::sampler_index) ? slot(Slot::sampler_index) : 0;
  if (index < samplers.size()) return samplers[index];
  access.flag(Undefined::descriptor_index);
  return kDefaultSampler;
}

bool LaneAccess::stands_in() const {
  return contract.dimension != lanes.module.resources[contract.resource].dimension;
}

Word4 LaneAccess::texel_address(const TextureView& view) const {
  const DimensionInfo& info = dimension_info(view.dimension);
  Word4 address{};
  for (uint32_t axis = 0; axis < info.axes; ++axis) {
    if (has(Slot::coordinate0 + axis)) address[axis] = slot(Slot::coordinate0 + axis);
  }
  if (info.slice >= 0 && has(Slot::layer)) address[static_cast<size_t>(info.slice)] = slot(Slot::layer);
  return address;
}

std::array<float, 4> LaneAccess::coordinate(const TextureView& view) const {
  const DimensionInfo& info = dimension_info(view.dimension);
  std::array<float, 4> coordinate{};
  const uint32_t axes = info.cube ? 3 : info.axes;
  for (uint32_t axis = 0; axis < axes; ++axis) coordinate[axis] = float_slot(Slot::coordinate0 + axis);
  if (info.slice >= 0 && has(Slot::layer)) {
    const uint32_t layer = slot(Slot::layer);
    coordinate[static_cast<size_t>(info.slice)] =
        contract.layer_is_integer ? static_cast<float>(layer) : float_of(layer);
  }
  return coordinate;
}

Derivatives LaneAccess::derivatives() {
  Derivatives derivatives;
  const uint32_t quad = lane & ~3u;
  if (!lanes.active.test_quad(lane)) access.flag(Undefined::divergent_quad);
  // The derivatives of a direction are projected on each pixel's face.
  const bool cube = ir::is_cube(contract.dimension);
  const bool shared = lanes.options.derivatives == QuadDerivatives::shared && !cube;
  const uint32_t pixel = shared ? quad : lane;
  for (uint32_t axis = 0; axis < 3; ++axis) {
    const Slot which = Slot::coordinate0 + axis;
    if (!has(which)) continue;
    const uint32_t* values = row(which);
    auto difference = [&](uint32_t distance) {
      return float_of(finish(flushed(values[pixel | distance]) - flushed(values[pixel & ~distance])));
    };
    derivatives.ddx[axis] = difference(1);
    derivatives.ddy[axis] = difference(2);
  }
  return derivatives;
}

}  // namespace texlate::sim
