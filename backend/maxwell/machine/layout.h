// Blocks as one sequence of instructions, with branches and the instructions that manage the branch stack.
#pragma once

#include <cstdint>
#include <memory_resource>
#include <vector>

#include "backend/maxwell/machine/function.h"
#include "backend/maxwell/machine/line_access.h"

namespace texlate::maxwell::machine {

/// Points into the function, which keeps the codes.
struct Line {
  Line(Instruction& its, BlockId where) : instruction(&its), known(&facts(its.code)), target(where) {
    find_access(its, *known, access);
  }

  Instruction* instruction;
  const FormFacts* known;  // of its form
  // Where lanes continue: for branches, SYNC, BRK and CONT; for SSY, PBK and PCNT: what they push.
  BlockId target;
  LineAccess access;  // of the code

  Code& code() const { return instruction->code; }
  Opcode opcode() const { return known->opcode; }
};

/// A sequence of lines that is only entered at its start. Control instructions are at its end; PCNT may also
/// be at its start.
struct LineBlock {
  uint32_t first = 0;
  uint32_t count = 0;
  uint32_t body_count = 0;  // lines before the first control instruction of the end
  bool falls_through = false;
};

struct Layout {
  explicit Layout(std::pmr::memory_resource* memory) : lines(memory), blocks(memory) {}

  std::pmr::memory_resource* scratch() const {
    return scratch_memory != nullptr ? scratch_memory : lines.get_allocator().resource();
  }

  std::pmr::vector<Line> lines;
  std::pmr::vector<LineBlock> blocks;  // as many as the function's, in the same order; some are empty
  unsigned stack_depth = 0;
  bool has_control = false;                             // the codes have control words
  uint32_t registers = kRZ;                             // R0.. that lines access
  uint32_t exit_registers = 0;                          // R0.. that EXIT reads as results
  std::pmr::memory_resource* scratch_memory = nullptr;  // of a pass, as in Function
};

constexpr bool is_stack_push(Opcode opcode) {
  return opcode == Opcode::ssy || opcode == Opcode::pbk || opcode == Opcode::pcnt || opcode == Opcode::pret;
}
/// Instructions that end a block.
constexpr bool is_jump(Opcode opcode) {
  return opcode == Opcode::bra || opcode == Opcode::sync || opcode == Opcode::brk || opcode == Opcode::cont ||
         opcode == Opcode::ret || opcode == Opcode::exit;
}

/// CAL, or RET from a routine: lanes continue in another program's lines.
inline bool crosses_call(const Line& line) {
  return line.opcode() == Opcode::cal || (line.opcode() == Opcode::ret && line.target == kNoBlock);
}

/// Sets the target of a branch, a call, or what pushes an entry: bytes from the next instruction.
void set_target(Code& code, int32_t value);
inline constexpr int64_t kBranchReach = 1 << 23;  // signed 24 bits

}  // namespace texlate::maxwell::machine
