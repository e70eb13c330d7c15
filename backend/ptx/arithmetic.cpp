// Arithmetic: most operations are one PTX instruction, from a table; the rest are Direct3D's corner cases.

#include <algorithm>
#include <array>

#include "backend/ptx/families.h"
#include "ir/passes/arithmetic_guarantees.h"

namespace texlate::ptx {

namespace {

constexpr uint32_t kOne = 0x3f800000;

/// An operation that is one PTX instruction.
struct PlainRow {
  Op op;
  std::string_view form;
};
// PTX ISA 9.7.1 (integer), 9.7.3 (float), 9.7.9 (cvt). `.rn` on add, mul and fma keeps ptxas from
// contracting. Accuracy required by D3D11.3 3.1.3: sqrt is correctly rounded; .approx of rcp, rsqrt,
// ex2, lg2, sin and cos is within Direct3D's 2^-21 (0.0008 absolute for sine and cosine).
constexpr PlainRow kPlainRows[] = {
    {Op::fadd, "add.rn.ftz.f32"},
    {Op::fmul, "mul.rn.ftz.f32"},
    {Op::ffma, "fma.rn.ftz.f32"},
    {Op::fmin, "min.ftz.f32"},
    {Op::fmax, "max.ftz.f32"},
    // A remaining sign change belongs to float arithmetic: which NaN it gives is undefined.
    {Op::fneg, "neg.f32"},
    {Op::fabs, "abs.f32"},
    {Op::fsat, "cvt.ftz.sat.f32.f32"},
    {Op::fsqrt, "sqrt.rn.ftz.f32"},
    {Op::frsq, "rsqrt.approx.ftz.f32"},
    {Op::frcp, "rcp.approx.ftz.f32"},
    {Op::fexp2, "ex2.approx.ftz.f32"},
    {Op::flog2, "lg2.approx.ftz.f32"},
    {Op::fsin, "sin.approx.ftz.f32"},
    {Op::fcos, "cos.approx.ftz.f32"},
    {Op::frint, "cvt.rni.ftz.f32.f32"},
    {Op::ffloor, "cvt.rmi.ftz.f32.f32"},
    {Op::fceil, "cvt.rpi.ftz.f32.f32"},
    {Op::ftrunc, "cvt.rzi.ftz.f32.f32"},
    // Saturating, NaN gives 0 (PTX ISA 9.7.9.21 cvt).
    {Op::ftoi, "cvt.rzi.ftz.s32.f32"},
    {Op::ftou, "cvt.rzi.ftz.u32.f32"},
    {Op::itof, "cvt.rn.f32.s32"},
    {Op::utof, "cvt.rn.f32.u32"},
    {Op::dtoi, "cvt.rzi.s32.f64"},
    {Op::dtou, "cvt.rzi.u32.f64"},
    {Op::iadd, "add.s32"},
    {Op::isub, "sub.s32"},
    {Op::ineg, "neg.s32"},
    {Op::imul, "mul.lo.s32"},
    {Op::imulhi, "mul.hi.s32"},
    {Op::umulhi, "mul.hi.u32"},
    {Op::imad, "mad.lo.s32"},
    {Op::udiv, "div.u32"},
    {Op::urem, "rem.u32"},
    {Op::shl, "shl.b32"},
    {Op::ishr, "shr.s32"},
    {Op::ushr, "shr.u32"},
    {Op::firstbit_hi, "bfind.shiftamt.u32"},
    {Op::firstbit_shi, "bfind.shiftamt.s32"},
    {Op::msb_u32, "bfind.u32"},
    {Op::msb_s32, "bfind.s32"},
    {Op::imin, "min.s32"},
    {Op::imax, "max.s32"},
    {Op::umin, "min.u32"},
    {Op::umax, "max.u32"},
    {Op::and_, "and.b32"},
    {Op::or_, "or.b32"},
    {Op::xor_, "xor.b32"},
    {Op::not_, "not.b32"},
    {Op::bitrev, "brev.b32"},
    {Op::popcount, "popc.b32"},
    {Op::pand, "and.pred"},
    {Op::por, "or.pred"},
    {Op::pxor, "xor.pred"},
    {Op::pnot, "not.pred"},
    {Op::dadd, "add.rn.f64"},
    {Op::dmul, "mul.rn.f64"},
    {Op::dfma, "fma.rn.f64"},
    {Op::ddiv, "div.rn.f64"},
    {Op::drcp, "rcp.rn.f64"},
    {Op::dmin, "min.f64"},
    {Op::dmax, "max.f64"},
    {Op::dneg, "neg.f64"},
    {Op::dabs, "abs.f64"},
    {Op::dsat, "cvt.sat.f64.f64"},
    {Op::dtof, "cvt.rn.ftz.f32.f64"},
    {Op::ftod, "cvt.ftz.f64.f32"},
    {Op::itod, "cvt.rn.f64.s32"},
    {Op::utod, "cvt.rn.f64.u32"},
};
/// Several instructions, or with operands of several kinds: Arithmetic::emit(). ffrac, firstbit_lo and msad:
/// none, since legalization replaces them.
constexpr Op kOtherOps[] = {Op::fdiv,     Op::f32tof16, Op::f16tof32,    Op::ubfe,     Op::ibfe,
                            Op::bfi,      Op::mask,     Op::select,      Op::select64, Op::pack64,
                            Op::unpack64, Op::mad_wide, Op::ddx_coarse,  Op::ddx_fine, Op::ddy_coarse,
                            Op::ddy_fine, Op::ffrac,    Op::firstbit_lo, Op::msad};

// div.full is off by at most two units in the last place, over the whole range of operands (PTX ISA 9.7.3.8).
// That is a * (1 / b) with a reciprocal that is off by one, which Direct3D allows.
constexpr std::string_view kQuotient = "div.full.ftz.f32";
constexpr std::string_view kExactQuotient = "div.rn.ftz.f32";

struct Compare {
  std::string_view relation;  // `.ltu` and similar ones would be true for NaN; only ne is (`neu`)
  std::string_view type;
  constexpr bool empty() const { return relation.empty(); }
};

struct CompareRow {
  Op op;
  Compare form;
};
constexpr CompareRow kCompareRows[] = {
    {Op::feq, {"eq", ".ftz.f32 "}}, {Op::fne, {"neu", ".ftz.f32 "}}, {Op::flt, {"lt", ".ftz.f32 "}},
    {Op::fge, {"ge", ".ftz.f32 "}}, {Op::ieq, {"eq", ".s32 "}},      {Op::ine, {"ne", ".s32 "}},
    {Op::ilt, {"lt", ".s32 "}},     {Op::ige, {"ge", ".s32 "}},      {Op::ult, {"lt", ".u32 "}},
    {Op::uge, {"ge", ".u32 "}},     {Op::deq, {"eq", ".f64 "}},      {Op::dne, {"neu", ".f64 "}},
    {Op::dlt, {"lt", ".f64 "}},     {Op::dge, {"ge", ".f64 "}},
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
        const bool has_row = !kPlain[i].empty() || !kCompares[i].empty();
        if (ir::is_arithmetic(op) && has_row == (std::ranges::count(kOtherOps, op) != 0)) return false;
      }
      return true;
    }(),
    "an arithmetic operation has no row and is not in kOtherOps");

}  // namespace

