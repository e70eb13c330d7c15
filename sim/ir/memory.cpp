#include "sim/ir/memory.h"

#include <algorithm>
#include <cstring>

namespace texlate::sim {

using ir::Op;

AtomicOp unit_atomic(ir::AtomicOp op) {
  switch (op) {
    case ir::AtomicOp::add: return AtomicOp::iadd;
    case ir::AtomicOp::and_: return AtomicOp::and_;
    case ir::AtomicOp::or_: return AtomicOp::or_;
    case ir::AtomicOp::xor_: return AtomicOp::xor_;
    case ir::AtomicOp::imin: return AtomicOp::imin;
    case ir::AtomicOp::imax: return AtomicOp::imax;
    case ir::AtomicOp::umin: return AtomicOp::umin;
    case ir::AtomicOp::umax: return AtomicOp::umax;
    case ir::AtomicOp::exchange: return AtomicOp::exch;
    case ir::AtomicOp::compare_exchange: return AtomicOp::cmp_exch;
  }
  return AtomicOp::exch;
}

namespace {

// Rows are checked against the bound buffer, not the declaration; outside: 0 (docs/reference/direct3d.md
// 1.3).
void load_constant_buffer(Lanes& lanes, const Step& step) {
  const auto& buffers = lanes.bindings.constant_buffers(step.payload);
  uint32_t* to = lanes.row(step.result);
  lanes.for_active([&](uint32_t lane) {
    if (lanes.is_guarded_off(step, lane)) {
      for (uint32_t c = 0; c < 4; ++c) to[c * lanes.count + lane] = 0;
      return;
    }
    const uint32_t index = step.operand_count > 1 ? lanes.row(step.operand[1])[lane] : 0;
    if (index >= buffers.size()) lanes.flag(lane, Undefined::descriptor_index);
    const std::span<const uint32_t> words =
        index < buffers.size() ? buffers[index] : std::span<const uint32_t>{};
    // In 64 bits, also where sizes have 32: the row is any number.
    const uint64_t first = uint64_t{lanes.row(step.operand[0])[lane]} * 4;
    const bool inside = first + 4 <= words.size();
    for (uint32_t c = 0; c < 4; ++c)
      to[c * lanes.count + lane] = inside ? words[static_cast<size_t>(first) + c] : 0;
  });
}

void count_rows(Lanes& lanes, const Step& step) {
  const auto& buffers = lanes.bindings.constant_buffers(step.payload);
  lanes.for_active([&](uint32_t lane) {
    const uint32_t index = step.operand_count != 0 ? lanes.row(step.operand[0])[lane] : 0;
    const size_t words = index < buffers.size() ? buffers[index].size() : 0;
    lanes.row(step.result)[lane] = static_cast<uint32_t>(words / 4);
  });
}

void load_table(Lanes& lanes, const Step& step) {
  const ir::ConstantTable& table = lanes.module.tables[step.payload];
  uint32_t* to = lanes.row(step.result);
  lanes.for_active([&](uint32_t lane) {
    const uint32_t at = lanes.row(step.operand[0])[lane];
    const bool inside = at < table.rows && !lanes.is_guarded_off(step, lane);
    for (uint32_t c = 0; c < 4; ++c) {
      to[c * lanes.count + lane] =
          inside ? lanes.module.table_words[table.first_word + size_t{at} * 4 + c] : 0;
    }
  });
}

// The number of the slot, then the bytes from the view's start.
void find_address(Lanes& lanes, const Step& step) {
  const ir::BindingQuery query = ir::BindingQuery::unpack(step.payload);
  const auto& resources = lanes.bindings.resources(query.resource);
  lanes.for_active([&](uint32_t lane) {
    const uint32_t index = step.operand_count != 0 ? lanes.row(step.operand[0])[lane] : 0;
    if (index >= resources.size()) lanes.flag(lane, Undefined::descriptor_index);
    const bool is_bound = index < resources.size() && index >> kRegisterBits == 0 && resources[index].bound();
    uint64_t address = is_bound ? view_address(query.resource, index) : 0;
    if (query.fact == ir::BindingFact::counter)
      address = is_bound && resources[index].buffer.counter != nullptr ? address + kCounterPlace : 0;
    std::memcpy(lanes.row(step.result) + 2 * lane, &address, sizeof address);
  });
}

void find_fact(Lanes& lanes, const Step& step) {
  const ir::BindingQuery query = ir::BindingQuery::unpack(step.payload);
  lanes.for_active([&](uint32_t lane) {
    const uint32_t index = step.operand_count != 0 ? lanes.row(step.operand[0])[lane] : 0;
    uint32_t fact = 0;
    if (query.is_sampler_fact()) {
      const auto& samplers = lanes.bindings.samplers(query.resource);
      if (index < samplers.size()) fact = sampler_fact(samplers[index], query.fact);
      if (index >= samplers.size()) lanes.flag(lane, Undefined::descriptor_index);
    } else {
      const auto& resources = lanes.bindings.resources(query.resource);
      if (index < resources.size())
        fact = binding_fact(resources[index], lanes.module.resources[query.resource], query.fact);
      if (index >= resources.size()) lanes.flag(lane, Undefined::descriptor_index);
    }
    lanes.row(step.result)[lane] = fact;
  });
}

}  // namespace

Memory::Memory(Lanes& lanes) : lanes_(lanes) {
  uint32_t rows = 0;
  for (const ir::LocalArray& local : lanes.module.locals) {
    local_base_.push_back(rows);
    rows += local.rows;
  }
  locals_.assign(size_t{rows} * 4 * lanes.count, 0);
  local_written_.assign(locals_.size(), 0);
  for (const ir::SharedArray& shared : lanes.module.shared) {
    const size_t words = (shared.bytes + 3) / 4;
    shared_.push_back({std::vector<uint32_t>(words), std::vector<uint8_t>(words)});
  }
}

void Memory::start_lanes() {
  std::fill(locals_.begin(), locals_.end(), 0u);
  std::fill(local_written_.begin(), local_written_.end(), uint8_t{0});
}

void Memory::start_group() {
  for (SharedArray& array : shared_) {
    std::fill(array.words.begin(), array.words.end(), 0u);
    std::fill(array.written.begin(), array.written.end(), uint8_t{0});
    array.order.clear();
  }
}

void Memory::run(const Step& step) {
  switch (step.op) {
    case Op::reg_load: {
      const uint32_t* from = lanes_.row(lanes_.program.first_register_row + step.payload);
      uint32_t* to = lanes_.row(step.result);
      return lanes_.for_active([&](uint32_t lane) { to[lane] = from[lane]; });
    }
    case Op::reg_store: {
      const uint32_t* from = lanes_.row(step.operand[0]);
      uint32_t* to = lanes_.row(lanes_.program.first_register_row + step.payload);
      return lanes_.for_active([&](uint32_t lane) { to[lane] = from[lane]; });
    }
    case Op::cb_load: return load_constant_buffer(lanes_, step);
    case Op::cb_rows: return count_rows(lanes_, step);
    case Op::table_load: return load_table(lanes_, step);
    case Op::local_load:
    case Op::local_store: return access_local(step);
    case Op::shared_load:
    case Op::shared_store:
    case Op::shared_atomic: return access_shared(step);
#define IR_COVERED_source_register
#define IR_COVERED_memory
#include "ir/op_cases.inc"
      return;  // of another family
  }
}

// x#: a row out of range is undefined in Direct3D, but games have such accesses: reads give 0, writes are
// dropped (docs/reference/direct3d.md 1.3).
void Memory::access_local(const Step& step) {
  const uint32_t array = step.payload / 4;
  const ir::LocalArray& local = lanes_.module.locals[array];
  lanes_.for_active([&](uint32_t lane) {
    const uint32_t at = lanes_.row(step.operand[0])[lane];
    const bool guarded_off = lanes_.is_guarded_off(step, lane);
    const bool inside = at < local.rows && !guarded_off;
    if (!inside && !guarded_off) lanes_.flag(lane, Undefined::local_bounds);
    const size_t word =
        ((size_t{local_base_[array]} + (inside ? at : 0)) * 4 + step.payload % 4) * lanes_.count + lane;
    if (step.op == Op::local_load) {
      lanes_.row(step.result)[lane] = inside ? locals_[word] : 0;
      if (inside && local_written_[word] == 0) lanes_.flag(lane, Undefined::uninitialized);
    } else if (inside) {
      locals_[word] = lanes_.row(step.operand[1])[lane];
      local_written_[word] = 1;
    }
  });
}

// g#: out of range or misaligned is undefined (docs/reference/direct3d.md 1.3): reads give 0, writes are
// dropped, low address bits are ignored.
void Memory::access_shared(const Step& step) {
  const bool atomic = step.op == Op::shared_atomic;
  SharedArray& array = shared_[atomic ? step.payload / 16 : step.payload];
  lanes_.for_active([&](uint32_t lane) {
    const uint32_t offset = lanes_.row(step.operand[0])[lane];
    const bool guarded_off = lanes_.is_guarded_off(step, lane);
    const bool inside = offset / 4 < array.words.size() && !guarded_off;
    if (!inside && !guarded_off) lanes_.flag(lane, Undefined::group_shared_bounds);
    if (offset % 4 != 0 && !guarded_off) lanes_.flag(lane, Undefined::misaligned);
    if (!inside) {
      if (step.result != kNoRow) lanes_.row(step.result)[lane] = 0;
      return;
    }
    uint32_t& word = array.words[offset / 4];
    uint8_t& written = array.written[offset / 4];
    const bool is_first = written == 0;
    if (step.op != Op::shared_store && is_first) lanes_.flag(lane, Undefined::uninitialized);
    if (step.op != Op::shared_load) written = 1;
    if (step.result != kNoRow) lanes_.row(step.result)[lane] = word;
    if (step.op != Op::shared_store && step.result_used) note_shared_read(array, offset, lane);
    if (step.op == Op::shared_load) return;
    const uint32_t first = lanes_.row(step.operand[1])[lane];
    const uint32_t second = step.operand_count > 2 ? lanes_.row(step.operand[2])[lane] : 0;
    const AtomicOp op = atomic ? unit_atomic(static_cast<ir::AtomicOp>(step.payload % 16)) : AtomicOp::exch;
    const MemoryWrite write =
        atomic ? MemoryWrite::atomic(op, first, second) : MemoryWrite::store({first, 0, 0, 0});
    note_shared_write(array, offset, lane, write, atomic ? write.can_change() : is_first || word != first);
    word = apply_atomic(op, word, first, second);
  });
}

void Memory::note_shared_read(SharedArray& array, uint32_t offset, uint32_t lane) {
  if (array.order.read(offset / 4, {lanes_.group_number, lanes_.barriers.shared, lane}))
    lanes_.flag(lane, Undefined::race);
}

void Memory::note_shared_write(SharedArray& array, uint32_t offset, uint32_t lane, const MemoryWrite& write,
                               bool changes) {
  if (array.order.write(offset / 4, {lanes_.group_number, lanes_.barriers.shared, lane}, write, changes,
                        disturbed_))
    lanes_.flag(lane, Undefined::race);
}

void run_binding(Lanes& lanes, const Step& step) {
  switch (step.op) {
    case Op::binding:
    case Op::bound: return find_fact(lanes, step);
    case Op::address: return find_address(lanes, step);
    case Op::specialized: {
      const uint32_t value = lanes.module.specialized[step.payload].value;
      return lanes.for_active([&](uint32_t lane) { lanes.row(step.result)[lane] = value; });
    }
#define IR_COVERED_binding
#include "ir/op_cases.inc"
      return;  // of another family
  }
}

}  // namespace texlate::sim
