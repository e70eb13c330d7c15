// Double precision: a register holds two doubles, xy and zw, low word first (D3D11.3 22.14 to 22.17;
// docs/reference/direct3d.md 4.2).

#include <bit>

#include "frontend/lower/families.h"
#include "frontend/lower/operations.h"

namespace texlate::lower {

namespace {

using sm4::Instruction;
using sm4::Operand;

using Pair = std::array<Value, 2>;  // the doubles of xy and zw

bool pair_wanted(uint8_t mask, uint32_t pair) {
  return ((mask >> (2 * pair)) & 3) != 0;
}

/// Doubles number 0 and 1 of a source. A literal d(a, b) holds them directly; a register's swizzle selects
/// words.
Pair load_pair(Lowering& lowering, const Operand& operand, uint32_t wanted) {
  Pair pair = {ir::kNoValue, ir::kNoValue};
  const uint8_t mask = static_cast<uint8_t>(((wanted & 1) != 0 ? 0x3 : 0) | ((wanted & 2) != 0 ? 0xc : 0));
  Lanes words = kNoLanes;
  if (operand.file == sm4::RegisterFile::immediate64) {
    for (uint32_t i = 0; i < 4; ++i) words[i] = lowering.constant(operand.immediate[i]);
  } else {
    words = lowering.load_raw(operand, mask);
  }
  for (uint32_t i = 0; i < 2; ++i) {
    if (((wanted >> i) & 1) == 0) continue;
    pair[i] = lowering.emit(Op::pack64, {words[2 * i], words[2 * i + 1]});
    if (operand.modifier == sm4::OperandModifier::absolute ||
        operand.modifier == sm4::OperandModifier::negate_absolute) {
      pair[i] = lowering.emit(Op::dabs, {pair[i]});
    }
    if (operand.modifier == sm4::OperandModifier::negate ||
        operand.modifier == sm4::OperandModifier::negate_absolute) {
      pair[i] = lowering.emit(Op::dneg, {pair[i]});
    }
  }
  return pair;
}

void store_pair(Lowering& lowering, const Instruction& instruction, const Operand& destination, Pair pair) {
  Lanes words = kNoLanes;
  for (uint32_t i = 0; i < 2; ++i) {
    if (pair[i] == ir::kNoValue) continue;
    Value value = pair[i];
    if (instruction.saturate()) value = lowering.emit(Op::dsat, {value});
    const auto [low, high] = lowering.builder.unpack(value);
    words[2 * i] = low;
    words[2 * i + 1] = high;
  }
  // Saturation was applied to the doubles. The words are stored unchanged.
  Instruction plain = instruction;
  plain.controls = static_cast<uint16_t>(plain.controls & ~sm4::controls::kSaturate);
  lowering.store(plain, destination, words);
}

constexpr auto kDoubleOperations = by_opcode(kDouble, kDoubleCompare, kDoubleNarrow, kDoubleWiden);

Op operation_of(Opcode opcode) {
  return kDoubleOperations[static_cast<uint32_t>(opcode)];
}

/// Results with one word per double go to the components of the mask in order (the first gets double
/// 0).
void store_words_in_order(Lowering& lowering, const Instruction& instruction, Pair results) {
  const Operand& destination = lowering.operand(instruction, 0);
  Lanes lanes = kNoLanes;
  uint32_t next = 0;
  for (uint32_t lane = 0; lane < 4 && next < 2; ++lane) {
    if (((destination.write_mask() >> lane) & 1) != 0) lanes[lane] = results[next++];
  }
  lowering.store(instruction, destination, lanes);
}

uint32_t wanted_by_word_count(uint8_t mask) {
  return std::popcount(mask) > 1 ? 3u : 1u;
}

}  // namespace

void lower_double(Lowering& lowering, const Instruction& instruction) {
  const Operand& destination = lowering.operand(instruction, 0);
  const uint8_t mask = destination.write_mask();
  const uint32_t wanted = (pair_wanted(mask, 0) ? 1u : 0u) | (pair_wanted(mask, 1) ? 2u : 0u);
  const bool conditional = instruction.opcode == Opcode::dmovc;
  Lanes condition = kNoLanes;
  // The condition of double n is the 32-bit component n after the swizzle (docs/reference/direct3d.md 4.2,
  // dmovc).
  if (conditional) condition = lowering.load(lowering.operand(instruction, 1), 0x3, Reading::integer);
  std::array<Pair, 3> sources;
  const uint32_t first = conditional ? 2u : 1u;
  const uint32_t count = instruction.operand_count - first;
  for (uint32_t i = 0; i < count; ++i)
    sources[i] = load_pair(lowering, lowering.operand(instruction, first + i), wanted);
  Pair results = {ir::kNoValue, ir::kNoValue};
  for (uint32_t i = 0; i < 2; ++i) {
    if (((wanted >> i) & 1) == 0) continue;
    if (instruction.opcode == Opcode::dmov) {
      results[i] = sources[0][i];
    } else if (conditional) {
      const Value test = lowering.emit(Op::ine, {condition[i], lowering.constant(0)});
      results[i] = lowering.emit(Op::select64, {test, sources[0][i], sources[1][i]});
    } else {
      std::array<Value, 3> operands;
      for (uint32_t s = 0; s < count; ++s) operands[s] = sources[s][i];
      lowering.begin_lane(instruction, 2 * i);
      results[i] = lowering.builder.emit(operation_of(instruction.opcode),
                                         std::span<const Value>(operands.data(), count));
      lowering.builder.set_flags(0);
    }
  }
  store_pair(lowering, instruction, destination, results);
}

void lower_double_compare(Lowering& lowering, const Instruction& instruction) {
  const uint32_t wanted = wanted_by_word_count(lowering.operand(instruction, 0).write_mask());
  const Pair a = load_pair(lowering, lowering.operand(instruction, 1), wanted);
  const Pair b = load_pair(lowering, lowering.operand(instruction, 2), wanted);
  Pair results = {ir::kNoValue, ir::kNoValue};
  for (uint32_t i = 0; i < 2; ++i) {
    if (((wanted >> i) & 1) == 0) continue;
    results[i] = lowering.emit(Op::mask, {lowering.emit(operation_of(instruction.opcode), {a[i], b[i]})});
  }
  store_words_in_order(lowering, instruction, results);
}

void lower_double_narrow(Lowering& lowering, const Instruction& instruction) {
  const uint32_t wanted = wanted_by_word_count(lowering.operand(instruction, 0).write_mask());
  const Pair source = load_pair(lowering, lowering.operand(instruction, 1), wanted);
  Pair results = {ir::kNoValue, ir::kNoValue};
  for (uint32_t i = 0; i < 2; ++i) {
    if (((wanted >> i) & 1) != 0) results[i] = lowering.emit(operation_of(instruction.opcode), {source[i]});
  }
  store_words_in_order(lowering, instruction, results);
}

void lower_double_widen(Lowering& lowering, const Instruction& instruction) {
  // Source components x and y (after the swizzle) become the doubles xy and zw.
  const Operand& destination = lowering.operand(instruction, 0);
  const uint8_t mask = destination.write_mask();
  const uint8_t lanes = static_cast<uint8_t>((pair_wanted(mask, 0) ? 1 : 0) | (pair_wanted(mask, 1) ? 2 : 0));
  const Reading reading = instruction.opcode == Opcode::ftod ? Reading::float_ : Reading::integer;
  const Lanes source = lowering.load(lowering.operand(instruction, 1), lanes, reading);
  Pair results = {ir::kNoValue, ir::kNoValue};
  for (uint32_t i = 0; i < 2; ++i) {
    if (((lanes >> i) & 1) != 0) results[i] = lowering.emit(operation_of(instruction.opcode), {source[i]});
  }
  store_pair(lowering, instruction, destination, results);
}

}  // namespace texlate::lower
