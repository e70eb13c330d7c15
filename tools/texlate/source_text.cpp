#include "tools/texlate/source_text.h"

#include <fmt/format.h>

#include <algorithm>

#include "frontend/asm/printer.h"
#include "tools/texlate/messages.h"

namespace texlate::cli {

SourceText::SourceText(const sm4::Program& program, std::string_view source) : program_(program) {
  for (size_t at = 0; at < source.size();) {
    const size_t end = std::min(source.find('\n', at), source.size());
    lines_.push_back(source.substr(at, end - at));
    at = end + 1;
  }
}

std::string SourceText::operator()(const sm4::Instruction& instruction) const {
  const uint32_t line = instruction.location.line;
  if (line != 0 && line <= lines_.size()) {
    std::string_view text = lines_[line - 1];
    text.remove_prefix(std::min(text.find_first_not_of(" \t"), text.size()));
    while (text.ends_with('\r') || text.ends_with(' ') || text.ends_with('\t')) text.remove_suffix(1);
    return printable(text);
  }
  std::pmr::string text;
  assembly::print_instruction(program_, instruction, {}, text);
  return std::string(text);
}

std::string SourceText::number(const sm4::Instruction& instruction) const {
  return instruction.location.line != 0 ? std::to_string(instruction.location.line)
                                        : fmt::format("+{:#x}", instruction.location.offset);
}

}  // namespace texlate::cli
