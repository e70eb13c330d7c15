#include "ir/passes/legalize_arithmetic.h"

#include <algorithm>
#include <bit>
#include <iterator>

#include "ir/base/zeroed.h"
#include "ir/builder.h"
#include "ir/passes/divide_doubles.h"
#include "ir/passes/divide_floats.h"
#include "ir/passes/divide_integers.h"
#include "ir/passes/fuse_doubles.h"
#include "ir/passes/known_values.h"

namespace texlate::ir {

namespace {

constexpr bool changes_sign(Op op) {
  return op == Op::fneg || op == Op::fabs || op == Op::dneg || op == Op::dabs;
}

/// Does the operation read its operands as numbers, so that any NaN will do? The words of a double are bits:
/// the upper word of infinity is a NaN as a float.
constexpr bool takes_any_nan(Op op) {
  const bool moves_bits = op == Op::pack64 || op == Op::unpack64 || changes_sign(op);
  const bool doubles = info(op).family == Family::float64 && !moves_bits;
  return doubles || info(op).has(kFlushesInputs);
}

class ArithmeticLegalizer {
 public:
  ArithmeticLegalizer(Module& module, const ArithmeticTable& table, std::pmr::vector<ClosedGap>* report,
                      Value source_values)
      : module_(module),
        table_(table),
        report_(report),
        source_values_(source_values),
        scratch_(module.memory()),
        known_(module, scratch_, KnownValues::Counters::skipped,
               table.pixels_are_on_screen ? KnownValues::Positions::on_screen : KnownValues::Positions::any),
        code_(module.memory()),
        builder_(module, code_) {}

  bool run() {
    find_bit_uses();
    const std::span<const Instruction> code = module_.code;
    const auto has_gap = [this](Op op) { return table_.gaps[static_cast<uint32_t>(op)] != 0; };
    size_t next = 0;
    for (;;) {
      const size_t first = next;
      while (next < code.size() && !has_gap(code[next].op)) ++next;
      if (next == code.size() && first == 0) return false;
      if (first == 0) code_.reserve(code.size() + code.size() / 4);
      code_.append(code.subspan(first, next - first));
      if (next == code.size()) break;
      const Instruction& instruction = code[next++];
      const size_t before = code_.size();
      builder_.set_location(instruction);
      builder_.set_flags(instruction.flags);
      legalize(instruction, table_.gaps[static_cast<uint32_t>(instruction.op)]);
      changed_ |= code_.size() != before + 1;
    }
    module_.code.swap(code_);
    return changed_;
  }

 private:
  /// Finds the sign changes whose results are read as bits, that is by anything except float arithmetic and
  /// sign changes that are not read as bits themselves.
  void find_bit_uses() {
    const std::span<const Instruction> code = module_.code;
    const auto is_legalized = [this](Op op) {
      return changes_sign(op) && table_.gaps[static_cast<uint32_t>(op)] != 0;
    };
    size_t first = 0;
    while (first < code.size() && !is_legalized(code[first].op)) ++first;
    if (first == code.size()) return;
    bit_use_ = zeroed<uint8_t>(scratch_, module_.values.size());
    for (size_t i = code.size(); i-- > first;) {
      const Instruction& user = code[i];
      if (takes_any_nan(user.op)) continue;
      if (changes_sign(user.op) && bit_use_[user.first_result] == 0) continue;
      for (const Value operand : module_.operands_of(user)) bit_use_[operand] = 1;
    }
  }

  using Rule = void (ArithmeticLegalizer::*)(const Instruction&, uint32_t gaps);

