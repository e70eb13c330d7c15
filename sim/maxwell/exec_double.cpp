// DADD, DMUL, DFMA, DMNMX.
#include "sim/maxwell/float_rules.h"
#include "sim/maxwell/warp.h"

namespace texlate::sim::maxwell {

namespace {

void run_dadd(Warp& w, const Instruction& i, uint32_t active) {
  const Sign a_sign(i.bit(46), i.bit(48)), b_sign(i.bit(49), i.bit(45));
  const Rounding mode = rounding_of(i.field(39, 2));
  for_each_lane(active, [&](int lane) {
    const double x = as_double(a_sign(w.wide(i.ra(), lane))), y = as_double(b_sign(w.wide(i.b, lane)));
    w.set_wide(i.rd(), lane, as_bits(rounded_sum(x, y, mode)));
  });
}

void run_dmul(Warp& w, const Instruction& i, uint32_t active) {
  const Sign sign(false, i.bit(48));
  const Rounding mode = rounding_of(i.field(39, 2));
  for_each_lane(active, [&](int lane) {
    const double x = as_double(w.wide(i.ra(), lane)), y = as_double(sign(w.wide(i.b, lane)));
    w.set_wide(i.rd(), lane, as_bits(rounded_product(x, y, mode)));
  });
}

void run_dfma(Warp& w, const Instruction& i, uint32_t active) {
  const Sign product(false, i.bit(48)), addend(false, i.bit(49));
  const Rounding mode = rounding_of(i.field(50, 2));
  for_each_lane(active, [&](int lane) {
    const double x = as_double(w.wide(i.ra(), lane)), y = as_double(product(w.wide(i.b, lane)));
    const double z = as_double(addend(w.wide(i.c, lane)));
    w.set_wide(i.rd(), lane, as_bits(rounded_fma(x, y, z, mode)));
  });
}

void run_dmnmx(Warp& w, const Instruction& i, uint32_t active) {
  const Sign a_sign(i.bit(46), i.bit(48)), b_sign(i.bit(49), i.bit(45));
  const uint32_t take_minimum = w.predicate_source(i, 39);
  for_each_lane(active, [&](int lane) {
    const double x = as_double(a_sign(w.wide(i.ra(), lane))), y = as_double(b_sign(w.wide(i.b, lane)));
    w.set_wide(i.rd(), lane, as_bits((take_minimum >> lane & 1) != 0 ? minimum(x, y) : maximum(x, y)));
  });
}

}  // namespace

Handler select_double(Instruction& i) {
  Handler handler = nullptr;
  switch (i.opcode) {
    case Opcode::dadd: handler = run_dadd; break;
    case Opcode::dmul: handler = run_dmul; break;
    case Opcode::dfma: handler = run_dfma; break;
    case Opcode::dmnmx: handler = run_dmnmx; break;
    default: return nullptr;
  }
  if (i.writes_cc) {
    i.why = "condition codes of a double result";
    return nullptr;
  }
  return handler;
}

}  // namespace texlate::sim::maxwell
