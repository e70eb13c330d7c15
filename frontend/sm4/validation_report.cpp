#include "frontend/sm4/validation_report.h"

#include <fmt/format.h>

namespace texlate::sm4 {

namespace {

bool is_same_instruction(const SourceLocation& a, const SourceLocation& b) {
  return a.line == b.line && a.offset == b.offset;
}

/// True if the declaration names the register of the operand.
bool declares(const Program& program, const Instruction& dcl, const Operand& operand) {
  const uint32_t id = operand.index[0].immediate;
  if (dcl.opcode == Opcode::dcl_temps) return operand.file == RegisterFile::temp;
  if (dcl.opcode == Opcode::dcl_indexable_temp)
    return operand.file == RegisterFile::indexable_temp && dcl.word_count != 0 &&
           program.words_of(dcl)[0] == id;
  if (dcl.operand_count == 0) return false;
  const Operand& declared = program.operands_of(dcl)[0];
  if (declared.file != operand.file) return false;
  // v[vertex][register]: the last index is the register.
  const bool is_array =
      operand.index_count == 2 && declared.index_count == 2 && operand.file != RegisterFile::constant_buffer;
  const uint32_t last = is_array ? 1 : 0;
  return declared.index[last].immediate == operand.index[last].immediate;
}

}  // namespace

std::string spelled(const Operand& operand) {
  std::string text(info(operand.file).spelling);
  for (uint32_t i = 0; i < operand.index_count; ++i) {
    const bool bare = i == 0 && info(operand.file).indices == IndexSpelling::kSuffix &&
                      operand.index[0].relative == kNoOperand;
    const std::string number =
        operand.index[i].relative == kNoOperand ? fmt::format("{}", operand.index[i].immediate) : "...";
    text += bare ? number : "[" + number + "]";
  }
  return text;
}

std::string spelled_number(const Operand& operand) {
  return fmt::format("{}{}", info(operand.file).spelling, operand.index[0].immediate);
}

std::string spelled_components(uint32_t mask) {
  std::string text(".");
  for (uint32_t i = 0; i < 4; ++i) {
    if ((mask >> i & 1) != 0) text += "xyzw"[i];
  }
  return text;
}

void ValidationReport::add(Severity severity, const Instruction& at, std::string message) {
  // For text, the line is shown. For a container, only the name identifies the instruction.
  const std::string_view name = info(at.opcode).mnemonic;
  const bool in_container = at.location.offset != SourceLocation::kNoOffset;
  if (in_container && message.find(name) == std::string::npos) {
    message += ", in ";
    message += name;
  }
  const SourceLocation place = operand_ == nullptr ? at.location : program_.place_of(at, *operand_);
  const auto& list = diagnostics_.list();
  for (auto other = list.rbegin(); other != list.rend(); ++other) {
    if (other->severity == Severity::note) continue;
    if (!is_same_instruction(other->location, place)) break;
    if (other->message == std::string_view(message)) return;  // two operands may have the same error
  }
  diagnostics_.add(severity, place, message);
}

void ValidationReport::note_declaration(const Operand& operand) {
  for (const Instruction& dcl : program_.instructions) {
    if (!info(dcl.opcode).has(kDeclaration) || !declares(program_, dcl, operand)) continue;
    const auto& list = diagnostics_.list();
    if (!list.empty() && list.back().location == dcl.location) return;  // already reported
    diagnostics_.note(dcl.location, "declared here");
    return;
  }
}

}  // namespace texlate::sm4
