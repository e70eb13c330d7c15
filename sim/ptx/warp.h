// One warp of 32 lanes: registers, poison, memory, and the scheduler that lets lanes diverge and reconverge.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>
#include <vector>

#include "sim/ptx/machine.h"
#include "sim/ptx/special_registers.h"
#include "sim/ptx/spin.h"

namespace texlate::sim::ptx {

constexpr int kLanes = 32;
constexpr uint32_t kBarriers = 16;  // of a block

/// Memory that starts undefined: a shadow byte for each byte records whether it is poison.
struct ShadowMemory {
  std::vector<std::byte> bytes;
  std::vector<uint8_t> poison;
  void resize(size_t size, bool poisoned) {
    bytes.assign(size, std::byte{0});
    poison.assign(size, poisoned ? 1 : 0);
  }
};

/// Generic addresses (PTX ISA 6.4.1.1): each space is a window.
constexpr uint64_t kSharedWindow = 0x7f0000000000;
constexpr uint64_t kLocalWindow = 0x7e0000000000;
constexpr uint64_t kParamWindow = 0x7d0000000000;
constexpr uint64_t kWindowSize = 0x10000000000;

/// One thread block: its shared memory and barriers.
struct Block {
  Machine& machine;
  Report& report;
  const Function& entry;
  std::span<const std::byte> parameters;
  Dim3 grid, size, index;
  uint32_t threads = 0;
  ShadowMemory shared;
  std::vector<Warp*> warps;
  uint64_t changes = 0;  // of memory, by any lane
};

struct CallFrame {
  uint32_t return_pc;
  uint32_t call;  // index into Module::calls
};

enum class WarpState : uint8_t { waiting, done };

class Warp {
 public:
  Warp(Block& block, uint32_t index);

  /// Runs until every lane has exited, or waits at a block barrier or for a change of memory.
  WarpState run();
  void release_barrier(uint32_t barrier);
  /// Lanes that wait at barrier `barrier`.
  uint32_t waiting(uint32_t barrier) const;
  uint32_t alive() const { return alive_; }
  /// Do all living lanes wait at this barrier?
  bool has_arrived(uint32_t barrier) const { return alive_ != 0 && waiting(barrier) == alive_; }
  /// Lanes wait in a loop for a change of memory; memory has changed since they came there.
  bool is_spinning() const { return (spinning_ & alive_) != 0; }
  bool may_stop_spinning() const { return is_spinning() && block_.changes != changes_seen_; }
  /// Reports that it waits for ever.
  void fault_as_stuck();
  /// Of a warp that waits at a barrier: how many threads of the block it waits for (0: all of them).
  uint32_t barrier_threads() const { return barrier_threads_[std::countr_zero(alive_)]; }

  // Used by the instruction handlers.
  uint64_t* reg(uint32_t r) { return values_.data() + static_cast<size_t>(r) * kLanes; }
  uint32_t poison(uint32_t r) const { return poison_[r]; }
  void set_poison(uint32_t r, uint32_t active, uint32_t lanes) {
    poison_[r] = (poison_[r] & ~active) | (lanes & active);
  }
  Block& block() { return block_; }
  Machine& machine() { return block_.machine; }
  uint32_t block_number() const {
    return (block_.index.z * block_.grid.y + block_.index.y) * block_.grid.x + block_.index.x;
  }
  const MachineOptions& options() { return block_.machine.options(); }
  void fault(FaultKind kind, const Instruction& i, int lane, std::string_view message);
  /// Reports the lanes of `active` whose register `r` is poison, if poison is reported, and returns the
  /// others.
  uint32_t refuse_poison(FaultKind kind, const Instruction& i, uint32_t r, uint32_t active,
                         std::string_view what);

  /// The address of `size` bytes for one lane, or null after a fault. `shadow` is null for memory without
  /// poison.
  std::byte* memory(const Instruction& i, Space space, int lane, uint64_t address, uint32_t size, bool write,
                    uint8_t*& shadow);

 private:
  void start_lanes();
  bool step_group();
  /// The lanes of `ready` that run next, all at one pc. `merge` is set to the pc where they wait for others.
  uint32_t choose_group(uint32_t ready, uint32_t& merge);
  uint32_t lanes_at(uint32_t pc, uint32_t among) const;
  void execute(const Instruction& i, uint32_t group);
  void control(const Instruction& i, uint32_t group, uint32_t active);
  void branch(const Instruction& i, uint32_t active);
  void branch_indexed(const Instruction& i, uint32_t active);
  void call(const Instruction& i, uint32_t active);
  void ret(const Instruction& i, uint32_t active);
  void barrier(const Instruction& i, uint32_t group, uint32_t active);
  void copy_parameter(const Parameter& from, const Parameter& to, int lane);
  bool wait_for_members(const Instruction& i, uint32_t group, uint32_t active);
  void run_sync(const Instruction& i, uint32_t active);
  uint32_t guard_lanes(const Instruction& i, uint32_t group, uint32_t& poisoned);
  void poison_destinations(const Instruction& i, uint32_t lanes);
  /// Lanes that can go on. Before sm_70 the lanes of a warp do not run while others of it wait in a loop.
  uint32_t runnable() const {
    if (is_spinning() && module_.sm < 70) return 0;
    return alive_ & ~blocked_ & ~spinning_;
  }
  void break_deadlock();

