// Direct3D's contract for arithmetic, and the part of it that a target's documents promise. Plain data, one
// table per target (backend/<target>/arithmetic_guarantees.*); only legalize_arithmetic reads it.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "ir/module.h"
#include "ir/op.h"
#include "ir/passes/guarantee.h"

namespace texlate::ir {

/// One promise each: "the target's own operation does this as Direct3D specifies".
enum ArithmeticPromise : uint32_t {
  kNative = 1u << 0,           // there is an instruction, or a short sequence that needs no comparison
  kZeroDivisor = 1u << 1,      // a division by 0 gives 0xffffffff, quotient and remainder
  kZeroHarmless = 1u << 2,     // a division by 0 gives some value and does nothing else
  kCountRange = 1u << 3,       // a shift count, a width, an offset is taken modulo 32
  kFieldEnd = 1u << 4,         // a bit field that reaches past bit 31 ends there
  kBelowOne = 1u << 5,         // a fraction is never 1
  kSaturation = 1u << 6,       // a number that does not fit the integer gives the nearest one
  kNanToZero = 1u << 7,        // a NaN converts to 0
  kOutsideHarmless = 1u << 8,  // a number out of range gives some value and does nothing else
  kNanOperand = 1u << 9,       // for a number and a NaN, the result is the number
  kTowardZero = 1u << 10,      // halves: rounded toward zero, the largest half if too large
  kSignBit = 1u << 11,         // changes only the sign bit, for NaNs and denormals too
  kAngleRange = 1u << 12,      // an absolute error of at most 0.0008 up to 100 pi
  kHalfDenormal = 1u << 13,    // a half denormal gives its number, not 0
  kOneRounding = 1u << 14,     // of doubles: the result is the one nearest to the exact result
};

/// What Direct3D requires of an operation. An operation without a row requires nothing that any target lacks.
struct ArithmeticContract {
  Op op;
  uint32_t demands;
  std::string_view source;  // where Direct3D specifies it
};

inline constexpr ArithmeticContract kArithmeticContracts[] = {
    {Op::udiv, kNative | kZeroDivisor, "D3D11.3 22.12.9 udiv"},
    {Op::urem, kNative | kZeroDivisor, "D3D11.3 22.12.9 udiv"},
    {Op::shl, kCountRange, "D3D11.3 22.11.7 ishl"},
    {Op::ishr, kCountRange, "D3D11.3 22.11.8 ishr"},
    {Op::ushr, kCountRange, "D3D11.3 22.11.12 ushr"},
    {Op::ubfe, kCountRange | kFieldEnd, "D3D11.3 22.11.11 ubfe"},
    {Op::ibfe, kCountRange | kFieldEnd, "D3D11.3 22.11.6 ibfe"},
    {Op::bfi, kCountRange | kFieldEnd, "D3D11.3 22.11.2 bfi"},
    {Op::firstbit_lo, kNative, "D3D11.3 22.11.5 firstbit"},
    {Op::firstbit_hi, kNative, "D3D11.3 22.11.5 firstbit"},
    {Op::firstbit_shi, kNative, "D3D11.3 22.11.5 firstbit"},
    {Op::msad, kNative, "D3D11.3 22.12.15 msad"},
    {Op::ffrac, kNative | kBelowOne, "D3D11.3 22.10.7 frc"},
    {Op::ftoi, kSaturation | kNanToZero, "D3D11.3 22.13.3 ftoi"},
    {Op::ftou, kSaturation | kNanToZero, "D3D11.3 22.13.4 ftou"},
    {Op::dtoi, kSaturation | kNanToZero, "D3D11.3 22.17.3 dtoi"},
    {Op::dtou, kSaturation | kNanToZero, "D3D11.3 22.17.4 dtou"},
    {Op::f32tof16, kTowardZero, "D3D11.3 22.13.2 f32tof16"},
    {Op::f16tof32, kHalfDenormal, "D3D11.3 22.13.1 f16tof32"},
    {Op::fmin, kNanOperand, "D3D11.3 22.10.11 min"},
    {Op::fmax, kNanOperand, "D3D11.3 22.10.10 max"},
    {Op::dmin, kNanOperand, "D3D11.3 22.14.3 dmin"},
    {Op::dmax, kNanOperand, "D3D11.3 22.14.2 dmax"},
    {Op::fdiv, kNative, "D3D11.3 22.10.2 div"},
    {Op::ddiv, kNative | kOneRounding, "D3D11.3 22.14.6 ddiv"},  // 0.5 ULP; drcp 1, and 0 where representable
    {Op::drcp, kNative | kOneRounding, "D3D11.3 22.14.5 drcp"},
    {Op::dfma, kOneRounding, "D3D11.3 22.14.7 dfma"},
    {Op::fneg, kSignBit, "D3D11.3 22.18.2 negate"},
    {Op::fabs, kSignBit, "D3D11.3 22.18.1 _abs"},
    {Op::dneg, kSignBit, "D3D11.3 22.18.2 negate"},
    {Op::dabs, kSignBit, "D3D11.3 22.18.1 _abs"},
    {Op::fsin, kAngleRange, "D3D11.3 22.10.20 sincos"},
    {Op::fcos, kAngleRange, "D3D11.3 22.10.20 sincos"},
};

constexpr uint32_t arithmetic_demands(Op op) {
  for (const ArithmeticContract& contract : kArithmeticContracts) {
    if (contract.op == op) return contract.demands;
  }
  return 0;
}

/// Must the quotient be the nearest float? Otherwise a * (1 / b) will do, with a reciprocal that is off by
/// one unit in the last place (D3D11.3 3.1.3.2). Without refactoringAllowed the whole program is precise
/// (22.3.2).
inline bool is_exact_division(const Module& module, const Instruction& division) {
  return !module.refactoring_allowed || division.has(kPrecise);
}

struct ArithmeticRow {
  Op op;
  uint32_t promises;
  std::string_view source;
};

struct ArithmeticTable {
  std::array<Guarantee, kOpCount> rows{};
  std::array<uint32_t, kOpCount> gaps{};  // what Direct3D requires and the target does not promise
  bool pixels_are_on_screen = false;      // x and y of their positions come from a rasterizer

  constexpr const Guarantee& find(Op op) const { return rows[static_cast<uint32_t>(op)]; }
  constexpr void set(const ArithmeticRow& row) {
    const auto op = static_cast<uint32_t>(row.op);
    rows[op] = {row.promises, row.source};
    gaps[op] = arithmetic_demands(row.op) & ~row.promises;
  }
};

/// Not defined: a call of it is no constant expression.
void an_operation_of_the_contract_has_no_row();

/// The table of a target's rows. Every operation that has a contract must have a row; otherwise this is not a
/// constant expression.
template <size_t kCount>
constexpr ArithmeticTable make_arithmetic_table(const ArithmeticRow (&rows)[kCount]) {
  ArithmeticTable table;
  for (const ArithmeticRow& row : rows) table.set(row);
  for (const ArithmeticContract& contract : kArithmeticContracts) {
    if (table.find(contract.op).source.empty()) an_operation_of_the_contract_has_no_row();
  }
  return table;
}

}  // namespace texlate::ir
