// The made-up arithmetic that both executors share.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "backend/maxwell/isa/instruction.h"

namespace texlate::maxwell::machine::test {

using Word = uint64_t;

constexpr Word mix(Word a, Word b) {
  Word x = a * 0x9e3779b97f4a7c15u ^ (b + 0x7f4a7c15u + (a << 6));
  x ^= x >> 29;
  x *= 0xbf58476d1ce4e5b9u;
  return x ^ x >> 32;
}

/// Contents of an instruction's operands: a value for each covered register, in order.
struct OperandValues {
  std::array<std::array<Word, 8>, maxwell::kMaxOperands> words{};
  std::array<uint8_t, maxwell::kMaxOperands> counts{};
};

inline constexpr unsigned kSpaces = 6;
using Effects = std::array<std::vector<Word>, kSpaces>;  // what each space was told, in order

struct LaneContext {
  Word lane = 0;
  std::array<Word, kSpaces> stores{};  // hash of what has been stored to each space
  Word carry = 0;
};

/// Fills in the words of the result operands. Memory: `space` as Instruction::space says, `reads` and
/// `writes` of it.
void evaluate(const maxwell::Instruction& code, bool reads, bool writes, bool is_barrier, unsigned space,
              OperandValues& values, LaneContext& context, Effects& effects);

}  // namespace texlate::maxwell::machine::test
