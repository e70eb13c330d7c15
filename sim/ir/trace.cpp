#include "sim/ir/trace.h"

#include "sim/ir/lane_access.h"

namespace texlate::sim {

using ir::Slot;

namespace {

class TracedValues final : public LaneValues {
 public:
  explicit TracedValues(const Lanes& lanes) : lanes_(lanes) {}
  uint64_t operator[](ir::Value value) const override {
    const uint32_t* const row = lanes_.row(lanes_.program.row_of[value]);
    const uint32_t lane = lanes_.traced;
    if (lanes_.module.values[value].type != ir::Type::b64) return row[lane];
    return uint64_t{row[2 * lane + 1]} << 32 | row[2 * lane];
  }
  bool is_live() const override { return lanes_.live.test(lanes_.traced); }

 private:
  const Lanes& lanes_;
};

}  // namespace

void Lanes::choose_traced_lane() {
  const TracedLane& wanted = options.traced;
  traced = kNoLane;
  const uint32_t lane = stream != nullptr ? wanted.element - first_element : wanted.element;
  if (stream == nullptr && wanted.group != group) return;
  if (lane < count && active.test(lane)) traced = lane;
}

void Lanes::trace_step(const Step& step) {
  if (active.test(traced)) options.tracer->step(step.source, TracedValues(*this));
}

namespace {

std::array<uint32_t, 3> size_of(const BoundResource& resource) {
  if (resource.buffer.bound()) return {resource.buffer.element_count, 0, 0};
  if (!resource.texture.bound()) return {};
  const DimensionInfo& info = dimension_info(resource.texture.dimension);
  const Extent size = resource.texture.size(0);
  std::array<uint32_t, 3> sizes{};
  for (uint32_t axis = 0; axis < info.axes && axis < 3; ++axis) sizes[axis] = size[static_cast<int>(axis)];
  if (info.slice >= 0) sizes[static_cast<size_t>(info.slice)] = resource.texture.array_size();
  return sizes;
}

}  // namespace

void trace_access(LaneAccess& at, const std::vector<TexelRead>& texels) {
  TracedAccess access{};
  access.instruction = at.step.source;
  access.allowed = at.is_allowed();
  access.register_index = at.has(Slot::resource_index) ? at.slot(Slot::resource_index) : 0;
  const auto& resources = at.lanes.bindings.resources(at.contract.resource);
  if (access.register_index < resources.size()) {
    access.bound = resources[access.register_index].bound();
    access.size = size_of(resources[access.register_index]);
  }
  access.texels = texels;
  access.undefined = at.access.undefined;
  at.lanes.options.tracer->access(access, TracedValues(at.lanes));
}

}  // namespace texlate::sim