  /// Null for operations without a contract.
  static constexpr Rule rule_of(Op op) {
    switch (op) {
      case Op::udiv:
      case Op::urem: return &ArithmeticLegalizer::legalize_division;
      case Op::shl:
      case Op::ishr:
      case Op::ushr: return &ArithmeticLegalizer::legalize_shift;
      case Op::ubfe:
      case Op::ibfe:
      case Op::bfi: return &ArithmeticLegalizer::legalize_field;
      case Op::firstbit_lo:
      case Op::firstbit_hi:
      case Op::firstbit_shi: return &ArithmeticLegalizer::expand_first_bit;
      case Op::msad: return &ArithmeticLegalizer::expand_differences;
      case Op::ffrac: return &ArithmeticLegalizer::legalize_fraction;
      case Op::ftoi:
      case Op::ftou: return &ArithmeticLegalizer::legalize_conversion;
      case Op::dtoi:
      case Op::dtou: return &ArithmeticLegalizer::legalize_double_conversion;
      case Op::fdiv: return &ArithmeticLegalizer::expand_float_division;
      case Op::ddiv:
      case Op::drcp: return &ArithmeticLegalizer::expand_double_division;
      case Op::dfma: return &ArithmeticLegalizer::legalize_double_fma;
      case Op::f32tof16: return &ArithmeticLegalizer::expand_half;
      case Op::f16tof32: return &ArithmeticLegalizer::legalize_half_denormal;
      case Op::fneg:
      case Op::fabs:
      case Op::dneg:
      case Op::dabs: return &ArithmeticLegalizer::legalize_sign;
      case Op::fsin:
      case Op::fcos: return &ArithmeticLegalizer::legalize_angle;
      case Op::fmin:
      case Op::fmax:
      case Op::dmin:
      case Op::dmax: return &ArithmeticLegalizer::legalize_extreme;
      default: return nullptr;
    }
  }

  void legalize(const Instruction& instruction, uint32_t gaps) {
    constexpr bool is_complete =
        std::all_of(std::begin(kArithmeticContracts), std::end(kArithmeticContracts),
                    [](const ArithmeticContract& contract) { return rule_of(contract.op) != nullptr; });
    static_assert(is_complete, "an operation that has a contract has no rule here");
    (this->*rule_of(instruction.op))(instruction, gaps);
  }

  // ---- division (D3D11.3 22.12.9): by 0, quotient and remainder are 0xffffffff ----

  void legalize_division(const Instruction& instruction, uint32_t gaps) {
    const Value dividend = operand(instruction, 0);
    const Value divisor = operand(instruction, 1);
    if (!promises(instruction, kNative)) return expand_division(instruction);
    if ((gaps & kZeroDivisor) == 0 || known_.of(divisor).nonzero) return builder_.append(instruction);
    closed(instruction, Gap::zero_divisor);
    const bool harmless = promises(instruction, kZeroHarmless);
    const Value by = harmless ? divisor : emit(Op::umax, {divisor, word(1)});
    const Value quotient = emit(instruction.op, {dividend, by});
    conclude(instruction, Op::select, {emit(Op::ine, {divisor, word(0)}), quotient, word(kAllOnes)});
  }

