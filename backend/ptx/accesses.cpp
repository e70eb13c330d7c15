#include "backend/ptx/families.h"

namespace texlate::ptx {

using ir::Slot;

std::string_view atomic_name(ir::AtomicOp op) {
  static constexpr std::string_view kNames[] = {"add.u32", "and.b32", "or.b32",  "xor.b32",  "min.s32",
                                                "max.s32", "min.u32", "max.u32", "exch.b32", "cas.b32"};
  return kNames[static_cast<uint32_t>(op)];
}

void Accesses::preset_results(const Instruction& instruction, uint32_t count, bool is_conditional) {
  if (!is_conditional && !access(instruction).has(Slot::guard)) return;
  for (uint32_t i = 0; i < count; ++i) {
    const Value result = instruction.first_result + i;
    if (!is_used(result)) continue;
    const Value fallback = slot(instruction, Slot::fallback0 + i);
    if (fallback == ir::kNoValue) {
      line("mov.b32 ", Int{result}, ", 0");
    } else {
      line("mov.b32 ", Int{result}, ", ", Int{fallback});
    }
  }
}

Effect Accesses::effect_of(const Instruction& instruction) {
  Effect effect{slot(instruction, Slot::guard), uses_.tests_live};
  effect.is_both = uses_.tests_live && effect.guard != ir::kNoValue;
  if (effect.is_both) {
    effect.both = temp_pred();
    line("and.pred ", effect.both, ", ", Pred{effect.guard}, ", %live");
  }
  return effect;
}

std::array<Temp, 4> Accesses::load_constants(const Instruction& instruction, uint32_t first, uint32_t count) {
  std::array<Temp, 4> constants{};
  for (uint32_t i = 0; i < count; ++i) {
    const Value value = slot(instruction, Slot::value0 + first + i);
    if (!module_.is_constant(value)) continue;
    constants[i] = temp();
    line("mov.b32 ", constants[i], ", ", Int{value});
  }
  return constants;
}

void Accesses::put_stored(const Instruction& instruction, uint32_t first, uint32_t count,
                          const std::array<Temp, 4>* constants) {
  if (count > 1) put('{');
  for (uint32_t i = 0; i < count; ++i) {
    const Value value = slot(instruction, Slot::value0 + first + i);
    if (i != 0) put(", ");
    constants != nullptr&& module_.is_constant(value) ? put((*constants)[i]) : put(Int{value});
  }
  put(count > 1 ? "};\n" : ";\n");
}

void Accesses::put_condition(const Effect& effect) {
  put('\t');
  if (effect.is_conditional()) put('@', effect, ' ');
}

MemoryPlace Accesses::place_of(const Instruction& instruction) const {
  const Value offset = slot(instruction, Slot::byte_offset);
  return {slot(instruction, Slot::address), offset == ir::kNoValue ? 0 : module_.constant_bits(offset)};
}

// An atomic whose guard is false does nothing.
void Accesses::emit_global_atomic(const Instruction& instruction) {
  const ir::ResourceAccess& contract = access(instruction);
  const Effect effect = effect_of(instruction);
  const bool returns = is_used(instruction.first_result);
  preset_results(instruction, 1, effect.is_conditional());
  put_condition(effect);
  // red has no exchange and no compare.
  const bool reduction = !returns && contract.atomic != ir::AtomicOp::exchange &&
                         contract.atomic != ir::AtomicOp::compare_exchange;
  put(reduction ? "red.global." : "atom.global.", atomic_name(contract.atomic), ' ');
  if (!reduction) put(Int{instruction.first_result}, ", ");
  put('[', place_of(instruction), "], ");
  if (contract.atomic == ir::AtomicOp::compare_exchange) put(Int{slot(instruction, Slot::compare)}, ", ");
  put(Int{slot(instruction, Slot::value0)}, ";\n");
}

}  // namespace texlate::ptx
