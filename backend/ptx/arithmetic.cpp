// Arithmetic: most operations are one PTX instruction, from a table; the rest are Direct3D's corner cases.

#include <array>

#include "backend/ptx/emitter.h"

namespace texlate::ptx {

namespace {

// How operands and result of a plain operation are spelled.
enum class Form : uint8_t {
  none,
  int_,
  float_,
  double_,
  float_to_int,
  int_to_float,
  int_to_double,
  double_to_float,
  float_to_double,
  predicate
};

struct Plain {
  std::string_view text;
  Form form = Form::none;
};

// PTX ISA 9.7.1 (integer), 9.7.3 (float), 9.7.9 (cvt). `.rn` on add, mul and fma keeps ptxas from
// contracting. Accuracy against D3D11.3 3.1.3: div and sqrt correctly rounded; rcp, rsqrt, ex2, lg2 and sin,
// cos .approx are within Direct3D's 2^-21 (0.0008 absolute for sine and cosine).
constexpr Plain plain(Op op) {
  switch (op) {
    case Op::fadd: return {"add.rn.ftz.f32", Form::float_};
    case Op::fmul: return {"mul.rn.ftz.f32", Form::float_};
    case Op::ffma: return {"fma.rn.ftz.f32", Form::float_};
    case Op::fdiv: return {"div.rn.ftz.f32", Form::float_};
    case Op::fmin: return {"min.ftz.f32", Form::float_};
    case Op::fmax: return {"max.ftz.f32", Form::float_};
    case Op::fsat: return {"cvt.ftz.sat.f32.f32", Form::float_};
    case Op::fsqrt: return {"sqrt.rn.ftz.f32", Form::float_};
    case Op::frsq: return {"rsqrt.approx.ftz.f32", Form::float_};
    case Op::frcp: return {"rcp.approx.ftz.f32", Form::float_};
    case Op::fexp2: return {"ex2.approx.ftz.f32", Form::float_};
    case Op::flog2: return {"lg2.approx.ftz.f32", Form::float_};
    case Op::fsin: return {"sin.approx.ftz.f32", Form::float_};
    case Op::fcos: return {"cos.approx.ftz.f32", Form::float_};
    case Op::frint: return {"cvt.rni.ftz.f32.f32", Form::float_};
    case Op::ffloor: return {"cvt.rmi.ftz.f32.f32", Form::float_};
    case Op::fceil: return {"cvt.rpi.ftz.f32.f32", Form::float_};
    case Op::ftrunc: return {"cvt.rzi.ftz.f32.f32", Form::float_};
    // Saturating, NaN gives 0 (PTX ISA 9.7.9.21 cvt).
    case Op::ftoi: return {"cvt.rzi.ftz.s32.f32", Form::float_to_int};
    case Op::ftou: return {"cvt.rzi.ftz.u32.f32", Form::float_to_int};
    case Op::itof: return {"cvt.rn.f32.s32", Form::int_to_float};
    case Op::utof: return {"cvt.rn.f32.u32", Form::int_to_float};
    case Op::iadd: return {"add.s32", Form::int_};
    case Op::isub: return {"sub.s32", Form::int_};
    case Op::ineg: return {"neg.s32", Form::int_};
    case Op::imul: return {"mul.lo.s32", Form::int_};
    case Op::imulhi: return {"mul.hi.s32", Form::int_};
    case Op::umulhi: return {"mul.hi.u32", Form::int_};
    case Op::imad: return {"mad.lo.s32", Form::int_};
    case Op::imin: return {"min.s32", Form::int_};
    case Op::imax: return {"max.s32", Form::int_};
    case Op::umin: return {"min.u32", Form::int_};
    case Op::umax: return {"max.u32", Form::int_};
    case Op::and_: return {"and.b32", Form::int_};
    case Op::or_: return {"or.b32", Form::int_};
    case Op::xor_: return {"xor.b32", Form::int_};
    case Op::not_: return {"not.b32", Form::int_};
    case Op::bitrev: return {"brev.b32", Form::int_};
    case Op::popcount: return {"popc.b32", Form::int_};
    case Op::pand: return {"and.pred", Form::predicate};
    case Op::por: return {"or.pred", Form::predicate};
    case Op::pxor: return {"xor.pred", Form::predicate};
    case Op::pnot: return {"not.pred", Form::predicate};
    case Op::dadd: return {"add.rn.f64", Form::double_};
    case Op::dmul: return {"mul.rn.f64", Form::double_};
    case Op::dfma: return {"fma.rn.f64", Form::double_};
    case Op::ddiv: return {"div.rn.f64", Form::double_};
    case Op::drcp: return {"rcp.rn.f64", Form::double_};
    case Op::dmin: return {"min.f64", Form::double_};
    case Op::dmax: return {"max.f64", Form::double_};
    case Op::dneg: return {"neg.f64", Form::double_};
    case Op::dabs: return {"abs.f64", Form::double_};
    case Op::dsat: return {"cvt.sat.f64.f64", Form::double_};
    case Op::dtof: return {"cvt.rn.ftz.f32.f64", Form::double_to_float};
    case Op::ftod: return {"cvt.ftz.f64.f32", Form::float_to_double};
    case Op::itod: return {"cvt.rn.f64.s32", Form::int_to_double};
    case Op::utod: return {"cvt.rn.f64.u32", Form::int_to_double};
    default: return {};
  }
}

constexpr auto kPlain = [] {
  std::array<Plain, ir::kOpCount> table{};
  for (uint32_t i = 0; i < ir::kOpCount; ++i) table[i] = plain(static_cast<Op>(i));
  return table;
}();

struct Compare {
  std::string_view relation;  // `.ltu` and its kin would be true for NaN; only ne is (`neu`)
  std::string_view type;
};

Compare compare_of(Op op) {
  switch (op) {
    case Op::feq: return {"eq", "ftz.f32"};
    case Op::fne: return {"neu", "ftz.f32"};
    case Op::flt: return {"lt", "ftz.f32"};
    case Op::fge: return {"ge", "ftz.f32"};
    case Op::ieq: return {"eq", "s32"};
    case Op::ine: return {"ne", "s32"};
    case Op::ilt: return {"lt", "s32"};
    case Op::ige: return {"ge", "s32"};
    case Op::ult: return {"lt", "u32"};
    case Op::uge: return {"ge", "u32"};
    case Op::deq: return {"eq", "f64"};
    case Op::dne: return {"neu", "f64"};
    case Op::dlt: return {"lt", "f64"};
    case Op::dge: return {"ge", "f64"};
    default: return {};
  }
}

bool is_compare(Op op) {
  return !compare_of(op).relation.empty();
}

}  // namespace

void Emitter::emit_arithmetic(const Instruction& instruction) {
  if (is_compare(instruction.op)) return emit_compare(instruction, instruction.first_result, ir::kNoValue);
  if (emit_fused(instruction)) return;
  const Plain& plain = kPlain[static_cast<uint32_t>(instruction.op)];
  const Value result = instruction.first_result;
  if (plain.form != Form::none) {
    put('\t');
    put(plain.text);
    put(' ');
    switch (plain.form) {
      case Form::double_:
      case Form::int_to_double:
      case Form::float_to_double: put(Double{result}); break;
      case Form::predicate: put(Pred{result}); break;
      default: put(Int{result}); break;
    }
    for (uint32_t i = 0; i < instruction.operand_count; ++i) {
      const Value value = operand(instruction, i);
      put(", ");
      switch (plain.form) {
        case Form::float_:
        case Form::float_to_int:
        case Form::float_to_double: put(Float{value}); break;
        case Form::double_:
        case Form::double_to_float: put(Double{value}); break;
        case Form::predicate: put(Pred{value}); break;
        default: put(Int{value}); break;
      }
    }
    return put(";\n");
  }
  switch (instruction.op) {
    case Op::fneg:
    case Op::fabs: return emit_sign(instruction);
    case Op::ffrac: return emit_fraction(instruction);
    case Op::f32tof16:
    case Op::f16tof32: return emit_half_conversion(instruction);
    case Op::dtoi:
    case Op::dtou: return emit_double_to_integer(instruction);
    case Op::udiv:
    case Op::urem: return emit_division(instruction);
    case Op::shl:
    case Op::ishr:
    case Op::ushr: return emit_shift(instruction);
    case Op::ubfe:
    case Op::ibfe:
    case Op::bfi: return emit_bit_field(instruction);
    case Op::firstbit_lo:
    case Op::firstbit_hi:
    case Op::firstbit_shi: return emit_first_bit(instruction);
    case Op::msad: return emit_msad(instruction);
    case Op::mask: return line("selp.b32 ", Int{result}, ", -1, 0, ", Pred{operand(instruction, 0)});
    case Op::select:
      return line("selp.b32 ", Int{result}, ", ", Int{operand(instruction, 1)}, ", ",
                  Int{operand(instruction, 2)}, ", ", Pred{operand(instruction, 0)});
    case Op::select64:
      return line("selp.b64 ", Double{result}, ", ", Double{operand(instruction, 1)}, ", ",
                  Double{operand(instruction, 2)}, ", ", Pred{operand(instruction, 0)});
    case Op::pack64:
      return line("mov.b64 ", Double{result}, ", {", Int{operand(instruction, 0)}, ", ",
                  Int{operand(instruction, 1)}, "}");
    case Op::unpack64:
      return line("mov.b64 {", Int{result}, ", ", Int{result + 1}, "}, ", Double{operand(instruction, 0)});
    case Op::ddx_coarse:
    case Op::ddx_fine:
    case Op::ddy_coarse:
    case Op::ddy_fine: return emit_derivative(instruction);
    default: return refuse(instruction, "this operation");
  }
}

// `setp.lt.and.u32 %p, a, b, %q` for a comparison that only an `and` reads; `add.rn.ftz.sat.f32` likewise.
bool Emitter::emit_fused(const Instruction& instruction) {
  if (instruction.op != Op::pand && instruction.op != Op::fsat) return false;
  for (uint32_t i = 0; i < instruction.operand_count; ++i) {
    const Value value = operand(instruction, i);
    const uint32_t definition = definition_[value];
    if (definition == 0xffffffffu || deferred_[definition] == 0) continue;
    const Instruction& inner = module_.code[definition];
    if (instruction.op == Op::pand) {
      emit_compare(inner, instruction.first_result, operand(instruction, 1 - i));
      return true;
    }
    const std::string_view name = inner.op == Op::fadd ? "add" : inner.op == Op::fmul ? "mul" : "fma";
    put('\t');
    put(name);
    put(".rn.ftz.sat.f32 ");
    put(Int{instruction.first_result});
    for (uint32_t o = 0; o < inner.operand_count; ++o) {
      put(", ");
      put(Float{operand(inner, o)});
    }
    put(";\n");
    return true;
  }
  return false;
}

void Emitter::emit_compare(const Instruction& instruction, Value result, Value combined_with) {
  const Compare compare = compare_of(instruction.op);
  put("\tsetp.");
  put(compare.relation);
  if (combined_with != ir::kNoValue) put(".and");
  put('.');
  put(compare.type);
  put(' ');
  put(Pred{result});
  for (uint32_t i = 0; i < 2; ++i) {
    const Value value = operand(instruction, i);
    put(", ");
    if (compare.type == "ftz.f32") {
      put(Float{value});
    } else if (compare.type == "f64") {
      put(Double{value});
    } else {
      put(Int{value});
    }
  }
  if (combined_with != ir::kNoValue) {
    put(", ");
    put(Pred{combined_with});
  }
  put(";\n");
}

// Direct3D's sign changes touch one bit; neg.f32 may change a NaN, which only float arithmetic cannot tell.
void Emitter::emit_sign(const Instruction& instruction) {
  const Value result = instruction.first_result;
  const Value value = operand(instruction, 0);
  const bool negate = instruction.op == Op::fneg;
  if (only_float_uses_[result] != 0)
    return line(negate ? "neg.f32 " : "abs.f32 ", Int{result}, ", ", Float{value});
  line(negate ? "xor.b32 " : "and.b32 ", Int{result}, ", ", Int{value},
       negate ? ", 0x80000000" : ", 0x7FFFFFFF");
}

// x - floor(x) rounds to 1.0 just below an integer; the result is in [0, 1) (D3D11.3 22.10.5). NaN stays NaN.
void Emitter::emit_fraction(const Instruction& instruction) {
  const Value x = operand(instruction, 0);
  const Temp floor = temp();
  const TempPred one = temp_pred();
  line("cvt.rmi.ftz.f32.f32 ", floor, ", ", Float{x});
  line("sub.rn.ftz.f32 ", floor, ", ", Float{x}, ", ", floor);
  line("setp.ge.ftz.f32 ", one, ", ", floor, ", 0f3F800000");
  line("selp.b32 ", Int{instruction.first_result}, ", 0x3F7FFFFF, ", floor, ", ", one);
}

// Toward zero, so that a finite overflow gives 0x7bff (D3D11.3 22.12.1).
void Emitter::emit_half_conversion(const Instruction& instruction) {
  const Half h = half();
  if (instruction.op == Op::f32tof16) {
    line("cvt.rz.ftz.f16.f32 ", h, ", ", Float{operand(instruction, 0)});
    line("cvt.u32.u16 ", Int{instruction.first_result}, ", ", h);
  } else {
    line("cvt.u16.u32 ", h, ", ", Int{operand(instruction, 0)});
    line("cvt.f32.f16 ", Int{instruction.first_result}, ", ", h);
  }
}

// Saturates; NaN is 0 in Direct3D (facts/d3d.md 4.1), but 0x80000000 from doubles in PTX (PTX ISA 9.7.9.21,
// cvt).
void Emitter::emit_double_to_integer(const Instruction& instruction) {
  const Value result = instruction.first_result;
  const Value value = operand(instruction, 0);
  const TempPred number = temp_pred();
  line("setp.eq.f64 ", number, ", ", Double{value}, ", ", Double{value});
  line(instruction.op == Op::dtoi ? "cvt.rzi.s32.f64 " : "cvt.rzi.u32.f64 ", Int{result}, ", ",
       Double{value});
  line("selp.b32 ", Int{result}, ", ", Int{result}, ", 0, ", number);
}

// By zero: 0xffffffff for quotient and remainder (D3D11.3 22.11.23); PTX leaves that unspecified.
void Emitter::emit_division(const Instruction& instruction) {
  const Value divisor = operand(instruction, 1);
  const std::string_view name = instruction.op == Op::udiv ? "div.u32 " : "rem.u32 ";
  if (module_.is_constant(divisor) && !module_.is_constant(divisor, 0)) {
    return line(name, Int{instruction.first_result}, ", ", Int{operand(instruction, 0)}, ", ", Int{divisor});
  }
  const TempPred valid = temp_pred();
  const Temp safe = temp();
  line("setp.ne.u32 ", valid, ", ", Int{divisor}, ", 0");
  line("selp.b32 ", safe, ", ", Int{divisor}, ", 1, ", valid);
  line(name, safe, ", ", Int{operand(instruction, 0)}, ", ", safe);
  line("selp.b32 ", Int{instruction.first_result}, ", ", safe, ", -1, ", valid);
}

// Counts are modulo 32; PTX clamps them at 32.
void Emitter::emit_shift(const Instruction& instruction) {
  const std::string_view name = instruction.op == Op::shl    ? "shl.b32 "
                                : instruction.op == Op::ishr ? "shr.s32 "
                                                             : "shr.u32 ";
  const Value count = operand(instruction, 1);
  if (module_.is_constant(count)) {
    return line(name, Int{instruction.first_result}, ", ", Int{operand(instruction, 0)}, ", ",
                module_.constant_bits(count) & 31u);
  }
  const Temp masked = temp();
  line("and.b32 ", masked, ", ", Int{count}, ", 31");
  line(name, Int{instruction.first_result}, ", ", Int{operand(instruction, 0)}, ", ", masked);
}

// Width and offset are modulo 32; beyond bit 31 PTX does as Direct3D does (PTX ISA 9.7.1.22 bfe, 9.7.1.23
// bfi).
void Emitter::emit_bit_field(const Instruction& instruction) {
  const bool insert = instruction.op == Op::bfi;
  std::array<Temp, 2> masked;
  for (uint32_t i = 0; i < 2; ++i) {
    if (module_.is_constant(operand(instruction, i))) continue;
    masked[i] = temp();
    line("and.b32 ", masked[i], ", ", Int{operand(instruction, i)}, ", 31");
  }
  put('\t');
  put(insert ? "bfi.b32 " : instruction.op == Op::ubfe ? "bfe.u32 " : "bfe.s32 ");
  put(Int{instruction.first_result});
  for (uint32_t i = 2; i < instruction.operand_count; ++i) {
    put(", ");
    put(Int{operand(instruction, i)});
  }
  for (uint32_t i : {1u, 0u}) {  // PTX: position, then length
    put(", ");
    if (module_.is_constant(operand(instruction, i))) {
      put(module_.constant_bits(operand(instruction, i)) & 31u);
    } else {
      put(masked[i]);
    }
  }
  put(";\n");
}

// bfind.shiftamt counts from bit 31 and gives 0xffffffff for none (PTX ISA 9.7.1.16), which is what Direct3D
// wants.
void Emitter::emit_first_bit(const Instruction& instruction) {
  const Value value = operand(instruction, 0);
  if (instruction.op != Op::firstbit_lo) {
    const bool is_signed = instruction.op == Op::firstbit_shi;
    return line(is_signed ? "bfind.shiftamt.s32 " : "bfind.shiftamt.u32 ", Int{instruction.first_result},
                ", ", Int{value});
  }
  const Temp reversed = temp();
  line("brev.b32 ", reversed, ", ", Int{value});
  line("bfind.shiftamt.u32 ", Int{instruction.first_result}, ", ", reversed);
}

// Sum of |reference - source| over the bytes where the reference is not 0 (D3D11.3 22.13.9).
void Emitter::emit_msad(const Instruction& instruction) {
  const Temp sum = temp();
  const Temp a = temp();
  const Temp b = temp();
  const TempPred counts = temp_pred();
  line("mov.b32 ", sum, ", ", Int{operand(instruction, 2)});
  for (uint32_t byte = 0; byte < 4; ++byte) {
    line("bfe.u32 ", a, ", ", Int{operand(instruction, 0)}, ", ", 8 * byte, ", 8");
    line("bfe.u32 ", b, ", ", Int{operand(instruction, 1)}, ", ", 8 * byte, ", 8");
    line("setp.ne.u32 ", counts, ", ", a, ", 0");
    put("\t@");
    put(counts);
    put(' ');
    line("sad.u32 ", sum, ", ", a, ", ", b, ", ", sum);
  }
  line("mov.b32 ", Int{instruction.first_result}, ", ", sum);
}

// Right minus left, lower minus upper: each pixel of a pair gives its value with the sign it has in the
// difference, and both add what the other gives to their own. That is the same sum in both, and +0 where the
// values are equal. The difference to a lane that is not on the path is 0: Direct3D leaves it undefined
// (D3D11.3 functional specification 16.8), and what an exchange reads from an absent lane is too (PTX
// ISA 9.7.9.6).
void Emitter::emit_derivative(const Instruction& instruction) {
  const bool x = instruction.op == Op::ddx_coarse || instruction.op == Op::ddx_fine;
  if (module_.stage != ir::Stage::pixel) return refuse(instruction, "a derivative outside of a pixel shader");
  const Value value = operand(instruction, 0);
  const Value result = instruction.first_result;
  if (module_.is_constant(value)) return line("mov.b32 ", Int{result}, ", 0");
  const Temp mine = temp();
  const Temp other = temp();
  const bool partial = paths_.is_partial(current_);
  line("xor.b32 ", mine, ", ", Int{value}, x ? ", %xsign" : ", %ysign");
  const std::string_view pair = x ? ", 1, 31, " : ", 2, 31, ";
  if (!partial) {
    line("shfl.sync.bfly.b32 ", other, ", ", mine, pair, "-1");
    return line("add.rn.ftz.f32 ", Int{result}, ", ", mine, ", ", other);
  }
  const Temp mate = temp();
  const TempPred there = temp_pred();
  line("shfl.sync.bfly.b32 ", other, ", ", mine, pair, path_.mask);
  line("and.b32 ", mate, ", ", path_.mask, x ? ", %xmate" : ", %ymate");
  line("setp.ne.u32 ", there, ", ", mate, ", 0");
  line("add.rn.ftz.f32 ", other, ", ", mine, ", ", other);
  line("selp.b32 ", Int{result}, ", ", other, ", 0, ", there);
}

}  // namespace texlate::ptx
