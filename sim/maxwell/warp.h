// One warp of 32 lanes: registers, predicates, condition codes, the branch stack.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include "sim/maxwell/hazards.h"
#include "sim/maxwell/machine.h"

namespace texlate::sim::maxwell {

constexpr int kLanes = 32;

/// Memory that starts undefined: a shadow byte for each byte records whether it was written.
struct ShadowMemory {
  std::vector<std::byte> bytes;
  std::vector<uint8_t> written;
  void resize(size_t size, bool undefined) {
    bytes.assign(size, std::byte{0});
    written.assign(size, undefined ? 0 : 1);
  }
};

struct Block {
  Machine& machine;
  Report& report;
  Dim3 grid, size, index;
  uint32_t threads = 0;
  ShadowMemory shared;
  std::vector<Warp*> warps;
};

enum class WarpState : uint8_t { running, at_barrier, done };

/// One value per lane: a register, or the same value for all lanes.
struct Lanes {
  const uint32_t* values;
  uint32_t step;
  uint32_t operator[](int lane) const { return values[static_cast<uint32_t>(lane) * step]; }
};

/// The condition codes, one bit per lane.
struct ConditionCodes {
  uint32_t zero = 0, sign = 0, carry = 0, overflow = 0;
};

class Warp {
 public:
  Warp(Block& block, uint32_t index);

  /// Runs until every lane has exited or the warp waits at a block barrier.
  WarpState run();
  uint32_t alive() const { return alive_; }
  uint32_t active() const { return active_; }
  uint64_t cycles() const { return hazards_.cycles(); }
  // Block barriers.
  bool waits() const { return waiting_; }
  uint32_t barrier() const { return barrier_; }
  void release() { waiting_ = false; }
  uint32_t barrier_votes = 0;  // BAR.RED: lanes in which the predicate holds

  // Used by the instruction handlers.
  uint32_t* reg(uint8_t r) { return registers_[r].data(); }
  /// The destination of a result. Writes to RZ are discarded.
  uint32_t* target(uint8_t r) { return r == kZeroRegister ? sink_.data() : registers_[r].data(); }
  Lanes lanes(uint8_t r) { return {registers_[r].data(), 1}; }
  Lanes a(const Instruction& i) { return lanes(i.ra()); }
  Lanes b(const Instruction& i) { return source(i.b, 0); }
  Lanes c(const Instruction& i) { return source(i.c, 1); }
  uint64_t wide(const Operand& operand, int lane);
  uint64_t wide(uint8_t r, int lane) {
    if (r == kZeroRegister) return 0;
    return uint64_t{registers_[r + 1u][static_cast<size_t>(lane)]} << 32 |
           registers_[r][static_cast<size_t>(lane)];
  }
  void set_wide(uint8_t r, int lane, uint64_t value) {
    if (r == kZeroRegister) return;
    registers_[r][static_cast<size_t>(lane)] = static_cast<uint32_t>(value);
    registers_[r + 1u][static_cast<size_t>(lane)] = static_cast<uint32_t>(value >> 32);
  }
  /// Lanes in which the predicate holds. A predicate field has three bits and a negation bit above them.
  uint32_t predicate(uint32_t number) const { return predicates_[number]; }
  uint32_t predicate_source(const Instruction& i, int position) const {
    const uint32_t p = predicates_[i.field(position, 3)];
    return i.bit(position + 3) ? ~p : p;
  }
  void set_predicate(uint32_t number, uint32_t active, uint32_t value) {
    if (number == kTruePredicate) return;
    predicates_[number] = (predicates_[number] & ~active) | (value & active);
  }
  ConditionCodes& cc() { return cc_; }
  /// Lanes in which condition-code test 0..31 holds.
  uint32_t cc_test(uint32_t test) const;
  Block& block() { return block_; }
  Machine& machine() { return block_.machine; }
  const MachineOptions& options() const { return options_; }
  uint32_t index() const { return index_; }
  uint32_t thread_of(int lane) const { return index_ * kLanes + static_cast<uint32_t>(lane); }
  /// The number of the lane's thread in the grid, for attributes.
  uint32_t element_of(int lane) const { return block_.index.x * block_.threads + thread_of(lane); }
  bool is_helper(int lane) const {
    const std::span<const uint32_t> helpers = block_.machine.attributes().helpers;
    const uint32_t element = element_of(lane);
    return element < helpers.size() && helpers[element] != 0;
  }
  void fault(FaultKind kind, const Instruction& i, int lane, std::string_view message);
  /// Reports that these lanes read uninitialized data.
  void report_undefined(FaultKind kind, const Instruction& i, uint32_t lanes, std::string_view message);

  uint32_t constant(uint32_t bank, int64_t offset, uint32_t bytes = 4) const;

  /// Reports an access to global memory or an image that the program's header does not declare.
  void check_declared(const Instruction& i, int lane, bool write);

  /// The address of `size` bytes for one lane, or null after a fault. `shadow` is null for memory without a
  /// shadow.
  enum class Space : uint8_t { global, shared, local, generic };
  std::byte* memory(const Instruction& i, Space space, int lane, uint64_t address, uint32_t size, bool write,
                    uint8_t*& shadow);

