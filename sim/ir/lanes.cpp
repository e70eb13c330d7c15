#include "sim/ir/lanes.h"

#include <algorithm>
#include <cassert>
#include <cstring>

namespace texlate::sim {

// Lanes run in lockstep, and writes to memory take effect at once. Only what the barrier orders is noted: a
// fence may be an instruction before it.
void Barriers::pass(uint32_t flags) {
  uav_fence |= (flags & (ir::kBarrierUavGroup | ir::kBarrierUavGlobal)) != 0;
  shared_fence |= (flags & ir::kBarrierShared) != 0;
  if ((flags & ir::kBarrierThreads) == 0) return;
  uav += uav_fence ? 1 : 0;
  shared += shared_fence ? 1 : 0;
  uav_fence = shared_fence = false;
}

Lanes::Lanes(const ir::Module& interpreted, const Program& decoded, const Bindings& bound,
             const InterpreterOptions& chosen, uint32_t lanes)
    : module(interpreted),
      program(decoded),
      bindings(bound),
      options(chosen),
      count(lanes),
      mask_words((lanes + 63) / 64),
      file(size_t{decoded.row_count} * lanes),
      undefined(lanes) {
  for (const Program::Constant& constant : program.constants) {
    uint32_t* to = row(constant.row);
    for (uint32_t lane = 0; lane < count; ++lane) {
      if (constant.type == ir::Type::b64) {
        std::memcpy(to + 2 * lane, &constant.bits, 8);
      } else {
        to[lane] = static_cast<uint32_t>(constant.bits);
      }
    }
  }
}

void Lanes::start(uint32_t started) {
  active = LaneMask::first(started);
  live = active;
  std::fill(undefined.begin(), undefined.end(), 0u);
  if (options.tracer != nullptr) choose_traced_lane();
}

bool Lanes::any(const LaneMask& mask) const {
  for (uint32_t w = 0; w < mask_words; ++w) {
    if (mask.words[w] != 0) return true;
  }
  return false;
}

uint64_t Lanes::active_count() const {
  uint64_t lanes = 0;
  for (uint32_t w = 0; w < mask_words; ++w) lanes += static_cast<uint64_t>(std::popcount(active.words[w]));
  return lanes;
}

// Helpers and pixels that were discarded count, too: their values are part of the differences. Only pixel
// shaders have differences (ir/verifier_contract.cpp), and StreamLaunch has whole quads.
void Lanes::mix_quads() {
  assert(module.stage == ir::Stage::pixel && count % 4 == 0);
  for_active([&](uint32_t lane) {
    const uint32_t quad = lane & ~3u;
    for (uint32_t other = quad; other < quad + 4; ++other) undefined[lane] |= undefined[other];
    if (stream != nullptr) mixed_quads[(first_element + lane) / 4] = 1;
  });
}

}  // namespace texlate::sim
