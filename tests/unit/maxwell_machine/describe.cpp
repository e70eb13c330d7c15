#include <fmt/format.h>

#include "backend/maxwell/isa/listing.h"
#include "backend/maxwell/isa/program.h"
#include "backend/maxwell/isa/table.h"
#include "backend/maxwell/machine/access.h"
#include "ir/base/diagnostics.h"
#include "tests/unit/maxwell_machine/meaning.h"

namespace texlate::maxwell::machine::test {
namespace {

std::string name(const Function& function, Value v) {
  if (v == kNoValue) return "-";
  return fmt::format("{}{}", function.values[v] == ValueClass::predicate ? 'p' : 'v', v);
}

std::string list(const Function& function, uint32_t first, uint32_t count) {
  std::string out;
  for (uint32_t i = 0; i < count; ++i) out += ' ' + name(function, function.operands[first + i]);
  return out;
}

std::string describe(Function& function, const Instruction& i) {
  std::string out = "  ";
  if (i.guard != kNoValue)
    out += fmt::format("@{}{} ", (i.code.guard & 8) != 0 ? "!" : "", name(function, i.guard));
  out += opcode_info(opcode(i.code)).text;
  visit_operands(function, i, [&](unsigned, unsigned e, Value v, bool is_result) {
    out += fmt::format("{}{}{}", e == 0 ? ", " : " ", is_result ? "=" : "", name(function, v));
  });
  if (i.merge != kNoIndex) out += " merge" + list(function, i.merge, result_count(i.code));
  return out + fmt::format("  // {}\n", i.origin);
}

}  // namespace

std::string describe(Function& function) {
  std::string out;
  for (BlockId id = 0; id < function.blocks.size(); ++id) {
    const Block& b = function.blocks[id];
    out += fmt::format("block {} ({})", id, list(function, b.parameters, b.parameter_count));
    if (b.construct != Construct::none) {
      out += fmt::format(" {} merge {} continue {}", b.construct == Construct::loop ? "loop" : "selection",
                         b.merge, static_cast<int>(b.continue_target));
    }
    out += '\n';
    for (uint32_t i = b.first; i < b.first + b.count; ++i)
      out += describe(function, function.instructions[i]);
    switch (b.terminator) {
      case Terminator::jump:
        out += fmt::format("  jump {} ({})\n", b.target[0], list(function, b.arguments, b.argument_count));
        break;
      case Terminator::call:
        out += fmt::format("  call {} ({}), {} registers\n", b.routine,
                           list(function, b.arguments, b.argument_count), b.clobbers);
        break;
      case Terminator::branch:
        out += fmt::format("  branch {}{}{} {} {}\n", b.uniform ? "uniform " : "", b.negated ? "!" : "",
                           name(function, b.condition), b.target[0], b.target[1]);
        break;
      case Terminator::exit:
        out += fmt::format("  exit ({})\n", list(function, b.arguments, b.argument_count));
        break;
    }
  }
  return out;
}

std::string describe(const Program& program) {
  std::pmr::vector<uint64_t> words;
  encode_program(program.instructions, words);
  Diagnostics diagnostics;
  std::string out;
  disassemble_program(words, out, diagnostics);
  return out;
}

}  // namespace texlate::maxwell::machine::test
