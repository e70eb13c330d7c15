// What the IR writes by name: outputs, and whether the pixel is live. Constructs pass those that they assign,
// as they pass values.
#pragma once

#include <memory_resource>
#include <optional>
#include <span>
#include <vector>

#include "backend/maxwell/select/assembler.h"
#include "ir/module.h"

namespace texlate::maxwell::select {

struct Variable {
  /// Of patch constants and of the handle of emitted vertices, which have payloads of their own.
  static constexpr uint32_t kPatchFile = 0x1000, kHandlePayload = 0x2000;

  uint32_t payload = 0;  // of op `output`
  bool is_predicate = false;
  MachineValue value = kNone;
};

class Variables {
 public:
  Variables(const ir::Module& module, Assembler& assembler);

  std::span<Variable> all() { return variables_; }
  /// The variable of a component, null if it is not declared.
  Variable* find(uint32_t payload);
  void set(uint32_t payload, const Source& value) { find(payload)->value = assembler_.reg(value); }
  /// All outputs are zero.
  void clear();

  /// Of `output`, `patch.output`, `emit` and `cut`.
  static uint32_t assigned_payload(const ir::Instruction& instruction);
  static bool may_assign(const ir::Instruction& instruction, const Variable& variable);
  /// Is the variable assigned in the construct or phase that begins at `marker`?
  bool assigns(uint32_t marker, size_t variable) const;

  bool discards() const { return discards_; }
  /// True for pixels that may write, false for helpers. Constant true in compute shaders.
  Predicate live() const { return discards_ ? Predicate{variables_[0].value, false} : entry_live_; }
  void set_live(Predicate condition);

  /// Appends what a jump out of the construct at `marker` passes.
  void pass(uint32_t marker, std::pmr::vector<MachineValue>& list) const;
  /// Appends new values for them, as a block's parameters. With `keep`, the variables have them from here on.
  void make(uint32_t marker, std::pmr::vector<MachineValue>& list, bool keep = true);
  void pass_all(std::pmr::vector<MachineValue>& list) const;
  void make_all(std::pmr::vector<MachineValue>& list);
  /// Puts back what pass_all() has appended.
  void restore(std::span<const MachineValue> saved);

 private:
  void add(std::span<const ir::Parameter> parameters, uint32_t file);
  void find_assignments();
  MachineValue fresh(const Variable& variable) {
    return variable.is_predicate ? assembler_.predicate() : assembler_.general();
  }

  const ir::Module& module_;
  Assembler& assembler_;
  std::pmr::vector<Variable> variables_;
  std::pmr::vector<uint64_t> assigned_;     // by marker and variable, a bit each
  std::pmr::vector<uint32_t> assigned_at_;  // by instruction: the marker's row in assigned_
  bool discards_ = false;
  Predicate entry_live_;
};

}  // namespace texlate::maxwell::select
