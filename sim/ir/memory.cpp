// Inputs, outputs, constant buffers, tables, x#, g#, registers before SSA construction, binding facts.

#include <algorithm>
#include <bit>
#include <cstring>

#include "sim/ir/float_rules.h"
#include "sim/ir/machine.h"
#include "sim/texture_unit/query.h"
#include "sim/texture_unit/unordered_access.h"

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

void Machine::run_memory(const Step& step) {
  switch (step.op) {
    case Op::reg_load: {
      const uint32_t* from = row(program_.first_register_row + step.payload);
      uint32_t* to = row(step.result);
      for_active([&](uint32_t lane) { to[lane] = from[lane]; });
      return;
    }
    case Op::reg_store: {
      const uint32_t* from = row(step.operand[0]);
      uint32_t* to = row(program_.first_register_row + step.payload);
      for_active([&](uint32_t lane) { to[lane] = from[lane]; });
      return;
    }
    case Op::input: return load_input(step);
    case Op::output: return store_output(step);
    case Op::system_value: return load_system_value(step);
    case Op::eval_snapped:
    case Op::eval_sample:
    case Op::eval_centroid: return evaluate_input(step);
    case Op::cb_load: return load_constant_buffer(step);
    case Op::cb_rows: return count_rows(step);
    case Op::table_load: return load_table(step);
    case Op::local_load:
    case Op::local_store: return access_local(step);
    case Op::shared_load:
    case Op::shared_store:
    case Op::shared_atomic: return access_shared(step);
    case Op::binding:
    case Op::bound: return run_binding(step);
    case Op::address: return find_address(step);
    case Op::specialized: {
      const uint32_t value = module_.specialized[step.payload].value;
      for_active([&](uint32_t lane) { row(step.result)[lane] = value; });
      return;
    }
    case Op::discard: {
      const uint32_t* condition = row(step.operand[0]);
      for_active([&](uint32_t lane) {
        if (condition[lane] != 0) live_.words[lane / 64] &= ~(uint64_t{1} << (lane % 64));
      });
      return;
    }
    case Op::message: return;  // for a host's log
    case Op::raster_samples: {
      const uint32_t samples = stream_ != nullptr ? stream_->samples : 1;
      for_active([&](uint32_t lane) { row(step.result)[lane] = samples; });
      return;
    }
    case Op::cycle_counter:  // a constant: any value is valid
      for_active([&](uint32_t lane) {
        row(step.result)[lane] = row(step.result)[lanes_ + lane] = 0;
        flag(lane, Undefined::clock);
      });
      return;
    case Op::raster_position: {
      const uint32_t samples = stream_ != nullptr ? stream_->samples : 1;
      for_active([&](uint32_t lane) {
        const Word4 position = samplepos(samples, row(step.operand[0])[lane]);
        row(step.result)[lane] = position[0];
        row(step.result)[lanes_ + lane] = position[1];
      });
      return;
    }
    case Op::barrier: return pass_barrier(step.payload);
    case Op::patch_input: return load_patch_constant(step);
    case Op::patch_output: return store_patch_constant(step);
    case Op::output_control_point:
      if (hull_ == nullptr) return;
      return load_vertex(step, hull_->control_points, declared_outputs_, module_.output_control_points);
    case Op::emit: return emit_vertex(step);
    case Op::cut: return cut_strip(step);
#define IR_COVERED_source_register
#define IR_COVERED_interface
#define IR_COVERED_memory
#define IR_COVERED_binding
#define IR_COVERED_effect
#include "ir/op_cases.inc"
      return;
  }
}

// Lanes run in lockstep, and writes to memory take effect at once. Only what the barrier orders is noted: a
// fence may be an instruction before it.
void Machine::pass_barrier(uint32_t flags) {
  uav_fence_ |= (flags & (ir::kBarrierUavGroup | ir::kBarrierUavGlobal)) != 0;
  shared_fence_ |= (flags & ir::kBarrierShared) != 0;
  if ((flags & ir::kBarrierThreads) == 0) return;
  uav_barriers_ += uav_fence_ ? 1 : 0;
  shared_barriers_ += shared_fence_ ? 1 : 0;
  uav_fence_ = shared_fence_ = false;
}

