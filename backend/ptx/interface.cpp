#include "backend/ptx/interface.h"

#include <algorithm>

#include "backend/launch/coverage.h"

namespace texlate::ptx {

void Interface::emit(const Instruction& instruction) {
  switch (instruction.op) {
    case Op::input: return emit_input(instruction);
    case Op::output: return emit_output(instruction);
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
      line("mov.u64 ", clock, ", ", std::string_view("%clock64"));
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

void Interface::emit_input(const Instruction& instruction) {
  if (!is_stream()) return refuse(instruction, "an input register of a compute shader");
  const bool is_indexed = instruction.has(ir::kIndexOperand);
  const bool is_elsewhere = instruction.has(ir::kVertexOperand);  // of another element
  if (is_elsewhere && (is_indexed || module_.stage != ir::Stage::pixel))
    return refuse(instruction, "an input of several vertices");
  const auto displacement = launch::plane_displacement(module_, instruction.payload, kMostDisplacement);
  const auto load = [&](const auto& address, uint32_t bytes) {
    put("\tld.global.nc.b32 ", Int{instruction.first_result}, ", [", address);
    if (displacement && !is_indexed) put('+', bytes);
    end_line(']');
  };
  const auto load_from = [&](const auto& plane, uint32_t bytes) {
    if (!is_elsewhere) return load(plane, bytes);
    const Temp64 there = temp64();
    line("mad.wide.s32 ", there, ", ", Int{operand(instruction, 0)}, ", 4, ", plane);
    load(there, bytes);
  };
  constexpr std::string_view kInputs = "%inputs";
  if (!is_indexed && (displacement || instruction.payload == 0))
    return load_from(kInputs, displacement.value_or(0));
  const Temp64 address = temp64();
  if (is_indexed) {
    const Temp plane = temp();
    line("mad.lo.u32 ", plane, ", ", Int{operand(instruction, 0)}, ", 16, ", instruction.payload * 4);
    line("mad.wide.u32 ", address, ", ", plane, ", %count, %inputs");
  } else {
    line("mad.wide.u32 ", address, ", %count, ", instruction.payload * 4, ", %inputs");
  }
  load_from(address, 0);
}

void Interface::emit_output(const Instruction& instruction) {
  if (!is_stream()) return refuse(instruction, "an output register of a compute shader");
  if (instruction.has(ir::kIndexOperand)) return emit_indexed_output(instruction);
  const uint32_t reg = instruction.payload / 4;
  for (const ir::Parameter& parameter : module_.outputs) {
    if (parameter.reg != reg || ((parameter.mask >> (instruction.payload % 4)) & 1) == 0) continue;
    return line("mov.b32 %o", static_cast<uint32_t>(instruction.payload), ", ", Int{operand(instruction, 0)});
  }
  refuse(instruction, "an undeclared output");
}

// o[r#]: selects among the declared registers.
void Interface::emit_indexed_output(const Instruction& instruction) {
  const uint32_t base = instruction.payload / 4, component = instruction.payload % 4;
  for (const ir::Parameter& parameter : module_.outputs) {
    if (parameter.reg < base || parameter.reg >= ir::kSpecialRegister ||
        ((parameter.mask >> component) & 1) == 0)
      continue;
    const TempPred is = temp_pred();
    line("setp.eq.u32 ", is, ", ", Int{operand(instruction, 0)}, ", ", parameter.reg - base);
    put("\t@", is);
    line(" mov.b32 %o", parameter.reg * 4 + component, ", ", Int{operand(instruction, 1)});
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
  line(".reg .b64 %inputs, %outputs, %plane, %covered, %written, %offset");
  line(".reg .pred %live, %has");
  for (const ir::Parameter& parameter : module_.outputs) {
    for (uint32_t c = 0; c < 4; ++c) {
      if (((parameter.mask >> c) & 1) != 0) line(".reg .b32 %o", parameter.reg * 4 + c);
    }
  }
  load_pointer("%inputs", stream_head::kInputs);
  load_pointer("%outputs", stream_head::kOutputs);
  emit_element();
  if (module_.stage == ir::Stage::pixel) {
    emit_coverage();
    line("mov.u32 %lane, ", std::string_view("%laneid"));
    if (uses_.has_derivatives()) {
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
  for (const ir::Parameter& parameter : module_.outputs) {
    for (uint32_t c = 0; c < 4; ++c) {
      if (((parameter.mask >> c) & 1) != 0) line("mov.b32 %o", parameter.reg * 4 + c, ", 0");
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
  const std::string_view ctaid = "%ctaid.x", ntid = "%ntid.x", tid = "%tid.x";
  line("mov.u32 %element, ", ctaid);
  line("mov.u32 %lane, ", ntid);
  line("mul.lo.u32 %element, %element, %lane");
  line("mov.u32 %lane, ", tid);
  line("add.u32 %element, %element, %lane");
  if (!known.has_exact_threads()) {
    line("setp.lt.u32 %live, %element, %count");
    line("sub.u32 %lane, %count, 1");
    line("min.u32 %element, %element, %lane");
  } else if (uses_.tests_live()) {
    line("setp.eq.u32 %live, 0, 0");
  }
  line("mul.wide.u32 %offset, %element, 4");
  line("add.u64 %inputs, %inputs, %offset");
}

// Helpers must not write, and the shader may read what the host gives for its pixel.
void Interface::emit_coverage() {
  const bool has_helpers = module_.relied.launch.helper_lanes != false;
  if (!has_helpers && !uses_.reads_coverage()) return;
  load_pointer("%covered", stream_head::kCovered);
  line("setp.ne.u64 %has, %covered, 0");
  line("add.u64 %covered, %covered, %offset");
  line("mov.u32 %lane, 1");
  put("\t@%has ld.global.u32 %lane, [%covered];\n");
  if (has_helpers) line("setp.ne.and.u32 %live, %lane, 0, %live");
  if (!uses_.reads_coverage()) return;
  line(".reg .b32 %coverage");
  line("selp.b32 %coverage, %lane, 0x80000001, %has");
}

// The address of a plane is that of the one before plus %offset, or counted from the first one.
void Interface::emit_output_stores() {
  const std::pmr::vector<OutputPlane> planes = output_planes(module_);
  const std::string_view condition = uses_.tests_live() ? "@%live " : "";
  std::string_view before = "%outputs";
  for (size_t i = 0; i < planes.size(); ++i) {
    const uint32_t plane = planes[i].plane;
    if (const auto displacement = launch::plane_displacement(module_, plane, kMostDisplacement)) {
      line(condition, "st.global.b32 [%outputs+", *displacement, "], %o", planes[i].payload);
      continue;
    }
    std::string_view at = "%plane";
    if (plane == 0) {
      at = "%outputs";
    } else if (i != 0 && plane == planes[i - 1].plane + 1 && module_.relied.launch.elements == 0) {
      line("add.u64 %plane, ", before, ", %offset");
    } else {
      line("mad.wide.u32 %plane, %count, ", plane * 4, ", %outputs");
    }
    before = at;
    line(condition, "st.global.b32 [", at, "], %o", planes[i].payload);
  }
}

void Interface::end() {
  line("add.u64 %outputs, %outputs, %offset");
  if (module_.relied.launch.elements == 0) line("mul.wide.u32 %offset, %count, 4");
  emit_output_stores();
  if (module_.stage != ir::Stage::pixel || launch::writes_all_pixels(module_)) return;
  load_pointer("%written", stream_head::kWritten);
  line("setp.ne.and.u64 %has, %written, 0, %live");
  line("mul.wide.u32 %offset, %element, 4");
  line("add.u64 %written, %written, %offset");
  put("\t@%has st.global.u32 [%written], 1;\n");
}

}  // namespace texlate::ptx
