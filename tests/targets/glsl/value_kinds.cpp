#include "tests/targets/glsl/value_kinds.h"

#include <bit>

namespace texlate::glsl {

using ir::Instruction;
using ir::Op;
using ir::Slot;
using ir::SystemValue;
using ir::Value;

namespace {

constexpr uint32_t kNoIndex = ir::Structure::kNoIndex;

char letter_at(std::string_view letters, uint32_t position) {
  const size_t star = letters.find('*');
  return letters[star == std::string_view::npos ? position : std::min<size_t>(position, star - 1)];
}

Slot slot_at(const ir::ResourceAccess& access, uint32_t position) {
  uint32_t rest = access.slots;
  for (uint32_t i = 0; i < position; ++i) rest &= rest - 1;
  return static_cast<Slot>(std::countr_zero(rest));
}

Kind access_operand(const ir::Module& module, const Instruction& instruction, uint32_t position) {
  const ir::ResourceAccess& access = module.access_of(instruction);
  const Slot slot = slot_at(access, position);
  const bool samples =
      instruction.op == Op::tex_sample || instruction.op == Op::tex_gather || instruction.op == Op::tex_lod;
  if (slot == Slot::guard) return Kind::boolean;
  if (slot <= Slot::fallback3 || (slot >= Slot::value0 && slot <= Slot::value3))
    return access.compare ? Kind::float_ : texel_kind(module, access);
  if (slot == Slot::layer) return samples && !access.layer_is_integer ? Kind::float_ : Kind::uint;
  if (slot <= Slot::coordinate2 || slot == Slot::lod) return samples ? Kind::float_ : Kind::uint;
  const bool is_gradient = slot >= Slot::ddx0 && slot <= Slot::ddy2;
  return is_gradient || slot == Slot::reference || slot == Slot::lod_clamp ? Kind::float_ : Kind::uint;
}

const ir::Parameter* find(std::span<const ir::Parameter> parameters, uint32_t payload) {
  for (const ir::Parameter& parameter : parameters) {
    if (parameter.reg == payload / 4 && ((parameter.mask >> payload % 4) & 1) != 0) return &parameter;
  }
  return nullptr;
}

/// Of a result whose letter is w.
Kind varying_result(const ir::Module& module, const Instruction& instruction) {
  if (ir::info(instruction.op).has(ir::kResource)) {
    const bool is_float = instruction.op == Op::tex_lod || module.access_of(instruction).compare;
    return is_float ? Kind::float_ : texel_kind(module, module.access_of(instruction));
  }
  if (instruction.op != Op::input) return Kind::uint;
  const ir::Parameter* const parameter = find(module.inputs, instruction.payload);
  return parameter != nullptr ? register_kind(*parameter) : Kind::float_;
}

}  // namespace

std::string_view scalar_type(Kind kind) {
  return kind == Kind::float_ ? "float" : kind == Kind::uint ? "uint" : "bool";
}
std::string_view vector_prefix(Kind kind) {
  return kind == Kind::float_ ? "" : "u";
}

Kind texel_kind(const ir::Module& module, const ir::ResourceAccess& access) {
  const ir::ComponentType type = module.resources[access.resource].component_types[0];
  return type == ir::ComponentType::uint || type == ir::ComponentType::sint ? Kind::uint : Kind::float_;
}

Kind register_kind(const ir::Parameter& parameter) {
  if (parameter.system_value == SystemValue::position || parameter.system_value == SystemValue::depth)
    return Kind::float_;
  if (parameter.system_value != SystemValue::none) return Kind::uint;
  return parameter.component_type == 1 || parameter.component_type == 2 ? Kind::uint : Kind::float_;
}

Kind operand_kind(const ir::Module& module, const Instruction& instruction, uint32_t position, Kind passed) {
  const ir::OpInfo& info = ir::info(instruction.op);
  if (instruction.has(ir::kGuarded) && position + 1 == instruction.operand_count) return Kind::boolean;
  switch (letter_at(info.operands, position)) {
    case 'p': return Kind::boolean;
    case 'f': return Kind::float_;
    case 'i': return Kind::uint;
    case 'w':
      if (info.has(ir::kResource)) return access_operand(module, instruction, position);
      if (instruction.op != Op::output) return passed;
      if (const ir::Parameter* const parameter = find(module.outputs, instruction.payload))
        return register_kind(*parameter);
      return Kind::float_;
    default: return passed;
  }
}

uint32_t receiver_of(const ir::Module& module, const ir::Structure& structure, uint32_t instruction) {
  switch (module.code[instruction].op) {
    case Op::else_:
    case Op::break_: return structure.of(instruction).end;
    case Op::endif:
    case Op::loop: return instruction;
    case Op::continue_:
    case Op::endloop: return structure.of(instruction).marker;
    default: return kNoIndex;
  }
}

// Backwards, so that the users of a value have decided before it. What a loop passes to its next iteration
// has no say.
ValueKinds find_kinds(const ir::Module& module, const ir::Structure& structure) {
  auto* const memory = module.memory();
  const auto kinds_of = [&](size_t count) { return std::pmr::vector<Kind>(count, Kind::uint, memory); };
  ValueKinds kinds{kinds_of(module.values.size()), kinds_of(module.constant_buffers.size())};
  std::pmr::vector<int32_t> votes(module.values.size(), 0, memory);
  for (uint32_t i = static_cast<uint32_t>(module.code.size()); i-- != 0;) {
    const Instruction& instruction = module.code[i];
    for (uint32_t r = 0; r < instruction.result_count; ++r) {
      const Value result = instruction.first_result + r;
      const char letter = letter_at(ir::info(instruction.op).results, r);
      Kind kind = votes[result] > 0 ? Kind::float_ : Kind::uint;
      if (letter == 'f') kind = Kind::float_;
      if (letter == 'i') kind = Kind::uint;
      if (letter == 'w') kind = varying_result(module, instruction);
      if (module.values[result].type == ir::Type::b1) kind = Kind::boolean;
      kinds.of[result] = kind;
    }
    const uint32_t receiver = receiver_of(module, structure, i);
    for (uint32_t o = 0; o < instruction.operand_count; ++o) {
      if (receiver != kNoIndex && receiver < i) break;
      const Value from =
          receiver != kNoIndex ? module.code[receiver].first_result + o : instruction.first_result;
      const bool passes = receiver != kNoIndex || instruction.op == Op::select;
      const Kind kind = operand_kind(module, instruction, o, passes ? kinds.of[from] : Kind::boolean);
      if (kind != Kind::boolean) votes[module.operands_of(instruction)[o]] += kind == Kind::float_ ? 1 : -1;
    }
  }
  // A buffer whose rows someone wants as floats has floats, for all of its loads.
  const auto for_each_word = [&](auto visit) {
    for (const Instruction& load : module.code) {
      for (uint32_t r = 0; load.op == Op::cb_load && r < load.result_count; ++r)
        visit(kinds.constant_buffers[load.payload], load.first_result + r);
    }
  };
  for_each_word([&](Kind& words, Value result) { words = votes[result] > 0 ? Kind::float_ : words; });
  for_each_word([&](Kind& words, Value result) { kinds.of[result] = words; });
  return kinds;
}

}  // namespace texlate::glsl
