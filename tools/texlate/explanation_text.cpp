#include "tools/texlate/explanation_text.h"

#include <fmt/format.h>

#include <unordered_map>
#include <vector>

#include "frontend/asm/printer.h"
#include "library/pipeline.h"
#include "tools/texlate/messages.h"

namespace texlate::cli {

namespace {

/// The instructions of a container by their byte offsets.
using InstructionTexts = std::unordered_map<uint32_t, std::string>;

InstructionTexts instruction_texts(std::string_view source) {
  InstructionTexts texts;
  if (!source.starts_with("DXBC")) return texts;
  sm4::Program program;
  dxbc::Container container;
  Diagnostics ignored;
  if (!library::read_program(source, dxbc::DigestCheck::ignore, program, container, ignored)) return texts;
  for (const sm4::Instruction& instruction : program.instructions) {
    std::pmr::string text;
    assembly::print_instruction(program, instruction, {}, text);
    texts.emplace(instruction.location.offset, text.substr(0, text.find('\n')));
  }
  return texts;
}

std::string_view source_line(std::string_view source, uint32_t line) {
  for (; line > 1; --line) {
    const size_t end = source.find('\n');
    if (end == std::string_view::npos) return {};
    source.remove_prefix(end + 1);
  }
  source = source.substr(0, source.find_first_of("\r\n"));
  while (!source.empty() && source.front() == ' ') source.remove_prefix(1);
  return source;
}

/// Instructions with the same gaps: their places, a line each, and the sentences, a line each.
struct ExplainedGroup {
  std::string places, sentences;
};

/// "shader.asm:11: udiv ..." for text; in a container the byte offset takes the place of the line, and the
/// instruction is disassembled.
std::string place_of(const api::Diagnostic& gap, const std::string& file, std::string_view source,
                     const InstructionTexts& instructions) {
  if (gap.line != 0)
    return fmt::format("{}:{}: {}\n", file, gap.line, printable(source_line(source, gap.line)));
  if (gap.offset == UINT32_MAX) return file + ":\n";
  const auto found = instructions.find(gap.offset);
  return fmt::format("{}: offset {:#x}: {}\n", file, gap.offset,
                     found == instructions.end() ? std::string() : printable(found->second));
}

}  // namespace

std::string explanation_text(const api::Output& output, const std::string& file, std::string_view source) {
  const std::vector<api::Diagnostic> gaps = output.explanations();
  if (gaps.empty()) return fmt::format("{}: the target promises everything that the shader needs\n", file);
  const InstructionTexts instructions = instruction_texts(source);
  std::vector<ExplainedGroup> groups;
  std::unordered_map<std::string, size_t> group_of;  // by sentences
  size_t places = 0;
  for (size_t i = 0; i < gaps.size();) {
    const std::string place = place_of(gaps[i], file, source, instructions);
    const auto here = [&](const api::Diagnostic& gap) {
      return gap.line == gaps[i].line && gap.offset == gaps[i].offset;
    };
    std::string sentences;
    size_t next = i;
    for (; next < gaps.size() && here(gaps[next]); ++next)
      sentences += fmt::format("    {}\n", gaps[next].message);
    i = next;
    ++places;
    const auto [entry, is_new] = group_of.emplace(sentences, groups.size());
    if (is_new) groups.push_back({{}, sentences});
    groups[entry->second].places += place;
  }
  std::string text;
  for (const ExplainedGroup& group : groups) text += group.places + group.sentences;
  const auto count = [](size_t n, std::string_view what) {
    return fmt::format("{} {}{}", n, what, n == 1 ? "" : "s");
  };
  size_t left_out = 0;
  for (size_t i = 0; i < gaps.size(); ++i) left_out += output.is_left_out(i) ? 1 : 0;
  text += fmt::format("{}: {} closed at {}", file, count(gaps.size() - left_out, "gap"),
                      count(places, "instruction"));
  if (left_out != 0)
    text += fmt::format(", and {} left out because of known state", count(left_out, "guard"));
  return text + "\n";
}

}  // namespace texlate::cli
