// shfl.sync, vote.sync, match.sync, activemask (PTX ISA 9.7.9.6, 9.7.13.9 to 9.7.13.11). The scheduler has
// brought the lanes of the member mask together; `active` is the set of lanes that really execute.
#include <algorithm>

#include "sim/ptx/opcode.h"
#include "sim/ptx/warp.h"

namespace texlate::sim::ptx {

namespace {

struct ShuffleSource {
  int lane;
  bool in_range;
};

ShuffleSource shuffle_source(const Instruction& i, int lane, uint32_t b, uint32_t c) {
  const int bval = static_cast<int>(b & 31), cval = static_cast<int>(c & 31),
            segment = static_cast<int>(c >> 8 & 31);
  const int max_lane = (lane & segment) | (cval & ~segment & 31);
  const int min_lane = lane & segment;
  int j = 0;
  bool in_range = false;
  if (i.has(Mod::up)) {
    j = lane - bval;
    in_range = j >= max_lane;
  } else {
    j = i.has(Mod::down) ? lane + bval : i.has(Mod::bfly) ? lane ^ bval : min_lane | (bval & ~segment & 31);
    in_range = j <= max_lane;
  }
  return {in_range ? j : lane, in_range};
}

void run_shfl(Warp& w, const Instruction& i, uint32_t active) {
  std::array<uint64_t, kLanes> source{};
  std::copy_n(w.reg(i.src[0]), kLanes, source.begin());
  const uint32_t source_poison = w.poison(i.src[0]);
  const uint32_t control_poison = w.poison(i.src[1]) | w.poison(i.src[2]);
  uint32_t poison = control_poison;
  for_each_lane(active, [&](int lane) {
    const auto [from, in_range] = shuffle_source(i, lane, static_cast<uint32_t>(w.reg(i.src[1])[lane]),
                                                 static_cast<uint32_t>(w.reg(i.src[2])[lane]));
    const uint32_t bit = 1u << lane;
    // Reading from a lane that does not execute the instruction is undefined.
    if ((active >> from & 1) == 0 || (source_poison >> from & 1) != 0) poison |= bit;
    w.reg(i.dst[0])[lane] = source[from];
    if (i.dst[1] != kNone) w.reg(i.dst[1])[lane] = in_range ? 1 : 0;
  });
  w.set_poison(i.dst[0], active, poison);
  if (i.dst[1] != kNone) w.set_poison(i.dst[1], active, control_poison);
}

void run_vote(Warp& w, const Instruction& i, uint32_t active) {
  uint32_t set = 0;
  for_each_lane(active, [&](int lane) { set |= static_cast<uint32_t>(w.reg(i.src[0])[lane] & 1) << lane; });
  if ((i.negated & 1) != 0) set = ~set & active;
  const bool poisoned = (w.poison(i.src[0]) & active) != 0;
  uint64_t result = 0;
  if (i.has(Mod::ballot)) {
    result = set;
  } else {
    result = i.has(Mod::all) ? set == active : i.has(Mod::any) ? set != 0 : set == 0 || set == active;
  }
  for_each_lane(active, [&](int lane) { w.reg(i.dst[0])[lane] = result; });
  w.set_poison(i.dst[0], active, poisoned ? 0xffffffffu : 0);
}

void run_match(Warp& w, const Instruction& i, uint32_t active) {
  const bool wide = i.type == Type::b64;
  const auto value = [&](int lane) {
    return wide ? w.reg(i.src[0])[lane] : w.reg(i.src[0])[lane] & 0xffffffffu;
  };
  const bool poisoned = (w.poison(i.src[0]) & active) != 0;
  std::array<uint32_t, kLanes> equal{};
  for_each_lane(active, [&](int lane) {
    for_each_lane(active,
                  [&](int other) { equal[lane] |= (value(lane) == value(other) ? 1u : 0u) << other; });
  });
  for_each_lane(active, [&](int lane) {
    const bool all = equal[lane] == active;
    w.reg(i.dst[0])[lane] = i.has(Mod::any) || all ? equal[lane] : 0;
    if (i.dst[1] != kNone) w.reg(i.dst[1])[lane] = all ? 1 : 0;
  });
  w.set_poison(i.dst[0], active, poisoned ? 0xffffffffu : 0);
  if (i.dst[1] != kNone) w.set_poison(i.dst[1], active, poisoned ? 0xffffffffu : 0);
}

void run_activemask(Warp& w, const Instruction& i, uint32_t active) {
  for_each_lane(active, [&](int lane) { w.reg(i.dst[0])[lane] = active; });
  w.set_poison(i.dst[0], active, 0);
}

}  // namespace

Handler select_warp(const Instruction& i) {
  switch (i.opcode) {
    case Opcode::activemask: return i.type == Type::b32 ? run_activemask : nullptr;
    case Opcode::shfl: {
      const int modes = i.has(Mod::up) + i.has(Mod::down) + i.has(Mod::bfly) + i.has(Mod::idx);
      return i.has(Mod::sync) && modes == 1 && i.type == Type::b32 ? run_shfl : nullptr;
    }
    case Opcode::vote: {
      const int modes = i.has(Mod::all) + i.has(Mod::any) + i.has(Mod::uni) + i.has(Mod::ballot);
      if (!i.has(Mod::sync) || modes != 1) return nullptr;
      return i.type == (i.has(Mod::ballot) ? Type::b32 : Type::pred) ? run_vote : nullptr;
    }
    default:
      if (!i.has(Mod::sync) || i.has(Mod::any) == i.has(Mod::all)) return nullptr;
      return (i.type == Type::b32 || i.type == Type::b64) && (i.has(Mod::all) || i.dst[1] == kNone)
                 ? run_match
                 : nullptr;
  }
}

}  // namespace texlate::sim::ptx
