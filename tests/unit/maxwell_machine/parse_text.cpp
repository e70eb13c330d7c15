#include "tests/unit/maxwell_machine/parse_text.h"

#include <algorithm>
#include <array>
#include <charconv>

#include "backend/maxwell/isa/control_text.h"
#include "backend/maxwell/isa/text.h"
#include "backend/maxwell/machine/access.h"
#include "ir/base/diagnostics.h"

namespace texlate::maxwell::machine::test {
namespace {

constexpr std::string_view kSpaces = " \t\r";
/// Numbers of values and blocks are indices: larger ones are mistakes, and would take memory.
constexpr uint32_t kMostValues = 1u << 24, kMostBlocks = 1u << 20;

bool parse_number(std::string_view text, uint32_t limit, uint32_t& out) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), out);
  return !text.empty() && error == std::errc() && end == text.data() + text.size() && out < limit;
}

/// The text of a line that is left, and where it is.
class Cursor {
 public:
  Cursor(std::string_view text, uint32_t line, Diagnostics& diagnostics)
      : begin_(text.data()), text_(text.substr(0, text.find(';'))), line_(line), diagnostics_(diagnostics) {
    text_.remove_suffix(text_.size() - (text_.find_last_not_of(kSpaces) + 1));
    skip_spaces();
  }

  bool at_end() const { return text_.empty(); }
  std::string_view rest() const { return text_; }
  TextPlace place() const { return {line_, static_cast<uint32_t>(text_.data() - begin_) + 1}; }

  /// The next word, up to a space or one of `ends`.
  std::string_view word(std::string_view ends = "") {
    const auto is_end = [&](char c) {
      return kSpaces.find(c) != std::string_view::npos || ends.find(c) != std::string_view::npos;
    };
    const auto end = std::ranges::find_if(text_, is_end);
    const std::string_view found = text_.substr(0, static_cast<size_t>(end - text_.begin()));
    text_.remove_prefix(found.size());
    skip_spaces();
    return found;
  }
  bool take(std::string_view expected) {
    if (!text_.starts_with(expected)) return false;
    text_.remove_prefix(expected.size());
    skip_spaces();
    return true;
  }
  /// Takes what follows the last " word " off the end; empty: there is none.
  std::string_view take_suffix(std::string_view word) {
    const size_t at = text_.rfind(word);
    if (at == std::string_view::npos || at == 0) return {};
    const std::string_view found = text_.substr(at + word.size());
    text_ = text_.substr(0, text_.find_last_not_of(kSpaces, at - 1) + 1);
    return found;
  }

  template <typename... Args>
  bool error(fmt::format_string<Args...> format, Args&&... args) const {
    diagnostics_.error(
        SourceLocation::text(place().line, place().column, static_cast<uint32_t>(text_.size())), format,
        std::forward<Args>(args)...);
    return false;
  }
  bool ends() const { return at_end() || error("text after the end of a line: '{}'", text_); }

 private:
  void skip_spaces() { text_.remove_prefix(std::min(text_.find_first_not_of(kSpaces), text_.size())); }

  const char* begin_;
  std::string_view text_;
  uint32_t line_;
  Diagnostics& diagnostics_;
};

template <typename Tag>
bool parse_number(std::string_view text, uint32_t limit, Index<Tag>& out) {
  uint32_t number = 0;
  if (!parse_number(text, limit, number)) return false;
  out = Index<Tag>(number);
  return true;
}

bool parse_block_name(std::string_view name, BlockId& out) {
  return name.starts_with("block") && parse_number(name.substr(5), kMostBlocks, out);
}

bool parse_predicate(std::string_view name, Place& out) {
  uint32_t number = 0;
  if (!name.starts_with('P') || !parse_number(name.substr(1), kPT, number)) return false;
  out = kFirstPredicate + number;
  return true;
}

/// v3, p4, v_.
bool parse_value_name(std::string_view name, char letter, Value& out) {
  if (name.size() < 2 || name.front() != letter) return false;
  if (name == std::string_view(letter == 'v' ? "v_" : "p_")) {
    out = kNoValue;
    return true;
  }
  return parse_number(name.substr(1), kMostValues, out);
}

/// Visits the parts of a:b:c; false when visit() is false for one.
template <typename Visit>
bool for_each_part(std::string_view list, Visit visit) {
  for (;;) {
    const size_t colon = list.find(':');
    if (!visit(list.substr(0, colon))) return false;
    if (colon == std::string_view::npos) return true;
    list.remove_prefix(colon + 1);
  }
}

