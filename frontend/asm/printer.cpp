#include "frontend/asm/printer.h"

#include <algorithm>
#include <charconv>

#include "frontend/asm/instruction_printer.h"

namespace texlate::assembly {

using sm4::Instruction;

namespace {

void append_number(uint32_t value, std::pmr::string& out) {
  char text[16];
  auto [end, status] = std::to_chars(text, text + sizeof text, value);
  out.append(text, static_cast<size_t>(end - text));
}

bool has_signatures(const sm4::Program& program) {
  return !program.input_signature.empty() || !program.output_signature.empty() ||
         !program.patch_constant_signature.empty();
}

}  // namespace

void print(const sm4::Program& program, const PrintOptions& options, std::pmr::string& out) {
  const size_t start = out.size();
  out.reserve(start + program.instructions.size() * 60);
  if (!options.header_text.empty()) {
    out += options.header_text;
  } else if (options.header && has_signatures(program)) {
    print_signatures(program, options.dialect_or_default(), out);
  }
  out += spell(sm4::kStageNames, static_cast<uint32_t>(program.version.stage));
  out += '_';
  append_number(program.version.major, out);
  out += '_';
  append_number(program.version.minor, out);
  out += '\n';
  InstructionPrinter printer(program, options, out);
  uint32_t depth = 0;
  const auto count_lines = [&out](size_t from) {
    return static_cast<uint32_t>(
        std::count(out.begin() + static_cast<std::ptrdiff_t>(from), out.end(), '\n'));
  };
  uint32_t line = options.lines != nullptr ? count_lines(start) + 1 : 0;
  for (const Instruction& instruction : program.instructions) {
    const sm4::OpcodeInfo& info = sm4::info(instruction.opcode);
    if (info.has(sm4::kClosesBlock) && depth != 0) --depth;
    if (info.has(sm4::kHullPhase)) depth = 0;
    out.append(size_t{2} * std::min(depth, sm4::kMaxNesting), ' ');
    const size_t before = out.size();
    printer.print(instruction);
    out += '\n';
    if (options.lines != nullptr) {
      options.lines->push_back(line);
      line += count_lines(before);
    }
    if (info.has(sm4::kOpensBlock)) ++depth;
  }
  if (program.instruction_slots != sm4::Program::kUnknownSlots) {
    out += "// Approximately ";
    append_number(program.instruction_slots, out);
    out += program.instruction_slots == 1 ? " instruction slot used\n" : " instruction slots used\n";
  }
}

void print_instruction(const sm4::Program& program, const Instruction& instruction,
                       const PrintOptions& options, std::pmr::string& out) {
  InstructionPrinter(program, options, out).print(instruction);
}

}  // namespace texlate::assembly