  // Newton's method on the reciprocal in fixed point, 2^32 / d within a few units: a float reciprocal made a
  // little too small, one step, then at most two corrections of the quotient. The step requires an estimate
  // that is not above 2^32 / d. As a float, 2^32 / d is the reciprocal with 32 added to its exponent. The
  // conversion of d may make it one unit in the last place too large, and frcp another one and a half (1 ULP
  // in addition to rounding): three units are subtracted.
  void expand_division(const Instruction& instruction) {
    const Value dividend = operand(instruction, 0);
    const Value divisor = operand(instruction, 1);
    closed(instruction, Gap::expansion);
    const bool wants_quotient = instruction.op == Op::udiv;
    if (module_.is_constant(divisor) && !module_.is_constant(divisor, 0))
      return divide_by_constant(instruction, module_.constant_bits(divisor));
    const Value reciprocal = emit(Op::frcp, {emit(Op::utof, {divisor})});
    const Value estimate = emit(Op::ftou, {emit(Op::iadd, {reciprocal, word((32u << 23) - 3)})});
    const Value error = emit(Op::imul, {emit(Op::ineg, {divisor}), estimate});
    const Value inverse = emit(Op::iadd, {estimate, emit(Op::umulhi, {estimate, error})});
    Value quotient = emit(Op::umulhi, {dividend, inverse});
    Value rest = emit(Op::isub, {dividend, emit(Op::imul, {quotient, divisor})});
    for (int correction = 0; correction < 2; ++correction) {
      const Value too_small = emit(Op::uge, {rest, divisor});
      if (wants_quotient)
        quotient = emit(Op::select, {too_small, emit(Op::iadd, {quotient, word(1)}), quotient});
      if (!wants_quotient || correction == 0)
        rest = emit(Op::select, {too_small, emit(Op::isub, {rest, divisor}), rest});
    }
    const bool nonzero = known_.of(divisor).nonzero;  // the size of a mip
    const Value is_defined = nonzero ? module_.constant_b1(true) : emit(Op::ine, {divisor, word(0)});
    conclude(instruction, Op::select, {is_defined, wants_quotient ? quotient : rest, word(kAllOnes)});
  }

  void divide_by_constant(const Instruction& instruction, uint32_t divisor) {
    const Value dividend = operand(instruction, 0);
    const auto [high, shift] = ir::divide_by_constant(
        module_, dividend, divisor,
        [&](Op op, std::initializer_list<Value> operands) { return emit(op, operands); });
    if (instruction.op == Op::udiv) return conclude(instruction, Op::ushr, {high, word(shift)});
    const Value product = emit(Op::imul, {emit(Op::ushr, {high, word(shift)}), word(divisor)});
    conclude(instruction, Op::isub, {dividend, product});
  }

  // ---- shifts and bit fields (D3D11.3 22.11): counts, widths and offsets are modulo 32 ----

  /// The count modulo 32; the count itself if it is known to be less than 32.
  Value modulo_32(Value count) {
    if (module_.is_constant(count)) return word(module_.constant_bits(count) & 31);
    return known_.greatest(count) < 32 ? count : emit(Op::and_, {count, word(31)});
  }

  void legalize_shift(const Instruction& instruction, uint32_t) {
    const Value count = operand(instruction, 1);
    const Value masked = modulo_32(count);
    if (masked == count) return builder_.append(instruction);
    if (!module_.is_constant(count)) closed(instruction, Gap::shift_count);
    conclude(instruction, instruction.op, {operand(instruction, 0), masked});
  }

  void legalize_field(const Instruction& instruction, uint32_t gaps) {
    Value width = operand(instruction, 0), offset = operand(instruction, 1);
    if ((gaps & kCountRange) != 0) {
      width = modulo_32(width);
      offset = modulo_32(offset);
      const bool masks = (width != operand(instruction, 0) && !module_.is_constant(width)) ||
                         (offset != operand(instruction, 1) && !module_.is_constant(offset));
      if (masks) closed(instruction, Gap::field_range);
    }
    if ((gaps & kFieldEnd) != 0) width = cut_width(instruction, width, offset);
    if (width == operand(instruction, 0) && offset == operand(instruction, 1))
      return builder_.append(instruction);
    if (instruction.op == Op::bfi) {
      return conclude(instruction, Op::bfi,
                      {width, offset, operand(instruction, 2), operand(instruction, 3)});
    }
    conclude(instruction, instruction.op, {width, offset, operand(instruction, 2)});
  }

  /// min(width, 32 - offset), both modulo 32 already.
  Value cut_width(const Instruction& instruction, Value width, Value offset) {
    const uint32_t widest = std::min(known_.greatest(width), 31u);
    const uint32_t furthest = std::min(known_.greatest(offset), 31u);
    if (widest + furthest <= 32) return width;
    const bool constant = module_.is_constant(width) && module_.is_constant(offset);
    if (constant) return word(32 - furthest);
    closed(instruction, Gap::field_end);
    const Value room = module_.is_constant(offset) ? word(32 - furthest) : emit(Op::isub, {word(32), offset});
    return emit(Op::umin, {width, room});
  }

