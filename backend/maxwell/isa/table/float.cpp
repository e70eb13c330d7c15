// Single precision. Encodings: docs/reference/maxwell.md 6; "r/c/i (rc)" are bits 63..48.
#include "backend/maxwell/isa/table/builder.h"

namespace texlate::maxwell::table {

void add_float(Builder& t) {
  using enum SlotKind;
  using M = Modifier;

  // Rd = Ra + B
  t.rows(Opcode::fadd, {0x5c58, 0x4c58, 0x3858}, float20,
         {mod(M::ftz, 44), mod(M::rounding, 39, 2), mod(M::sat, 50)},
         {rd().write_cc(47), ra().neg(48).abs(46), in_third_port(b().neg(45).abs(49))});
  t.row(Opcode::fadd32i, top(0x0800), {mod(M::ftz, 55)},
        {rd().write_cc(52), ra().neg(56).abs(54), field(float32, 20, 32).neg(53).abs(57)}, Shape::imm);

  // Rd = Ra * B * scale
  t.rows(Opcode::fmul, {0x5c68, 0x4c68, 0x3868}, float20,
         {mod(M::fmz, 44, 2), mod(M::scale, 41, 3), mod(M::rounding, 39, 2), mod(M::sat, 50)},
         {rd().write_cc(47), ra(), b().neg(48)});
  t.row(Opcode::fmul32i, top(0x1e00), {mod(M::fmz, 53, 2), mod(M::sat, 55)},
        {rd().write_cc(52), ra(), field(float32, 20, 32)}, Shape::imm);

  // Rd = Ra * B + C
  t.rows(Opcode::ffma, {0x5980, 0x4980, 0x3280, 0x5180}, float20,
         {mod(M::fmz, 53, 2), mod(M::rounding, 51, 2), mod(M::sat, 50)},
         {rd().write_cc(47), ra(), b().neg(48), c().neg(49)});
  // The addend of FFMA32I is Rd itself: the text contains it twice.
  t.row(Opcode::ffma32i, top(0x0c00), {mod(M::fmz, 53, 2), mod(M::sat, 55)},
        {rd().write_cc(52).as(Role::both), ra().neg(56), field(float32, 20, 32),
         in_third_port(field(same_as_rd, 0, 0).neg(57))},
        Shape::imm);

  // minimum (PT) or maximum (!PT)
  t.rows(Opcode::fmnmx, {0x5c60, 0x4c60, 0x3860}, float20, {mod(M::ftz, 44)},
         {rd().write_cc(47), ra().neg(48).abs(46), b().neg(45).abs(49), pred_source()});

  // comparisons, combined with a predicate
  t.rows(Opcode::fset, {0x5800, 0x4800, 0x3000}, float20,
         {mod(M::bf, 52), mod(M::float_compare, 48, 4), mod(M::ftz, 55), mod(M::boolean, 45, 2)},
         {rd().write_cc(47), ra().neg(43).abs(54), b().neg(53).abs(44), pred_source()});
  t.rows(Opcode::fsetp, {0x5bb0, 0x4bb0, 0x36b0}, float20,
         {mod(M::float_compare, 48, 4), mod(M::ftz, 47), mod(M::boolean, 45, 2)},
         {pred_result(3), pred_result(0), ra().neg(43).abs(7), b().neg(6).abs(44), pred_source()});
  // Rd = (C compare 0) ? Ra : B
  t.rows(Opcode::fcmp, {0x5ba0, 0x4ba0, 0x36a0, 0x53a0}, float20,
         {mod(M::float_compare_gt, 48, 4), mod(M::ftz, 47)}, {rd(), ra(), b(), c()});

  t.row(Opcode::mufu, top(0x5080), {mod(M::function, 20, 4), mod(M::sat, 50)},
        {rd(), ra().no_reuse().neg(48).abs(46)});
  t.rows(Opcode::rro, {0x5c90, 0x4c90, 0x3890}, float20, {mod(M::range_reduction, 39)},
         {rd(), b().neg(45).abs(49)});

  // Rd = a swizzled sum of Ra and Rb over the four lanes of a quad: derivatives
  t.row(Opcode::fswzadd, top(0x50f8), {mod(M::ftz, 44), mod(M::rounding, 39, 2), mod(M::ndv, 38)},
        {rd().write_cc(47), ra(), in_third_port(rb()), field(swizzle, 28, 8)});

  t.rows(Opcode::fchk, {0x5c88, 0x4c88, 0x3888}, float20, {},
         {pred_result(3), ra().neg(48).abs(46), b().neg(45).abs(49)});
}

}  // namespace texlate::maxwell::table
