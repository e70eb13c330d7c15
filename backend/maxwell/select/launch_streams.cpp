// Planes of vertices and pixels (docs/launch_abi.md).

#include <algorithm>
#include <bit>

#include "backend/launch/coverage.h"
#include "backend/maxwell/select/launch_host.h"

namespace texlate::maxwell::select {

namespace {

using ir::Value;
namespace head = launch::stream_head;

// S2R (docs/reference/maxwell.md 6).
constexpr int32_t kThreadId = 0x21;  // .X
constexpr int32_t kGroupId = 0x25;
// Bank 0 below the parameters: the number of threads per block (docs/maxwell.md, "Interface").
constexpr uint32_t kBlockSize = 0x8;

/// The displacement of a memory instruction is a signed number of 24 bits.
constexpr uint32_t kMostDisplacement = (1u << 23) - 4;

/// For a pixel of which the host specifies nothing: vCoverage 1, vInnerCoverage 1.
constexpr uint32_t kAllCovered = 0x80000001;

}  // namespace

/// Is the pointer at `offset` of the block not null, and the other condition true?
Predicate Planes::has_pointer(uint32_t offset) {
  const Source low = Source::of(assembler_.reg(records_.parameter(offset)));
  return is_not_zero(low, records_.parameter(offset + 4));
}

// The element of this thread (the last one for threads beyond it), and whether it is a pixel that may write.
void Planes::begin() {
  const Source group = Source::of(special_register(kGroupId));
  const Source block = Source::constant(0, kBlockSize);  // at most 1,024
  const Source thread = Source::of(special_register(kThreadId));
  const Source partial = emit_source({Opcode::xmad, {Arg(), group, block, thread}});
  const Source element =
      emit_source({Opcode::xmad, {Arg(), group.half(kUpperHalf), block, partial}, {kShiftLeft}});
  Predicate lives = kAlways;
  if (module_.relied.launch.has_exact_threads()) {
    element_ = assembler_.reg(element);
  } else {
    const Source count = records_.parameter(head::kCount);
    lives = compare_words(element, IntegerCompare::lt, count);
    const Source last = emit_source(
        {Opcode::iadd32i, {Arg(), Source::of(assembler_.reg(count)), Source::immediate(0xffffffff)}});
    element_ = emit_word({Opcode::imnmx, {Arg(), element, last, kAlways}, {kUnsigned}});
  }
  if (module_.stage == ir::Stage::pixel) lives = load_coverage(lives);
  variables_.clear();
  variables_.set_live(lives);
  remember(0, element_address(head::kInputs));
}

/// What the host gives for this pixel, if it matters. Returns whether the pixel may write.
Predicate Planes::load_coverage(Predicate lives) {
  const bool has_helpers = module_.relied.launch.helper_lanes != false;
  const bool is_read = std::ranges::any_of(module_.code, launch::reads_coverage);
  if (!has_helpers && !is_read) return lives;
  const Predicate masked = has_pointer(head::kCovered);
  const Pair at = element_address(head::kCovered);
  const MachineValue one = assembler_.fresh_immediate(kAllCovered);
  const MachineValue covered = assembler_.general();
  emit(Draft{Opcode::ldg,
             {Arg::reg(covered), Arg::address(at, 0)},
             {kExtended, {Modifier::load_size, LoadSize::b32}}}
           .under(masked));
  leave_zeros(std::array{one});
  coverage_ = covered;
  if (!has_helpers) return lives;
  return compare_words(Source::of(covered), IntegerCompare::ne, Source::immediate(0), lives);
}

/// Address of the word of this thread's element in the array whose address the parameter head has at
/// `offset`.
Pair Planes::element_address(uint32_t offset) {
  return scaled_address({records_.parameter(offset), records_.parameter(offset + 4)}, element_, 2);
}

void Planes::remember(uint32_t plane, Pair address) {
  assembler_.remember(kPlaneKey | uint64_t{plane} << 1, address.low);
  assembler_.remember(kPlaneKey | uint64_t{plane} << 1 | 1, address.high);
}

/// Steps, each a power of two planes, whose sum is `distance` planes.
Pair Planes::walk(Pair from, uint32_t distance) {
  const Source count = Source::of(assembler_.reg(records_.parameter(head::kCount)));
  for (unsigned bit = 0; bit < 30; ++bit) {
    if (((distance >> bit) & 1) == 0) continue;
    from = scaled_address(from, count.value, 2 + bit);
  }
  return from;
}

/// The address of this element in an input plane, from the known plane that is the fewest steps away.
Pair Planes::address(uint32_t plane) {
  uint32_t nearest = 0;
  int fewest = 33;
  for (uint32_t before = plane + 1; before-- != 0;) {
    if (assembler_.recall(kPlaneKey | uint64_t{before} << 1) == kNone) continue;
    const int steps = std::popcount(plane - before);
    if (steps < fewest) {
      fewest = steps;
      nearest = before;
    }
  }
  const uint64_t key = kPlaneKey | uint64_t{nearest} << 1;
  const Pair address = walk({assembler_.recall(key), assembler_.recall(key | 1)}, plane - nearest);
  if (plane != nearest) remember(plane, address);
  return address;
}

void Planes::select_input(const ir::Instruction& instruction) {
  const bool is_indexed = instruction.has(ir::kIndexOperand);
  const bool is_elsewhere = instruction.has(ir::kVertexOperand);  // of another element
  if (is_elsewhere && (is_indexed || module_.stage != ir::Stage::pixel))
    return refuse(instruction, "an input of several vertices");
  Pair address;
  uint32_t displacement = 0;
  if (is_indexed) {
    address = indexed_address(instruction);
  } else if (const auto far = launch::plane_displacement(module_, instruction.payload, kMostDisplacement)) {
    address = this->address(0);
    displacement = *far;
  } else {
    address = this->address(instruction.payload);
  }
  if (is_elsewhere) {
    const Source distance = word(operand(instruction, 0));
    const Source sign = emit_source({Opcode::shr, {Arg(), distance, Source::immediate(31)}, {kSigned}});
    address = scaled_address(address, assembler_.reg(distance), 2, sign);
  }
  define(instruction.first_result, load(address, displacement));
}

/// Of the plane whose register an operand adds to: plane * count in 64 bits; a plane's number has few bits.
Pair Planes::indexed_address(const ir::Instruction& instruction) {
  const Source plane = emit_source({Opcode::iscadd,
                                    {Arg(), Source::of(reg(operand(instruction, 0))),
                                     Source::immediate(instruction.payload), Arg::word(2)}});
  const Source count = Source::of(assembler_.reg(records_.parameter(head::kCount)));
  const Source low = emit_source({Opcode::xmad, {Arg(), count, plane, Source::immediate(0)}});
  const MachineValue product =
      emit_word({Opcode::xmad, {Arg(), count.half(kUpperHalf), plane, low}, {kShiftLeft}});
  const Source carried = Source::of(multiply_high(count, plane, false));
  const Pair first{assembler_.recall(kPlaneKey), assembler_.recall(kPlaneKey | 1)};
  return scaled_address(first, product, 2, carried);
}

MachineValue Planes::load(Pair at, uint32_t displacement) {
  const auto bytes = static_cast<int32_t>(displacement);
  return emit_word(
      {Opcode::ldg,
       {Arg(), Arg::address(at, bytes)},
       {kExtended, {Modifier::load_cache, LoadCache::ci}, {Modifier::load_size, LoadSize::b32}}});
}

void Planes::store(Pair at, uint32_t displacement, MachineValue value, Predicate guard) {
  const Arg place = Arg::address(at, static_cast<int32_t>(displacement));
  emit_access({Opcode::stg, {place, Arg::reg(value)}, {kExtended, kOneWord}}, guard, machine::Effect::write,
              kPlaneSpace);
}

// In ascending order, each address computed from the previous one.
void Planes::store_outputs(Predicate lives) {
  Pair at = element_address(head::kOutputs);
  uint32_t before = 0;
  for (const launch::OutputPlane& plane : launch::output_planes(module_)) {
    const MachineValue value = variables_.find(plane.payload)->value;
    if (const auto far = launch::plane_displacement(module_, plane.plane, kMostDisplacement)) {
      store(at, *far, value, lives);
      continue;
    }
    at = walk(at, plane.plane - before);
    before = plane.plane;
    store(at, 0, value, lives);
  }
}

void Planes::exit() {
  store_outputs(variables_.live());
  if (module_.stage == ir::Stage::pixel && !launch::writes_all_pixels(module_)) {
    const Predicate is_reported = effective(has_pointer(head::kWritten));
    const Pair written = element_address(head::kWritten);
    store(written, 0, assembler_.immediate(1), is_reported);
  }
  assembler_.builder().exit();
}

// What the host gives for each pixel (stream_head::kCovered): bits 0 to 30 vCoverage, bit 31 vInnerCoverage.
void Planes::select_value(const ir::Instruction& instruction, ir::SystemValue value) {
  const Value result = instruction.first_result;
  if (value == ir::SystemValue::thread_id && instruction.payload % 4 == 0) return define(result, element_);
  if (coverage_ == kNone) return refuse(instruction, "this system value");
  if (value == ir::SystemValue::coverage) {
    return emit_to(result, {Opcode::lop32i,
                            {Arg(), Source::of(coverage_), Source::immediate(0x7fffffff)},
                            {{Modifier::logic, Logic::and_}}});
  }
  if (value != ir::SystemValue::inner_coverage) return refuse(instruction, "this system value");
  emit_to(result, {Opcode::shr, {Arg(), Source::of(coverage_), Source::immediate(31)}, {kUnsigned}});
}

}  // namespace texlate::maxwell::select
