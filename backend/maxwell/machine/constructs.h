// The contents of the branch stack: which constructs push a reconvergence point, and by which instruction
// each jump leaves.
//
// The stack (docs/reference/maxwell.md, "Control flow"): SSY, PBK and PCNT push an address and the active
// lanes. SYNC pops the topmost entry: it leaves the innermost construct. BRK and CONT unwind to the nearest
// entry of their kind, whatever was pushed since. So a construct needs
//   nothing   when all lanes take its exits together, or there is only one exit;
//   SSY       when all of its exits are directly in it;
//   PBK       when some exit is inside a nested construct that has its own entry;
//   PRET      when some exit is inside a nested construct that has its own PBK: BRK would stop there.
//             RET unwinds to the nearest PRET. Only one construct may need it:
//             the one that returns leave.
#pragma once

#include <cstdint>
#include <memory_resource>
#include <vector>

#include "backend/maxwell/machine/access.h"
#include "backend/maxwell/machine/function.h"

namespace texlate::maxwell::machine {

inline constexpr uint32_t kNoConstruct = 0xffffffffu;

struct ConstructInfo {
  BlockId header = kNoBlock;  // the block that branches, or enters the loop
  BlockId merge = kNoBlock;
  BlockId continue_target = kNoBlock;  // of a loop
  uint32_t parent = kNoConstruct;
  Construct kind = Construct::none;
  bool is_divergent = false;        // some branch directly in it is not uniform
  Opcode leave = Opcode::bra;       // by which lanes jump to the merge block: BRA, SYNC, BRK or RET
  bool has_continue_entry = false;  // PCNT

  bool pushes() const { return leave != Opcode::bra || has_continue_entry; }
};

struct Constructs {
  explicit Constructs(std::pmr::memory_resource* memory) : list(memory), around_end(memory) {}
  std::pmr::vector<ConstructInfo> list;  // outer before inner
  // The innermost construct that contains a block's end: a header's end is in its own construct.
  std::pmr::vector<uint32_t> around_end;
  unsigned stack_depth = 0;  // entries at once, those of diverging branches included
};

Constructs find_constructs(const Function& function);

/// The jump from the end of block `from` to `target`: BRA, SYNC, BRK, CONT or RET.
Opcode find_jump(const Constructs& constructs, BlockId from, BlockId target);

}  // namespace texlate::maxwell::machine
