#include "backend/spirv/grammar.h"

#include <algorithm>
#include <array>
#include <iterator>

namespace texlate::spirv::grammar {

namespace {

/// How operands of the grammar's categories are written.
struct Category {
  static constexpr Form BitEnum = Form::mask, ValueEnum = Form::value, Id = Form::id, Literal = Form::integer,
                        Composite = Form::id_id;
};

struct Kind {
  Form form;
  uint16_t first_value;
  uint16_t value_count;
};

}  // namespace

#include "grammar.inc"

namespace {

constexpr uint32_t kMostOpcode = std::ranges::max(kInstructions, {}, &Row::number).number;

/// Index of the row plus one. Of several names for one opcode, the first is written.
constexpr auto kRowOf = [] {
  std::array<uint16_t, kMostOpcode + 1> rows{};
  for (size_t i = std::size(kInstructions); i-- > 0;)
    rows[kInstructions[i].number] = static_cast<uint16_t>(i + 1);
  return rows;
}();

// Khronos lists them in the order of their numbers, so far.
constexpr bool are_ascending(std::span<const Row> rows) {
  return std::ranges::is_sorted(rows, {}, &Row::number);
}
constexpr bool kAreAscending = [] {
  for (const Kind& kind : kKinds) {
    if (!are_ascending(std::span(kEnumerants).subspan(kind.first_value, kind.value_count))) return false;
  }
  return are_ascending(kGlslInstructions) && are_ascending(kDebugInfoInstructions) &&
         are_ascending(kDebugPrintfInstructions);
}();

const Row* find(std::span<const Row> rows, uint32_t number) {
  const auto found = kAreAscending ? std::ranges::lower_bound(rows, number, {}, &Row::number)
                                   : std::ranges::find(rows, number, &Row::number);
  return found != rows.end() && found->number == number ? &*found : nullptr;
}

}  // namespace

const Row* find_instruction(uint32_t opcode) {
  if (opcode > kMostOpcode || kRowOf[opcode] == 0) return nullptr;
  return &kInstructions[kRowOf[opcode] - 1];
}

const Row* find_value(OperandKind kind, uint32_t value) {
  const Kind& row = kKinds[static_cast<size_t>(kind)];
  return find(std::span(kEnumerants).subspan(row.first_value, row.value_count), value);
}

const Row* find_extended_instruction(std::string_view set, uint32_t number) {
  if (set == "GLSL.std.450") return find(kGlslInstructions, number);
  if (set == "NonSemantic.Shader.DebugInfo.100") return find(kDebugInfoInstructions, number);
  if (set == "NonSemantic.DebugPrintf") return find(kDebugPrintfInstructions, number);
  return nullptr;
}

std::span<const Operand> operands(const Row& row) {
  return std::span(kOperands).subspan(row.first_operand, row.operand_count);
}

Form form_of(OperandKind kind) {
  switch (kind) {
    case OperandKind::IdResultType: return Form::type_id;
    case OperandKind::IdResult: return Form::result_id;
    case OperandKind::LiteralString: return Form::string;
    case OperandKind::LiteralContextDependentNumber: return Form::number;
    case OperandKind::LiteralExtInstInteger: return Form::extended;
    case OperandKind::LiteralSpecConstantOpInteger: return Form::opcode;
    case OperandKind::PairLiteralIntegerIdRef: return Form::literal_id;
    case OperandKind::PairIdRefLiteralInteger: return Form::id_literal;
    default: return kKinds[static_cast<size_t>(kind)].form;
  }
}

const char* storage_class_name(uint32_t value) {
  const Row* const row = find_value(OperandKind::StorageClass, value);
  return row != nullptr ? row->name : "StorageClass";
}

const char* capability_name(uint32_t value) {
  const Row* const row = find_value(OperandKind::Capability, value);
  return row != nullptr ? row->name : "Capability";
}

}  // namespace texlate::spirv::grammar
