// What every pass leaves true. Run after each one by tests and by builds with assertions (pass_log.h).
#pragma once

#include <string>
#include <string_view>

#include "backend/maxwell/machine/layout.h"

namespace texlate::maxwell::machine {

enum class FunctionRule : uint8_t {
  none,
  // of values
  value_number,  // a value that does not exist
  value_class,   // a predicate where a register belongs, or the reverse
  value_list,    // an instruction lists more or fewer values than its operands cover
  defined_twice,
  not_dominated,  // used where its definition does not dominate
  // of blocks
  block_order,     // a block's instructions do not follow those of the block before
  block_number,    // a target that does not exist
  argument_count,  // a jump does not pass the target's parameters
  branch_target,   // the target of a branch has parameters or another predecessor
  construct,       // merge or continue block missing, or before the header
  loop_entry,      // a loop is not entered by a jump to the next block
  call,  // does not continue at the next block, which has it as its only predecessor, or clobbers too little
  // of instructions
  carry,            // the condition code is read without an earlier writer in the block
  merge_unguarded,  // merge without a guard
  merge_tied,       // merge of a result that already shares the register of a source (FFMA32I)
  encoding,         // the code cannot be encoded, or breaks a constraint of the machine
  // of lines
  line_target,  // a branch leads to no block
  line_end,     // an instruction after one that leaves for good, or a jump before the block's end
  early_read,   // a result of fixed latency is read or overwritten before it is there
  no_barrier,   // an instruction of variable latency raises no scoreboard
  unwaited,     // a result or a source in flight is read or overwritten without a wait for its scoreboard
  early_wait,   // a scoreboard is waited for before it can be seen
};
std::string_view function_rule_text(FunctionRule rule);

struct FunctionViolation {
  FunctionRule rule = FunctionRule::none;
  BlockId block = kNoBlock;
  uint32_t instruction = kNoIndex;  // or line
};

/// A rule, and the pass that broke it.
struct PassViolation {
  std::string_view pass;
  FunctionViolation violation;
};
/// "schedule: a value is defined twice (block 2, instruction 7)".
std::string violation_text(const PassViolation& broken);

/// The first rule that the function breaks: of values, or with registers of what is left then. Linear.
FunctionViolation verify(Function& function);
/// The same for lines. With control words, each block is checked on its own: what is pending at its start is
/// not known.
FunctionViolation verify(const Layout& layout);

}  // namespace texlate::maxwell::machine