void Arithmetic::emit(const Instruction& instruction) {
  const auto op = static_cast<uint32_t>(instruction.op);
  if (!kCompares[op].empty()) return emit_compare(instruction, instruction.first_result, ir::kNoValue);
  if (emit_fused(instruction)) return;
  if (!kPlain[op].empty()) return emit_plain(instruction, kPlain[op]);
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
void Arithmetic::emit_plain(const Instruction& instruction, std::string_view name) {
  const ir::OpInfo& info = ir::info(instruction.op);
  const size_t room = name.size() + 4 + 24 * (size_t{instruction.operand_count} + 1);
  char* const start = text_.extend(room);
  char* at = text_.write(text_.write(text_.write(start, '\t'), name), ' ');
  at = text_.write(at, Operand{instruction.first_result, info.results[0]});
  for (uint32_t i = 0; i < instruction.operand_count; ++i)
    at = text_.write(text_.write(at, ", "), Operand{operand(instruction, i), info.operands[i]});
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
  const char kind = ir::info(instruction.op).operands[0];
  put(", ", Operand{operand(instruction, 0), kind}, ", ", Operand{operand(instruction, 1), kind});
  if (combines) put(", ", Pred{combined_with});
  put(";\n");
}

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

// Toward zero, so that a finite overflow gives 0x7bff (D3D11.3 22.13.2).
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
  put(", ", Int{operand(instruction, 1)}, ", ", Int{operand(instruction, 0)}, ";\n");
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
