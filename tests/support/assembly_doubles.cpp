// Double precision of the assembly machine: D3D11.3 functional specification 3.1.4, 22.14 to 22.17. Two
// doubles per register; rounding to nearest, denormals kept.
#include <optional>

#include "tests/support/assembly_words.h"

namespace texlate::test {

using sm4::Instruction;
using sm4::Opcode;

namespace {

/// A double, and whether Direct3D determines it.
struct DoubleResult {
  double value = 0;
  bool known = true;
};

double greatest_or_least(Opcode opcode, double x, double y) {
  if (std::isnan(x)) return y;
  if (std::isnan(y)) return x;
  return (opcode == Opcode::dmax ? x >= y : x < y) ? x : y;
}

/// Of the operations whose result is a double, other than moves; nothing for others.
std::optional<DoubleResult> double_result(Opcode opcode, const std::array<double, 3>& x) {
  DoubleResult result;
  switch (opcode) {
    case Opcode::dadd: result.value = x[0] + x[1]; break;
    case Opcode::dmul: result.value = x[0] * x[1]; break;
    case Opcode::ddiv: result.value = x[0] / x[1]; break;
    case Opcode::dfma: result.value = std::fma(x[0], x[1], x[2]); break;
    case Opcode::dmin:
    case Opcode::dmax:
      result.value = greatest_or_least(opcode, x[0], x[1]);
      result.known = x[0] != 0 || x[1] != 0;  // the sign of a zero is not determined
      break;
    case Opcode::drcp:
      result.value = 1 / x[0];
      result.known =
          std::fma(result.value, x[0], -1.0) == 0 || x[0] == 0 || std::isinf(x[0]);  // 1 ULP otherwise
      break;
    case Opcode::ftod:
    case Opcode::itod:
    case Opcode::utod: result.value = x[0]; break;
    default: return std::nullopt;
  }
  return result;
}

/// Of the operations on doubles whose result is a word; nothing for others.
std::optional<Word> word_result(Opcode opcode, const std::array<double, 3>& x) {
  const auto truth = [](bool holds) { return exact(holds ? kTrueMask : 0); };
  switch (opcode) {
    case Opcode::deq: return truth(x[0] == x[1]);
    case Opcode::dne: return truth(!(x[0] == x[1]));
    case Opcode::dlt: return truth(x[0] < x[1]);
    case Opcode::dge: return truth(x[0] >= x[1]);
    case Opcode::dtof: {
      const auto narrow = static_cast<float>(x[0]);
      return is_denormal(narrow) ? Word::open() : result(narrow);
    }
    case Opcode::dtoi:
    case Opcode::dtou: {
      const bool is_signed = opcode == Opcode::dtoi;
      const double least = is_signed ? -2147483648.0 : 0.0,
                   greatest = is_signed ? 2147483647.0 : 4294967295.0;
      const double clamped = std::isnan(x[0]) ? 0 : std::clamp(x[0], least, greatest);
      return exact(static_cast<uint32_t>(static_cast<int64_t>(std::trunc(clamped))));
    }
    default: return std::nullopt;
  }
}

}  // namespace

/// Operand i of the k-th of an instruction's two operations; `known` becomes false if it is not determined.
double AssemblyMachine::double_operand(const Lane& lane, const Instruction& instruction, uint32_t i,
                                       uint32_t k, bool& known) {
  const auto is_exact = [](const Word& word) { return word.known == Known::exact; };
  if (sm4::info(instruction.opcode).types[i] != sm4::OperandType::double_) {
    const Word word = source(lane, instruction, i, k);
    known &= is_exact(word);
    if (instruction.opcode == Opcode::itod) return as_signed(word.bits);
    if (instruction.opcode == Opcode::utod) return word.bits;
    return number(word);
  }
  const sm4::Operand& from = operand(instruction, i);
  const Word low = raw(lane, from, from.source_component(2 * k));
  const Word high = raw(lane, from, from.source_component(2 * k + 1));
  known &= is_exact(low) && is_exact(high);
  auto value = std::bit_cast<double>(uint64_t{low.bits} | uint64_t{high.bits} << 32);
  const auto modifier = static_cast<uint32_t>(from.modifier);
  if ((modifier & 2) != 0) value = std::fabs(value);
  return (modifier & 1) != 0 ? -value : value;
}

bool AssemblyMachine::doubles(Lane& lane, const Instruction& instruction) {
  const Opcode opcode = instruction.opcode;
  const sm4::OpcodeInfo& info = sm4::info(opcode);
  const bool from_double =
      info.operand_count > 1 && info.types[info.operand_count - 1u] == sm4::OperandType::double_;
  const bool to_double = info.types[0] == sm4::OperandType::double_;
  if (!from_double && !to_double) return false;
  const bool conditional = opcode == Opcode::dmovc, moves = conditional || opcode == Opcode::dmov;
  const uint32_t first = conditional ? 2 : 1;
  Vector out;
  // Results of one word are in the components of the mask, in order.
  const uint8_t mask = operand(instruction, 0).write_mask();
  uint32_t next = 0;
  for (uint32_t k = 0; k < 2; ++k) {
    std::array<double, 3> x{};
    bool known = true;
    for (uint32_t i = first; i < info.operand_count; ++i)
      x[i - first] = double_operand(lane, instruction, i, k, known);
    if (const std::optional<Word> word = word_result(opcode, x)) {
      while (next < 4 && (mask >> next & 1) == 0) ++next;
      if (next == 4) break;
      const bool clamps = opcode == Opcode::dtof && instruction.saturate();
      out[next++] = !known ? Word::open() : clamps ? saturate(*word) : *word;
      continue;
    }
    std::optional<DoubleResult> made = moves ? DoubleResult{x[0], true} : double_result(opcode, x);
    if (!made) return false;
    if (conditional) {
      const Word condition = source(lane, instruction, 1, k);
      known &= !is_vague(condition);
      if (condition.bits == 0) made->value = x[1];
    }
    double value = made->value;
    if (instruction.saturate()) value = std::isnan(value) ? 0 : std::clamp(value, 0.0, 1.0);
    known &= made->known && (moves || !std::isnan(value));
    const auto bits = std::bit_cast<uint64_t>(value);
    out[2 * k] = known ? exact(static_cast<uint32_t>(bits)) : Word::open();
    out[2 * k + 1] = known ? exact(static_cast<uint32_t>(bits >> 32)) : Word::open();
  }
  write(lane, instruction, 0, out);
  return true;
}

}  // namespace texlate::test
