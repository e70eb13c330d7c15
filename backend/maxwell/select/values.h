// Where the values of a program are on the machine, and which instructions define and read them.
#pragma once

#include <array>
#include <memory_resource>
#include <vector>

#include "backend/maxwell/select/assembler.h"
#include "ir/module.h"
#include "ir/passes/known_values.h"

namespace texlate::maxwell::select {

/// Is it a comparison of numbers?
bool is_compare(ir::Op op);

class Values {
 public:
  Values(const ir::Module& module, Assembler& assembler);

  // ---- the program
  bool is_used(ir::Value value) const { return uses_[value] != 0; }
  bool has_one_use(ir::Value value) const { return uses_[value] == 1; }
  /// The instruction that defines the value, null for constants.
  const ir::Instruction* definition(ir::Value value) const {
    return definition_[value] == kNoInstruction ? nullptr : &module_.code[definition_[value]];
  }
  /// The same, if no other operation reads the value and no marker is in between: the current instruction may
  /// include its work.
  const ir::Instruction* absorbable(ir::Value value, ir::Op op) const;
  const ir::Instruction* only_user(ir::Value value) const;
  /// Marks an instruction as done as part of another one.
  void skip(const ir::Instruction& instruction) { done_[&instruction - module_.code.data()] = 1; }
  bool is_done(uint32_t index) const { return done_[index] != 0; }
  /// As an unsigned integer, the value is certainly no greater.
  uint32_t greatest(ir::Value value) { return known_.greatest(value); }

  // ---- the machine
  /// The operand for bits, floats (including changes of sign), integers (including negation), logic
  /// (including inversion).
  Source word(ir::Value value) const;
  Source float_source(ir::Value value) const;
  Source integer_source(ir::Value value) const;
  Source logic_source(ir::Value value) const;
  /// For doubles: an immediate if the upper 20 bits suffice, otherwise the register pair.
  Arg double_arg(ir::Value value) const;
  Pair pair(ir::Value value) const {
    const Words both = words(value);
    return {assembler_.reg(both[0]), assembler_.reg(both[1])};
  }
  /// The words of 64 bits, the lower one first: registers, or words of what the host supplies.
  Words words(ir::Value value) const;
  Predicate predicate(ir::Value value);
  /// The operands of a comparison.
  using Compared = std::array<Arg, 2>;
  Compared compared(const ir::Instruction& instruction) const;
  /// Appends an instruction that compares, optionally combined with another condition.
  Predicate compare(const ir::Instruction& instruction, Predicate combined, Boolean how);

  void define(ir::Value value, MachineValue word) { sources_[value] = Source::of(word); }
  void define(ir::Value value, const Source& source) { sources_[value] = source; }
  void define(ir::Value value, Predicate condition) { sources_[value] = Source::of(condition); }
  void define(ir::Value value, Pair words) { define(value, Words(words)); }
  void define(ir::Value value, const Words& words) {
    sources_[value] = words[0];
    high_of_[value] = static_cast<uint32_t>(high_.size());
    high_.push_back(words[1]);
  }

 private:
  static constexpr uint32_t kNoInstruction = 0xffffffffu;
  ir::Value operand(const ir::Instruction& instruction, uint32_t i) const {
    return module_.operands[instruction.first_operand + i];
  }
  Source changed(ir::Value value, ir::Op change, uint8_t flag) const;

  const ir::Module& module_;
  Assembler& assembler_;
  std::pmr::monotonic_buffer_resource known_arena_;
  ir::KnownValues known_;
  std::pmr::vector<uint32_t> uses_;        // by value
  std::pmr::vector<uint32_t> definition_;  // by value: index of the defining instruction
  std::pmr::vector<uint32_t> user_;        // by value: index of the last user
  std::pmr::vector<uint32_t> region_;      // by instruction: markers before it
  std::pmr::vector<uint8_t> done_;         // by instruction
  std::pmr::vector<Source> sources_;       // by value: words, lower words, conditions
  std::pmr::vector<uint32_t> high_of_;     // by value of 64 bits: in high_
  std::pmr::vector<Source> high_;          // upper words
};

}  // namespace texlate::maxwell::select
