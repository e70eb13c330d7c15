// The elements of vertex and pixel kernels (docs/launch_abi.md).

#include <algorithm>

#include "backend/maxwell/select/launch_host.h"

namespace texlate::maxwell::select {

namespace {

namespace head = launch::stream_head;

// Bank 0 below the parameters: the number of threads per block (docs/maxwell.md, "Interface").
constexpr uint32_t kBlockSize = 0x8;

/// For a pixel of which the host specifies nothing: vCoverage 1, vInnerCoverage 1.
constexpr uint32_t kAllCovered = 0x80000001;

}  // namespace

/// Is the pointer at `offset` of the block not null, and the other condition true?
Predicate LaunchHost::has_pointer(uint32_t offset) {
  const Source low = Source::of(assembler_.reg(parameter(offset)));
  return is_not_zero(low, parameter(offset + 4));
}

// The element of this thread (the last one for threads beyond it), and whether it is a pixel that may write.
void LaunchHost::begin() {
  Host::begin();
  if (!is_stream()) return;
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
    const Source count = parameter(head::kCount);
    lives = compare_words(element, IntegerCompare::lt, count);
    const Source last = emit_source(
        {Opcode::iadd32i, {Arg(), Source::of(assembler_.reg(count)), Source::immediate(0xffffffff)}});
    element_ = emit_word({Opcode::imnmx, {Arg(), element, last, kAlways}, {kUnsigned}});
  }
  if (module_.stage == ir::Stage::pixel) lives = load_coverage(lives);
  state_.begin(lives);
}

/// What the host gives for this pixel, if it matters. Returns whether the pixel may write.
Predicate LaunchHost::load_coverage(Predicate lives) {
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
Pair LaunchHost::element_address(uint32_t offset) {
  return scaled_address({parameter(offset), parameter(offset + 4)}, element_, 2);
}

// What the host gives for each pixel (stream_head::kCovered): bits 0 to 30 vCoverage, bit 31 vInnerCoverage.
void LaunchHost::select_stream_value(const ir::Instruction& instruction, ir::SystemValue value) {
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
