// Atomics on surfaces, buffers and group-shared memory; append and consume counters (D3D11.3 22.17.6.1).

#include "frontend/lower/families.h"
#include "frontend/lower/operations.h"

namespace texlate::lower {

namespace {

using ir::AccessBuilder;
using ir::AtomicOp;
using ir::Slot;
using sm4::Instruction;
using sm4::Operand;
using sm4::RegisterFile;

constexpr auto kAtomicOf = by_opcode(kAtomics);

/// Emits an atomic on g#. Returns the previous value, or kNoValue after an error.
Value shared_atomic(Lowering& lowering, const Instruction& instruction, const Operand& memory,
                    const Operand& address, AtomicOp atomic, Value compare, Value value) {
  const uint32_t id = memory.index[0].immediate;
  if (!lowering.shared.has(id)) {
    lowering.unsupported(instruction, memory, "uses undeclared group-shared memory");
    return ir::kNoValue;
  }
  const uint32_t shared = lowering.shared[id];
  const uint32_t stride = lowering.module.shared[shared].stride;
  Value offset;
  if (stride == 0) {
    offset = lowering.load_lane(address, 0, Reading::integer);
  } else {
    // Structured: x is the index, y the byte offset.
    const Lanes lanes = lowering.load(address, 0x3, Reading::integer);
    offset = lowering.emit(Op::imad, {lanes[0], lowering.constant(stride), lanes[1]});
  }
  const uint32_t payload = shared * 16 + static_cast<uint32_t>(atomic);
  if (atomic == AtomicOp::compare_exchange)
    return lowering.emit(Op::shared_atomic, {offset, compare, value}, payload);
  return lowering.emit(Op::shared_atomic, {offset, value}, payload);
}

}  // namespace

void lower_atomic(Lowering& lowering, const Instruction& instruction) {
  // imm_atomic_* begin with a destination for the previous value.
  const bool returns = sm4::info(instruction.opcode).shapes[0] == sm4::OperandShape::destination;
  uint32_t next = returns ? 1 : 0;
  const Operand& memory = lowering.operand(instruction, next++);
  const Operand& address = lowering.operand(instruction, next++);
  const AtomicOp atomic = kAtomicOf[static_cast<uint32_t>(instruction.opcode)];
  Value compare = ir::kNoValue;
  if (atomic == AtomicOp::compare_exchange) {
    compare = lowering.load_scalar(lowering.operand(instruction, next++), Reading::integer);
  }
  const Value value = lowering.load_scalar(lowering.operand(instruction, next), Reading::integer);

  Value before;
  if (memory.file == RegisterFile::thread_group_shared_memory) {
    before = shared_atomic(lowering, instruction, memory, address, atomic, compare, value);
    if (before == ir::kNoValue) return;
  } else {
    AccessBuilder access;
    if (!bind_resource(lowering, instruction, memory, access)) return;
    access.contract.atomic = atomic;
    Op op = Op::buf_atomic;
    if (access.contract.dimension == ir::Dimension::raw_buffer) {
      access.set(Slot::coordinate0, lowering.load_lane(address, 0, Reading::integer));
    } else if (access.contract.dimension == ir::Dimension::structured_buffer) {
      const Lanes lanes = lowering.load(address, 0x3, Reading::integer);
      access.set(Slot::coordinate0, lanes[0]);
      access.set(Slot::byte_offset, lanes[1]);
    } else {
      op = Op::surf_atomic;
      set_integer_address(lowering, access, address);
    }
    access.set(Slot::value0, value);
    if (compare != ir::kNoValue) access.set(Slot::compare, compare);
    before = access.emit(lowering.builder, op);
  }
  if (returns)
    lowering.store(instruction, lowering.operand(instruction, 0), {before, before, before, before});
}

void lower_counter(Lowering& lowering, const Instruction& instruction) {
  AccessBuilder access;
  if (!bind_resource(lowering, instruction, lowering.operand(instruction, 1), access)) return;
  access.contract.counter =
      instruction.opcode == Opcode::imm_atomic_alloc ? ir::CounterOp::alloc : ir::CounterOp::consume;
  lowering.module.resources[access.contract.resource].has_counter = true;
  const Value value = access.emit(lowering.builder, Op::counter);
  lowering.store(instruction, lowering.operand(instruction, 0), {value, value, value, value});
}

}  // namespace texlate::lower
