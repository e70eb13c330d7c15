// The artificial arithmetic that both executors share.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "backend/maxwell/isa/instruction.h"
#include "backend/maxwell/isa/table.h"

namespace texlate::maxwell::machine::test {

/// Is operand `index` a result?
inline bool is_result(const maxwell::Instruction& code, unsigned index) {
  return (facts(code).destinations >> index & 1) != 0;
}

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

inline constexpr unsigned kEffectSpaces = 6;
using Effects = std::array<std::vector<Word>, kEffectSpaces>;  // per space, the stores and barriers in order

struct LaneContext {
  Word lane = 0;
  std::array<Word, kEffectSpaces> stores{};  // hash of everything that was stored to each space
  Word carry = 0;
};

/// The number of a test routine encodes its properties: how many arguments it takes, and how many registers
/// it overwrites. Each result is a hash of the arguments.
struct TestRoutine {
  static constexpr unsigned kMostArguments = 7;
  unsigned arguments = 0;
  unsigned clobbers = 0;

  uint16_t number() const { return static_cast<uint16_t>(8 * (8 * clobbers + arguments)); }
  static TestRoutine of(unsigned number) { return {number / 8 % 8, number / 64}; }
  /// The contents of register `index` afterwards; the first ones are results.
  Word result(const Word* argument, unsigned index) const {
    Word h = index + 1000;
    for (unsigned i = 0; i < arguments; ++i) h = mix(h, argument[i]);
    return h;
  }
};

/// Fills in the words of the result operands. Memory: `space` is that of Instruction::space, and `reads` and
/// `writes` refer to it.
void evaluate(const maxwell::Instruction& code, bool reads, bool writes, bool is_barrier, unsigned space,
              OperandValues& values, LaneContext& context, Effects& effects);

}  // namespace texlate::maxwell::machine::test
