// printf and errorf: messages to Direct3D's debug layer.

#include <array>

#include "frontend/lower/families.h"
#include "frontend/sm4/shader_message.h"

namespace texlate::lower {

namespace {

/// The number of values that an operand gives.
uint32_t value_count(const sm4::Operand& operand) {
  const bool is_scalar = operand.component_count == sm4::ComponentCount::one ||
                         (!operand.is_immediate() && operand.selection == sm4::Selection::select);
  return is_scalar ? 1 : 4;
}

/// Appends the text to the module's names, as printf takes it.
uint32_t add_format(Lowering& lowering, const sm4::ShaderMessage& message, std::string_view text) {
  auto& names = lowering.module.names;
  const auto offset = static_cast<uint32_t>(names.size());
  constexpr std::string_view kError = "error: ";
  if (message.is_error) names.insert(names.end(), kError.begin(), kError.end());
  for (const char c : text) {
    names.push_back(c);
    if (c == '%' && !message.formats) names.push_back(c);
  }
  names.push_back('\0');
  return offset;
}

}  // namespace

void lower_message(Lowering& lowering, const sm4::Instruction& instruction) {
  const auto words = lowering.program.words_of(instruction);
  const auto message = sm4::find_message(words);
  if (!message) return;
  std::pmr::string text(lowering.module.memory());
  sm4::append_message_text(words, text);
  std::array<Value, size_t{sm4::kMaxMessageOperands} * 4> values;
  size_t count = 0;
  for (const sm4::Operand& operand : lowering.program.operands_of(instruction)) {
    const uint32_t own = value_count(operand);
    const Lanes lanes = lowering.load(operand, static_cast<uint8_t>((1u << own) - 1), Reading::float_);
    for (uint32_t i = 0; i < own && count < values.size(); ++i) values[count++] = lanes[i];
  }
  lowering.builder.emit(Op::message, std::span<const Value>(values).first(count),
                        add_format(lowering, *message, text));
}

}  // namespace texlate::lower
