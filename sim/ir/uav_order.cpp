#include "sim/ir/resource_access.h"

namespace texlate::sim {

using ir::Op;

bool is_store(Op op) {
  return op == Op::surf_store || op == Op::buf_store;
}
bool is_read_write(Op op) {
  return op == Op::surf_atomic || op == Op::buf_atomic || op == Op::counter;
}

// Only for a u# that the shader writes.
UavOrder::UavOrder(Lanes& lanes) : lanes_(lanes) {
  uses_.resize(lanes_.module.resources.size());
  for (const Step& step : lanes_.program.steps) {
    if (step.pure != nullptr || !ir::info(step.op).has(ir::kResource)) continue;
    Use& use = uses_[lanes_.module.accesses[step.payload].resource];
    use.is_written |= is_store(step.op) || is_read_write(step.op);
    use.is_read |=
        step.op == Op::surf_load || step.op == Op::buf_load || (is_read_write(step.op) && step.result_used);
  }
  for (uint32_t i = 0; i < uses_.size(); ++i) {
    if (uses_[i].is_written)
      uses_[i].order.assign(lanes_.bindings.resources(i).size(),
                            AccessOrder(lanes_.module.stage != ir::Stage::compute));
  }
}

AccessOrder* UavOrder::order_of(const LaneAccess& at) {
  std::vector<AccessOrder>& registers = uses_[at.contract.resource].order;
  const uint32_t index = at.register_index();
  return index < registers.size() ? &registers[index] : nullptr;
}

void UavOrder::note_read(LaneAccess& at, uint64_t place) {
  AccessOrder* const order = order_of(at);
  if (order != nullptr && order->read(place, moment_of(at))) at.access.flag(Undefined::race);
}

// What the thread itself computes does not depend on the order of its writes.
void UavOrder::note_write(LaneAccess& at, uint64_t place, const MemoryWrite& write, bool changes) {
  AccessOrder* const order = order_of(at);
  if (order == nullptr || !order->write(place, moment_of(at), write, changes, disturbed_)) return;
  lanes_.report.undefined |= static_cast<uint32_t>(Undefined::race);
  for (const uint32_t element : disturbed_) flag_element(element, Undefined::race);
  disturbed_.clear();
}

void UavOrder::flag_element(uint32_t element, Undefined reason) {
  if (lanes_.stream == nullptr) return;  // no results of its own
  const bool is_mixed = lanes_.mixed_quads[element / 4] != 0;
  const uint32_t first = is_mixed ? element & ~3u : element;
  const uint32_t end = is_mixed ? first + 4 : first + 1;
  for (uint32_t i = first; i < end; ++i) {
    if (i - lanes_.first_element < lanes_.count) {
      lanes_.flag(i - lanes_.first_element, reason);
    } else if (!lanes_.stream->undefined.empty()) {
      lanes_.stream->undefined[i] |= static_cast<uint32_t>(reason);
    }
  }
}

void UavOrder::note_atomic(LaneAccess& at, uint64_t place, AtomicOp op, uint32_t a, uint32_t b) {
  if (at.step.result_used) note_read(at, place);
  const MemoryWrite write = MemoryWrite::atomic(op, a, b);
  note_write(at, place, write, write.can_change());
}

}  // namespace texlate::sim
