// Appends machine instructions: finds the form that holds a draft's operands as they are, and puts what no
// form holds into registers.
#pragma once

#include "backend/maxwell/select/operand.h"

namespace texlate::maxwell::select {

class Assembler {
 public:
  explicit Assembler(machine::Function& function);

  machine::Builder& builder() { return builder_; }
  machine::Function& function() { return function_; }
  MachineValue general() { return builder_.general(); }
  MachineValue predicate() { return builder_.predicate(); }

  /// Appends the draft in its cheapest form. The reference holds until the next append.
  machine::Instruction& emit(const Draft& draft);
  /// Appends the cheaper of two drafts for the same thing, the first where they cost the same.
  machine::Instruction& emit_cheaper(const Draft& first, const Draft& second);
  /// Registers that must be filled before the draft can be appended; kImpossible when no form can hold it.
  unsigned cost(const Draft& draft) const;
  static constexpr unsigned kImpossible = 1000;

  /// The draft with a new register as its operand `at`, which is returned.
  MachineValue emit_word(Draft draft, unsigned at = 0);

  /// A register that holds the operand with its modifiers.
  MachineValue reg(const Source& source);
  MachineValue immediate(uint32_t bits);
  MachineValue constant(uint8_t bank, int32_t offset);
  Pair constant_pair(uint8_t bank, int32_t offset) {
    return {constant(bank, offset), constant(bank, offset + 4)};
  }
  /// A register of its own with that constant: what a guarded load leaves where its guard is false.
  MachineValue fresh_immediate(uint32_t bits);
  /// A predicate value that holds the condition, for block arguments.
  MachineValue predicate_value(Predicate condition);

  /// A machine instruction made elsewhere, its virtual registers listed in the order of its operands.
  machine::Instruction& append(const maxwell::Instruction& code, std::span<const MachineValue> values,
                               Predicate guard = {});

  /// Registers with constants are shared within a region and inside of it.
  void enter_region() { marks_.push_back(static_cast<uint32_t>(known_.size())); }
  void leave_region();
  /// Values of the caller's own that are shared the same way; keys have bit 62 set, and not bit 63.
  MachineValue recall(uint64_t key) const { return known(key); }
  void remember(uint64_t key, MachineValue value) { known_.push_back({key, value}); }

  void set_origin(uint32_t origin) { origin_ = origin; }
  /// Some draft's operands fit into no form of its instruction: what was appended is not the program.
  bool is_stuck() const { return is_stuck_; }

 private:
  struct Known {
    uint64_t key;
    MachineValue value;
  };
  struct Fit {
    Shape shape = Shape::reg;
    uint8_t variant = 0;
    unsigned cost = kImpossible;
  };
  Fit find_fit(const Draft& draft) const;
  static unsigned fit_cost(const Draft& draft, FormId id);
  MachineValue known(uint64_t key) const;

  machine::Function& function_;
  machine::Builder builder_;
  std::pmr::vector<Known> known_;
  std::pmr::vector<uint32_t> marks_;
  uint32_t origin_ = 0;
  bool is_stuck_ = false;
};

}  // namespace texlate::maxwell::select