/// The text of an instruction with register 0 for every name of a value, and which operand has which name.
class OperandNames {
 public:
  std::array<std::string_view, kMaxOperands> names;

  explicit OperandNames(std::string_view text) {
    for (size_t at = 0; at < text.size();) {
      const bool begins = at == 0 || std::string_view(" ,[|-!~").find(text[at - 1]) != std::string_view::npos;
      const char letter = text[at];
      const size_t end = std::min(text.find_first_not_of("vp_:0123456789", at), text.size());
      if (!begins || end < at + 2 || (letter != 'v' && letter != 'p')) {
        text_ += text[at++];
        continue;
      }
      found_.push_back({text_.size(), text.substr(at, end - at)});
      text_ += letter == 'v' ? "R0" : "P0";
      at = end;
    }
    // What a CAS stores is in the registers after those of what it compares with.
    if (text.starts_with("ATOM") && text.find("CAS") != std::string_view::npos && !found_.empty())
      text_[found_.back().at + 1] = text.find("CAS.64") != std::string_view::npos ? '2' : '1';
  }
  std::string_view text() const { return text_; }

  void assign(const OperandTexts& texts, maxwell::Instruction& code) {
    for (size_t k = 0; k < texts.size(); ++k) {
      for (const Found& name : found_) {
        const char* const place = text_.data() + name.at;
        if (place < texts[k].data() || place >= texts[k].data() + texts[k].size()) continue;
        names[k] = name.name;
        code.operands[k].reg = kVirtual;
      }
    }
  }

 private:
  struct Found {
    size_t at;  // in the text
    std::string_view name;
  };
  std::string text_;
  std::vector<Found> found_;
};

/// Block names as targets at address 0: the offset is 0. Of a call it is the routine's number.
struct TargetNames {
  BlockId target = kNoBlock;

  int64_t operator()(std::string_view label) {
    constexpr int64_t kNext = 8;  // where offset 0 leads
    uint32_t routine = 0;
    if (label.starts_with("routine") && parse_number(label.substr(7), kMostBlocks, routine))
      return kNext + routine;
    return parse_block_name(label, target) ? kNext : -1;
  }
};

class Parser {
 public:
  Parser(Function& function, Layout* layout, Diagnostics& diagnostics)
      : function_(function), layout_(layout), diagnostics_(diagnostics) {}

  bool run(std::string_view text) {
    uint32_t number = 0;
    while (!text.empty()) {
      const size_t end = std::min(text.find('\n'), text.size());
      Cursor line(text.substr(0, end), ++number, diagnostics_);
      text.remove_prefix(std::min(end + 1, text.size()));
      if (line.at_end()) continue;
      if (!(has_header_ ? statement(line) : header(line))) return false;
    }
    Cursor end({}, number + 1, diagnostics_);
    if (!has_header_) return end.error("the form is missing: values, registers or lines");
    if (is_open_) return end.error("the last block has no end");
    return layout_ == nullptr || finish_lines(end);
  }

 private:
  // ---- the first line

  bool header(Cursor& line) {
    const Cursor here = line;
    const std::string_view form = line.word();
    const std::string_view wanted = layout_ != nullptr ? "lines" : "values or registers";
    if (layout_ != nullptr ? form != "lines" : form != "values" && form != "registers")
      return here.error("the text must begin with its form: {}", wanted);
    function_.has_registers = form != "values";
    has_header_ = true;
    while (!line.at_end()) {
      if (!property(line)) return false;
    }
    return true;
  }

  bool property(Cursor& line) {
    const Cursor here = line;
    const std::string_view word = line.word();
    const size_t equals = word.find('=');
    const std::string_view name = word.substr(0, equals);
    if (equals == std::string_view::npos) {
      if (name == "routine") return function_.is_routine = true;
      if (name == "timed" && layout_ != nullptr) return layout_->has_control = true;
      if (name == "apart") return function_.separates_fetches = true;
      return here.error("unknown property '{}'", name);
    }
    uint32_t number = 0;
    if (!parse_number(word.substr(equals + 1), 0xffffffffu, number))
      return here.error("{} needs a number", name);
    if (name == "local") {
      function_.local_bytes = number;
    } else if (name == "exits") {
      (layout_ != nullptr ? layout_->exit_registers : function_.exit_registers) = number;
    } else if (name == "stack" && layout_ != nullptr) {
      layout_->stack_depth = number;
    } else {
      return here.error("unknown property '{}'", name);
    }
    return true;
  }

