// Opcodes that become a single IR operation: one row per opcode. The table of handlers (lower.cpp) is made
// from these rows, so that an opcode cannot have the handler without the operation.
#pragma once

#include <array>
#include <span>

#include "frontend/sm4/opcode.h"
#include "ir/op.h"
#include "ir/resource.h"

namespace texlate::lower {

template <typename To>
struct Row {
  sm4::Opcode opcode;
  To to;
};

/// Applied component by component, with the operands in the same order.
inline constexpr Row<ir::Op> kComponentwise[] = {
    {sm4::Opcode::add, ir::Op::fadd},
    {sm4::Opcode::mul, ir::Op::fmul},
    {sm4::Opcode::div, ir::Op::fdiv},
    {sm4::Opcode::min, ir::Op::fmin},
    {sm4::Opcode::max, ir::Op::fmax},
    {sm4::Opcode::mad, ir::Op::ffma},
    {sm4::Opcode::exp, ir::Op::fexp2},
    {sm4::Opcode::log, ir::Op::flog2},
    {sm4::Opcode::rsq, ir::Op::frsq},
    {sm4::Opcode::rcp, ir::Op::frcp},
    {sm4::Opcode::sqrt, ir::Op::fsqrt},
    {sm4::Opcode::frc, ir::Op::ffrac},
    {sm4::Opcode::round_ne, ir::Op::frint},
    {sm4::Opcode::round_ni, ir::Op::ffloor},
    {sm4::Opcode::round_pi, ir::Op::fceil},
    {sm4::Opcode::round_z, ir::Op::ftrunc},
    // SM4's derivatives may be coarse or fine; SM5 treats them as coarse (22.5.2).
    {sm4::Opcode::deriv_rtx, ir::Op::ddx_coarse},
    {sm4::Opcode::deriv_rtx_coarse, ir::Op::ddx_coarse},
    {sm4::Opcode::deriv_rtx_fine, ir::Op::ddx_fine},
    {sm4::Opcode::deriv_rty, ir::Op::ddy_coarse},
    {sm4::Opcode::deriv_rty_coarse, ir::Op::ddy_coarse},
    {sm4::Opcode::deriv_rty_fine, ir::Op::ddy_fine},
    {sm4::Opcode::iadd, ir::Op::iadd},
    {sm4::Opcode::imad, ir::Op::imad},
    {sm4::Opcode::umad, ir::Op::imad},
    {sm4::Opcode::ineg, ir::Op::ineg},
    {sm4::Opcode::imin, ir::Op::imin},
    {sm4::Opcode::imax, ir::Op::imax},
    {sm4::Opcode::umin, ir::Op::umin},
    {sm4::Opcode::umax, ir::Op::umax},
    {sm4::Opcode::and_, ir::Op::and_},
    {sm4::Opcode::or_, ir::Op::or_},
    {sm4::Opcode::xor_, ir::Op::xor_},
    {sm4::Opcode::not_, ir::Op::not_},
    {sm4::Opcode::ishl, ir::Op::shl},
    {sm4::Opcode::ishr, ir::Op::ishr},
    {sm4::Opcode::ushr, ir::Op::ushr},
    {sm4::Opcode::ubfe, ir::Op::ubfe},
    {sm4::Opcode::ibfe, ir::Op::ibfe},
    {sm4::Opcode::bfi, ir::Op::bfi},
    {sm4::Opcode::bfrev, ir::Op::bitrev},
    {sm4::Opcode::countbits, ir::Op::popcount},
    {sm4::Opcode::firstbit_hi, ir::Op::firstbit_hi},
    {sm4::Opcode::firstbit_lo, ir::Op::firstbit_lo},
    {sm4::Opcode::firstbit_shi, ir::Op::firstbit_shi},
    {sm4::Opcode::msad, ir::Op::msad},
    {sm4::Opcode::f32tof16, ir::Op::f32tof16},
    {sm4::Opcode::ftoi, ir::Op::ftoi},
    {sm4::Opcode::ftou, ir::Op::ftou},
    {sm4::Opcode::itof, ir::Op::itof},
    {sm4::Opcode::utof, ir::Op::utof},
};

/// The same, but the predicate is expanded to a mask.
inline constexpr Row<ir::Op> kCompare[] = {
    {sm4::Opcode::eq, ir::Op::feq},  {sm4::Opcode::ne, ir::Op::fne},  {sm4::Opcode::lt, ir::Op::flt},
    {sm4::Opcode::ge, ir::Op::fge},  {sm4::Opcode::ieq, ir::Op::ieq}, {sm4::Opcode::ine, ir::Op::ine},
    {sm4::Opcode::ilt, ir::Op::ilt}, {sm4::Opcode::ige, ir::Op::ige}, {sm4::Opcode::ult, ir::Op::ult},
    {sm4::Opcode::uge, ir::Op::uge},
};

/// From doubles to doubles.
inline constexpr Row<ir::Op> kDouble[] = {
    {sm4::Opcode::dadd, ir::Op::dadd}, {sm4::Opcode::dmul, ir::Op::dmul}, {sm4::Opcode::dmin, ir::Op::dmin},
    {sm4::Opcode::dmax, ir::Op::dmax}, {sm4::Opcode::ddiv, ir::Op::ddiv}, {sm4::Opcode::dfma, ir::Op::dfma},
    {sm4::Opcode::drcp, ir::Op::drcp},
};
inline constexpr Row<ir::Op> kDoubleCompare[] = {
    {sm4::Opcode::deq, ir::Op::deq},
    {sm4::Opcode::dge, ir::Op::dge},
    {sm4::Opcode::dlt, ir::Op::dlt},
    {sm4::Opcode::dne, ir::Op::dne},
};
/// From doubles to words, and from words to doubles.
inline constexpr Row<ir::Op> kDoubleNarrow[] = {
    {sm4::Opcode::dtof, ir::Op::dtof}, {sm4::Opcode::dtoi, ir::Op::dtoi}, {sm4::Opcode::dtou, ir::Op::dtou}};
inline constexpr Row<ir::Op> kDoubleWiden[] = {
    {sm4::Opcode::ftod, ir::Op::ftod}, {sm4::Opcode::itod, ir::Op::itod}, {sm4::Opcode::utod, ir::Op::utod}};

inline constexpr Row<ir::Op> kJumps[] = {{sm4::Opcode::break_, ir::Op::break_},
                                         {sm4::Opcode::continue_, ir::Op::continue_},
                                         {sm4::Opcode::ret, ir::Op::return_}};
inline constexpr Row<ir::Op> kConditionalJumps[] = {{sm4::Opcode::breakc, ir::Op::break_},
                                                    {sm4::Opcode::continuec, ir::Op::continue_},
                                                    {sm4::Opcode::retc, ir::Op::return_}};

/// With a destination for the previous value (imm_atomic_*), and without.
inline constexpr Row<ir::AtomicOp> kAtomics[] = {
    {sm4::Opcode::atomic_iadd, ir::AtomicOp::add},
    {sm4::Opcode::imm_atomic_iadd, ir::AtomicOp::add},
    {sm4::Opcode::atomic_and, ir::AtomicOp::and_},
    {sm4::Opcode::imm_atomic_and, ir::AtomicOp::and_},
    {sm4::Opcode::atomic_or, ir::AtomicOp::or_},
    {sm4::Opcode::imm_atomic_or, ir::AtomicOp::or_},
    {sm4::Opcode::atomic_xor, ir::AtomicOp::xor_},
    {sm4::Opcode::imm_atomic_xor, ir::AtomicOp::xor_},
    {sm4::Opcode::atomic_imin, ir::AtomicOp::imin},
    {sm4::Opcode::imm_atomic_imin, ir::AtomicOp::imin},
    {sm4::Opcode::atomic_imax, ir::AtomicOp::imax},
    {sm4::Opcode::imm_atomic_imax, ir::AtomicOp::imax},
    {sm4::Opcode::atomic_umin, ir::AtomicOp::umin},
    {sm4::Opcode::imm_atomic_umin, ir::AtomicOp::umin},
    {sm4::Opcode::atomic_umax, ir::AtomicOp::umax},
    {sm4::Opcode::imm_atomic_umax, ir::AtomicOp::umax},
    {sm4::Opcode::imm_atomic_exch, ir::AtomicOp::exchange},
    {sm4::Opcode::atomic_cmp_store, ir::AtomicOp::compare_exchange},
    {sm4::Opcode::imm_atomic_cmp_exch, ir::AtomicOp::compare_exchange},
};

/// The source of a sample instruction's LOD.
inline constexpr Row<ir::LodRule> kSamples[] = {
    {sm4::Opcode::sample, ir::LodRule::implicit},   {sm4::Opcode::sample_cl_s, ir::LodRule::implicit},
    {sm4::Opcode::sample_c, ir::LodRule::implicit}, {sm4::Opcode::sample_c_cl_s, ir::LodRule::implicit},
    {sm4::Opcode::sample_c_lz, ir::LodRule::zero},  {sm4::Opcode::sample_c_lz_s, ir::LodRule::zero},
    {sm4::Opcode::sample_b, ir::LodRule::bias},     {sm4::Opcode::sample_b_cl_s, ir::LodRule::bias},
    {sm4::Opcode::sample_l, ir::LodRule::level},    {sm4::Opcode::sample_l_s, ir::LodRule::level},
    {sm4::Opcode::sample_d, ir::LodRule::gradient}, {sm4::Opcode::sample_d_cl_s, ir::LodRule::gradient},
};

/// Inputs evaluated at another position in the pixel.
inline constexpr Row<ir::Op> kEvaluations[] = {
    {sm4::Opcode::eval_snapped, ir::Op::eval_snapped},
    {sm4::Opcode::eval_sample_index, ir::Op::eval_sample},
    {sm4::Opcode::eval_centroid, ir::Op::eval_centroid},
};

/// Rows of some tables by opcode. Only opcodes of these tables are allowed.
template <typename To, size_t... kCounts>
constexpr std::array<To, sm4::kOpcodeLimit> by_opcode(const Row<To> (&... tables)[kCounts]) {
  std::array<To, sm4::kOpcodeLimit> found{};
  const auto add = [&found](std::span<const Row<To>> rows) {
    for (const Row<To>& row : rows) found[static_cast<uint32_t>(row.opcode)] = row.to;
  };
  (add(tables), ...);
  return found;
}

}  // namespace texlate::lower