  Block& block_;
  const Module& module_;
  uint32_t index_;
  uint64_t random_;
  uint32_t alive_ = 0;
  uint32_t blocked_ = 0;       // at a barrier or at a .sync instruction
  uint32_t sync_waiting_ = 0;  // at a .sync instruction
  uint32_t spinning_ = 0;      // in a loop, until memory changes
  uint64_t changes_seen_ = 0;  // Block::changes when they came there
  SpinDetector spin_;
  std::array<uint32_t, kLanes> barrier_{};  // the block barrier at which a lane waits
  std::array<uint32_t, kLanes> barrier_threads_{};
  std::array<uint32_t, kLanes> pc_{};
  std::vector<uint64_t> values_;
  std::vector<uint32_t> poison_;
  std::array<std::vector<CallFrame>, kLanes> calls_;
  std::array<ShadowMemory, kLanes> local_, call_parameters_;
};

template <typename F>
inline void for_each_lane(uint32_t active, F&& f) {
  if (active == 0xffffffffu) {
    for (int lane = 0; lane < kLanes; ++lane) f(lane);
    return;
  }
  for (; active != 0; active &= active - 1) f(std::countr_zero(active));
}

/// A register's contents as a T: the low bits. Results are zero-extended; loads and conversions of signed
/// types sign-extend their results themselves.
template <typename T>
inline T from_bits(uint64_t bits) {
  if constexpr (sizeof(T) == 8) {
    return std::bit_cast<T>(bits);
  } else if constexpr (sizeof(T) == 4) {
    return std::bit_cast<T>(static_cast<uint32_t>(bits));
  } else if constexpr (sizeof(T) == 2) {
    return std::bit_cast<T>(static_cast<uint16_t>(bits));
  } else {
    return std::bit_cast<T>(static_cast<uint8_t>(bits));
  }
}
template <typename T>
inline uint64_t to_bits(T value) {
  if constexpr (sizeof(T) == 8) {
    return std::bit_cast<uint64_t>(value);
  } else if constexpr (sizeof(T) == 4) {
    return std::bit_cast<uint32_t>(value);
  } else if constexpr (sizeof(T) == 2) {
    return std::bit_cast<uint16_t>(value);
  } else {
    return std::bit_cast<uint8_t>(value);
  }
}

/// d = f(a), d = f(a, b), d = f(a, b, c) for each active lane. Poison in any source propagates to the
/// destination.
template <typename T, typename F>
inline void map1(Warp& w, const Instruction& i, uint32_t active, F f) {
  const uint64_t* a = w.reg(i.src[0]);
  uint64_t* d = w.reg(i.dst[0]);
  for_each_lane(active, [&](int lane) { d[lane] = to_bits(f(from_bits<T>(a[lane]))); });
  w.set_poison(i.dst[0], active, w.poison(i.src[0]));
}
template <typename T, typename F>
inline void map2(Warp& w, const Instruction& i, uint32_t active, F f) {
  const uint64_t* a = w.reg(i.src[0]);
  const uint64_t* b = w.reg(i.src[1]);
  uint64_t* d = w.reg(i.dst[0]);
  for_each_lane(active,
                [&](int lane) { d[lane] = to_bits(f(from_bits<T>(a[lane]), from_bits<T>(b[lane]))); });
  w.set_poison(i.dst[0], active, w.poison(i.src[0]) | w.poison(i.src[1]));
}
template <typename T, typename F>
inline void map3(Warp& w, const Instruction& i, uint32_t active, F f) {
  const uint64_t* a = w.reg(i.src[0]);
  const uint64_t* b = w.reg(i.src[1]);
  const uint64_t* c = w.reg(i.src[2]);
  uint64_t* d = w.reg(i.dst[0]);
  for_each_lane(active, [&](int lane) {
    d[lane] = to_bits(f(from_bits<T>(a[lane]), from_bits<T>(b[lane]), from_bits<T>(c[lane])));
  });
  w.set_poison(i.dst[0], active, w.poison(i.src[0]) | w.poison(i.src[1]) | w.poison(i.src[2]));
}

}  // namespace texlate::sim::ptx