  // ---- counting bits (22.13) ----

  // From the high end: 31 minus the number from the low end, but none is 0xffffffff in both cases.
  void expand_first_bit(const Instruction& instruction, uint32_t) {
    Value value = operand(instruction, 0);
    closed(instruction, Gap::expansion);
    if (instruction.op == Op::firstbit_lo) {
      value = emit(Op::bitrev, {value});
      if (table_.find(Op::firstbit_hi).has(kNative)) return conclude(instruction, Op::firstbit_hi, {value});
    }
    const Value bit = emit(instruction.op == Op::firstbit_shi ? Op::msb_s32 : Op::msb_u32, {value});
    const Value none = emit(Op::ieq, {bit, word(kAllOnes)});
    conclude(instruction, Op::select, {none, bit, emit(Op::isub, {word(31), bit})});
  }

  // Sum of |reference - source| over four bytes, except those whose reference is 0 (22.12.15).
  void expand_differences(const Instruction& instruction, uint32_t) {
    closed(instruction, Gap::expansion);
    Value sum = operand(instruction, 2);
    for (uint32_t byte = 0; byte < 4; ++byte) {
      const Value reference = emit(Op::ubfe, {word(8), word(8 * byte), operand(instruction, 0)});
      const Value source = emit(Op::ubfe, {word(8), word(8 * byte), operand(instruction, 1)});
      const Value greater = emit(Op::umax, {reference, source});
      const Value difference = emit(Op::isub, {greater, emit(Op::umin, {reference, source})});
      const Value counts = emit(Op::ine, {reference, word(0)});
      const std::array<Value, 2> addends = {sum, emit(Op::select, {counts, difference, word(0)})};
      if (byte == 3) return conclude(instruction, Op::iadd, {addends[0], addends[1]});
      sum = emit(Op::iadd, {addends[0], addends[1]});
    }
  }

  // ---- floats ----

  // x - floor(x) is in [0, 1) (22.10.7), but rounds to 1 just below an integer. A NaN stays a NaN.
  void legalize_fraction(const Instruction& instruction, uint32_t gaps) {
    const Value x = operand(instruction, 0);
    Value fraction;
    if ((gaps & kNative) != 0) {
      closed(instruction, Gap::expansion);
      fraction = emit(Op::fadd, {x, emit(Op::fneg, {emit(Op::ffloor, {x})})});
    } else {
      fraction = emit(Op::ffrac, {x});
    }
    closed(instruction, Gap::below_one);
    const Value one = emit(Op::fge, {fraction, real(1.0f)});
    conclude(instruction, Op::select, {one, word(kBelowOneBits), fraction});
  }

