// How an IR operation takes and returns its 32-bit values: as floats or as integers.
#pragma once

#include <algorithm>
#include <array>

#include "backend/spirv/ir_names.h"
#include "ir/op.h"

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

constexpr Kind result_of(ir::Op op) {
  const std::string_view letters = ir::info(op).results;
  return letters.empty() ? Kind::uint : kind_of_letter(letters[0]);
}

constexpr std::array<Kind, 4> operands_of(ir::Op op) {
  Kind rest = Kind::uint;
  std::array<Kind, 4> kinds{};
  uint32_t count = 0;
  for (const char letter : ir::info(op).operands) {
    if (letter == '*') break;
    const bool is_word = ir::type_of_letter(letter) == ir::Type::b32;
    if (is_word) rest = kind_of_letter(letter);
    kinds[count++] = is_word ? rest : Kind::none;
  }
  if (op == ir::Op::f32tof16) return {Kind::uint, Kind::uint, Kind::uint, Kind::uint};  // taken apart as bits
  std::fill(kinds.begin() + count, kinds.end(), rest);
  return kinds;
}

constexpr OpKinds kinds_of_row(ir::Op op) {
  OpKinds kinds{operands_of(op), result_of(op)};
  const Kind first = kinds.operands[0];
  const bool alike = std::ranges::all_of(kinds.operands, [first](Kind kind) { return kind == first; });
  if (alike && first != Kind::flexible) kinds.common = first;
  return kinds;
}

constexpr std::array<OpKinds, ir::kOpCount> make_kinds() {
  std::array<OpKinds, ir::kOpCount> kinds{};
  for (uint32_t op = 0; op < ir::kOpCount; ++op) kinds[op] = kinds_of_row(static_cast<ir::Op>(op));
  return kinds;
}

inline constexpr std::array<OpKinds, ir::kOpCount> kKinds = make_kinds();

}  // namespace detail

constexpr const OpKinds& kinds_of(ir::Op op) {
  return detail::kKinds[static_cast<uint32_t>(op)];
}

}  // namespace texlate::spirv
