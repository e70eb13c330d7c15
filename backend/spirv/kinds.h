// How an IR operation takes and returns its 32-bit values: as floats or as integers.
#pragma once

#include <algorithm>
#include <array>

#include "backend/spirv/ir_names.h"

namespace texlate::spirv {

enum class Kind : uint8_t {
  none,  // no 32-bit value
  float_,
  uint,
  flexible,  // passed on unchanged
  varies,    // does not follow from the operation
};

/// As what a SPIR-V instruction takes an operand or returns a result.
enum class As : uint8_t { float_, uint, boolean, double_, int_ };

constexpr As as_of(Kind kind) {
  return kind == Kind::float_ ? As::float_ : As::uint;
}

struct OpKinds {
  std::array<Kind, 4> operands{};  // the last one also applies to all further operands
  Kind result = Kind::uint;
  Kind common = Kind::varies;  // of all operands, if they are alike and the operation determines it

  constexpr Kind operand(uint32_t position) const { return operands[std::min<uint32_t>(position, 3)]; }
};

namespace detail {

/// The kind of a letter of ir::OpInfo::results and ::operands.
constexpr Kind kind_of_letter(char letter) {
  switch (letter) {
    case 'f': return Kind::float_;
    case 'v': return Kind::flexible;
    case 'w': return Kind::varies;
    default: return Kind::uint;
  }
}

constexpr std::array<Kind, 4> operands_of(const ir::OpInfo& info) {
  Kind rest = Kind::uint;
  std::array<Kind, 4> kinds{};
  uint32_t count = 0;
  for (const char letter : info.operands) {
    if (letter == '*') break;
    const bool is_word = ir::type_of_letter(letter) == ir::Type::b32;
    if (is_word) rest = kind_of_letter(letter);
    kinds[count++] = is_word ? rest : Kind::none;
  }
  std::fill(kinds.begin() + count, kinds.end(), rest);
  return kinds;
}

inline constexpr std::array<OpKinds, ir::kOpCount> kKinds = [] {
  std::array<OpKinds, ir::kOpCount> all{};
  for (uint32_t op = 0; op < ir::kOpCount; ++op) {
    const ir::OpInfo& info = ir::info(static_cast<ir::Op>(op));
    OpKinds& kinds = all[op];
    kinds.operands = operands_of(info);
    if (static_cast<ir::Op>(op) == ir::Op::f32tof16) kinds.operands.fill(Kind::uint);  // taken apart as bits
    if (!info.results.empty()) kinds.result = kind_of_letter(info.results[0]);
    const Kind first = kinds.operands[0];
    const bool alike = std::ranges::all_of(kinds.operands, [first](Kind kind) { return kind == first; });
    if (alike && first != Kind::flexible) kinds.common = first;
  }
  return all;
}();

}  // namespace detail

constexpr const OpKinds& kinds_of(ir::Op op) {
  return detail::kKinds[static_cast<uint32_t>(op)];
}

}  // namespace texlate::spirv
