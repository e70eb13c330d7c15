// Float and integer arithmetic, conversions, comparisons, moves, bit operations (D3D11.3 22.6, 22.9
// to 22.13).

#include <bit>

#include "frontend/lower/families.h"
#include "frontend/lower/operations.h"

namespace texlate::lower {

namespace {

using sm4::Instruction;
using sm4::Operand;
using sm4::OperandType;

constexpr auto kOperations = by_opcode(kComponentwise, kCompare);

/// By opcode, one bit for each operand: float operands are negated by sign, integer operands by two's
/// complement. Untyped moves are treated as float: `mov r0, -r1`.
constexpr std::array<uint16_t, sm4::kOpcodeLimit> kIntegerOperands = [] {
  std::array<uint16_t, sm4::kOpcodeLimit> table{};
  static_assert(sm4::kMaxOperands <= 16);
  for (uint32_t i = 0; i < sm4::kOpcodeLimit; ++i) {
    const auto& types = sm4::kOpcodeTable[i].types;
    for (uint32_t o = 0; o < types.size(); ++o) {
      const bool is_integer = types[o] == OperandType::signed_ || types[o] == OperandType::unsigned_;
      table[i] |= static_cast<uint16_t>((is_integer ? 1u : 0u) << o);
    }
  }
  return table;
}();
Reading reading_of(const Instruction& instruction, uint32_t operand) {
  const uint32_t integers = kIntegerOperands[static_cast<uint32_t>(instruction.opcode)];
  return (integers >> operand & 1) != 0 ? Reading::integer : Reading::float_;
}

/// Applies the operation lane by lane to sources 1.. of the instruction.
Lanes apply(Lowering& lowering, const Instruction& instruction, uint8_t mask) {
  constexpr uint32_t kMaxSources = 4;
  const Op op = kOperations[static_cast<uint32_t>(instruction.opcode)];
  const uint32_t sources = instruction.operand_count - 1u;
  std::array<Lanes, kMaxSources> values;
  for (uint32_t i = 0; i < sources; ++i) {
    values[i] = lowering.load(lowering.operand(instruction, i + 1), mask, reading_of(instruction, i + 1));
  }
  return lowering.builder.emit_lanes(op, std::span<const Lanes>(values.data(), sources), mask,
                                     instruction.precise_mask());
}

using TwoResults = std::array<Value, 2>;

// The same for one lane.
TwoResults sincos(Lowering& lowering, Value a, Value) {
  return {lowering.emit(Op::fsin, {a}), lowering.emit(Op::fcos, {a})};
}
TwoResults imul(Lowering& lowering, Value a, Value b) {
  return {lowering.emit(Op::imulhi, {a, b}), lowering.emit(Op::imul, {a, b})};
}
TwoResults umul(Lowering& lowering, Value a, Value b) {
  return {lowering.emit(Op::umulhi, {a, b}), lowering.emit(Op::imul, {a, b})};
}
TwoResults udiv(Lowering& lowering, Value a, Value b) {
  return {lowering.emit(Op::udiv, {a, b}), lowering.emit(Op::urem, {a, b})};
}
TwoResults uaddc(Lowering& lowering, Value a, Value b) {
  const Value sum = lowering.emit(Op::iadd, {a, b});
  const Value carry = lowering.emit(Op::ult, {sum, a});
  return {sum, lowering.emit(Op::select, {carry, lowering.constant(1), lowering.constant(0)})};
}
TwoResults usubb(Lowering& lowering, Value a, Value b) {
  const Value borrow = lowering.emit(Op::ult, {a, b});
  return {lowering.emit(Op::isub, {a, b}),
          lowering.emit(Op::select, {borrow, lowering.constant(1), lowering.constant(0)})};
}

}  // namespace

void lower_componentwise(Lowering& lowering, const Instruction& instruction) {
  const Operand& destination = lowering.operand(instruction, 0);
  lowering.store(instruction, destination, apply(lowering, instruction, destination.write_mask()));
}

void lower_compare(Lowering& lowering, const Instruction& instruction) {
  const Operand& destination = lowering.operand(instruction, 0);
  Lanes results = apply(lowering, instruction, destination.write_mask());
  for (Value& lane : results) {
    if (lane != ir::kNoValue) lane = lowering.emit(Op::mask, {lane});
  }
  lowering.store(instruction, destination, results);
}

void lower_dot(Lowering& lowering, const Instruction& instruction) {
  const uint32_t count = instruction.opcode == Opcode::dp2 ? 2 : instruction.opcode == Opcode::dp3 ? 3 : 4;
  const uint8_t mask = static_cast<uint8_t>((1u << count) - 1u);
  const Lanes a = lowering.load(lowering.operand(instruction, 1), mask, Reading::float_);
  const Lanes b = lowering.load(lowering.operand(instruction, 2), mask, Reading::float_);
  // Order and fusing of the sum are free (D3D11.3 3.1.3.2). x first, fused, is as exact as any other.
  if (instruction.precise_mask() != 0) lowering.builder.set_flags(ir::kPrecise);
  Value sum = lowering.emit(Op::fmul, {a[0], b[0]});
  for (uint32_t i = 1; i < count; ++i) sum = lowering.emit(Op::ffma, {a[i], b[i], sum});
  lowering.store(instruction, lowering.operand(instruction, 0), {sum, sum, sum, sum});
}

void lower_mov(Lowering& lowering, const Instruction& instruction) {
  const Operand& destination = lowering.operand(instruction, 0);
  lowering.store(instruction, destination,
                 lowering.load(lowering.operand(instruction, 1), destination.write_mask(), Reading::float_));
}

void lower_movc(Lowering& lowering, const Instruction& instruction) {
  const Operand& destination = lowering.operand(instruction, 0);
  const uint8_t mask = destination.write_mask();
  const Lanes condition = lowering.load(lowering.operand(instruction, 1), mask, Reading::integer);
  const Lanes chosen = lowering.load(lowering.operand(instruction, 2), mask, Reading::float_);
  const Lanes other = lowering.load(lowering.operand(instruction, 3), mask, Reading::float_);
  Lanes results = kNoLanes;
  const Value zero = lowering.constant(0);
  for (uint32_t lane = 0; lane < 4; ++lane) {
    if (((mask >> lane) & 1) == 0) continue;
    const Value test = lowering.builder.emit_test(condition[lane], zero);
    results[lane] = lowering.emit(Op::select, {test, chosen[lane], other[lane]});
  }
  lowering.store(instruction, destination, results);
}

void lower_swapc(Lowering& lowering, const Instruction& instruction) {
  const Operand& first = lowering.operand(instruction, 0);
  const Operand& second = lowering.operand(instruction, 1);
  const uint8_t mask = static_cast<uint8_t>((first.write_mask() | second.write_mask()) & 0xf);
  const Lanes condition = lowering.load(lowering.operand(instruction, 2), mask, Reading::integer);
  const Lanes a = lowering.load(lowering.operand(instruction, 3), mask, Reading::float_);
  const Lanes b = lowering.load(lowering.operand(instruction, 4), mask, Reading::float_);
  Lanes to_first = kNoLanes;
  Lanes to_second = kNoLanes;
  for (uint32_t lane = 0; lane < 4; ++lane) {
    if (((mask >> lane) & 1) == 0) continue;
    const Value test = lowering.builder.emit_test(condition[lane], lowering.constant(0));
    to_first[lane] = lowering.emit(Op::select, {test, b[lane], a[lane]});
    to_second[lane] = lowering.emit(Op::select, {test, a[lane], b[lane]});
  }
  const Value index = lowering.load_destination_index(second);
  lowering.store(instruction, first, to_first);
  lowering.store(instruction, second, to_second, index);
}

template <TwoResults (*kResults)(Lowering&, Value, Value)>
void lower_two_results(Lowering& lowering, const Instruction& instruction) {
  const Operand& first = lowering.operand(instruction, 0);
  const Operand& second = lowering.operand(instruction, 1);
  auto mask_of = [](const Operand& operand) {
    return operand.file == sm4::RegisterFile::null ? uint8_t{0} : operand.write_mask();
  };
  const uint8_t mask = mask_of(first) | mask_of(second);
  const Lanes a = lowering.load(lowering.operand(instruction, 2), mask, reading_of(instruction, 2));
  const Lanes b = instruction.operand_count > 3
                      ? lowering.load(lowering.operand(instruction, 3), mask, reading_of(instruction, 3))
                      : kNoLanes;
  Lanes to_first = kNoLanes;
  Lanes to_second = kNoLanes;
  for (uint32_t lane = 0; lane < 4; ++lane) {
    if (((mask >> lane) & 1) == 0) continue;
    lowering.begin_lane(instruction, lane);
    const auto results = kResults(lowering, a[lane], b[lane]);
    to_first[lane] = results[0];
    to_second[lane] = results[1];
  }
  const Value index = lowering.load_destination_index(second);
  lowering.store(instruction, first, to_first);
  lowering.store(instruction, second, to_second, index);
}

void lower_sincos(Lowering& lowering, const Instruction& instruction) {
  lower_two_results<sincos>(lowering, instruction);
}
void lower_imul(Lowering& lowering, const Instruction& instruction) {
  lower_two_results<imul>(lowering, instruction);
}
void lower_umul(Lowering& lowering, const Instruction& instruction) {
  lower_two_results<umul>(lowering, instruction);
}
void lower_udiv(Lowering& lowering, const Instruction& instruction) {
  lower_two_results<udiv>(lowering, instruction);
}
void lower_uaddc(Lowering& lowering, const Instruction& instruction) {
  lower_two_results<uaddc>(lowering, instruction);
}
void lower_usubb(Lowering& lowering, const Instruction& instruction) {
  lower_two_results<usubb>(lowering, instruction);
}

void lower_f16tof32(Lowering& lowering, const Instruction& instruction) {
  // `-` and `|x|` apply to the resulting float, not to the integer register (dxilconv's interpretation of the
  // modifiers).
  const Operand& destination = lowering.operand(instruction, 0);
  const Operand& source = lowering.operand(instruction, 1);
  Lanes lanes = lowering.load_raw(source, destination.write_mask());
  for (Value& lane : lanes) {
    if (lane == ir::kNoValue) continue;
    lane = lowering.emit(Op::f16tof32, {lane});
    if (source.modifier == sm4::OperandModifier::absolute ||
        source.modifier == sm4::OperandModifier::negate_absolute) {
      lane = lowering.emit(Op::fabs, {lane});
    }
    if (source.modifier == sm4::OperandModifier::negate ||
        source.modifier == sm4::OperandModifier::negate_absolute) {
      lane = lowering.emit(Op::fneg, {lane});
    }
  }
  lowering.store(instruction, destination, lanes);
}

void lower_nop(Lowering&, const Instruction&) {}

}  // namespace texlate::lower
