// S2R, CS2R, SHFL, VOTE.
#include "sim/maxwell/primitive_stage.h"
#include "sim/maxwell/warp.h"

namespace texlate::sim::maxwell {

namespace {

constexpr uint32_t kThreadKill = 0x13;  // 1 for helper pixels
constexpr uint32_t kClockLow = 0x50, kClockHigh = 0x51;

bool is_known_special(uint32_t number) {
  switch (number) {
    case 0x00:
    case kPrimitiveType:
    case kInvocationId:
    case kInvocationInfo:
    case kThreadKill:
    case 0x21:
    case 0x22:
    case 0x23:
    case 0x25:
    case 0x26:
    case 0x27:
    case 0x38:
    case 0x39:
    case 0x3a:
    case 0x3b:
    case 0x3c:
    case kClockLow:
    case kClockHigh: return true;
    default: return false;
  }
}

uint32_t special(Warp& w, uint32_t number, int lane) {
  const Block& block = w.block();
  const uint32_t thread = w.thread_of(lane), mask = 1u << lane;
  switch (number) {
    case 0x00: return static_cast<uint32_t>(lane);
    case kPrimitiveType:
    case kInvocationId:
    case kInvocationInfo: {
      const PrimitiveStage* stage = w.machine().attributes().primitives;
      return stage != nullptr ? stage->special(number, w.element_of(lane)) : 0;
    }
    case kThreadKill: return w.is_helper(lane) ? 0xffffffffu : 0;
    case 0x21: return thread % block.size.x;
    case 0x22: return thread / block.size.x % block.size.y;
    case 0x23: return thread / block.size.x / block.size.y;
    case 0x25: return block.index.x;
    case 0x26: return block.index.y;
    case 0x27: return block.index.z;
    case 0x38: return mask;                  // EQMASK
    case 0x39: return mask - 1;              // LTMASK
    case 0x3a: return mask | (mask - 1);     // LEMASK
    case 0x3b: return ~(mask | (mask - 1));  // GTMASK
    case 0x3c: return ~(mask - 1);           // GEMASK
    case kClockLow: return static_cast<uint32_t>(w.cycles());
    default: return static_cast<uint32_t>(w.cycles() >> 32);
  }
}

void run_s2r(Warp& w, const Instruction& i, uint32_t active) {
  const uint32_t number = i.field(20, 8);
  uint32_t* d = w.target(i.rd());
  for_each_lane(active, [&](int lane) { d[lane] = special(w, number, lane); });
}

// What a lane reads from a lane that does not take part; a value that is recognizable where it is used.
constexpr uint32_t kNoLane = 0xcdcdcdcdu;

// PTX ISA 9.7.9.6: modes up, down, bfly, idx. The segment mask is in the bits above the clamp.
void run_shfl(Warp& w, const Instruction& i, uint32_t active) {
  const uint32_t mode = i.field(30, 2), fixed_lane = i.field(20, 5), fixed_clamp = i.field(34, 13);
  const bool lane_is_fixed = i.bit(28), clamp_is_fixed = i.bit(29);
  const Lanes a = w.a(i), b = w.lanes(i.rb()), c = w.lanes(i.rc());
  std::array<uint32_t, kLanes> result{};
  uint32_t in_range = 0;
  for_each_lane(active, [&](int lane) {
    const uint32_t by = (lane_is_fixed ? fixed_lane : b[lane]) & 31;
    const uint32_t bounds = clamp_is_fixed ? fixed_clamp : c[lane];
    const uint32_t clamp = bounds & 31, segment = bounds >> 8 & 31;
    const auto self = static_cast<uint32_t>(lane);
    const uint32_t least = self & segment, most = least | (clamp & ~segment);
    uint32_t from = 0;
    bool good = false;
    switch (mode) {
      case 0: from = least | (by & ~segment), good = from <= most; break;
      case 1: from = self - by, good = static_cast<int32_t>(from) >= static_cast<int32_t>(most); break;
      case 2: from = self + by, good = from <= most; break;
      default: from = self ^ by, good = from <= most; break;
    }
    if (!good) from = self;
    in_range |= (good ? 1u : 0u) << lane;
    result[self] = (active >> (from & 31) & 1) != 0 ? a[static_cast<int>(from & 31)] : kNoLane;
  });
  uint32_t* d = w.target(i.rd());
  for_each_lane(active, [&](int lane) { d[lane] = result[static_cast<size_t>(lane)]; });
  w.set_predicate(i.field(48, 3), active, in_range);
}

void run_vote(Warp& w, const Instruction& i, uint32_t active) {
  const uint32_t ballot = w.predicate_source(i, 39) & active;
  bool holds = false;
  switch (i.field(48, 2)) {
    case 0: holds = ballot == active; break;
    case 1: holds = ballot != 0; break;
    default: holds = ballot == active || ballot == 0; break;
  }
  uint32_t* d = w.target(i.rd());
  for_each_lane(active, [&](int lane) { d[lane] = ballot; });
  w.set_predicate(i.field(45, 3), active, holds ? 0xffffffffu : 0);
}

}  // namespace

Handler select_warp(Instruction& i) {
  switch (i.opcode) {
    case Opcode::s2r:
    case Opcode::cs2r:
      if (is_known_special(i.field(20, 8))) return run_s2r;
      i.why = "a special register that the machine does not have";
      return nullptr;
    case Opcode::shfl: return run_shfl;
    case Opcode::vote: return run_vote;
    default: return nullptr;
  }
}

}  // namespace texlate::sim::maxwell
