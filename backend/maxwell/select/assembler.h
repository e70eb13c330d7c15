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
  machine::Instruction& emit(const Draft& draft) { return emit(draft, find_fit(draft)); }
  /// Appends the cheaper of two alternatives, the first if they cost the same.
  machine::Instruction& emit_cheaper(const Draft& first, const Draft& second);
  /// The cheaper of two drafts for the same thing, the first where they cost the same.
  static const Draft& cheaper(const Draft& first, const Draft& second);
  /// Registers that must be filled before the draft can be appended; kImpossible when no form can hold it.
  static unsigned cost(const Draft& draft);
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
  /// A separate register with that constant: the result of a guarded load whose guard is false.
  MachineValue fresh_immediate(uint32_t bits);
  /// A predicate value that holds the condition, for block arguments.
  MachineValue predicate_value(Predicate condition);
  /// A separate one.
  MachineValue fresh_predicate(Predicate condition);

  /// A machine instruction made elsewhere, its virtual registers listed in the order of its operands.
  machine::Instruction& append(const maxwell::Instruction& code, std::span<const MachineValue> values,
                               Predicate guard = {});

  /// Registers with constants are shared within a region and its nested regions.
  void enter_region() { marks_.push_back(static_cast<uint32_t>(known_.size())); }
  void leave_region();
  /// Values of the caller's own that are shared the same way; keys have bit 62 set, and not bit 63.
  MachineValue recall(uint64_t key) const { return known(key); }
  void remember(uint64_t key, MachineValue value);

  void set_origin(uint32_t origin) { origin_ = origin; }
  /// Some draft's operands fit into no form of its instruction: what was appended is not the program.
  bool is_stuck() const { return is_stuck_; }

 private:
  // What is known, youngest last; entries of one bucket are a list, whose head is in heads_.
  struct Known {
    uint64_t key;
    MachineValue value;
    uint32_t before;    // in the same bucket, or kNoEntry
    uint32_t position;  // number of earlier instructions
  };
  static constexpr uint32_t kNoEntry = 0xffffffffu;
  uint32_t bucket(uint64_t key) const {
    return static_cast<uint32_t>((key * 0x9e3779b97f4a7c15ull) >> 32) &
           static_cast<uint32_t>(heads_.size() - 1);
  }
  void grow_buckets();
  uint32_t find_known(uint64_t key) const;
  uint32_t position() const { return static_cast<uint32_t>(function_.instructions.size()); }
  /// The first entry of the innermost region.
  uint32_t region_start() const { return marks_.empty() ? 0 : marks_.back(); }
  struct Fit {
    FormId form = kNoForm;
    unsigned cost = kImpossible;
  };
  static Fit find_fit(const Draft& draft);
  static unsigned fit_cost(const Draft& draft, FormId id);
  machine::Instruction& emit(const Draft& draft, const Fit& fit);
  MachineValue known(uint64_t key) const;
  /// The same, but kNone where holding it costs more than making it again.
  MachineValue known_nearby(uint64_t key) const;

  machine::Function& function_;
  machine::Builder builder_;
  std::pmr::vector<Known> known_;
  std::pmr::vector<uint32_t> heads_;  // a power of two of them
  std::pmr::vector<uint32_t> marks_;
  uint32_t origin_ = 0;
  bool is_stuck_ = false;
};

}  // namespace texlate::maxwell::select
