#include <algorithm>

#include "frontend/asm/escape.h"
#include "frontend/asm/line_parser.h"
#include "frontend/sm4/declaration.h"

namespace texlate::assembly {

namespace {

struct MessageName {
  std::string_view name;
  sm4::ShaderMessage message;
};
constexpr MessageName kMessageNames[] = {{"printf", {.is_error = false, .formats = true}},
                                         {"errorf", {.is_error = true, .formats = true}},
                                         {"printf_text", {.is_error = false, .formats = false}},
                                         {"errorf_text", {.is_error = true, .formats = false}}};

}  // namespace

bool LineParser::parse_message() {
  mnemonic_ = cursor_.word();
  const auto named = std::ranges::find(kMessageNames, mnemonic_, &MessageName::name);
  if (named == std::end(kMessageNames)) {
    cursor_.at = mnemonic_.data();
    return false;
  }
  const size_t operand_count = program_.operands.size();
  const size_t word_count = program_.words.size();
  if (!parse_message_line(named->message)) {
    program_.operands.resize(operand_count);
    program_.operand_places.resize(operand_count);
    program_.words.resize(word_count);
  }
  return true;
}

// `"%f is fine", r0.z`. Operands contain no quotation mark, so the last one ends the text.
bool LineParser::parse_message_line(const sm4::ShaderMessage& message) {
  sm4::Instruction instruction;
  instruction.opcode = sm4::Opcode::custom_data;
  instruction.controls = sm4::kShaderMessage;
  instruction.location = SourceLocation::text(cursor_.line, cursor_.column(mnemonic_.data()),
                                              static_cast<uint32_t>(mnemonic_.size()));
  if (!cursor_.expect('"', "before the text")) return false;
  const std::string_view rest = cursor_.rest();
  const size_t closing = rest.rfind('"');
  if (closing == std::string_view::npos) return cursor_.expect('"', "after the text");
  std::pmr::string text(program_.memory());
  append_unquoted(rest.substr(0, closing), text);
  if (text.find('\0') != std::pmr::string::npos)
    return cursor_.error(cursor_.at, "a message ends at a zero byte");
  instruction.first_word = static_cast<uint32_t>(program_.words.size());
  add_message_words(message, text, program_);
  instruction.word_count = static_cast<uint32_t>(program_.words.size()) - instruction.first_word;
  cursor_.at += closing + 1;
  sm4::Operand operands[sm4::kMaxMessageOperands];
  sm4::OperandPlace places[sm4::kMaxMessageOperands];
  while (cursor_.take(',')) {
    const uint32_t i = instruction.operand_count;
    if (i == sm4::kMaxMessageOperands)
      return cursor_.error(mnemonic_.data(), "a message has at most {} operands", i);
    if (!operand_parser_.parse(sm4::OperandShape::source, operands[i], places[i])) return false;
    ++instruction.operand_count;
  }
  if (!finish_line()) return false;
  instruction.first_operand = static_cast<uint32_t>(program_.operands.size());
  program_.operands.append(operands, instruction.operand_count);
  program_.operand_places.append(places, instruction.operand_count);
  program_.instructions.push_back(instruction);
  return true;
}

}  // namespace texlate::assembly
