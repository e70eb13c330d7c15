#include "backend/ptx/families.h"

namespace texlate::ptx {

void Interface::emit(const Instruction& instruction) {
  switch (instruction.op) {
    case Op::input: return refuse(instruction, "an input register of a compute shader");
    case Op::output: return refuse(instruction, "an output register of a compute shader");
    case Op::system_value:
      return is_stream() ? emit_stream_value(instruction) : emit_system_value(instruction);
    case Op::barrier: return emit_barrier(instruction);
    case Op::message: return;  // for a host's log, which there is none of
    case Op::discard: {
      const TempPred stays = temp_pred();
      line("not.pred ", stays, ", ", Pred{operand(instruction, 0)});
      return line("and.pred %live, %live, ", stays);
    }
    case Op::cycle_counter: {
      const Temp64 clock = temp64();
      line("mov.u64 ", clock, ", %clock64");
      return line("mov.b64 ", Words{instruction.first_result, 2}, ", ", clock);
    }
    case Op::raster_samples:
      if (!is_stream()) return refuse(instruction, "the render target of a compute shader");
      return records_.load("u32", Int{instruction.first_result}, {}, stream_head::kSamples);
    case Op::patch_input:
    case Op::output_control_point:
    case Op::patch_output:
    case Op::eval_snapped:
    case Op::eval_sample:
    case Op::eval_centroid:
    case Op::raster_position:
    case Op::emit:
    case Op::cut:
#define IR_COVERED_interface
#define IR_COVERED_effect
#include "ir/op_cases.inc"
      return refuse(instruction, "this operation");
  }
}

// The thread's element. What the host gives for each pixel (stream_head::kCovered): bits 0 to 30 vCoverage,
// bit 31 vInnerCoverage.
void Interface::emit_stream_value(const Instruction& instruction) {
  const auto value = static_cast<ir::SystemValue>(instruction.payload / 4);
  const bool pixel = module_.stage == ir::Stage::pixel;
  if (value == ir::SystemValue::thread_id && instruction.payload % 4 == 0)
    return line("mov.b32 ", Int{instruction.first_result}, ", %element");
  if (pixel && value == ir::SystemValue::coverage)
    return line("and.b32 ", Int{instruction.first_result}, ", %coverage, 0x7fffffff");
  if (pixel && value == ir::SystemValue::inner_coverage)
    return line("shr.u32 ", Int{instruction.first_result}, ", %coverage, 31");
  refuse(instruction, "this system value");
}

void Interface::emit_system_value(const Instruction& instruction) {
  static constexpr std::string_view kAxes[] = {"x", "y", "z"};
  const auto value = static_cast<ir::SystemValue>(instruction.payload / 4);
  const uint32_t component = instruction.payload % 4;
  const Value result = instruction.first_result;
  if (component > 2) return line("mov.b32 ", Int{result}, ", 0");
  const std::string_view axis = kAxes[component];
  switch (value) {
    case ir::SystemValue::thread_group_id: return line("mov.u32 ", Int{result}, ", %ctaid.", axis);
    case ir::SystemValue::thread_id_in_group: return line("mov.u32 ", Int{result}, ", %tid.", axis);
    case ir::SystemValue::thread_id: {
      const Temp group = temp(), thread = temp();
      line("mov.u32 ", group, ", %ctaid.", axis);
      line("mov.u32 ", thread, ", %tid.", axis);
      return line("mad.lo.u32 ", Int{result}, ", ", group, ", ", module_.thread_group[component], ", ",
                  thread);
    }
    case ir::SystemValue::thread_id_in_group_flattened: {
      const Temp x = temp(), y = temp(), z = temp();
      line("mov.u32 ", x, ", %tid.x");
      line("mov.u32 ", y, ", %tid.y");
      line("mov.u32 ", z, ", %tid.z");
      line("mad.lo.u32 ", y, ", ", z, ", ", module_.thread_group[1], ", ", y);
      return line("mad.lo.u32 ", Int{result}, ", ", y, ", ", module_.thread_group[0], ", ", x);
    }
    default: return refuse(instruction, "this system value");
  }
}

// sync_g and sync_ugroup fence the group, sync_uglobal the device; _t is the barrier itself, which also
// fences the group (PTX ISA 9.7.13.1).
void Interface::emit_barrier(const Instruction& instruction) {
  const bool threads = (instruction.payload & ir::kBarrierThreads) != 0;
  if ((instruction.payload & ir::kBarrierUavGlobal) != 0) {
    line("membar.gl");
  } else if ((instruction.payload & (ir::kBarrierShared | ir::kBarrierUavGroup)) != 0 && !threads) {
    line("membar.cta");
  }
  if (threads) line("bar.sync 0");
}

void Interface::begin(bool has_masks, bool has_pending) {
  line(".reg .b32 %element, %count, %lane, %xsign, %ysign, %xmate, %ymate, %pending");
  if (has_masks) line(".reg .b32 %m<", text_.mask_count(), ">");
  line(".reg .b64 %covered");
  line(".reg .pred %live, %has");
  emit_element();
  if (module_.stage == ir::Stage::pixel) {
    emit_coverage();
    line("mov.u32 %lane, %laneid");
    if (uses_.has_derivatives) {
      // The sign bit in left pixels, and in upper ones: see emit_derivative.
      line("not.b32 %ysign, %lane");
      line("shl.b32 %xsign, %ysign, 31");
      line("and.b32 %ysign, %ysign, 2");
      line("shl.b32 %ysign, %ysign, 30");
    }
    if (has_masks) {
      line("mov.b32 %m0, -1");
      line("xor.b32 %xmate, %lane, 1");
      line("shl.b32 %xmate, 1, %xmate");
      line("xor.b32 %ymate, %lane, 2");
      line("shl.b32 %ymate, 1, %ymate");
      if (has_pending) line("mov.b32 %pending, 0");
    }
  }
}

// Threads past the last element run as helpers on that element: quad exchanges require them.
void Interface::emit_element() {
  const ir::KnownLaunch& known = module_.relied.launch;
  if (known.elements != 0) {
    line("mov.u32 %count, ", known.elements);
  } else {
    records_.load("u32", std::string_view("%count"), {}, stream_head::kCount);
  }
  line("mov.u32 %element, %ctaid.x");
  line("mov.u32 %lane, %ntid.x");
  line("mul.lo.u32 %element, %element, %lane");
  line("mov.u32 %lane, %tid.x");
  line("add.u32 %element, %element, %lane");
  if (!known.has_exact_threads()) {
    line("setp.lt.u32 %live, %element, %count");
    line("sub.u32 %lane, %count, 1");
    line("min.u32 %element, %element, %lane");
  } else if (uses_.tests_live) {
    line("setp.eq.u32 %live, 0, 0");
  }
}

// Helpers must not write, and the shader may read what the host gives for its pixel.
void Interface::emit_coverage() {
  const bool has_helpers = module_.relied.launch.helper_lanes != false;
  if (!has_helpers && !uses_.reads_coverage) return;
  records_.load("u64", std::string_view("%covered"), {}, stream_head::kCovered);
  line("setp.ne.u64 %has, %covered, 0");
  line("mad.wide.u32 %covered, %element, 4, %covered");
  line("mov.u32 %lane, 1");
  put("\t@%has ld.global.u32 %lane, [%covered];\n");
  if (has_helpers) line("setp.ne.and.u32 %live, %lane, 0, %live");
  if (!uses_.reads_coverage) return;
  line(".reg .b32 %coverage");
  line("selp.b32 %coverage, %lane, 0x80000001, %has");
}

}  // namespace texlate::ptx
