// The control flow of a program, for validate(): blocks, switches, subroutines, phases of hull shaders
// (D3D11.3 functional specification 22.7).
#pragma once

#include "frontend/sm4/validation_report.h"
#include "ir/base/buffer.h"

namespace texlate::sm4 {

class FlowChecker {
 public:
  FlowChecker(const Program& program, ValidationReport& report, std::pmr::monotonic_buffer_resource* scratch)
      : program_(program),
        report_(report),
        scratch_(scratch),
        blocks_(scratch),
        cases_(scratch),
        labels_(scratch),
        calls_(scratch) {}

  /// Checks one structural instruction. `ended`: the instruction before it was a ret outside all blocks.
  void check(const Instruction& instruction, bool ended);
  /// In a switch that has had no label yet, no instruction may stand.
  bool is_in_bare_switch() const { return is_in_bare_switch_; }
  void check_bare_switch(const Instruction& instruction);

  bool is_in_block() const { return !blocks_.empty(); }
  /// At the beginning of a phase of a hull shader.
  void start_phase() { subroutine_ = kMain; }
  /// After the last instruction.
  void finish();

 private:
  struct Block {
    const Instruction* opener;
    bool has_else = false;
    bool has_default = false;
    bool has_case = false;
    uint32_t first_case = 0;  // in cases_
  };
  struct Case {
    uint32_t value;
    const Instruction* label;
  };
  struct Label {
    uint64_t number;  // see number_of()
    const Instruction* instruction;
  };
  struct Call {
    uint64_t from;  // the subroutine that calls
    uint64_t to;
    const Instruction* instruction;
  };
  static constexpr uint64_t kMain = ~uint64_t{0};               // not a subroutine
  static constexpr uint64_t kFunctionBody = uint64_t{1} << 32;  // added to the number of an fb#

  void open_block(const Instruction& instruction);
  void close_block(const Instruction& instruction, Opcode opener);
  void check_case(const Instruction& instruction);
  void check_cases(const Block& block);
  void check_label(const Instruction& instruction, bool ended);
  void check_labels();
  void check_calls();
  void check_recursion();
  /// The index in labels_, which are sorted; their number if there is none.
  size_t find_label(uint64_t number) const;
  static uint64_t number_of(const Operand& label);

  const Program& program_;
  ValidationReport& report_;
  std::pmr::memory_resource* scratch_;
  ArenaBuffer<Block> blocks_;
  ArenaBuffer<Case> cases_;
  ArenaBuffer<Label> labels_;
  ArenaBuffer<Call> calls_;
  uint64_t subroutine_ = kMain;  // that the current instruction belongs to
  uint32_t open_loops_ = 0;
  uint32_t open_switches_ = 0;
  bool is_in_bare_switch_ = false;
};

}  // namespace texlate::sm4
