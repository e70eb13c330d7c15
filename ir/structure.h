// The constructs of a module (if, loop, switch) as a tree, found in one walk over the flat list: which marker
// belongs to which, where jumps go, who passes values where, and what control can reach.
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

/// Does control only go straight on, to a `return` at the end? Then many passes have little to do.
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
  uint32_t first_exit = kNoIndex;  // who passes the end marker's results: else and endif, or breaks; by next
  uint32_t first_repeat =
      kNoIndex;  // loop: who passes the next iteration's values: continues, endloop; by next
};

class Structure {
 public:
  static constexpr uint32_t kNoIndex = Construct::kNoIndex;

  /// What is recorded: all instructions, or only markers and jumps (the operations of Family::control), which
  /// costs less. Queries about other instructions are then not allowed.
  enum class Extent : uint8_t { all, control };

  /// The list must be well formed, as the verifier says. Linear; all memory comes from `memory`.
  Structure(const Module& module, std::pmr::memory_resource* memory, Extent extent = Extent::all);

  /// In the order of their opening markers: a construct comes after those around it.
  std::span<const Construct> constructs() const { return constructs_; }
  const Construct& operator[](uint32_t construct) const { return constructs_[construct]; }

  /// Of a marker its construct, of a break or continue the one it goes to, of others the innermost around
  /// them.
  uint32_t construct_of(uint32_t instruction) const { return places_[instruction].construct; }
  const Construct& of(uint32_t instruction) const { return constructs_[construct_of(instruction)]; }
  /// The innermost construct around an instruction; around a marker, the parent of its construct.
  uint32_t around(uint32_t instruction) const { return places_[instruction].around; }
  /// The next instruction of the list that this one is in: arms, exits or repeats.
  uint32_t next(uint32_t instruction) const { return places_[instruction].next; }
  /// Can control come to the instruction? Of `else` and what ends a region: to the end of the region before
  /// it.
  bool reached(uint32_t instruction) const { return places_[instruction].reached; }
  /// Can control come to all instructions, but for ends of regions?
  bool is_all_reached() const { return is_all_reached_; }
  /// Can control come to what follows the instruction?
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

/// For each opening marker where its first region ends: of an `if` its `else`, of that `else` the `endif`, of
/// `loop` and `switch` the end. By instruction; what is none of these stays as it was.
void find_ends(const Structure& structure, std::span<uint32_t> end_of);

}  // namespace texlate::ir
