#include "backend/maxwell/machine/add_issue_hints.h"

#include <span>

#include "backend/maxwell/isa/table.h"
#include "backend/maxwell/machine/line_access.h"

namespace texlate::maxwell::machine {
namespace {

/// From this stall on, another warp may run: as ptxas marks its waits for predicates.
constexpr unsigned kYieldStall = 12;

/// ptxas does not mark branches, barriers and fences, although they stall for long.
bool never_yields(LatencyClass latency_class) {
  return latency_class == LatencyClass::control || latency_class == LatencyClass::synchronise;
}

uint8_t barrier_bits(const Control& control) {
  uint8_t out = 0;
  if (control.write_barrier != Control::kNoBarrier) out |= static_cast<uint8_t>(1u << control.write_barrier);
  if (control.read_barrier != Control::kNoBarrier) out |= static_cast<uint8_t>(1u << control.read_barrier);
  return out;
}

bool writes(const LineAccess& access, uint8_t reg) {
  bool found = false;
  access.visit_writes([&](Place p) { found |= p == kFirstRegister + reg; });
  return found;
}

/// Keeps registers that the next line reads through the same port, too.
void add_reuse(Line& line, const Line& next) {
  for (unsigned port = 0; port < 3; ++port) {
    const uint8_t mine = line.known->port_at[port], its = next.known->port_at[port];
    if (mine == FormFacts::kNoPort || its == FormFacts::kNoPort) continue;
    const auto reg = static_cast<uint8_t>(line.code().word >> mine);
    if (reg == kRZ || reg != static_cast<uint8_t>(next.code().word >> its) || writes(line.access, reg))
      continue;
    line.code().control.reuse |= static_cast<uint8_t>(1u << port);
  }
}

/// Every fetch of a batch is .T except the last, which is .P.
class Phases {
 public:
  void visit(Code& code, bool is_fetch) {
    if (last_ != nullptr && (code.control.wait_mask & under_way_) != 0) end();
    if (!is_fetch) return;
    code.control.reuse = static_cast<uint8_t>(TexturePhase::t);
    last_ = &code.control;
    under_way_ |= barrier_bits(code.control);
  }
  void end() {
    if (last_ != nullptr) last_->reuse = static_cast<uint8_t>(TexturePhase::p);
    last_ = nullptr;
    under_way_ = 0;
  }

 private:
  Control* last_ = nullptr;
  uint8_t under_way_ = 0;
};

void add_hints(std::span<Line> lines) {
  Phases phases;
  Line* before = nullptr;  // the line before, if it can keep registers
  for (Line& line : lines) {
    Code& code = line.code();
    const FormFacts& known = *line.known;
    code.control.yield = code.control.stall >= kYieldStall && !never_yields(known.latency_class);
    phases.visit(code, known.latency_class == LatencyClass::texture);
    const bool can_keep = known.times.is_fixed();
    if (can_keep && before != nullptr) add_reuse(*before, line);
    // Another warp that runs in between has its own operands.
    before = !can_keep || code.control.yield ? nullptr : &line;
  }
  phases.end();
}

}  // namespace

void add_issue_hints(Layout& layout) {
  for (const LineBlock& b : layout.blocks) add_hints(std::span(layout.lines).subspan(b.first, b.count));
}

}  // namespace texlate::maxwell::machine
