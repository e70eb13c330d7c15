// Raw and structured buffers, their counters, and typed views in linear memory: global memory, in accesses of
// 4, 8 or 16 bytes depending on the address's alignment.

#include "backend/maxwell/select/families.h"

namespace texlate::maxwell::select {

void Buffers::select(const ir::Instruction& instruction) {
  if (!access(instruction).has(ir::Slot::address))
    return refuse(instruction, "an access without an address, or a query that is not legalized");
  const Predicate guard = guard_of(instruction);
  switch (instruction.op) {
    case Op::buf_atomic:
    case Op::surf_atomic: return emit_global_atomic(instruction, effective(guard));
    case Op::buf_store:
    case Op::surf_store: return store_words(instruction, effective(guard));
    case Op::buf_load:
    case Op::surf_load:
    case Op::buf_size:
    case Op::counter:
#define IR_COVERED_buffer
#define IR_COVERED_surface
#include "ir/op_cases.inc"
      break;
  }
  if (guard.is_false()) return define_fallbacks(instruction);
  define_status(instruction);
  load_words(instruction, guard);
}

}  // namespace texlate::maxwell::select
