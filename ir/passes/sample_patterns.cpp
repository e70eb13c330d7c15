#include "ir/passes/sample_patterns.h"

#include <bit>
#include <cstring>

namespace texlate::ir {

namespace {

struct Sixteenths {
  int8_t x, y;
};

// D3D11.3 19.2.4, D3D11_STANDARD_MULTISAMPLE_PATTERN, in 1/16 pixel (docs/reference/direct3d.md 1.4,
// samplepos). Row count - 1 + index for counts 1, 2, 4, 8, 16: each pattern starts where the smaller ones
// end.
constexpr std::array<Sixteenths, 31> kPatterns = {{
    {0, 0},  {4, 4},   {-4, -4}, {-2, -6}, {6, -2}, {-6, 2},  {2, 6},  {1, -3}, {-1, 3},  {5, 1}, {-3, -5},
    {-5, 5}, {-7, -1}, {3, 7},   {7, -7},  {1, 1},  {-1, -3}, {-3, 2}, {4, -1}, {-5, -2}, {2, 5}, {5, 3},
    {3, -5}, {-2, 6},  {0, -7},  {-4, -6}, {-6, 4}, {-8, 0},  {7, -4}, {6, 7},  {-7, -8},
}};

/// Index of the pattern table in the module. Adds the table if none has these words yet.
uint32_t pattern_table(Module& module) {
  std::array<uint32_t, kPatterns.size() * 4> words{};
  for (size_t i = 0; i < kPatterns.size(); ++i) {
    words[4 * i] = std::bit_cast<uint32_t>(static_cast<float>(kPatterns[i].x) / 16.0f);
    words[4 * i + 1] = std::bit_cast<uint32_t>(static_cast<float>(kPatterns[i].y) / 16.0f);
  }
  for (uint32_t i = 0; i < module.tables.size(); ++i) {
    const ConstantTable& table = module.tables[i];
    if (table.rows == kPatterns.size() &&
        std::memcmp(module.table_words.data() + table.first_word, words.data(), sizeof(words)) == 0) {
      return i;
    }
  }
  module.tables.push_back(
      {static_cast<uint32_t>(module.table_words.size()), static_cast<uint32_t>(kPatterns.size())});
  module.table_words.insert(module.table_words.end(), words.begin(), words.end());
  return static_cast<uint32_t>(module.tables.size()) - 1;
}

}  // namespace

std::array<Value, 2> standard_sample_position(Builder& builder, Value count, Value index) {
  Module& module = builder.module();
  const Value row =
      builder.emit(Op::iadd, {builder.emit(Op::iadd, {count, module.constant(0xffffffffu)}), index});
  // An index past the count would read the next pattern; row 0 is (0, 0).
  const Value valid = builder.emit(Op::ult, {index, count});
  const Value safe = builder.emit(Op::select, {valid, row, module.constant(0)});
  const Value first = builder.emit(Op::table_load, {safe}, pattern_table(module));
  return {first, first + 1};
}

}  // namespace texlate::ir