  // ---- blocks

  bool statement(Cursor& line) {
    if (line.rest().starts_with("block")) return begin_block(line);
    if (layout_ != nullptr) {
      if (layout_->blocks.empty()) return line.error("an instruction before the first block");
      return control_line(line);
    }
    if (!is_open_) return line.error("an instruction outside a block");
    Cursor after = line;
    const std::string_view word = after.word("(");
    if (word == "selection" || word == "loop") return construct(after, word == "loop");
    if (word == "jump") return jump(after);
    if (word == "branch") return branch(after);
    if (word == "exit") return end_block(after, Terminator::exit, true);
    if (word == "call") return call(after);
    return instruction(line);
  }

  bool begin_block(Cursor& line) {
    const Cursor here = line;
    BlockId number = kNoBlock;
    if (!parse_block_name(line.word("(:"), number)) return here.error("block number expected");
    const size_t next = layout_ != nullptr ? layout_->blocks.size() : function_.blocks.size();
    if (is_open_) return here.error("block{} has no end", next - 1);
    if (number != next) return here.error("block{} expected: blocks are in order", next);
    if (layout_ != nullptr) {
      layout_->blocks.emplace_back().first = static_cast<uint32_t>(function_.instructions.size());
    } else {
      Block& b = function_.blocks.emplace_back();
      b.first = static_cast<uint32_t>(function_.instructions.size());
      if (!list_in_brackets(line, b.parameters, b.parameter_count)) return false;
      is_open_ = true;
    }
    return line.take(":") ? line.ends() : line.error("':' expected");
  }

  Block& open_block() { return function_.blocks.back(); }

  bool end_block(Cursor& line, Terminator terminator, bool has_arguments) {
    Block& b = open_block();
    b.terminator = terminator;
    b.count = static_cast<uint32_t>(function_.instructions.size()) - b.first;
    is_open_ = false;
    if (has_arguments && !list_in_brackets(line, b.arguments, b.argument_count)) return false;
    return line.ends();
  }

  bool block_name(Cursor& line, BlockId& out) {
    const Cursor here = line;
    return parse_block_name(line.word("(,"), out) || here.error("a block is expected here, such as block3");
  }

  bool construct(Cursor& line, bool is_loop) {
    Block& b = open_block();
    b.construct = is_loop ? Construct::loop : Construct::selection;
    if (!line.take("merge")) return line.error("'merge' expected");
    if (!block_name(line, b.merge)) return false;
    if (!is_loop) return line.ends();
    if (!line.take("continue")) return line.error("'continue' expected");
    return block_name(line, b.continue_target) && line.ends();
  }

  bool jump(Cursor& line) {
    return block_name(line, open_block().target[0]) && end_block(line, Terminator::jump, true);
  }

  bool branch(Cursor& line) {
    Block& b = open_block();
    b.uniform = line.take("uniform");
    b.negated = line.take("!");
    const Cursor here = line;
    std::string_view name = line.word(",");
    if (function_.has_registers) {
      if (!parse_predicate(name, b.predicate)) return here.error("a predicate is expected here, such as P0");
    } else if (!parse_value_name(name, 'p', b.condition) || !note_value(b.condition, true)) {
      return here.error("a predicate is expected here, such as p3");
    }
    for (BlockId& target : b.target) {
      if (!line.take(",")) return line.error("',' expected");
      if (!block_name(line, target)) return false;
    }
    return end_block(line, Terminator::branch, false);
  }

  bool call(Cursor& line) {
    Block& b = open_block();
    const Cursor here = line;
    const std::string_view name = line.word();
    uint32_t clobbers = 0;
    if (!name.starts_with("routine") || !parse_number(name.substr(7), kMostBlocks, b.routine))
      return here.error("a routine is expected here, such as routine0");
    if (!line.take("clobbers") || !parse_number(line.word("("), 256, clobbers))
      return here.error("'clobbers' and a number of registers expected");
    b.clobbers = static_cast<uint16_t>(clobbers);
    b.target[0] = static_cast<BlockId>(function_.blocks.size());
    return end_block(line, Terminator::call, true);
  }

