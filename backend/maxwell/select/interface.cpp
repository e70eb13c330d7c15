// Inputs, outputs, system values, and other parts of the pipeline around a shader: planes of vertices and
// pixels (docs/launch_abi.md), discarded pixels, barriers.

#include <algorithm>

#include "backend/launch/coverage.h"
#include "backend/maxwell/select/selector.h"

namespace texlate::maxwell::select {

namespace {

using ir::Op;
using ir::Value;
namespace head = launch::stream_head;

// S2R (docs/reference/maxwell.md 6).
constexpr int32_t kThreadId = 0x21;  // .X, .Y, .Z follow
constexpr int32_t kGroupId = 0x25;
constexpr int32_t kClockLow = 0x50;
// Bank 0 below the parameters: the number of threads per block (docs/maxwell.md, "Interface").
constexpr uint32_t kBlockSize = 0x8;

/// The displacement of a memory instruction is a signed number of 24 bits.
constexpr uint32_t kMostDisplacement = (1u << 23) - 4;

constexpr uint8_t kUpperHalf = 1;
/// For a pixel of which the host specifies nothing: vCoverage 1, vInnerCoverage 1.
constexpr uint32_t kAllCovered = 0x80000001;

}  // namespace

MachineValue Selector::special_register(int32_t number) {
  const uint64_t key = kSpecialKey | static_cast<uint32_t>(number);
  const MachineValue there = assembler.recall(key);
  if (there != kNone) return there;
  const MachineValue result = assembler.emit_word({Opcode::s2r, {Arg(), Arg::word(number)}});
  assembler.remember(key, result);
  return result;
}

/// Is the pointer at `offset` of the block not null, and the other condition true?
Predicate Selector::has_pointer(uint32_t offset) {
  const Source low = Source::of(assembler.reg(parameter(offset)));
  return is_not_zero(low, parameter(offset + 4));
}

// The element of this thread (the last one for threads beyond it), and whether it is a pixel that may write.
void Selector::begin_stream() {
  if (is_graphics()) return begin_graphics();
  const Source group = Source::of(special_register(kGroupId));
  const Source block = Source::constant(0, kBlockSize);  // at most 1,024
  const Source thread = Source::of(special_register(kThreadId));
  const Source partial = Source::of(assembler.emit_word({Opcode::xmad, {Arg(), group, block, thread}}));
  const Source element = Source::of(assembler.emit_word({Opcode::xmad,
                                                         {Arg(), group.half(kUpperHalf), block, partial},
                                                         {{Modifier::psl, ProductShiftLeft::on}}}));
  Predicate lives = Predicate::constant(true);
  if (module.relied.launch.has_exact_threads()) {
    element_ = assembler.reg(element);
  } else {
    const Source count = parameter(head::kCount);
    const MachineValue inside = assembler.predicate();
    emit({Opcode::isetp,
          {Predicate{inside, false}, Arg(), element, count, Predicate::constant(true)},
          {{Modifier::integer_compare, IntegerCompare::lt}, {Modifier::is_signed, IsSigned::u32}}});
    const Source last = Source::of(assembler.emit_word(
        {Opcode::iadd32i, {Arg(), Source::of(assembler.reg(count)), Source::immediate(0xffffffff)}}));
    element_ = assembler.emit_word({Opcode::imnmx,
                                    {Arg(), element, last, Predicate::constant(true)},
                                    {{Modifier::is_signed, IsSigned::u32}}});
    lives = {inside, false};
  }
  if (module.stage == ir::Stage::pixel) lives = load_coverage(lives);
  for (Variable& variable : variables_) {
    if (!variable.is_predicate) variable.value = assembler.immediate(0);
  }
  set_live(lives);
  const Pair planes = element_address(head::kInputs);
  remember_plane(0, planes);
}

/// What the host gives for this pixel, if it matters. Returns whether the pixel may write.
Predicate Selector::load_coverage(Predicate lives) {
  const bool has_helpers = module.relied.launch.helper_lanes != false;
  const bool is_read = std::ranges::any_of(module.code, launch::reads_coverage);
  if (!has_helpers && !is_read) return lives;
  const Predicate masked = has_pointer(head::kCovered);
  const Pair at = element_address(head::kCovered);
  const MachineValue one = assembler.fresh_immediate(kAllCovered);
  const MachineValue covered = assembler.general();
  emit(Draft{Opcode::ldg,
             {Arg::reg(covered), Arg::address(std::array{at.low, at.high}, 0)},
             {{Modifier::e, Extended::on}, {Modifier::load_size, LoadSize::b32}}}
           .under(masked));
  leave_zeros(std::array{one});
  coverage_ = covered;
  if (!has_helpers) return lives;
  const MachineValue result = assembler.predicate();
  emit({Opcode::isetp,
        {Predicate{result, false}, Arg(), Source::of(covered), Source::immediate(0), lives},
        {{Modifier::integer_compare, IntegerCompare::ne}, {Modifier::is_signed, IsSigned::u32}}});
  return {result, false};
}

/// Address of the word of this thread's element in the array whose address the parameter head has at
/// `offset`.
Pair Selector::element_address(uint32_t offset) {
  const Source low = parameter(offset), high = parameter(offset + 4);
  return scaled_address(low, high, element_, 2);
}

void Selector::remember_plane(uint32_t plane, Pair address) {
  assembler.remember(kPlaneKey | uint64_t{plane} << 1, address.low);
  assembler.remember(kPlaneKey | uint64_t{plane} << 1 | 1, address.high);
}

namespace {

/// Steps, each a power of two planes, whose sum is `distance` planes.
Pair walk(Selector& selector, Pair from, uint32_t distance) {
  const Source count = Source::of(selector.assembler.reg(selector.parameter(head::kCount)));
  for (unsigned bit = 0; bit < 30; ++bit) {
    if (((distance >> bit) & 1) == 0) continue;
    from = selector.scaled_address(Source::of(from.low), Source::of(from.high), count.value, 2 + bit);
  }
  return from;
}

}  // namespace

/// The address of this element in an input plane, from the known plane that is the fewest steps away.
Pair Selector::plane_address(uint32_t plane) {
  uint32_t nearest = 0;
  int fewest = 33;
  for (uint32_t before = plane + 1; before-- != 0;) {
    if (assembler.recall(kPlaneKey | uint64_t{before} << 1) == kNone) continue;
    const int steps = std::popcount(plane - before);
    if (steps < fewest) {
      fewest = steps;
      nearest = before;
    }
  }
  const uint64_t key = kPlaneKey | uint64_t{nearest} << 1;
  const Pair address = walk(*this, {assembler.recall(key), assembler.recall(key | 1)}, plane - nearest);
  if (plane != nearest) remember_plane(plane, address);
  return address;
}

void Selector::select_input(const ir::Instruction& instruction) {
  if (!is_stream()) return refuse(instruction, "an input register of a compute shader");
  if (is_graphics()) return select_attribute(instruction);
  const bool is_indexed = instruction.has(ir::kIndexOperand);
  const bool is_elsewhere = instruction.has(ir::kVertexOperand);  // of another element
  if (is_elsewhere && (is_indexed || module.stage != ir::Stage::pixel))
    return refuse(instruction, "an input of several vertices");
  Pair address;
  uint32_t displacement = 0;
  if (is_indexed) {
    address = indexed_plane_address(instruction);
  } else if (const auto far = launch::plane_displacement(module, instruction.payload, kMostDisplacement)) {
    address = plane_address(0);
    displacement = *far;
  } else {
    address = plane_address(instruction.payload);
  }
  if (is_elsewhere) {
    const Source distance = word(operand(instruction, 0));
    const Source sign = Source::of(assembler.emit_word(
        {Opcode::shr, {Arg(), distance, Source::immediate(31)}, {{Modifier::is_signed, IsSigned::s32}}}));
    address =
        scaled_address(Source::of(address.low), Source::of(address.high), assembler.reg(distance), 2, sign);
  }
  define(instruction.first_result, load_plane(address, displacement));
}

/// Of the plane whose register an operand adds to: plane * count in 64 bits; a plane's number has few bits.
Pair Selector::indexed_plane_address(const ir::Instruction& instruction) {
  const Source plane =
      Source::of(assembler.emit_word({Opcode::iscadd,
                                      {Arg(), Source::of(reg(operand(instruction, 0))),
                                       Source::immediate(instruction.payload), Arg::word(2)}}));
  const Source count = Source::of(assembler.reg(parameter(head::kCount)));
  const Source low =
      Source::of(assembler.emit_word({Opcode::xmad, {Arg(), count, plane, Source::immediate(0)}}));
  const MachineValue product = assembler.emit_word(
      {Opcode::xmad, {Arg(), count.half(kUpperHalf), plane, low}, {{Modifier::psl, ProductShiftLeft::on}}});
  const Source carried = Source::of(multiply_high(count, plane, false));
  const Source first_low = Source::of(assembler.recall(kPlaneKey));
  return scaled_address(first_low, Source::of(assembler.recall(kPlaneKey | 1)), product, 2, carried);
}

void Selector::select_output(const ir::Instruction& instruction) {
  if (!is_stream()) return refuse(instruction, "an output register of a compute shader");
  if (instruction.has(ir::kIndexOperand)) return select_indexed_output(instruction);
  const uint32_t reg = instruction.payload / 4;
  for (const ir::Parameter& parameter : module.outputs) {
    if (parameter.reg != reg || ((parameter.mask >> (instruction.payload % 4)) & 1) == 0) continue;
    return set_output(instruction.payload, word(operand(instruction, 0)));
  }
  refuse(instruction, "an undeclared output");
}

// o[r#]: selects among the declared registers.
void Selector::select_indexed_output(const ir::Instruction& instruction) {
  const Source index = Source::of(reg(operand(instruction, 0)));
  const Source value = Source::of(reg(operand(instruction, 1)));
  for (uint32_t v = 0; v < variables_.size(); ++v) {
    if (!may_assign(instruction, v)) continue;
    const uint32_t number = (variables_[v].payload - assigned_payload(instruction)) / 4;
    const MachineValue is_this = assembler.predicate();
    emit({Opcode::isetp,
          {Predicate{is_this, false}, Arg(), index, Source::immediate(number), Predicate::constant(true)},
          {{Modifier::integer_compare, IntegerCompare::eq}, {Modifier::is_signed, IsSigned::u32}}});
    variables_[v].value = emit_select({is_this, false}, value, Source::of(variables_[v].value));
  }
}

MachineValue Selector::load_plane(Pair at, uint32_t displacement) {
  const auto bytes = static_cast<int32_t>(displacement);
  return assembler.emit_word({Opcode::ldg,
                              {Arg(), Arg::address(std::array{at.low, at.high}, bytes)},
                              {{Modifier::e, Extended::on},
                               {Modifier::load_cache, LoadCache::ci},
                               {Modifier::load_size, LoadSize::b32}}});
}

// Planes of outputs in ascending order, each address computed from the previous one. Ends the program.
void Selector::exit_stream() {
  if (is_graphics()) return exit_graphics();
  struct Plane {
    uint32_t plane;
    MachineValue value;
  };
  std::pmr::vector<Plane> planes(module.memory());
  for (uint32_t i = 0; i < module.outputs.size(); ++i) {
    for (uint32_t c = 0; c < 4; ++c) {
      if (((module.outputs[i].mask >> c) & 1) == 0) continue;
      const uint32_t payload = module.outputs[i].reg * 4 + c;
      for (const Variable& variable : variables_) {
        if (variable.is_predicate || variable.payload != payload) continue;
        planes.push_back({launch::output_plane_register(module, i) * 4 + c, variable.value});
        break;
      }
    }
  }
  std::sort(planes.begin(), planes.end(), [](const Plane& a, const Plane& b) { return a.plane < b.plane; });
  const Predicate lives = live();
  const auto store = [&](Pair at, uint32_t displacement, MachineValue value, Predicate guard) {
    const auto bytes = static_cast<int32_t>(displacement);
    machine::Instruction& code =
        emit(Draft{Opcode::stg,
                   {Arg::address(std::array{at.low, at.high}, bytes), Arg::reg(value)},
                   {{Modifier::e, Extended::on}, {Modifier::memory_size, MemorySize::b32}}}
                 .under(guard));
    code.effect = machine::Effect::write;
    code.space = kPlaneSpace;
  };
  Pair at = element_address(head::kOutputs);
  uint32_t before = 0;
  for (const Plane& plane : planes) {
    if (const auto far = launch::plane_displacement(module, plane.plane, kMostDisplacement)) {
      store(at, *far, plane.value, lives);
      continue;
    }
    at = walk(*this, at, plane.plane - before);
    before = plane.plane;
    store(at, 0, plane.value, lives);
  }
  if (module.stage != ir::Stage::pixel || launch::writes_all_pixels(module))
    return assembler.builder().exit();
  const Predicate is_reported = effective(has_pointer(head::kWritten));
  const Pair written = element_address(head::kWritten);
  store(written, 0, assembler.immediate(1), is_reported);
  assembler.builder().exit();
}

void Selector::select_system_value(const ir::Instruction& instruction) {
  const auto value = static_cast<ir::SystemValue>(instruction.payload / 4);
  const uint32_t component = instruction.payload % 4;
  const Value result = instruction.first_result;
  if (is_graphics() && value == ir::SystemValue::coverage)
    return define(result, emit_pixel_state(Pixel::covmask));
  if (is_stream() && !is_graphics() && value == ir::SystemValue::thread_id && component == 0)
    return define(result, element_);
  if (is_graphics() && module.stage != ir::Stage::pixel && module.stage != ir::Stage::compute)
    return select_primitive_value(instruction, value);
  if (is_stream()) return select_coverage(instruction, value);
  if (component > 2) return define(result, Source::immediate(0));
  const auto thread = [&](uint32_t axis) {
    // If the group has one thread along an axis, the number along it is always 0.
    return module.thread_group[axis] == 1
               ? Source::immediate(0)
               : Source::of(special_register(kThreadId + static_cast<int32_t>(axis)));
  };
  const auto scaled = [&](const Source& number, uint32_t factor, const Source& addend) {
    if (number.is_immediate(0)) return addend;
    const Source& plain = addend.is_immediate(0) ? addend : Source::of(assembler.reg(addend));
    return Source::of(assembler.emit_word({Opcode::xmad, {Arg(), number, Source::immediate(factor), plain}}));
  };
  switch (value) {
    case ir::SystemValue::thread_group_id:
      return define(result, special_register(kGroupId + static_cast<int32_t>(component)));
    case ir::SystemValue::thread_id_in_group: return define(result, thread(component));
    // A dispatch has at most 65,535 groups along an axis (D3D11.3 functional specification 18.6.3), so one
    // product of 16 bits is enough.
    case ir::SystemValue::thread_id: {
      const Source group = Source::of(special_register(kGroupId + static_cast<int32_t>(component)));
      const Source within = thread(component);
      return define(result, scaled(group, module.thread_group[component], within));
    }
    case ir::SystemValue::thread_id_in_group_flattened: {
      const Source z = thread(2), y = thread(1), x = thread(0);
      return define(result, scaled(scaled(z, module.thread_group[1], y), module.thread_group[0], x));
    }
    default: return refuse(instruction, "this system value");
  }
}

// What the host gives for each pixel (stream_head::kCovered): bits 0 to 30 vCoverage, bit 31 vInnerCoverage.
void Selector::select_coverage(const ir::Instruction& instruction, ir::SystemValue value) {
  if (coverage_ == kNone) return refuse(instruction, "this system value");
  const Value result = instruction.first_result;
  if (value == ir::SystemValue::coverage) {
    return emit_to(result, {Opcode::lop32i,
                            {Arg(), Source::of(coverage_), Source::immediate(0x7fffffff)},
                            {{Modifier::logic, Logic::and_}}});
  }
  if (value != ir::SystemValue::inner_coverage) return refuse(instruction, "this system value");
  emit_to(result, {Opcode::shr,
                   {Arg(), Source::of(coverage_), Source::immediate(31)},
                   {{Modifier::is_signed, IsSigned::u32}}});
}

// sync_g and sync_ugroup fence the group, sync_uglobal the device; _t is the barrier itself.
void Selector::select_barrier(const ir::Instruction& instruction) {
  const bool global = (instruction.payload & ir::kBarrierUavGlobal) != 0;
  if (global || (instruction.payload & (ir::kBarrierShared | ir::kBarrierUavGroup)) != 0) {
    emit({Opcode::membar, {}, {{Modifier::membar_level, global ? MembarLevel::gl : MembarLevel::cta}}})
        .effect = machine::Effect::barrier;
  }
  if ((instruction.payload & ir::kBarrierThreads) == 0) return;
  // Barrier 0, all threads of the block: both are immediates.
  maxwell::Instruction code = make_instruction(Opcode::bar_sync, Shape::reg, 3);
  assembler.append(code, {}).effect = machine::Effect::barrier;
}

void Selector::select_interface(const ir::Instruction& instruction) {
  if (is_routine()) return select_argument(instruction);
  switch (instruction.op) {
    case Op::input: return select_input(instruction);
    case Op::output: return select_output(instruction);
    case Op::system_value: return select_system_value(instruction);
    case Op::discard: return set_live(effective(!predicate(operand(instruction, 0))));
    case Op::barrier: return select_barrier(instruction);
    case Op::message: return;  // for a host's log, which there is none of
    case Op::raster_samples:
      if (!is_stream()) return refuse(instruction, "the render target of a compute shader");
      if (is_graphics()) return refuse(instruction, "the number of the render target's samples");
      return define(instruction.first_result, parameter(head::kSamples));
    case Op::cycle_counter: {
      const Value first = instruction.first_result;
      for (uint32_t i = 0; i < 2; ++i) {
        const MachineValue word =
            assembler.emit_word({Opcode::s2r, {Arg(), Arg::word(kClockLow + static_cast<int32_t>(i))}});
        assembler.function().instructions.back().effect = machine::Effect::read;
        define(first + i, word);
      }
      return;
    }
    case Op::patch_input:
      if (is_graphics()) return select_patch_input(instruction);
      return refuse(instruction, "a patch constant");
    case Op::output_control_point:
      if (is_graphics()) return select_vertex_attribute(instruction);
      return refuse(instruction, "an output control point");
    case Op::patch_output:
      if (!is_graphics()) return refuse(instruction, "a patch constant");
      if (instruction.has(ir::kIndexOperand)) return select_indexed_output(instruction);
      return set_output(assigned_payload(instruction), word(operand(instruction, 0)));
    case Op::emit:
    case Op::cut:
      if (is_graphics()) return select_emission(instruction);
      return refuse(instruction, "an emitted vertex");
    // Kernels have neither (backend/launch/lower_evaluations.h).
    case Op::eval_centroid:
      if (is_graphics()) return select_attribute(instruction);
      return refuse(instruction, "an evaluation at the centroid");
    case Op::eval_snapped: return refuse(instruction, "an evaluation at an offset");
    case Op::eval_sample:
    case Op::raster_position:
#define IR_COVERED_interface
#define IR_COVERED_effect
#include "ir/op_cases.inc"
      return refuse(instruction, "this operation");
  }
}

}  // namespace texlate::maxwell::select