  // Toward zero, saturating; NaN gives 0 (22.13.3, 22.13.4). The largest floats below 2^31 and 2^32 convert
  // exactly; the maximum of a NaN and a number is the number.
  void legalize_conversion(const Instruction& instruction, uint32_t gaps) {
    const bool is_signed = instruction.op == Op::ftoi;
    const Value value = operand(instruction, 0);
    const Known known = known_.of(value);
    const float least = is_signed ? -2147483648.0f : 0.0f;
    const float end = is_signed ? 2147483648.0f : 4294967296.0f;
    // Values above -1 truncate to 0. The float below -2^31 does not fit.
    const bool low = !known.number || (is_signed ? known.least_float < least : known.least_float <= -1.0f);
    const bool high = !known.number || known.greatest_float >= end;
    const bool clamps = (gaps & kSaturation) != 0 && (low || high);
    const bool tests_nan = (gaps & kNanToZero) != 0 && !known.number;
    if (!clamps && !tests_nan) return builder_.append(instruction);
    if (clamps) closed(instruction, Gap::saturation);
    if (tests_nan) closed(instruction, Gap::nan_to_integer);
    Value inside = value;
    if (clamps && low) inside = bound(Op::fmax, inside, real(least));
    if (clamps && high) inside = bound(Op::fmin, inside, real(is_signed ? 2147483520.0f : 4294967040.0f));
    const bool selects_greatest = clamps && high;
    // If the integer range starts at 0, the clamp has already turned a NaN into 0.
    const bool selects_zero = tests_nan && (is_signed || !clamps);
    if (!selects_greatest && !selects_zero) return conclude(instruction, instruction.op, {inside});
    Value result = emit(instruction.op, {inside});
    if (selects_greatest) {
      const Value above = emit(Op::fge, {value, real(end)});
      const Value greatest = word(is_signed ? 0x7fffffffu : kAllOnes);
      if (!selects_zero) return conclude(instruction, Op::select, {above, greatest, result});
      result = emit(Op::select, {above, greatest, result});
    }
    conclude(instruction, Op::select, {emit(Op::feq, {value, value}), result, word(0)});
  }

  // All 32-bit integers are exact as doubles.
  void legalize_double_conversion(const Instruction& instruction, uint32_t gaps) {
    const bool is_signed = instruction.op == Op::dtoi;
    const Value value = operand(instruction, 0);
    const bool clamps =
        (gaps & kSaturation) != 0 || ((gaps & kNanToZero) != 0 && !promises(instruction, kOutsideHarmless));
    if ((gaps & kSaturation) != 0) closed(instruction, Gap::saturation);
    if ((gaps & kNanToZero) != 0) closed(instruction, Gap::nan_to_integer);
    Value inside = value;
    if (clamps) {
      inside = bound(Op::dmax, inside, real64(is_signed ? -2147483648.0 : 0.0));
      inside = bound(Op::dmin, inside, real64(is_signed ? 2147483647.0 : 4294967295.0));
    }
    const bool tests_nan = (gaps & kNanToZero) != 0 && (is_signed || !clamps);
    if (!tests_nan) return conclude(instruction, instruction.op, {inside});
    const Value result = emit(instruction.op, {inside});
    conclude(instruction, Op::select, {emit(Op::deq, {value, value}), result, word(0)});
  }

  // Direct3D allows a * (1 / b) (22.10). In a precise shader, and where legalization needs it, correctly
  // rounded.
  void expand_float_division(const Instruction& instruction, uint32_t) {
    closed(instruction, Gap::expansion);
    const Value dividend = operand(instruction, 0), divisor = operand(instruction, 1);
    if (is_exact_division(module_, instruction)) {
      emit_exact_quotient(builder_, dividend, divisor);
    } else {
      emit_quotient(builder_, dividend, divisor, known_.of(divisor));
    }
    builder_.last().first_result = instruction.first_result;
  }

  // Correctly rounded (22.14).
  void expand_double_division(const Instruction& instruction, uint32_t gaps) {
    closed(instruction, (gaps & kNative) != 0 ? Gap::expansion : Gap::one_rounding);
    const bool divides = instruction.op == Op::ddiv;
    emit_double_quotient(builder_, divides ? operand(instruction, 0) : real64(1.0),
                         operand(instruction, divides ? 1 : 0), table_.find(Op::dfma).has(kOneRounding));
    builder_.last().first_result = instruction.first_result;
  }

  // Rounded once (22.14).
  void legalize_double_fma(const Instruction& instruction, uint32_t) {
    closed(instruction, Gap::one_rounding);
    emit_fused_doubles(builder_, operand(instruction, 0), operand(instruction, 1), operand(instruction, 2));
    builder_.last().first_result = instruction.first_result;
  }