uint32_t Machine::input_word(uint32_t plane, uint32_t lane) const {
  if (stream_ == nullptr) return 0;
  const size_t element = std::min(first_element_ + lane, stream_->count - 1);
  const size_t at = size_t{plane} * stream_->count + element;
  return at < stream_->inputs.size() ? stream_->inputs[at] : 0;
}

// All lanes, including helpers and lanes past the end: derivatives read them.
void Machine::load_input(const Step& step) {
  uint32_t* to = row(step.result);
  if ((step.flags & ir::kVertexOperand) != 0) {
    if (primitives_ == nullptr) return;
    return load_vertex(step, primitives_->planes, declared_inputs_, primitives_->vertices);
  }
  if ((step.flags & ir::kIndexOperand) == 0) {
    for (uint32_t lane = 0; lane < lanes_; ++lane) to[lane] = input_word(step.payload, lane);
    return;
  }
  const uint32_t registers = input_plane_count(module_) / 4;
  const uint32_t* index = row(step.operand[0]);
  for_active([&](uint32_t lane) {
    const uint32_t reg = index[lane] + step.payload / 4;
    if (reg >= registers) flag(lane, Undefined::interpolant);
    to[lane] = reg < registers ? input_word(reg * 4 + step.payload % 4, lane) : 0;
  });
}

void Machine::store_output(const Step& step) {
  const uint32_t* value = row(step.operand[step.operand_count - 1]);
  uint32_t reg = step.payload / 4;
  if (reg >= ir::kSpecialRegister) reg = output_register_[reg - ir::kSpecialRegister];
  const uint32_t planes = static_cast<uint32_t>(declared_outputs_.size());
  const bool indexed = (step.flags & ir::kIndexOperand) != 0;
  for_active([&](uint32_t lane) {
    const uint32_t index = indexed ? row(step.operand[0])[lane] : 0;
    const uint64_t plane = (uint64_t{reg} + index) * 4 + step.payload % 4;
    if (plane >= planes) return flag(lane, Undefined::interpolant);
    outputs_[plane * lanes_ + lane] = value[lane];
    output_written_[plane * lanes_ + lane] = 1;
  });
}

// Bits 0 to 30: vCoverage; bit 31: vInnerCoverage. If the launch gives none, one sample covers each pixel.
uint32_t Machine::coverage_word(uint32_t lane) const {
  if (stream_ == nullptr || stream_->covered.empty()) return kCoveredPixel;
  return stream_->covered[std::min(first_element_ + lane, stream_->count - 1)];
}

void Machine::load_system_value(const Step& step) {
  const auto value = static_cast<ir::SystemValue>(step.payload / 4);
  const uint32_t component = step.payload % 4;
  uint32_t* to = row(step.result);
  const auto& size = module_.thread_group;
  for_active([&](uint32_t lane) {
    const uint32_t thread[4] = {lane % size[0], lane / size[0] % size[1], lane / size[0] / size[1], 0};
    switch (value) {
      case ir::SystemValue::thread_id_in_group: to[lane] = thread[component]; break;
      case ir::SystemValue::thread_group_id: to[lane] = component < 3 ? group_[component] : 0; break;
      case ir::SystemValue::thread_id:
        to[lane] = component < 3 ? group_[component] * size[component] + thread[component] : 0;
        break;
      case ir::SystemValue::thread_id_in_group_flattened: to[lane] = component == 0 ? lane : 0; break;
      case ir::SystemValue::coverage:
        to[lane] = component == 0 ? coverage_word(lane) & 0x7fffffffu : 0;
        break;
      case ir::SystemValue::inner_coverage: to[lane] = component == 0 ? coverage_word(lane) >> 31 : 0; break;
      default: to[lane] = primitives_ != nullptr ? origin_word(value, component, lane) : 0; break;
    }
  });
}

