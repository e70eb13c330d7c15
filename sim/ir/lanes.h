// What all parts of the interpreter share: lanes in lockstep, and a register file with one row per value.
#pragma once

#include <array>
#include <bit>
#include <vector>

#include "sim/ir/decode.h"
#include "sim/ir/interpreter.h"

namespace texlate::sim {

constexpr uint32_t kMaxLanes = 1024;

/// A set of lanes.
struct LaneMask {
  std::array<uint64_t, kMaxLanes / 64> words{};

  static LaneMask first(uint32_t count) {
    LaneMask mask;
    for (uint32_t i = 0; i < count; ++i) mask.set(i);
    return mask;
  }
  void set(uint32_t lane) { words[lane / 64] |= uint64_t{1} << (lane % 64); }
  void reset(uint32_t lane) { words[lane / 64] &= ~(uint64_t{1} << (lane % 64)); }
  bool test(uint32_t lane) const { return ((words[lane / 64] >> (lane % 64)) & 1) != 0; }
  /// All four lanes of the quad.
  bool test_quad(uint32_t lane) const {
    const uint32_t quad = lane & ~3u;
    return ((words[quad / 64] >> (quad % 64)) & 15u) == 15u;
  }
  /// Only the first `count` words.
  void add(const LaneMask& other, uint32_t count) {
    for (uint32_t w = 0; w < count; ++w) words[w] |= other.words[w];
  }
  void remove(const LaneMask& other, uint32_t count) {
    for (uint32_t w = 0; w < count; ++w) words[w] &= ~other.words[w];
  }
};

/// Barriers that the group has passed, of those that order accesses to u# (to g#), and whether a fence waits
/// for one. Hull shaders: phases.
struct Barriers {
  uint32_t uav = 0, shared = 0;
  bool uav_fence = false, shared_fence = false;

  void pass(uint32_t flags);
};

/// The lanes that run now, and what they run on.
struct Lanes {
  Lanes(const ir::Module& interpreted, const Program& decoded, const Bindings& bound,
        const InterpreterOptions& chosen, uint32_t lanes);

  /// The first ones are active and live. The register file keeps its values.
  void start(uint32_t started);

  uint32_t* row(uint32_t index) { return file.data() + size_t{index} * count; }
  const uint32_t* row(uint32_t index) const { return file.data() + size_t{index} * count; }
  /// Calls f(lane) for each active lane.
  template <typename F>
  void for_active(F f) const {
    for (uint32_t w = 0; w < mask_words; ++w) {
      for (uint64_t left = active.words[w]; left != 0; left &= left - 1) {
        f(w * 64 + static_cast<uint32_t>(std::countr_zero(left)));
      }
    }
  }
  uint64_t active_count() const;
  bool any(const LaneMask& mask) const;

  /// True if the access's guard disables it in this lane. An access without a guard is never disabled.
  bool is_guarded_off(const Step& step, uint32_t lane) const {
    return step.guard != kNoRow && row(step.guard)[lane] == 0;
  }
  void flag(uint32_t lane, Undefined reason) { undefined[lane] |= static_cast<uint32_t>(reason); }
  /// The active lanes take differences over their quads: what is undefined in one pixel is in the others.
  void mix_quads();

  // trace.cpp
  void choose_traced_lane();
  void trace_step(const Step& step);

  const ir::Module& module;
  const Program& program;
  const Bindings& bindings;
  const InterpreterOptions& options;
  const uint32_t count;
  const uint32_t mask_words;
  std::vector<uint32_t> file;
  LaneMask active;
  LaneMask live;                     // whose writes take effect: helpers and discarded pixels change nothing
  std::vector<uint32_t> undefined;   // by lane
  std::vector<uint8_t> mixed_quads;  // of the stream: pixels depend on each other
  const StreamLaunch* stream = nullptr;
  uint32_t first_element = 0;  // of the launch, in lane 0
  std::array<uint32_t, 3> group{};
  uint32_t group_number = 0;  // of this launch; pixels and vertices: 0
  Barriers barriers;
  uint32_t traced = kNoLane;  // of the lanes that run now
  static constexpr uint32_t kNoLane = 0xffffffffu;
  RunReport report;
};

}  // namespace texlate::sim
