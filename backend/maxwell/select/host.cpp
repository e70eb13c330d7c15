#include "backend/maxwell/select/host.h"

namespace texlate::maxwell::select {

void Host::begin() {
  assembler_.builder().begin(assembler_.builder().block());
}

void Host::select_thread_value(const ir::Instruction& instruction) {
  const auto value = static_cast<ir::SystemValue>(instruction.payload / 4);
  const uint32_t component = instruction.payload % 4;
  const Value result = instruction.first_result;
  if (component > 2) return define(result, Source::immediate(0));
  const auto thread = [&](uint32_t axis) {
    // If the group has one thread along an axis, the number along it is always 0.
    return module_.thread_group[axis] == 1
               ? Source::immediate(0)
               : Source::of(special_register(kThreadId + static_cast<int32_t>(axis)));
  };
  const auto scaled = [&](const Source& number, uint32_t factor, const Source& addend) {
    if (number.is_immediate(0)) return addend;
    const Source& plain = addend.is_immediate(0) ? addend : Source::of(assembler_.reg(addend));
    return emit_source({Opcode::xmad, {Arg(), number, Source::immediate(factor), plain}});
  };
  switch (value) {
    case ir::SystemValue::thread_group_id:
      return define(result, special_register(kGroupId + static_cast<int32_t>(component)));
    case ir::SystemValue::thread_id_in_group: return define(result, thread(component));
    // A dispatch has at most 65,535 groups along an axis (D3D11.3 functional specification 18.6.2), so one
    // product of 16 bits is enough.
    case ir::SystemValue::thread_id: {
      const Source group = Source::of(special_register(kGroupId + static_cast<int32_t>(component)));
      const Source within = thread(component);
      return define(result, scaled(group, module_.thread_group[component], within));
    }
    case ir::SystemValue::thread_id_in_group_flattened: {
      const Source z = thread(2), y = thread(1), x = thread(0);
      return define(result, scaled(scaled(z, module_.thread_group[1], y), module_.thread_group[0], x));
    }
    default: return refuse(instruction, "this system value");
  }
}

// sync_g and sync_ugroup fence the group, sync_uglobal the device; _t is the barrier itself. The fences are
// those of ptxas (docs/reference/maxwell.md 8): after the barrier, so that no access that follows comes
// before it, and with invalidation of the first-level cache where other groups' stores are to be seen.
void Host::select_barrier(const ir::Instruction& instruction) {
  const auto fence = [this](MembarLevel level, Invalidate invalidate) {
    emit({Opcode::membar, {}, {{Modifier::membar_level, level}, {Modifier::invalidate, invalidate}}}).effect =
        machine::Effect::barrier;
  };
  const bool threads = (instruction.payload & ir::kBarrierThreads) != 0;
  if ((instruction.payload & ir::kBarrierUavGlobal) != 0) {
    fence(MembarLevel::gl, Invalidate::ivalld);
  } else if ((instruction.payload & ir::kBarrierUavGroup) != 0 ||
             ((instruction.payload & ir::kBarrierShared) != 0 && !threads)) {
    // Before a barrier, too: what ptxas omits there says nothing of surfaces, which are outside PTX's memory
    // consistency model (PTX ISA 8.1).
    fence(MembarLevel::cta, Invalidate::none);
  }
  if (!threads) return;
  // Barrier 0, all threads of the block: both are immediates.
  maxwell::Instruction code = make_instruction(Opcode::bar_sync, Shape::reg, 3);
  assembler_.append(code, {}).effect = machine::Effect::barrier;
  fence(MembarLevel::cta, Invalidate::none);
}

void Host::select_interface(const ir::Instruction& instruction) {
  switch (instruction.op) {
    case Op::input:
    case Op::patch_input:
    case Op::output_control_point:
    case Op::eval_centroid: return select_input(instruction);
    case Op::output:
    case Op::patch_output: return select_output(instruction);
    case Op::system_value:
      if (!is_stream()) return select_thread_value(instruction);
      return select_stream_value(instruction, static_cast<ir::SystemValue>(instruction.payload / 4));
    case Op::discard: return state_.set_live(effective(!predicate(operand(instruction, 0))));
    case Op::barrier: return select_barrier(instruction);
    case Op::message: return;  // for a host's log, which there is none of
    case Op::cycle_counter:
      for (uint32_t i = 0; i < 2; ++i) {
        const MachineValue clock = special_register(kClockLow + static_cast<int32_t>(i), false);
        assembler_.function().instructions.back().effect = machine::Effect::read;
        define(instruction.first_result + i, clock);
      }
      return;
    case Op::raster_samples:
      if (!is_stream()) return refuse(instruction, "the render target of a compute shader");
      return select_raster_samples(instruction);
    case Op::emit:
    case Op::cut: return select_emission(instruction);
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