// Values at another position in the pixel, from the differences over the quad.
void Machine::evaluate_input(const Step& step) {
  const uint32_t samples = stream_ != nullptr ? stream_->samples : 1;
  auto sixteenths = [](uint32_t bits) {
    return static_cast<float>(static_cast<int32_t>(bits << 28) >> 28) / 16.0f;
  };
  for_active([&](uint32_t lane) {
    float x = 0, y = 0;
    if (step.op == Op::eval_snapped) {
      x = sixteenths(row(step.operand[0])[lane]);
      y = sixteenths(row(step.operand[1])[lane]);
    } else if (step.op == Op::eval_sample) {
      const Word4 position = samplepos(samples, row(step.operand[0])[lane]);
      x = float_of(position[0]);
      y = float_of(position[1]);
    } else {  // eval_centroid (docs/reference/pipeline.md 5): the first covered sample of a pixel that is
              // partly covered
      const uint32_t covered = coverage_word(lane) & 0x7fffffffu;
      if (covered != 0 && covered != (uint64_t{1} << samples) - 1) {
        const Word4 position = samplepos(samples, static_cast<uint32_t>(std::countr_zero(covered)));
        x = float_of(position[0]);
        y = float_of(position[1]);
      }
    }
    const uint32_t bits = input_word(step.payload, lane);
    if (x == 0 && y == 0) {
      row(step.result)[lane] = bits;
      return;
    }
    const float ddx =
        flushed(input_word(step.payload, lane | 1)) - flushed(input_word(step.payload, lane & ~1u));
    const float ddy =
        flushed(input_word(step.payload, lane | 2)) - flushed(input_word(step.payload, lane & ~2u));
    row(step.result)[lane] = finish(flushed(bits) + x * ddx + y * ddy);
  });
}

// Rows are checked against the bound buffer, not the declaration; outside: 0 (docs/reference/direct3d.md
// 1.3).
void Machine::load_constant_buffer(const Step& step) {
  const auto& buffers = bindings_.constant_buffers(step.payload);
  uint32_t* to = row(step.result);
  for_active([&](uint32_t lane) {
    if (is_guarded_off(step, lane)) {
      for (uint32_t c = 0; c < 4; ++c) to[c * lanes_ + lane] = 0;
      return;
    }
    const uint32_t index = step.operand_count > 1 ? row(step.operand[1])[lane] : 0;
    if (index >= buffers.size()) flag(lane, Undefined::descriptor_index);
    const std::span<const uint32_t> words =
        index < buffers.size() ? buffers[index] : std::span<const uint32_t>{};
    // In 64 bits, also where sizes have 32: the row is any number.
    const uint64_t first = uint64_t{row(step.operand[0])[lane]} * 4;
    const bool inside = first + 4 <= words.size();
    for (uint32_t c = 0; c < 4; ++c)
      to[c * lanes_ + lane] = inside ? words[static_cast<size_t>(first) + c] : 0;
  });
}

void Machine::count_rows(const Step& step) {
  const auto& buffers = bindings_.constant_buffers(step.payload);
  for_active([&](uint32_t lane) {
    const uint32_t index = step.operand_count != 0 ? row(step.operand[0])[lane] : 0;
    const size_t words = index < buffers.size() ? buffers[index].size() : 0;
    row(step.result)[lane] = static_cast<uint32_t>(words / 4);
  });
}

void Machine::load_table(const Step& step) {
  const ir::ConstantTable& table = module_.tables[step.payload];
  uint32_t* to = row(step.result);
  for_active([&](uint32_t lane) {
    const uint32_t at = row(step.operand[0])[lane];
    const bool inside = at < table.rows && !is_guarded_off(step, lane);
    for (uint32_t c = 0; c < 4; ++c) {
      to[c * lanes_ + lane] = inside ? module_.table_words[table.first_word + size_t{at} * 4 + c] : 0;
    }
  });
}

// x#: a row out of range is undefined in Direct3D, but games have such accesses: reads give 0, writes are
// dropped (docs/reference/direct3d.md 1.3).
void Machine::access_local(const Step& step) {
  const uint32_t array = step.payload / 4;
  const ir::LocalArray& local = module_.locals[array];
  for_active([&](uint32_t lane) {
    const uint32_t at = row(step.operand[0])[lane];
    const bool guarded_off = is_guarded_off(step, lane);
    const bool inside = at < local.rows && !guarded_off;
    if (!inside && !guarded_off) flag(lane, Undefined::local_bounds);
    const size_t word =
        ((size_t{local_base_[array]} + (inside ? at : 0)) * 4 + step.payload % 4) * lanes_ + lane;
    if (step.op == Op::local_load) {
      row(step.result)[lane] = inside ? locals_[word] : 0;
      if (inside && local_written_[word] == 0) flag(lane, Undefined::uninitialized);
    } else if (inside) {
      locals_[word] = row(step.operand[1])[lane];
      local_written_[word] = 1;
    }
  });
}