  // Toward zero; finite values that are too large give the largest half, 0x7bff (3.2.2). Up to 2^-14 a half
  // is a number of units of 2^-24, of which 2^-14 has 0x400; beyond, exponent and mantissa move down by 13
  // bits. Float denormals, which may be flushed, are far below the least half.
  void expand_half(const Instruction& instruction, uint32_t) {
    closed(instruction, Gap::toward_zero);
    const Value bits = operand(instruction, 0);
    const Value magnitude = emit(Op::and_, {bits, word(0x7fffffffu)});
    const Value small = emit(Op::umin, {magnitude, real(0x1p-14f)});
    const Value units = emit(Op::ftou, {emit(Op::fmul, {small, real(0x1p24f)})});
    const Value rest = emit(Op::ushr, {emit(Op::isub, {magnitude, small}), word(13)});
    const Value finite = emit(Op::umin, {emit(Op::iadd, {units, rest}), word(0x7bffu)});
    const Value nan = emit(Op::ult, {word(kInfinity), magnitude});
    const Value special = emit(Op::select, {nan, word(0x7fffu), word(0x7c00u)});
    const Value half = emit(Op::select, {emit(Op::uge, {magnitude, word(kInfinity)}), special, finite});
    const Value sign = emit(Op::and_, {emit(Op::ushr, {bits, word(16)}), word(0x8000u)});
    conclude(instruction, Op::or_, {half, sign});
  }

  // A half denormal is its mantissa times 2^-24, exactly, and no float denormal.
  void legalize_half_denormal(const Instruction& instruction, uint32_t) {
    closed(instruction, Gap::half_denormal);
    const Value half = operand(instruction, 0);
    const Value bits = emit(Op::and_, {half, word(0x7fffu)});
    const Value is_denormal = emit(Op::ult, {bits, word(0x0400u)});
    const Value magnitude = emit(Op::fmul, {emit(Op::utof, {bits}), real(0x1p-24f)});
    const Value sign = emit(Op::shl, {emit(Op::and_, {half, word(0x8000u)}), word(16)});
    const Value denormal = emit(Op::or_, {magnitude, sign});
    const Value other = emit(Op::f16tof32, {half});
    conclude(instruction, Op::select, {is_denormal, denormal, other});
  }

  // Direct3D's sign changes only touch one bit of the register, whatever it holds. If only float arithmetic
  // reads the result, a NaN may become another NaN.
  void legalize_sign(const Instruction& instruction, uint32_t) {
    if (bit_use_[instruction.first_result] == 0) return builder_.append(instruction);
    closed(instruction, Gap::sign_bit);
    const bool negates = instruction.op == Op::fneg || instruction.op == Op::dneg;
    const Op op = negates ? Op::xor_ : Op::and_;
    const Value bits = word(negates ? 0x80000000u : 0x7fffffffu);
    const Value value = operand(instruction, 0);
    if (instruction.op == Op::fneg || instruction.op == Op::fabs)
      return conclude(instruction, op, {value, bits});
    const Value low = emit(Op::unpack64, {value});
    conclude(instruction, Op::pack64, {low, emit(op, {low + 1, bits})});
  }

  // Whole turns are subtracted: x - 2 pi * round(x / 2 pi), exact except for one rounding and for the error
  // of the float nearest to 2 pi, 1.8e-7 per turn. 50 turns are 9e-6 of the 0.0008 that Direct3D allows
  // (22.10.20).
  void legalize_angle(const Instruction& instruction, uint32_t) {
    const Value angle = operand(instruction, 0);
    const Known known = known_.of(angle);
    constexpr float kPi = 3.14159265f, kTurn = 6.28318531f;
    if (known.number && known.least_float >= -kPi && known.greatest_float <= kPi)
      return builder_.append(instruction);
    closed(instruction, Gap::angle_range);
    // The addend makes the number of turns of -0 a +0: of -0 it would turn -0 into +0, whose sine is another.
    const Value turns = emit(Op::frint, {emit(Op::ffma, {angle, real(1.0f / kTurn), real(0.0f)})});
    conclude(instruction, instruction.op, {emit(Op::ffma, {turns, real(-kTurn), angle})});
  }

