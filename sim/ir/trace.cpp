#include "sim/ir/trace.h"

#include "sim/ir/machine.h"

namespace texlate::sim {

using ir::Slot;

class Machine::TracedValues final : public LaneValues {
 public:
  explicit TracedValues(const Machine& machine) : machine_(machine) {}
  uint64_t operator[](ir::Value value) const override {
    const uint32_t* const row = machine_.row(machine_.program_.row_of[value]);
    const uint32_t lane = machine_.traced_lane_;
    if (machine_.module_.values[value].type != ir::Type::b64) return row[lane];
    return uint64_t{row[2 * lane + 1]} << 32 | row[2 * lane];
  }
  bool is_live() const override { return machine_.is_live(machine_.traced_lane_); }

 private:
  const Machine& machine_;
};

void Machine::choose_traced_lane() {
  const TracedLane& wanted = options_.traced;
  traced_lane_ = kNoLane;
  const uint32_t lane = stream_ != nullptr ? wanted.element - first_element_ : wanted.element;
  if (stream_ == nullptr && wanted.group != group_) return;
  if (lane < lanes_ && active_.test(lane)) traced_lane_ = lane;
}

void Machine::trace_step(const Step& step) {
  if (active_.test(traced_lane_)) options_.tracer->step(step.source, TracedValues(*this));
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

void Machine::trace_access(const LaneAccess& at, const std::vector<TexelRead>& texels) {
  TracedAccess access{};
  access.instruction = at.step.source;
  access.allowed = !has(at, Slot::guard) || slot(at, Slot::guard) != 0;
  access.register_index = has(at, Slot::resource_index) ? slot(at, Slot::resource_index) : 0;
  const auto& resources = bindings_.resources(at.contract.resource);
  if (access.register_index < resources.size()) {
    access.bound = resources[access.register_index].bound();
    access.size = size_of(resources[access.register_index]);
  }
  access.texels = texels;
  access.undefined = at.access.undefined;
  options_.tracer->access(access, TracedValues(*this));
}

}  // namespace texlate::sim
