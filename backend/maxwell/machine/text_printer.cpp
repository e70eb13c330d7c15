#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "backend/maxwell/isa/control_text.h"
#include "backend/maxwell/isa/text.h"
#include "backend/maxwell/machine/access.h"
#include "backend/maxwell/machine/text.h"

namespace texlate::maxwell::machine {
namespace {

class Printer {
 public:
  Printer(const Function& function, std::string& out) : function_(function), out_(out) {}

  void print_function() {
    header(function_.has_registers ? "registers" : "values");
    out_ += '\n';
    for (const BlockId id : Indices<BlockId>(function_.blocks)) block(id);
  }

  void print_lines(const Layout& layout) {
    header("lines");
    if (layout.has_control) out_ += " timed";
    if (layout.exit_registers != 0) write(" exits={}", layout.exit_registers);
    if (layout.stack_depth != 0) write(" stack={}", layout.stack_depth);
    out_ += '\n';
    for (const BlockId id : Indices<BlockId>(layout.blocks)) {
      write("block{}:\n", id.number());
      const LineBlock& b = layout.blocks[id];
      for (uint32_t i = b.first; i < b.first + b.count; ++i) line(layout.lines[i], layout.has_control);
    }
  }

 private:
  template <typename... Args>
  void write(fmt::format_string<Args...> format, Args&&... args) {
    fmt::format_to(std::back_inserter(out_), format, std::forward<Args>(args)...);
  }

  void header(std::string_view form) {
    out_ += form;
    if (function_.is_routine) out_ += " routine";
    if (function_.separates_fetches) out_ += " apart";
    if (function_.local_bytes != 0) write(" local={}", function_.local_bytes);
    if (form == "registers" && function_.exit_registers != 0) write(" exits={}", function_.exit_registers);
  }

  // ---- values

  static void append_value(Value v, bool is_predicate, std::string& out) {
    out += is_predicate ? 'p' : 'v';
    out += v == kNoValue ? "_" : std::to_string(v.number());
  }
  void value(Value v, bool is_predicate) { append_value(v, is_predicate, out_); }
  bool is_predicate(Value v) const {
    return v < function_.values.size() && function_.values[v] == ValueClass::predicate;
  }
  /// (v1, p2), nothing if the list is empty.
  void list_in_brackets(uint32_t first, uint32_t count) {
    for (uint32_t i = 0; i < count; ++i) {
      out_ += i == 0 ? "(" : ", ";
      value(function_.operands[first + i], is_predicate(function_.operands[first + i]));
    }
    if (count != 0) out_ += ')';
  }

  /// A RegisterNamer: the values of an operand. What a CAS compares with and what it stores are one operand,
  /// but two in the text.
  bool append(const Instruction& instruction, unsigned index, std::string& out) const {
    const uint8_t pairs = facts(instruction.code).pair_seconds;
    const bool is_second = (pairs >> index & 1) != 0;
    const unsigned owner = is_second ? index - 1 : index;
    unsigned count = instruction.count(owner);
    if (count == 0) return false;
    uint32_t first = instruction.values;
    for (unsigned k = 0; k < owner; ++k) first += instruction.count(k);
    if (is_second || (pairs >> (index + 1) & 1) != 0) count /= 2;
    if (is_second) first += count;
    for (uint32_t i = 0; i < count; ++i) {
      if (i != 0) out += ':';
      append_value(function_.operands[first + i], instruction.is_predicate(owner), out);
    }
    return true;
  }

  // ---- instructions

  void effect(const Instruction& i) {
    if (i.effect == Effect::none) return;
    if (i.effect == Effect::barrier) {
      out_ += " orders";
      return;
    }
    out_ += i.effect == Effect::read ? " reads " : " writes ";
    switch (i.space) {
      case kAllSpaces: out_ += "any"; break;
      case kLocalSpace: out_ += "local"; break;
      case kSpillSpace: out_ += "spill"; break;
      default: write("{}", i.space); break;
    }
  }

  /// What the results are if the guard is false, each with the letter of its result.
  void merged(const Instruction& i) {
    if (i.merge == kNoIndex) return;
    uint32_t at = i.merge;
    for (unsigned k = 0; k < kMaxOperands; ++k) {
      if (!i.is_result(k)) continue;
      for (unsigned e = 0; e < i.count(k); ++e) {
        out_ += at == i.merge ? " else " : ":";
        value(function_.operands[at++], i.is_predicate(k));
      }
    }
  }

  void ends(const Instruction& i) {
    effect(i);
    if (i.origin != 0) write(" from {}", i.origin);
    out_ += '\n';
  }

  void instruction(const Instruction& i) {
    out_ += "  ";
    if (function_.has_registers) {
      maxwell::print(i.code, 0, out_);
      ends(i);
      return;
    }
    Code code = i.code;
    if (i.guard != kNoValue) {
      out_ += (code.guard() & 8) != 0 ? "@!" : "@";
      value(i.guard, true);
      out_ += ' ';
      code.set_guard(kPT);
    }
    maxwell::print(code, 0, out_, {},
                   [&](unsigned index, std::string& out) { return append(i, index, out); });
    merged(i);
    ends(i);
  }

  void line(const Line& line, bool has_control) {
    const Code& code = line.code();
    out_ += "  ";
    if (has_control) {
      std::array<char, kMostControlText> text;
      out_.append(text.data(), print_control(code.control, -1, text.data()));
      out_ += "  ";
    }
    std::string label =
        line.target == kNoBlock ? std::string() : fmt::format("block{}", line.target.number());
    if (opcode(code) == Opcode::cal) label = fmt::format("routine{}", code.decode().operands[0].value);
    maxwell::print(code, 0, out_, label);
    if (line.target != kNoBlock && !facts(code).has_target) write(" to {}", label);
    ends(*line.instruction);
  }

  // ---- blocks

  void block(BlockId id) {
    const Block& b = function_.blocks[id];
    write("block{}", id.number());
    list_in_brackets(b.parameters, b.parameter_count);
    out_ += ":\n";
    for (uint32_t i = b.first; i < b.first + b.count; ++i) instruction(function_.instructions[i]);
    if (b.construct == Construct::selection) write("  selection merge block{}\n", b.merge.number());
    if (b.construct == Construct::loop)
      write("  loop merge block{} continue block{}\n", b.merge.number(), b.continue_target.number());
    out_ += "  ";
    terminator(b);
    out_ += '\n';
  }

  void terminator(const Block& b) {
    switch (b.terminator) {
      case Terminator::jump:
        write("jump block{}", b.target[0].number());
        list_in_brackets(b.arguments, b.argument_count);
        break;
      case Terminator::branch:
        write("branch {}{}{}{}, block{}, block{}", b.uniform ? "uniform " : "", b.negated ? "!" : "",
              function_.has_registers ? 'P' : 'p',
              function_.has_registers ? number_in_code(b.predicate) : b.condition.number(),
              b.target[0].number(), b.target[1].number());
        break;
      case Terminator::exit:
        out_ += "exit";
        list_in_brackets(b.arguments, b.argument_count);
        break;
      case Terminator::call:
        write("call routine{} clobbers {}", b.routine, b.clobbers);
        list_in_brackets(b.arguments, b.argument_count);
        break;
    }
  }

  const Function& function_;
  std::string& out_;
};

}  // namespace

void print(const Function& function, std::string& out) {
  Printer(function, out).print_function();
}

void print(const Function& function, const Layout& layout, std::string& out) {
  Printer(function, out).print_lines(layout);
}

}  // namespace texlate::maxwell::machine
