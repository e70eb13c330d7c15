// Unordered access to typed surfaces; raw and structured buffers; group-shared memory
// (D3D11.3 22.4, 22.17.6.1).

#include <bit>

#include "frontend/lower/families.h"

namespace texlate::lower {

namespace {

using ir::AccessBuilder;
using ir::Slot;
using sm4::Instruction;
using sm4::Operand;
using sm4::RegisterFile;

bool is_feedback(const Instruction& instruction) {
  return sm4::info(instruction.opcode).has(sm4::kFeedback);
}

/// Words of the four-word window that the destination mask and the resource swizzle use.
uint8_t words_read(const Operand& destination, const Operand& memory) {
  uint8_t words = 0;
  for (uint32_t lane = 0; lane < 4; ++lane) {
    if (((destination.write_mask() >> lane) & 1) != 0)
      words |= static_cast<uint8_t>(1u << memory.source_component(lane));
  }
  return words;
}

/// Index of a g# in Module::shared; false after an error.
bool bind_shared(Lowering& lowering, const Instruction& instruction, const Operand& memory,
                 uint32_t& shared) {
  if (!lowering.shared.has(memory.index[0].immediate)) {
    lowering.unsupported(instruction, memory, "uses undeclared group-shared memory");
    return false;
  }
  shared = lowering.shared[memory.index[0].immediate];
  return true;
}

Value byte_address(Lowering& lowering, Value base, uint32_t word) {
  return word == 0 ? base : lowering.emit(Op::iadd, {base, lowering.constant(4 * word)});
}

/// index * stride + offset.
Value structured_address(Lowering& lowering, uint32_t shared, Value index, Value offset) {
  return lowering.emit(Op::imad, {index, lowering.constant(lowering.module.shared[shared].stride), offset});
}

void load_shared(Lowering& lowering, const Instruction& instruction, const Operand& memory, uint32_t shared,
                 Value address) {
  const uint8_t words = words_read(lowering.operand(instruction, 0), memory);
  Lanes results = kNoLanes;
  for (uint32_t word = 0; word < 4; ++word) {
    if (((words >> word) & 1) == 0) continue;
    results[word] = lowering.emit(Op::shared_load, {byte_address(lowering, address, word)}, shared);
  }
  store_results(lowering, instruction, memory, results);
}

/// Values go to consecutive words: value i to word i, one for each component of the mask.
void store_shared(Lowering& lowering, uint32_t shared, Value address, uint32_t count, const Lanes& values) {
  for (uint32_t word = 0; word < count; ++word) {
    lowering.emit(Op::shared_store, {byte_address(lowering, address, word), values[word]}, shared);
  }
}

void load_buffer(Lowering& lowering, const Instruction& instruction, const Operand& memory,
                 AccessBuilder& access) {
  access.contract.component_mask = words_read(lowering.operand(instruction, 0), memory);
  const bool feedback = is_feedback(instruction);
  access.contract.feedback = feedback && lowering.operand(instruction, 1).file != RegisterFile::null;
  store_results_and_status(lowering, instruction, memory, access.emit(lowering.builder, Op::buf_load),
                           access.contract.feedback);
}

void store_buffer(Lowering& lowering, AccessBuilder& access, uint32_t count, const Lanes& values) {
  access.contract.component_mask = static_cast<uint8_t>((1u << count) - 1u);
  for (uint32_t i = 0; i < count; ++i) access.set(Slot::value0 + i, values[i]);
  access.emit(lowering.builder, Op::buf_store);
}

uint32_t words_written(const Operand& destination) {
  // The mask is x, xy, xyz or xyzw; its number of components is the number of words
  // (docs/reference/direct3d.md 1.3).
  return static_cast<uint32_t>(std::popcount(destination.write_mask()));
}

}  // namespace

void lower_ld_uav_typed(Lowering& lowering, const Instruction& instruction) {
  AccessBuilder access;
  const uint32_t first_source = is_feedback(instruction) ? 2 : 1;
  const Operand& resource = lowering.operand(instruction, first_source + 1);
  if (!bind_resource(lowering, instruction, resource, access)) return;
  set_integer_address(lowering, access, lowering.operand(instruction, first_source));
  access.contract.feedback =
      is_feedback(instruction) && lowering.operand(instruction, 1).file != RegisterFile::null;
  store_results_and_status(lowering, instruction, resource, access.emit(lowering.builder, Op::surf_load),
                           access.contract.feedback);
}

void lower_store_uav_typed(Lowering& lowering, const Instruction& instruction) {
  AccessBuilder access;
  if (!bind_resource(lowering, instruction, lowering.operand(instruction, 0), access)) return;
  set_integer_address(lowering, access, lowering.operand(instruction, 1));
  const Lanes values = lowering.load(lowering.operand(instruction, 2), 0xf, Reading::float_);
  for (uint32_t i = 0; i < 4; ++i) access.set(Slot::value0 + i, values[i]);
  access.emit(lowering.builder, Op::surf_store);
}

void lower_ld_raw(Lowering& lowering, const Instruction& instruction) {
  const uint32_t first_source = is_feedback(instruction) ? 2 : 1;
  const Operand& memory = lowering.operand(instruction, first_source + 1);
  const Value address = lowering.load_scalar(lowering.operand(instruction, first_source), Reading::integer);
  if (memory.file == RegisterFile::thread_group_shared_memory) {
    uint32_t shared;
    if (bind_shared(lowering, instruction, memory, shared))
      load_shared(lowering, instruction, memory, shared, address);
    return;
  }
  AccessBuilder access;
  if (!bind_resource(lowering, instruction, memory, access)) return;
  access.set(Slot::coordinate0, address);
  load_buffer(lowering, instruction, memory, access);
}

void lower_ld_structured(Lowering& lowering, const Instruction& instruction) {
  const uint32_t first_source = is_feedback(instruction) ? 2 : 1;
  const Operand& memory = lowering.operand(instruction, first_source + 2);
  const Value index = lowering.load_scalar(lowering.operand(instruction, first_source), Reading::integer);
  const Value offset =
      lowering.load_scalar(lowering.operand(instruction, first_source + 1), Reading::integer);
  if (memory.file == RegisterFile::thread_group_shared_memory) {
    uint32_t shared;
    if (!bind_shared(lowering, instruction, memory, shared)) return;
    load_shared(lowering, instruction, memory, shared, structured_address(lowering, shared, index, offset));
    return;
  }
  AccessBuilder access;
  if (!bind_resource(lowering, instruction, memory, access)) return;
  access.set(Slot::coordinate0, index);
  access.set(Slot::byte_offset, offset);
  load_buffer(lowering, instruction, memory, access);
}

void lower_store_raw(Lowering& lowering, const Instruction& instruction) {
  const Operand& memory = lowering.operand(instruction, 0);
  const uint32_t count = words_written(memory);
  const Value address = lowering.load_scalar(lowering.operand(instruction, 1), Reading::integer);
  const Lanes values = lowering.load(lowering.operand(instruction, 2),
                                     static_cast<uint8_t>((1u << count) - 1u), Reading::float_);
  if (memory.file == RegisterFile::thread_group_shared_memory) {
    uint32_t shared;
    if (bind_shared(lowering, instruction, memory, shared))
      store_shared(lowering, shared, address, count, values);
    return;
  }
  AccessBuilder access;
  if (!bind_resource(lowering, instruction, memory, access)) return;
  access.set(Slot::coordinate0, address);
  store_buffer(lowering, access, count, values);
}

void lower_store_structured(Lowering& lowering, const Instruction& instruction) {
  const Operand& memory = lowering.operand(instruction, 0);
  const uint32_t count = words_written(memory);
  const Value index = lowering.load_scalar(lowering.operand(instruction, 1), Reading::integer);
  const Value offset = lowering.load_scalar(lowering.operand(instruction, 2), Reading::integer);
  const Lanes values = lowering.load(lowering.operand(instruction, 3),
                                     static_cast<uint8_t>((1u << count) - 1u), Reading::float_);
  if (memory.file == RegisterFile::thread_group_shared_memory) {
    uint32_t shared;
    if (!bind_shared(lowering, instruction, memory, shared)) return;
    store_shared(lowering, shared, structured_address(lowering, shared, index, offset), count, values);
    return;
  }
  AccessBuilder access;
  if (!bind_resource(lowering, instruction, memory, access)) return;
  access.set(Slot::coordinate0, index);
  access.set(Slot::byte_offset, offset);
  store_buffer(lowering, access, count, values);
}

}  // namespace texlate::lower
