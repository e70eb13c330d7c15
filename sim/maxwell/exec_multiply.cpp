// IMUL, IMUL32I, IMAD, IMAD32I, IMADSP.
#include "sim/maxwell/warp.h"

namespace texlate::sim::maxwell {

namespace {

uint32_t multiply(uint32_t a, uint32_t b, bool signed_a, bool signed_b, bool high) {
  const int64_t x = signed_a ? int64_t{static_cast<int32_t>(a)} : int64_t{a};
  const int64_t y = signed_b ? int64_t{static_cast<int32_t>(b)} : int64_t{b};
  const auto product = static_cast<uint64_t>(x) * static_cast<uint64_t>(y);
  return static_cast<uint32_t>(high ? product >> 32 : product);
}

void run_imul(Warp& w, const Instruction& i, uint32_t active) {
  const bool wide = i.opcode == Opcode::imul32i;
  const bool high = i.bit(wide ? 53 : 39), signed_a = i.bit(wide ? 54 : 40), signed_b = i.bit(wide ? 55 : 41);
  map_ab(w, i, active, [&](uint32_t a, uint32_t b) { return multiply(a, b, signed_a, signed_b, high); });
}

void run_imad(Warp& w, const Instruction& i, uint32_t active) {
  const bool wide = i.opcode == Opcode::imad32i;
  const bool high = i.bit(wide ? 53 : 54), signed_a = i.bit(wide ? 54 : 48), signed_b = i.bit(wide ? 57 : 53);
  const bool negate_c = i.bit(wide ? 55 : 51), negate_product = i.bit(wide ? 56 : 52);
  const Lanes a = w.a(i), b = w.b(i), c = wide ? w.lanes(i.rd()) : w.c(i);
  uint32_t* d = w.target(i.rd());
  for_each_lane(active, [&](int lane) {
    const uint32_t product = multiply(a[lane], b[lane], signed_a, signed_b, high);
    d[lane] = (negate_product ? 0 - product : product) + (negate_c ? 0 - c[lane] : c[lane]);
  });
}

}  // namespace

Handler select_multiply(Instruction& i) {
  switch (i.opcode) {
    case Opcode::imul:
    case Opcode::imul32i:
      if (i.writes_cc) i.why = "IMUL with condition codes";
      return i.writes_cc ? nullptr : run_imul;
    case Opcode::imad:
    case Opcode::imad32i:
      if (i.writes_cc || i.reads_cc || (i.opcode == Opcode::imad && i.bit(50))) {
        i.why = "IMAD with condition codes or saturation";
        return nullptr;
      }
      return run_imad;
    default: return nullptr;
  }
}

}  // namespace texlate::sim::maxwell