  // If one operand is NaN, the result is the other (3.1.3.2, 22.10).
  void legalize_extreme(const Instruction& instruction, uint32_t) {
    closed(instruction, Gap::nan_operand);
    const bool wide = instruction.op == Op::dmin || instruction.op == Op::dmax;
    const Op equal = wide ? Op::deq : Op::feq, choose = wide ? Op::select64 : Op::select;
    const Value a = operand(instruction, 0), b = operand(instruction, 1);
    const Value extreme = emit(instruction.op, {a, b});
    const Value unless_b = emit(choose, {emit(equal, {b, b}), extreme, a});
    conclude(instruction, choose, {emit(equal, {a, a}), unless_b, b});
  }

  // ---- helpers ----

  /// The minimum or maximum of a value and a constant that is no NaN; of a NaN, the constant, on every
  /// target.
  Value bound(Op extreme, Value value, Value constant) {
    if (table_.find(extreme).has(kNanOperand)) return emit(extreme, {value, constant});
    const bool wide = extreme == Op::dmin || extreme == Op::dmax;
    const bool greatest = extreme == Op::fmax || extreme == Op::dmax;
    const Value inside =
        emit(wide ? Op::dlt : Op::flt, {greatest ? constant : value, greatest ? value : constant});
    return emit(wide ? Op::select64 : Op::select, {inside, value, constant});
  }

  static constexpr uint32_t kAllOnes = 0xffffffffu, kInfinity = 0x7f800000u, kBelowOneBits = 0x3f7fffffu;

  bool promises(const Instruction& instruction, uint32_t promise) const {
    return table_.find(instruction.op).has(promise);
  }
  Value operand(const Instruction& instruction, uint32_t i) const {
    return module_.operands[instruction.first_operand + i];
  }
  Value word(uint32_t bits) { return module_.constant(bits); }
  Value real(float value) { return module_.constant_float(value); }
  Value real64(double value) { return module_.constant64(std::bit_cast<uint64_t>(value)); }
  Value emit(Op op, std::initializer_list<Value> operands) { return builder_.emit(op, operands); }

  /// Appends the operation that now gives the instruction's own result.
  void conclude(const Instruction& instruction, Op op, std::initializer_list<Value> operands) {
    Instruction last = instruction;
    last.op = op;
    last.first_operand = static_cast<uint32_t>(module_.operands.size());
    last.operand_count = static_cast<uint32_t>(operands.size());
    module_.operands.append(operands.begin(), operands.size());
    builder_.append(last);
    changed_ = true;
  }

  void closed(const Instruction& instruction, Gap gap) {
    if (report_ == nullptr || instruction.first_result >= source_values_) return;
    ClosedGap entry;
    entry.location = module_.location_of(instruction);
    entry.op = instruction.op;
    entry.gap = gap;
    entry.source = table_.find(instruction.op).source;
    report_->push_back(entry);
  }

  Module& module_;
  const ArithmeticTable& table_;
  std::pmr::vector<ClosedGap>* report_;
  const Value source_values_;
  std::pmr::monotonic_buffer_resource scratch_;
  KnownValues known_;
  std::span<uint8_t> bit_use_;  // by value
  Code code_;
  Builder builder_;
  bool changed_ = false;
};

}  // namespace

bool legalize_arithmetic(Module& module, const ArithmeticTable& table, std::pmr::vector<ClosedGap>* closed,
                         Value source_values) {
  // Most shaders have no such operation.
  const bool any =
      std::any_of(module.code.begin(), module.code.end(), [&table](const Instruction& instruction) {
        return table.gaps[static_cast<uint32_t>(instruction.op)] != 0;
      });
  return any && ArithmeticLegalizer(module, table, closed, source_values).run();
}

}  // namespace texlate::ir
