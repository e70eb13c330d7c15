// Arithmetic: most operations are one PTX instruction, from a table; the rest are Direct3D's corner cases.

#include <algorithm>
#include <array>

#include "backend/ptx/families.h"
#include "ir/passes/arithmetic_guarantees.h"

namespace texlate::ptx {

/// An operation that is one PTX instruction: its text, and how its operands and its result are spelled.
struct PlainForm {
  enum class Operands : uint8_t {
    none,
    int_,
    float_,
    double_,
    float_to_int,
    int_to_float,
    int_to_double,
    from_double,
    float_to_double,
    predicate
  };
  std::string_view text;
  Operands form = Operands::none;
};

namespace {

using Form = PlainForm::Operands;

constexpr uint32_t kOne = 0x3f800000;

struct PlainRow {
  Op op;
  PlainForm form;
};
// PTX ISA 9.7.1 (integer), 9.7.3 (float), 9.7.9 (cvt). `.rn` on add, mul and fma keeps ptxas from
// contracting. Accuracy required by D3D11.3 3.1.3: sqrt is correctly rounded; .approx of rcp, rsqrt,
// ex2, lg2, sin and cos is within Direct3D's 2^-21 (0.0008 absolute for sine and cosine).
constexpr PlainRow kPlainRows[] = {
    {Op::fadd, {"add.rn.ftz.f32", Form::float_}},
    {Op::fmul, {"mul.rn.ftz.f32", Form::float_}},
    {Op::ffma, {"fma.rn.ftz.f32", Form::float_}},
    {Op::fmin, {"min.ftz.f32", Form::float_}},
    {Op::fmax, {"max.ftz.f32", Form::float_}},
    // A remaining sign change belongs to float arithmetic: which NaN it gives is undefined.
    {Op::fneg, {"neg.f32", Form::float_}},
    {Op::fabs, {"abs.f32", Form::float_}},
    {Op::fsat, {"cvt.ftz.sat.f32.f32", Form::float_}},
    {Op::fsqrt, {"sqrt.rn.ftz.f32", Form::float_}},
    {Op::frsq, {"rsqrt.approx.ftz.f32", Form::float_}},
    {Op::frcp, {"rcp.approx.ftz.f32", Form::float_}},
    {Op::fexp2, {"ex2.approx.ftz.f32", Form::float_}},
    {Op::flog2, {"lg2.approx.ftz.f32", Form::float_}},
    {Op::fsin, {"sin.approx.ftz.f32", Form::float_}},
    {Op::fcos, {"cos.approx.ftz.f32", Form::float_}},
    {Op::frint, {"cvt.rni.ftz.f32.f32", Form::float_}},
    {Op::ffloor, {"cvt.rmi.ftz.f32.f32", Form::float_}},
    {Op::fceil, {"cvt.rpi.ftz.f32.f32", Form::float_}},
    {Op::ftrunc, {"cvt.rzi.ftz.f32.f32", Form::float_}},
    // Saturating, NaN gives 0 (PTX ISA 9.7.9.21 cvt).
    {Op::ftoi, {"cvt.rzi.ftz.s32.f32", Form::float_to_int}},
    {Op::ftou, {"cvt.rzi.ftz.u32.f32", Form::float_to_int}},
    {Op::itof, {"cvt.rn.f32.s32", Form::int_to_float}},
    {Op::utof, {"cvt.rn.f32.u32", Form::int_to_float}},
    {Op::dtoi, {"cvt.rzi.s32.f64", Form::from_double}},
    {Op::dtou, {"cvt.rzi.u32.f64", Form::from_double}},
    {Op::iadd, {"add.s32", Form::int_}},
    {Op::isub, {"sub.s32", Form::int_}},
    {Op::ineg, {"neg.s32", Form::int_}},
    {Op::imul, {"mul.lo.s32", Form::int_}},
    {Op::imulhi, {"mul.hi.s32", Form::int_}},
    {Op::umulhi, {"mul.hi.u32", Form::int_}},
    {Op::imad, {"mad.lo.s32", Form::int_}},
    {Op::udiv, {"div.u32", Form::int_}},
    {Op::urem, {"rem.u32", Form::int_}},
    {Op::shl, {"shl.b32", Form::int_}},
    {Op::ishr, {"shr.s32", Form::int_}},
    {Op::ushr, {"shr.u32", Form::int_}},
    {Op::firstbit_hi, {"bfind.shiftamt.u32", Form::int_}},
    {Op::firstbit_shi, {"bfind.shiftamt.s32", Form::int_}},
    {Op::msb_u32, {"bfind.u32", Form::int_}},
    {Op::msb_s32, {"bfind.s32", Form::int_}},
    {Op::imin, {"min.s32", Form::int_}},
    {Op::imax, {"max.s32", Form::int_}},
    {Op::umin, {"min.u32", Form::int_}},
    {Op::umax, {"max.u32", Form::int_}},
    {Op::and_, {"and.b32", Form::int_}},
    {Op::or_, {"or.b32", Form::int_}},
    {Op::xor_, {"xor.b32", Form::int_}},
    {Op::not_, {"not.b32", Form::int_}},
    {Op::bitrev, {"brev.b32", Form::int_}},
    {Op::popcount, {"popc.b32", Form::int_}},
    {Op::pand, {"and.pred", Form::predicate}},
    {Op::por, {"or.pred", Form::predicate}},
    {Op::pxor, {"xor.pred", Form::predicate}},
    {Op::pnot, {"not.pred", Form::predicate}},
    {Op::dadd, {"add.rn.f64", Form::double_}},
    {Op::dmul, {"mul.rn.f64", Form::double_}},
    {Op::dfma, {"fma.rn.f64", Form::double_}},
    {Op::ddiv, {"div.rn.f64", Form::double_}},
    {Op::drcp, {"rcp.rn.f64", Form::double_}},
    {Op::dmin, {"min.f64", Form::double_}},
    {Op::dmax, {"max.f64", Form::double_}},
    {Op::dneg, {"neg.f64", Form::double_}},
    {Op::dabs, {"abs.f64", Form::double_}},
    {Op::dsat, {"cvt.sat.f64.f64", Form::double_}},
    {Op::dtof, {"cvt.rn.ftz.f32.f64", Form::from_double}},
    {Op::ftod, {"cvt.ftz.f64.f32", Form::float_to_double}},
    {Op::itod, {"cvt.rn.f64.s32", Form::int_to_double}},
    {Op::utod, {"cvt.rn.f64.u32", Form::int_to_double}},
};
/// Several instructions, or with operands of several kinds: Arithmetic::emit(). ffrac, firstbit_lo and msad:
/// none, since legalization replaces them.
constexpr Op kOtherOps[] = {Op::fdiv,     Op::f32tof16, Op::f16tof32,    Op::ubfe,     Op::ibfe,
                            Op::bfi,      Op::mask,     Op::select,      Op::select64, Op::pack64,
                            Op::unpack64, Op::mad_wide, Op::ddx_coarse,  Op::ddx_fine, Op::ddy_coarse,
                            Op::ddy_fine, Op::ffrac,    Op::firstbit_lo, Op::msad};

// div.full is off by at most two units in the last place, over the whole range of operands (PTX ISA 9.7.3.8).
// That is a * (1 / b) with a reciprocal that is off by one, which Direct3D allows.
constexpr PlainForm kQuotient = {"div.full.ftz.f32", Form::float_};
constexpr PlainForm kExactQuotient = {"div.rn.ftz.f32", Form::float_};

struct Compare {
  std::string_view relation;  // `.ltu` and similar ones would be true for NaN; only ne is (`neu`)
  std::string_view type;
  Form form = Form::none;
};

struct CompareRow {
  Op op;
  Compare form;
};
constexpr CompareRow kCompareRows[] = {
    {Op::feq, {"eq", ".ftz.f32 ", Form::float_}}, {Op::fne, {"neu", ".ftz.f32 ", Form::float_}},
    {Op::flt, {"lt", ".ftz.f32 ", Form::float_}}, {Op::fge, {"ge", ".ftz.f32 ", Form::float_}},
    {Op::ieq, {"eq", ".s32 ", Form::int_}},       {Op::ine, {"ne", ".s32 ", Form::int_}},
    {Op::ilt, {"lt", ".s32 ", Form::int_}},       {Op::ige, {"ge", ".s32 ", Form::int_}},
    {Op::ult, {"lt", ".u32 ", Form::int_}},       {Op::uge, {"ge", ".u32 ", Form::int_}},
    {Op::deq, {"eq", ".f64 ", Form::double_}},    {Op::dne, {"neu", ".f64 ", Form::double_}},
    {Op::dlt, {"lt", ".f64 ", Form::double_}},    {Op::dge, {"ge", ".f64 ", Form::double_}},
};

/// The forms of the rows by operation.
template <typename Row, size_t count>
constexpr auto by_operation(const Row (&rows)[count]) {
  std::array<decltype(Row::form), ir::kOpCount> table{};
  for (const Row& row : rows) table[static_cast<size_t>(row.op)] = row.form;
  return table;
}
constexpr auto kPlain = by_operation(kPlainRows);
constexpr auto kCompares = by_operation(kCompareRows);

static_assert(
    [] {
      for (size_t i = 0; i < ir::kOpCount; ++i) {
        const auto op = static_cast<Op>(i);
        const bool has_row = kPlain[i].form != Form::none || kCompares[i].form != Form::none;
        if (ir::is_arithmetic(op) && has_row == (std::ranges::count(kOtherOps, op) != 0)) return false;
      }
      return true;
    }(),
    "an arithmetic operation has no row and is not in kOtherOps");

}  // namespace

void Arithmetic::emit(const Instruction& instruction) {
  const auto op = static_cast<uint32_t>(instruction.op);
  if (kCompares[op].form != Form::none)
    return emit_compare(instruction, instruction.first_result, ir::kNoValue);
  if (emit_fused(instruction)) return;
  if (kPlain[op].form != Form::none) return emit_plain(instruction, kPlain[op]);
  const Value result = instruction.first_result;
  switch (instruction.op) {
    case Op::fdiv: {
      if (ir::is_exact_division(module_, instruction)) return emit_plain(instruction, kExactQuotient);
      const bool is_reciprocal = module_.is_constant(operand(instruction, 0), kOne);
      if (!is_reciprocal) return emit_plain(instruction, kQuotient);
      return line("rcp.approx.ftz.f32 ", Int{result}, ", ", Float{operand(instruction, 1)});
    }
    case Op::f32tof16:
    case Op::f16tof32: return emit_half_conversion(instruction);
    case Op::ubfe:
    case Op::ibfe:
    case Op::bfi: return emit_bit_field(instruction);
    case Op::mask: return line("selp.b32 ", Int{result}, ", -1, 0, ", Pred{operand(instruction, 0)});
    case Op::select:
      // ptxas makes one FSET.BF or ISET.BF of the comparison and this, but not of selp.b32. (It gives
      // set.ftz.f32.f32 the result of set.u32: docs/reference/ptx.md 1.1.)
      if (module_.is_constant(operand(instruction, 1), kOne) &&
          module_.is_constant(operand(instruction, 2), 0))
        return line("selp.f32 ", Int{result}, ", 0f3F800000, 0f00000000, ", Pred{operand(instruction, 0)});
      return line("selp.b32 ", Int{result}, ", ", Int{operand(instruction, 1)}, ", ",
                  Int{operand(instruction, 2)}, ", ", Pred{operand(instruction, 0)});
    case Op::select64:
      return line("selp.b64 ", Double{result}, ", ", Double{operand(instruction, 1)}, ", ",
                  Double{operand(instruction, 2)}, ", ", Pred{operand(instruction, 0)});
    case Op::pack64:
      return line("mov.b64 ", Double{result}, ", {", Int{operand(instruction, 0)}, ", ",
                  Int{operand(instruction, 1)}, "}");
    case Op::mad_wide: return emit_wide_sum(instruction);
    case Op::unpack64:
      return line("mov.b64 {", Int{result}, ", ", Int{result + 1}, "}, ", Double{operand(instruction, 0)});
    case Op::ddx_coarse:
    case Op::ddx_fine:
    case Op::ddy_coarse:
    case Op::ddy_fine: return emit_derivative(instruction);
    default: return refuse(instruction, "this operation");
  }
}

// One line of at most four operands, whose space is reserved once.
void Arithmetic::emit_plain(const Instruction& instruction, const PlainForm& plain) {
  const Value result = instruction.first_result;
  const size_t room = plain.text.size() + 4 + 24 * (size_t{instruction.operand_count} + 1);
  char* const start = text_.extend(room);
  char* at = text_.write(text_.write(text_.write(start, '\t'), plain.text), ' ');
  switch (plain.form) {
    case Form::double_:
    case Form::int_to_double:
    case Form::float_to_double: at = text_.write(at, Double{result}); break;
    case Form::predicate: at = text_.write(at, Pred{result}); break;
    default: at = text_.write(at, Int{result}); break;
  }
  for (const Value value : module_.operands_of(instruction)) {
    at = text_.write(at, ", ");
    switch (plain.form) {
      case Form::float_:
      case Form::float_to_int:
      case Form::float_to_double: at = text_.write(at, Float{value}); break;
      case Form::double_:
      case Form::from_double: at = text_.write(at, Double{value}); break;
      case Form::predicate: at = text_.write(at, Pred{value}); break;
      default: at = text_.write(at, Int{value}); break;
    }
  }
  at = text_.write(at, ";\n");
  text_.shrink(room - static_cast<size_t>(at - start));
}

// `setp.lt.and.u32 %p, a, b, %q` for a comparison whose only user is an `and`; `add.rn.ftz.sat.f32` likewise.
bool Arithmetic::emit_fused(const Instruction& instruction) {
  if (instruction.op != Op::pand && instruction.op != Op::fsat) return false;
  for (uint32_t i = 0; i < instruction.operand_count; ++i) {
    const Value value = operand(instruction, i);
    const Instruction* const deferred = uses_.deferred(value);
    if (deferred == nullptr) continue;
    const Instruction& inner = *deferred;
    if (instruction.op == Op::pand) {
      emit_compare(inner, instruction.first_result, operand(instruction, 1 - i));
      return true;
    }
    const std::string_view name = inner.op == Op::fadd ? "add" : inner.op == Op::fmul ? "mul" : "fma";
    put('\t', name, ".rn.ftz.sat.f32 ", Int{instruction.first_result});
    for (uint32_t o = 0; o < inner.operand_count; ++o) put(", ", Float{operand(inner, o)});
    put(";\n");
    return true;
  }
  return false;
}

void Arithmetic::emit_compare(const Instruction& instruction, Value result, Value combined_with) {
  const Compare& compare = kCompares[static_cast<uint32_t>(instruction.op)];
  const bool combines = combined_with != ir::kNoValue;
  put("\tsetp.", compare.relation, combines ? ".and" : "", compare.type, Pred{result});
  const Value a = operand(instruction, 0), b = operand(instruction, 1);
  switch (compare.form) {
    case Form::float_: put(", ", Float{a}, ", ", Float{b}); break;
    case Form::double_: put(", ", Double{a}, ", ", Double{b}); break;
    default: put(", ", Int{a}, ", ", Int{b}); break;
  }
  if (combines) put(", ", Pred{combined_with});
  put(";\n");
}

// Toward zero, so that a finite overflow gives 0x7bff (D3D11.3 22.12.1).
/// From sm_70 on, ptxas makes LEA and LEA.HI of mad.wide with a power of two, but one IMAD.WIDE of a product
/// and a sum: over the corpus 3.6 % fewer instructions. In 9 of 308 shaders an SM holds fewer warps, because
/// IMAD.WIDE needs more registers.
void Arithmetic::emit_wide_sum(const Instruction& instruction) {
  constexpr uint32_t kFirstWithWideProducts = 70;
  const Double sum{instruction.first_result}, addend{operand(instruction, 2)};
  const Int number{operand(instruction, 0)}, size{operand(instruction, 1)};
  if (options_.sm < kFirstWithWideProducts)
    return line("mad.wide.u32 ", sum, ", ", number, ", ", size, ", ", addend);
  const Temp64 product = temp64();
  line("mul.wide.u32 ", product, ", ", number, ", ", size);
  line("add.u64 ", sum, ", ", product, ", ", addend);
}

void Arithmetic::emit_half_conversion(const Instruction& instruction) {
  const Half h = text_.half();
  if (instruction.op == Op::f32tof16) {
    line("cvt.rz.ftz.f16.f32 ", h, ", ", Float{operand(instruction, 0)});
    line("cvt.u32.u16 ", Int{instruction.first_result}, ", ", h);
  } else {
    line("cvt.u16.u32 ", h, ", ", Int{operand(instruction, 0)});
    line("cvt.f32.f16 ", Int{instruction.first_result}, ", ", h);
  }
}

// PTX has the value first, then position and length (PTX ISA 9.7.1.19 bfe, 9.7.1.20 bfi).
void Arithmetic::emit_bit_field(const Instruction& instruction) {
  const std::string_view name = instruction.op == Op::bfi    ? "bfi.b32 "
                                : instruction.op == Op::ubfe ? "bfe.u32 "
                                                             : "bfe.s32 ";
  put('\t', name, Int{instruction.first_result});
  for (uint32_t i = 2; i < instruction.operand_count; ++i) put(", ", Int{operand(instruction, i)});
  end_line(", ", Int{operand(instruction, 1)}, ", ", Int{operand(instruction, 0)});
}

// Right minus left, lower minus upper: each pixel of a pair provides its value with the sign that it has in
// the difference, and adds the other pixel's to its own. The sum is thus the same in both, and +0 if the
// values are equal. The difference to a lane that is not on the path is 0: Direct3D leaves it undefined
// (D3D11.3 functional specification 16.8), and so is what an exchange reads from an absent lane (PTX ISA
// 9.7.9.6).
void Arithmetic::emit_derivative(const Instruction& instruction) {
  const bool x = instruction.op == Op::ddx_coarse || instruction.op == Op::ddx_fine;
  if (module_.stage != ir::Stage::pixel) return refuse(instruction, "a derivative outside a pixel shader");
  const Value value = operand(instruction, 0);
  const Value result = instruction.first_result;
  const Temp mine = temp();
  const Temp other = temp();
  const bool partial = control_flow_.is_partial();
  line("xor.b32 ", mine, ", ", Int{value}, x ? ", %xsign" : ", %ysign");
  const std::string_view pair = x ? ", 1, 31, " : ", 2, 31, ";
  if (!partial) {
    line("shfl.sync.bfly.b32 ", other, ", ", mine, pair, "-1");
    return line("add.rn.ftz.f32 ", Int{result}, ", ", mine, ", ", other);
  }
  const Temp mate = temp();
  const TempPred there = temp_pred();
  line("shfl.sync.bfly.b32 ", other, ", ", mine, pair, control_flow_.lanes());
  line("and.b32 ", mate, ", ", control_flow_.lanes(), x ? ", %xmate" : ", %ymate");
  line("setp.ne.u32 ", there, ", ", mate, ", 0");
  line("add.rn.ftz.f32 ", other, ", ", mine, ", ", other);
  line("selp.b32 ", Int{result}, ", ", other, ", 0, ", there);
}

}  // namespace texlate::ptx