  // ---- values

  /// Records the class of a value.
  bool note_value(Value v, bool is_predicate) {
    if (v == kNoValue) return true;
    if (v >= function_.values.size()) function_.values.resize(v + 1, ValueClass::general);
    if (is_predicate) function_.values[v] = ValueClass::predicate;
    return true;
  }

  bool add_value(std::string_view name) {
    Value v = kNoValue;
    const bool is_predicate = name.starts_with('p');
    if (!parse_value_name(name, is_predicate ? 'p' : 'v', v)) return false;
    note_value(v, is_predicate);
    function_.operands.push_back(v);
    return true;
  }

  /// (v1, p2), or nothing.
  bool list_in_brackets(Cursor& line, uint32_t& first, uint32_t& count) {
    first = static_cast<uint32_t>(function_.operands.size());
    count = 0;
    if (!line.take("(")) return true;
    if (function_.has_registers) return line.error("there are no values any more");
    do {
      const Cursor here = line;
      if (!add_value(line.word(",)"))) return here.error("a value is expected here, such as v3 or p4");
      ++count;
    } while (line.take(","));
    return line.take(")") || line.error("')' expected");
  }

  // ---- instructions

  bool effect(const Cursor& line, std::string_view space, Effect kind, Instruction& out) {
    uint32_t number = kAllSpaces;
    out.effect = kind;
    if (space == "any") {
      number = kAllSpaces;
    } else if (space == "local") {
      number = kLocalSpace;
    } else if (space == "spill") {
      number = kSpillSpace;
    } else if (!parse_number(space, kSpillSpace, number)) {
      return line.error("'{}' is no space: any, local, spill or a number below {}", space, kSpillSpace);
    }
    out.space = static_cast<uint8_t>(number);
    return true;
  }

  /// What follows the operands, from the end. `merge`: the text after "else".
  bool ends(Cursor& line, Instruction& out, std::string_view& merge) {
    if (const std::string_view origin = line.take_suffix(" from "); !origin.empty()) {
      if (!parse_number(origin, 0xffffffffu, out.origin)) return line.error("'from' needs a number");
    }
    if (line.rest().ends_with(" orders")) {
      line.take_suffix(" orders");
      out.effect = Effect::barrier;
    } else if (const std::string_view read = line.take_suffix(" reads "); !read.empty()) {
      if (!effect(line, read, Effect::read, out)) return false;
    } else if (const std::string_view written = line.take_suffix(" writes "); !written.empty()) {
      if (!effect(line, written, Effect::write, out)) return false;
    }
    merge = line.take_suffix(" else ");
    return true;
  }

  bool instruction(Cursor& line) {
    Instruction out;
    std::string_view merge;
    if (!ends(line, out, merge)) return false;
    if (function_.has_registers) {
      maxwell::Instruction code;
      if (!maxwell::parse(line.rest(), 0, code, diagnostics_, line.place())) return false;
      out.code = code;
    } else if (!with_values(line, merge, out)) {
      return false;
    }
    function_.instructions.push_back(out);
    return true;
  }

  bool guard(Cursor& line, Instruction& out, bool& is_negated) {
    if (!line.take("@")) return true;
    const Cursor here = line;
    is_negated = line.take("!");
    if (!parse_value_name(line.word(), 'p', out.guard) || out.guard == kNoValue)
      return here.error("a predicate is expected here, such as p3");
    return note_value(out.guard, true);
  }

  bool with_values(Cursor& line, std::string_view merge, Instruction& out) {
    bool is_negated = false;
    if (!guard(line, out, is_negated)) return false;
    OperandNames names(line.rest());
    OperandTexts texts;
    maxwell::Instruction code;
    if (!maxwell::parse(names.text(), 0, code, diagnostics_, line.place(), {}, &texts)) return false;
    names.assign(texts, code);
    std::array<Value, kMaxOperands * 8> values;
    size_t count = 0;
    if (!list_operands(line, code, names, values, count)) return false;
    if (out.guard != kNoValue) code.guard = make_guard(kVirtual, is_negated);
    fill_instruction(function_, code, std::span(values.data(), count), out);
    return merge.empty() || add_merge(line, merge, out);
  }

