// Float and integer arithmetic, conversions, comparisons, moves, bit operations (D3D11.3 22.10 to 22.13).

#include "frontend/lower/families.h"

namespace texlate::lower {

namespace {

using sm4::Instruction;
using sm4::Operand;
using sm4::OperandType;

/// The IR operation that does what a component-wise opcode does, operand for operand.
Op operation_of(Opcode opcode) {
  switch (opcode) {
    case Opcode::add: return Op::fadd;
    case Opcode::mul: return Op::fmul;
    case Opcode::div: return Op::fdiv;
    case Opcode::min: return Op::fmin;
    case Opcode::max: return Op::fmax;
    case Opcode::mad: return Op::ffma;
    case Opcode::exp: return Op::fexp2;
    case Opcode::log: return Op::flog2;
    case Opcode::rsq: return Op::frsq;
    case Opcode::rcp: return Op::frcp;
    case Opcode::sqrt: return Op::fsqrt;
    case Opcode::frc: return Op::ffrac;
    case Opcode::round_ne: return Op::frint;
    case Opcode::round_ni: return Op::ffloor;
    case Opcode::round_pi: return Op::fceil;
    case Opcode::round_z: return Op::ftrunc;
    // SM4's derivatives may be either kind; SM5 reads them as coarse (22.5.9).
    case Opcode::deriv_rtx:
    case Opcode::deriv_rtx_coarse: return Op::ddx_coarse;
    case Opcode::deriv_rty:
    case Opcode::deriv_rty_coarse: return Op::ddy_coarse;
    case Opcode::deriv_rtx_fine: return Op::ddx_fine;
    case Opcode::deriv_rty_fine: return Op::ddy_fine;
    case Opcode::iadd: return Op::iadd;
    case Opcode::imad:
    case Opcode::umad: return Op::imad;
    case Opcode::ineg: return Op::ineg;
    case Opcode::imin: return Op::imin;
    case Opcode::imax: return Op::imax;
    case Opcode::umin: return Op::umin;
    case Opcode::umax: return Op::umax;
    case Opcode::and_: return Op::and_;
    case Opcode::or_: return Op::or_;
    case Opcode::xor_: return Op::xor_;
    case Opcode::not_: return Op::not_;
    case Opcode::ishl: return Op::shl;
    case Opcode::ishr: return Op::ishr;
    case Opcode::ushr: return Op::ushr;
    case Opcode::ubfe: return Op::ubfe;
    case Opcode::ibfe: return Op::ibfe;
    case Opcode::bfi: return Op::bfi;
    case Opcode::bfrev: return Op::bitrev;
    case Opcode::countbits: return Op::popcount;
    case Opcode::firstbit_hi: return Op::firstbit_hi;
    case Opcode::firstbit_lo: return Op::firstbit_lo;
    case Opcode::firstbit_shi: return Op::firstbit_shi;
    case Opcode::msad: return Op::msad;
    case Opcode::f32tof16: return Op::f32tof16;
    case Opcode::ftoi: return Op::ftoi;
    case Opcode::ftou: return Op::ftou;
    case Opcode::itof: return Op::itof;
    case Opcode::utof: return Op::utof;
    case Opcode::eq: return Op::feq;
    case Opcode::ne: return Op::fne;
    case Opcode::lt: return Op::flt;
    case Opcode::ge: return Op::fge;
    case Opcode::ieq: return Op::ieq;
    case Opcode::ine: return Op::ine;
    case Opcode::ilt: return Op::ilt;
    case Opcode::ige: return Op::ige;
    case Opcode::ult: return Op::ult;
    case Opcode::uge: return Op::uge;
    default: return Op::return_;
  }
}

/// Float operands negate by sign, integer ones by two's complement. Untyped moves count as float: `mov r0,
/// -r1`.
Reading reading_of(const Instruction& instruction, uint32_t operand) {
  const OperandType type = sm4::info(instruction.opcode).types[operand];
  return type == OperandType::signed_ || type == OperandType::unsigned_ ? Reading::integer : Reading::float_;
}

/// Applies the operation lane by lane to sources 1.. of the instruction.
Lanes apply(Lowering& lowering, const Instruction& instruction, uint8_t mask) {
  constexpr uint32_t kMaxSources = 4;
  const Op op = operation_of(instruction.opcode);
  const uint32_t sources = instruction.operand_count - 1u;
  std::array<Lanes, kMaxSources> values;
  for (uint32_t i = 0; i < sources; ++i) {
    values[i] = lowering.load(lowering.operand(instruction, i + 1), mask, reading_of(instruction, i + 1));
  }
  Lanes results = kNoLanes;
  for (uint32_t lane = 0; lane < 4; ++lane) {
    if (((mask >> lane) & 1) == 0) continue;
    std::array<Value, kMaxSources> operands;
    for (uint32_t i = 0; i < sources; ++i) operands[i] = values[i][lane];
    lowering.begin_lane(instruction, lane);
    results[lane] = lowering.builder.emit(op, std::span<const Value>(operands.data(), sources));
  }
  lowering.builder.set_flags(0);
  return results;
}

/// Both results of an opcode with two destinations, for one lane.
std::array<Value, 2> two_results(Lowering& lowering, Opcode opcode, Value a, Value b) {
  switch (opcode) {
    case Opcode::imul: return {lowering.emit(Op::imulhi, {a, b}), lowering.emit(Op::imul, {a, b})};
    case Opcode::umul: return {lowering.emit(Op::umulhi, {a, b}), lowering.emit(Op::imul, {a, b})};
    case Opcode::udiv: return {lowering.emit(Op::udiv, {a, b}), lowering.emit(Op::urem, {a, b})};
    case Opcode::uaddc: {
      const Value sum = lowering.emit(Op::iadd, {a, b});
      const Value carry = lowering.emit(Op::ult, {sum, a});
      return {sum, lowering.emit(Op::select, {carry, lowering.constant(1), lowering.constant(0)})};
    }
    case Opcode::usubb: {
      const Value borrow = lowering.emit(Op::ult, {a, b});
      return {lowering.emit(Op::isub, {a, b}),
              lowering.emit(Op::select, {borrow, lowering.constant(1), lowering.constant(0)})};
    }
    default: return {lowering.emit(Op::fsin, {a}), lowering.emit(Op::fcos, {a})};  // sincos
  }
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
  // The order and fusing of the sum are free (D3D11.3 22.10.2); x first, fused, is as exact as any.
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
  for (uint32_t lane = 0; lane < 4; ++lane) {
    if (((mask >> lane) & 1) == 0) continue;
    const Value test = lowering.emit(Op::ine, {condition[lane], lowering.constant(0)});
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
    const Value test = lowering.emit(Op::ine, {condition[lane], lowering.constant(0)});
    to_first[lane] = lowering.emit(Op::select, {test, b[lane], a[lane]});
    to_second[lane] = lowering.emit(Op::select, {test, a[lane], b[lane]});
  }
  lowering.store(instruction, first, to_first);
  lowering.store(instruction, second, to_second);
}

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
    const auto results = two_results(lowering, instruction.opcode, a[lane], b[lane]);
    to_first[lane] = results[0];
    to_second[lane] = results[1];
  }
  lowering.store(instruction, first, to_first);
  lowering.store(instruction, second, to_second);
}

void lower_f16tof32(Lowering& lowering, const Instruction& instruction) {
  // `-` and `|x|` act on the float that comes out, not on the integer register (dxilconv's reading of the
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

// abort and debug_break speak to the debug layer alone (D3D11.3 22.19): without it they do nothing.
void lower_nop(Lowering&, const Instruction&) {}

}  // namespace texlate::lower