// g#: out of range or misaligned is undefined (docs/reference/direct3d.md 1.3): reads give 0, writes are
// dropped, low address bits are ignored.
void Machine::access_shared(const Step& step) {
  const bool atomic = step.op == Op::shared_atomic;
  const uint32_t array = atomic ? step.payload / 16 : step.payload;
  std::vector<uint32_t>& words = shared_[array];
  for_active([&](uint32_t lane) {
    const uint32_t offset = row(step.operand[0])[lane];
    const bool guarded_off = is_guarded_off(step, lane);
    const bool inside = offset / 4 < words.size() && !guarded_off;
    if (!inside && !guarded_off) flag(lane, Undefined::group_shared_bounds);
    if (offset % 4 != 0 && !guarded_off) flag(lane, Undefined::misaligned);
    if (!inside) {
      if (step.result != kNoRow) row(step.result)[lane] = 0;
      return;
    }
    uint32_t& word = words[offset / 4];
    uint8_t& written = shared_written_[array][offset / 4];
    const bool is_first = written == 0;
    if (step.op != Op::shared_store && is_first) flag(lane, Undefined::uninitialized);
    if (step.op != Op::shared_load) written = 1;
    if (step.result != kNoRow) row(step.result)[lane] = word;
    if (step.op != Op::shared_store && step.result_used) note_shared_read(array, offset, lane);
    if (step.op == Op::shared_load) return;
    const uint32_t first = row(step.operand[1])[lane];
    const uint32_t second = step.operand_count > 2 ? row(step.operand[2])[lane] : 0;
    const AtomicOp op = atomic ? unit_atomic(static_cast<ir::AtomicOp>(step.payload % 16)) : AtomicOp::exch;
    const MemoryWrite write =
        atomic ? MemoryWrite::atomic(op, first, second) : MemoryWrite::store({first, 0, 0, 0});
    note_shared_write(array, offset, lane, write, atomic ? write.can_change() : is_first || word != first);
    word = apply_atomic(op, word, first, second);
  });
}

void Machine::note_shared_read(uint32_t array, uint32_t offset, uint32_t lane) {
  if (shared_order_[array].read(offset / 4, {group_number_, shared_barriers_, lane}))
    flag(lane, Undefined::race);
}

void Machine::note_shared_write(uint32_t array, uint32_t offset, uint32_t lane, const MemoryWrite& write,
                                bool changes) {
  if (shared_order_[array].write(offset / 4, {group_number_, shared_barriers_, lane}, write, changes,
                                 disturbed_))
    flag(lane, Undefined::race);
}

// The number of the slot, then the bytes from the view's start.
void Machine::find_address(const Step& step) {
  const ir::BindingQuery query = ir::BindingQuery::unpack(step.payload);
  const auto& resources = bindings_.resources(query.resource);
  for_active([&](uint32_t lane) {
    const uint32_t index = step.operand_count != 0 ? row(step.operand[0])[lane] : 0;
    if (index >= resources.size()) flag(lane, Undefined::descriptor_index);
    const bool is_bound = index < resources.size() && index >> kRegisterBits == 0 && resources[index].bound();
    uint64_t address = is_bound ? view_address(query.resource, index) : 0;
    if (query.fact == ir::BindingFact::counter)
      address = is_bound && resources[index].buffer.counter != nullptr ? address + kCounterPlace : 0;
    std::memcpy(row(step.result) + 2 * lane, &address, sizeof address);
  });
}

void Machine::run_binding(const Step& step) {
  const ir::BindingQuery query = ir::BindingQuery::unpack(step.payload);
  for_active([&](uint32_t lane) {
    const uint32_t index = step.operand_count != 0 ? row(step.operand[0])[lane] : 0;
    uint32_t fact = 0;
    if (query.is_sampler_fact()) {
      const auto& samplers = bindings_.samplers(query.resource);
      if (index < samplers.size()) fact = sampler_fact(samplers[index], query.fact);
      if (index >= samplers.size()) flag(lane, Undefined::descriptor_index);
    } else {
      const auto& resources = bindings_.resources(query.resource);
      if (index < resources.size())
        fact = binding_fact(resources[index], module_.resources[query.resource], query.fact);
      if (index >= resources.size()) flag(lane, Undefined::descriptor_index);
    }
    row(step.result)[lane] = fact;
  });
}

}  // namespace texlate::sim
