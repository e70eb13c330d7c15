// Which 32-bit values are floats and which unsigned integers.
//
// A 32-bit value of the IR is bits. In SPIR-V it is a float or an unsigned integer, or both (one OpBitcast
// after its definition). Signed operations take unsigned operands in SPIR-V, so there is no third kind.
// Operations have kinds. What only passes bits on (select, values of control flow, loads) takes the kind that
// most of its users need; in a tie, the kind of its sources.
#pragma once

#include <memory_resource>
#include <span>

#include "backend/spirv/control_map.h"
#include "backend/spirv/interface_elements.h"
#include "backend/spirv/value_needs.h"

namespace texlate::spirv {

struct ModuleUses;  // survey.h

struct ValueTypes {
  std::span<Kind> kind;                             // by value
  std::span<Kind> locals, shared, buffers, tables;  // kind of the elements, by array or resource
};

/// The kind of a texture's or view's components.
Kind texel_kind(const ir::Module& module, const ir::ResourceAccess& access);

/// visit(value, kind) for each operand of an instruction other than a selection or a marker: the kind that it
/// is read as. Kind::none: it has no kind, or any.
class OperandKinds {
 public:
  OperandKinds(const ir::Module& module, const InterfaceElements& interface, const ValueTypes& types)
      : module_(module), interface_(interface), types_(types) {}

  template <typename Visit>
  void for_each(const ir::Instruction& instruction, Visit visit) const {
    const OpKinds& kinds = kinds_of(instruction.op);
    const ir::Value* const operands = module_.operands.data() + instruction.first_operand;
    if (kinds.common != Kind::varies) {
      for (uint32_t o = 0; o < instruction.operand_count; ++o) visit(operands[o], kinds.common);
      return;
    }
    for (uint32_t o = 0; o < instruction.operand_count; ++o) {
      Kind kind = kinds.operand(o);
      if (kind == Kind::varies) kind = varying_operand(instruction, o);
      if (kind == Kind::flexible) kind = Kind::none;  // memory whose kind is not decided yet
      visit(operands[o], kind);
    }
  }
  /// For a result whose type does not follow from its operation.
  Kind varying_result(const ir::Instruction& instruction, uint32_t result) const;

 private:
  Kind varying_operand(const ir::Instruction& instruction, uint32_t position) const;
  Kind access_operand(const ir::Instruction& instruction, uint32_t position) const;
  Kind access_result(const ir::Instruction& instruction, uint32_t result) const;

  const ir::Module& module_;
  const InterfaceElements& interface_;
  const ValueTypes& types_;
};

/// Uses of a value in the lower half, votes for its kind in the upper one.
constexpr uint64_t tally(int32_t vote) {
  return (static_cast<uint64_t>(static_cast<int64_t>(vote)) << 32) + 1;
}
constexpr uint32_t uses_in(uint64_t tally) {
  return static_cast<uint32_t>(tally);
}
constexpr int32_t votes_in(uint64_t tally) {
  return static_cast<int32_t>(tally >> 32);
}

/// Decides the kinds of values while survey() walks backwards, so that the users of a value have decided
/// before it. A loop's values are used before their last source, and values without a preference depend on
/// their sources: a second round settles these. Operations that do not determine the kinds of their results
/// and operands are open; survey() itself does the others.
class TypeInference {
 public:
  /// `control` is null if the module has no constructs.
  TypeInference(const ir::Module& module, const ControlWalk* control, const InterfaceElements& interface,
                ValueNeeds& needs, std::pmr::monotonic_buffer_resource& arena);

  /// By value; none: its operation is open.
  std::span<Kind> kinds() { return types_.kind; }
  /// By value: its uses, and the votes of operations that are not open.
  std::span<uint64_t> tallies() { return tallies_; }
  /// An open instruction that is needed.
  void visit(uint32_t index);
  /// After the last one.
  const ValueTypes& finish(const ModuleUses& uses);

 private:
  void set_varying(const ir::Instruction& instruction);
  void vote_for_memory(const ir::Instruction& instruction);
  void vote_of(uint32_t index, bool count_sources);
  void vote_of_selection(const ir::Instruction& selection, bool count_sources);
  void vote_of_marker(uint32_t index, bool count_sources);
  void choose_kind(const ir::Instruction& instruction, ir::Value value, bool count_sources);
  void decide_memory(const ModuleUses& uses);
  int32_t score(ir::Value value) const { return votes_in(tallies_[value]) + score_[value]; }

  const ir::Module& module_;
  const ControlWalk* const control_;
  ValueNeeds& needs_;
  ValueTypes types_;
  const OperandKinds operands_;
  // By value, more than 0 for a float: the votes of operations that have nothing to decide, and of the
  // others, which are open.
  std::span<uint64_t> tallies_;
  std::span<int32_t> score_;
  ArenaBuffer<uint32_t> open_, of_memory_;                 // open instructions, from the last one on
  std::span<int32_t> locals_, shared_, buffers_, tables_;  // the same of their elements
  bool undecided_ = false;                                 // the first round of votes has left something
};

}  // namespace texlate::spirv