  /// The values behind the names, and the instruction as selection makes it.
  bool list_operands(const Cursor& line, maxwell::Instruction& code, const OperandNames& names,
                     std::span<Value> values, size_t& count) {
    const FormFacts& known = facts(code);
    for (unsigned k = 0; k < known.operand_count; ++k) {
      if ((known.pair_seconds >> k & 1) != 0) {
        code.operands[k].reg = kRZ;
        continue;
      }
      const unsigned wanted = value_count(code, k);
      if (wanted == 0) continue;
      const bool is_predicate = code.operands[k].kind == OperandKind::predicate;
      const size_t first = count;
      const auto add = [&](std::string_view name) {
        if (count == values.size()) return false;
        Value& v = values[count++];
        return parse_value_name(name, is_predicate ? 'p' : 'v', v) && note_value(v, is_predicate);
      };
      bool good = for_each_part(names.names[k], add);
      if (k + 1 < known.operand_count && (known.pair_seconds >> (k + 1) & 1) != 0)
        good = good && for_each_part(names.names[k + 1], add);
      if (!good || count - first != wanted) {
        return line.error("operand {} covers {} registers, but '{}' names {}", k + 1, wanted, names.names[k],
                          count - first);
      }
    }
    return true;
  }

  bool add_merge(const Cursor& line, std::string_view merge, Instruction& out) {
    if (out.guard == kNoValue) return line.error("'else' needs a guard");
    out.merge = static_cast<uint32_t>(function_.operands.size());
    const auto wanted = size_t{out.result_count};
    if (!for_each_part(merge, [&](std::string_view name) { return add_value(name); }) ||
        function_.operands.size() - out.merge != wanted)
      return line.error("'else' needs {} values, one for each result", wanted);
    return true;
  }

  // ---- lines

  bool control_line(Cursor& line) {
    Instruction out;
    std::string_view merge;
    if (!ends(line, out, merge)) return false;
    BlockId target = kNoBlock;
    if (const std::string_view name = line.take_suffix(" to "); !name.empty()) {
      if (!parse_block_name(name, target)) return line.error("'to' needs a block");
    }
    Control control;
    if (const Cursor here = line; layout_->has_control && !parse_control(line.word(), control))
      return here.error("control column expected, such as --:-:0:Y:2");
    TargetNames labels;
    maxwell::Instruction code;
    if (!maxwell::parse(line.rest(), 0, code, diagnostics_, line.place(), std::ref(labels))) return false;
    control.reuse = code.control.reuse;
    code.control = control;
    out.code = code;
    function_.instructions.push_back(out);
    targets_.push_back(labels.target != kNoBlock ? labels.target : target);
    ++layout_->blocks.back().count;
    return true;
  }

  /// Lines point into the function, which is complete now.
  bool finish_lines(const Cursor& end) {
    for (uint32_t i = 0; i < function_.instructions.size(); ++i) {
      if (targets_[i] != kNoBlock && targets_[i] >= layout_->blocks.size())
        return end.error("there is no block{}", targets_[i].number());
      Instruction& instruction = function_.instructions[i];
      layout_->lines.emplace_back(instruction, targets_[i]);
    }
    for (LineBlock& b : layout_->blocks) find_body(b);
    return true;
  }

  void find_body(LineBlock& b) const {
    const auto op = [&](uint32_t n) { return opcode(layout_->lines[b.first + n].code()); };
    b.body_count = b.count;
    while (b.body_count != 0 && is_control(op(b.body_count - 1)) &&
           (b.body_count != 1 || op(0) != Opcode::pcnt))
      --b.body_count;
    if (b.count == 0) {
      b.falls_through = true;
      return;
    }
    const Code& last = layout_->lines[b.first + b.count - 1].code();
    b.falls_through = !is_jump(opcode(last)) || last.guard() != kPT;
  }

  static bool is_control(Opcode op) { return is_jump(op) || is_stack_push(op) || op == Opcode::cal; }

  Function& function_;
  Layout* const layout_;  // null: not lines
  Diagnostics& diagnostics_;
  std::pmr::vector<BlockId> targets_{function_.memory()};  // by line
  bool has_header_ = false;
  bool is_open_ = false;
};

}  // namespace

bool parse(std::string_view text, Function& function, Diagnostics& diagnostics) {
  return Parser(function, nullptr, diagnostics).run(text);
}

bool parse(std::string_view text, Function& function, Layout& layout, Diagnostics& diagnostics) {
  return Parser(function, &layout, diagnostics).run(text);
}

}  // namespace texlate::maxwell::machine::test