  // RRO marks the values that it has prepared; MUFU checks the mark.
  enum class Prepared : uint8_t { no, sine, exponent };
  Prepared prepared(uint8_t r) const { return prepared_[r]; }
  void set_prepared(uint8_t r, Prepared what) {
    if (r != kZeroRegister) prepared_[r] = what;
  }

  // Control (exec_control.cpp).
  enum class Token : uint8_t { divergence, sync, loop_break, loop_continue, call };
  void push(const Instruction& i, Token token, uint32_t address);
  void branch(const Instruction& i, uint32_t taken, uint32_t address);
  void branch_indexed(const Instruction& i, uint32_t taken);
  void join(const Instruction& i, uint32_t lanes);
  void leave(const Instruction& i, Token token, uint32_t lanes);
  /// `killed`: by KIL, so that none of their results count.
  void exit_lanes(const Instruction& i, uint32_t lanes, bool killed);
  void wait_at_barrier(const Instruction& i, uint32_t lanes);

 private:
  struct StackEntry {
    Token token;
    uint32_t lanes;
    uint32_t address;
  };

  Lanes source(const Operand& operand, int slot);
  void step(const Instruction& i);
  bool refuse_operands(const Instruction& i, uint32_t lanes);
  uint32_t lanes_using(const Instruction& i, uint32_t reg, uint32_t lanes) const;
  void check_initialized(const Instruction& i, uint32_t lanes);
  void mark_written(const Instruction& i, uint32_t lanes);
  bool exchanges(const Instruction& i, uint32_t lanes);
  void pop(const Instruction& i);
  uint32_t gone(Token token) const;

  Block& block_;
  const MachineOptions& options_;
  uint32_t index_;
  std::array<std::array<uint32_t, kLanes>, 256> registers_{};
  std::array<uint32_t, kLanes> sink_{};
  std::array<uint32_t, 8> predicates_{};
  ConditionCodes cc_;
  std::array<uint32_t, 2> scalar_{};
  std::array<uint32_t, 256> written_{};  // lanes that have written a register
  /// Two registers that three exclusive ors exchange, where one of them may be uninitialized.
  struct Exchange {
    int done = 0;  // of the three
    uint8_t a = 0, b = 0;
    uint32_t lanes = 0, a_written = 0, b_written = 0;
  };
  Exchange exchange_;
  std::array<uint32_t, 8> predicate_written_{};
  uint32_t cc_written_ = 0;
  std::array<Prepared, 256> prepared_{};
  std::array<ShadowMemory, kLanes> local_;
  uint32_t alive_ = 0, active_ = 0;
  uint32_t broken_ = 0, continued_ = 0, returned_ = 0;
  std::vector<StackEntry> stack_;
  uint32_t address_ = 0;
  bool waiting_ = false;
  uint32_t barrier_ = 0;
  Hazards hazards_;
  std::vector<Hazard> found_;
};

/// Calls f(lane) for each set bit.
template <typename F>
inline void for_each_lane(uint32_t lanes, F f) {
  if (lanes == 0xffffffffu) {
    for (int lane = 0; lane < kLanes; ++lane) f(lane);
    return;
  }
  for (; lanes != 0; lanes &= lanes - 1) f(std::countr_zero(lanes));
}

/// d = f(a, b) and similar, lane by lane, on 32-bit words.
template <typename F>
inline void map_b(Warp& w, const Instruction& i, uint32_t active, F f) {
  const Lanes b = w.b(i);
  uint32_t* d = w.target(i.rd());
  for_each_lane(active, [&](int lane) { d[lane] = f(b[lane]); });
}
template <typename F>
inline void map_ab(Warp& w, const Instruction& i, uint32_t active, F f) {
  const Lanes a = w.a(i), b = w.b(i);
  uint32_t* d = w.target(i.rd());
  for_each_lane(active, [&](int lane) { d[lane] = f(a[lane], b[lane]); });
}
template <typename F>
inline void map_abc(Warp& w, const Instruction& i, uint32_t active, F f) {
  const Lanes a = w.a(i), b = w.b(i), c = w.c(i);
  uint32_t* d = w.target(i.rd());
  for_each_lane(active, [&](int lane) { d[lane] = f(a[lane], b[lane], c[lane]); });
}

/// AND, OR, XOR of two predicates, selected by the two-bit field that every set and compare has.
inline uint32_t combine(uint32_t op, uint32_t x, uint32_t y) {
  return op == 0 ? x & y : op == 1 ? x | y : x ^ y;
}
/// Pd @3 and Pq @0 of a compare: the test and its negation, each combined with predicate @39.
inline void set_compare(Warp& w, const Instruction& i, uint32_t active, uint32_t holds) {
  const uint32_t with = w.predicate_source(i, 39), op = i.field(45, 2);
  w.set_predicate(i.field(3, 3), active, combine(op, holds, with));
  w.set_predicate(i.field(0, 3), active, combine(op, ~holds, with));
}

}  // namespace texlate::sim::maxwell
