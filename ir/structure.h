// The constructs of a module (if, loop, switch) as a tree, found in one walk over the flat list: which
// markers belong together, where jumps go, which instructions pass values where, and what control can reach.
#pragma once

#include "ir/base/buffer.h"
#include "ir/module.h"

namespace texlate::ir {

constexpr bool opens_construct(Op op) {
  return op == Op::if_ || op == Op::loop || op == Op::switch_;
}
constexpr bool closes_construct(Op op) {
  return op == Op::endif || op == Op::endloop || op == Op::endswitch;
}
/// Markers that end one region and start another, or end the construct. `phase` ends a whole program part.
constexpr bool bounds_region(Op op) {
  return closes_construct(op) || op == Op::else_ || op == Op::case_ || op == Op::default_ || op == Op::phase;
}

/// Does control run straight to a `return` at the end? Then many passes have little to do.
inline bool is_straight_line(const Module& module) {
  const size_t count = module.code.size();
  for (size_t i = 0; i + 1 < count; ++i) {
    if (info(module.code[i].op).has(kControl)) return false;
  }
  return true;
}

/// All numbers are indices of instructions or of constructs, kNoIndex where there is none.
struct Construct {
  static constexpr uint32_t kNoIndex = 0xffffffffu;

  Op op{};                         // if_, loop, switch_
  uint32_t marker = kNoIndex;      // the opening marker
  uint32_t otherwise = kNoIndex;   // if: its else
  uint32_t end = kNoIndex;         // the end marker
  uint32_t parent = kNoIndex;      // the construct around this one
  uint32_t depth = 0;              // how many there are around it
  uint32_t first_arm = kNoIndex;   // switch: its first case or default; the others by Structure::next
  uint32_t first_exit = kNoIndex;  // passes the end marker's results: else and endif, or breaks; by next
  uint32_t first_repeat =
      kNoIndex;  // loop: passes the values of the next iteration: continues, endloop; by next
};

class Structure {
 public:
  static constexpr uint32_t kNoIndex = Construct::kNoIndex;

  /// What is recorded: all instructions, or only markers and jumps (the operations of Family::control), which
  /// is faster. Queries about other instructions are then not allowed.
  enum class Extent : uint8_t { all, control };

  /// The list must be well formed, as the verifier checks. Linear; all memory comes from `memory`.
  Structure(const Module& module, std::pmr::memory_resource* memory, Extent extent = Extent::all);
  /// Extent::control, where somebody knows all markers and jumps: their indices, in order.
  Structure(const Module& module, std::span<const uint32_t> markers, std::pmr::memory_resource* memory);

  /// In the order of their opening markers: a construct comes after those around it.
  std::span<const Construct> constructs() const { return constructs_; }
  const Construct& operator[](uint32_t construct) const { return constructs_[construct]; }

  /// For a marker its construct, for a break or continue the one it goes to, for others the innermost one
  /// around them.
  uint32_t construct_of(uint32_t instruction) const { return places_[instruction].construct; }
  const Construct& of(uint32_t instruction) const { return constructs_[construct_of(instruction)]; }
  /// The innermost construct around an instruction; around a marker, the parent of its construct.
  uint32_t around(uint32_t instruction) const { return places_[instruction].around; }
  /// The next instruction of the list that this one is in: arms, exits or repeats.
  uint32_t next(uint32_t instruction) const { return places_[instruction].next; }
  /// Can control reach the instruction? For `else` and the end of a region: can it reach the end of the
  /// region before?
  bool reached(uint32_t instruction) const { return places_[instruction].reached; }
  /// Can control reach all instructions, apart from ends of regions?
  bool is_all_reached() const { return is_all_reached_; }
  /// Can control reach what follows the instruction?
  bool continues(uint32_t instruction) const { return places_[instruction].continues; }

 private:
  struct Place {
    uint32_t construct = kNoIndex;
    uint32_t around = kNoIndex;
    uint32_t next = kNoIndex;
    bool reached = false;
    bool continues = false;
  };
  class Walk;

  std::pmr::vector<Construct> constructs_;
  Buffer<Place> places_;  // by instruction
  bool is_all_reached_ = true;
};

/// Sets where the first region of each opening marker ends: for `if` its `else`, for that `else` the `endif`,
/// for `loop` and `switch` the end. Indexed by instruction; entries of others are left as they are.
void find_ends(const Structure& structure, std::span<uint32_t> end_of);

}  // namespace texlate::ir
