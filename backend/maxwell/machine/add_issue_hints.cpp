#include "backend/maxwell/machine/add_issue_hints.h"

#include "backend/maxwell/isa/constraints.h"
#include "backend/maxwell/isa/table.h"
#include "backend/maxwell/machine/line_access.h"

namespace texlate::maxwell::machine {
namespace {

/// From this stall on, another warp may run: as ptxas marks its waits for predicates.
constexpr unsigned kYieldStall = 12;

bool is_texture(const Code& code) {
  return latency_class(code) == LatencyClass::texture;
}

/// ptxas does not mark branches, barriers and fences, although they stall for long.
bool never_yields(const Code& code) {
  const LatencyClass latency_class = maxwell::latency_class(code);
  return latency_class == LatencyClass::control || latency_class == LatencyClass::synchronise;
}

uint8_t barrier_bits(const Control& control) {
  uint8_t out = 0;
  if (control.write_barrier != Control::kNoBarrier) out |= static_cast<uint8_t>(1u << control.write_barrier);
  if (control.read_barrier != Control::kNoBarrier) out |= static_cast<uint8_t>(1u << control.read_barrier);
  return out;
}

void set_phase(Line& line, TexturePhase phase) {
  line.code().control.reuse = static_cast<uint8_t>(phase);
}

/// Every fetch of a batch is .T except the last, which is .P.
void add_phases(Layout& layout, const LineBlock& b) {
  Line* last = nullptr;
  uint8_t under_way = 0;
  for (uint32_t i = b.first; i < b.first + b.count; ++i) {
    Line& line = layout.lines[i];
    if (last != nullptr && (line.code().control.wait_mask & under_way) != 0) {
      set_phase(*last, TexturePhase::p);
      last = nullptr;
      under_way = 0;
    }
    if (!is_texture(line.code())) continue;
    set_phase(line, TexturePhase::t);
    last = &line;
    under_way |= barrier_bits(line.code().control);
  }
  if (last != nullptr) set_phase(*last, TexturePhase::p);
}

/// The register that an instruction reads through each of the three ports; kRZ: none, or none that can be
/// kept.
struct Ports {
  uint8_t reg[3] = {kRZ, kRZ, kRZ};
};

Ports find_ports(const Code& code) {
  constexpr unsigned kMask = 0xff;
  Ports out;
  const Form& f = form(code);
  for (unsigned k = 0; k < f.operand_count; ++k) {
    const Slot& slot = f.operands[k];
    if (slot.kind != SlotKind::reg || slot.reuse == 0 || slot.role != Role::source) continue;
    if (slot.span == Span::one) out.reg[slot.reuse - 1] = static_cast<uint8_t>(code.word >> slot.at & kMask);
  }
  return out;
}

bool writes(const LineAccess& access, uint8_t reg) {
  bool found = false;
  access.visit_writes([&](Place p) { found |= p == kFirstRegister + reg; });
  return found;
}

void add_reuse(Layout& layout, const LineBlock& b) {
  Ports mine, its;
  bool is_known = false;  // `its` are the ports of line i
  for (uint32_t i = b.first; i + 1 < b.first + b.count; ++i) {
    Code& code = layout.lines[i].code();
    const Code& next = layout.lines[i + 1].code();
    const bool can_keep = latency(code).is_fixed() && latency(next).is_fixed();
    if (can_keep) {
      mine = is_known ? its : find_ports(code);
      its = find_ports(next);
    }
    is_known = can_keep;
    // Another warp that runs in between has its own operands.
    if (!can_keep || code.control.yield) continue;
    for (unsigned port = 0; port < 3; ++port) {
      const uint8_t reg = mine.reg[port];
      if (reg == kRZ || reg != its.reg[port] || writes(layout.lines[i].access, reg)) continue;
      code.control.reuse |= static_cast<uint8_t>(1u << port);
    }
  }
}

}  // namespace

void add_issue_hints(Layout& layout) {
  for (Line& line : layout.lines) {
    Control& control = line.code().control;
    control.yield = control.stall >= kYieldStall && !never_yields(line.code());
  }
  for (const LineBlock& b : layout.blocks) {
    add_phases(layout, b);
    add_reuse(layout, b);
  }
}

}  // namespace texlate::maxwell::machine
