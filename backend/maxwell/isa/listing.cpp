#include "backend/maxwell/isa/listing.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstring>
#include <string>
#include <unordered_map>
#include <utility>

#include "backend/maxwell/isa/codec.h"
#include "backend/maxwell/isa/compiled_form.h"
#include "backend/maxwell/isa/constraints.h"
#include "backend/maxwell/isa/program.h"
#include "backend/maxwell/isa/table.h"
#include "backend/maxwell/isa/text.h"
#include "ir/base/characters.h"
#include "ir/base/diagnostics.h"
#include "ir/base/number_text.h"

namespace texlate::maxwell {
namespace {

constexpr uint64_t kFlag63 = uint64_t{1} << 63;

char* append_hex_word(uint64_t word, char* at) {
  at = write("0x", at);
  for (int shift = 60; shift >= 0; shift -= 4) *at++ = "0123456789abcdef"[word >> shift & 15];
  return at;
}

/// Does the text of the instruction show all of its reuse bits?
bool shows_reuse(const Code& code) {
  const uint8_t reuse = code.control.reuse;
  if (latency_class(code) == LatencyClass::texture) return reuse <= 2;
  return (reuse & ~compiled_form(code.form).shown_reuse) == 0;
}

// ---------------------------------------------------------------- disassembly

/// Instructions with their control slots; a word that is not an instruction has no form.
class Lister {
 public:
  Lister(std::span<const Code> instructions, std::span<const uint64_t> words,
         const DisassembleOptions& options, std::string& out)
      : instructions_(instructions),
        words_(words),
        options_(options),
        out_(out),
        count_(static_cast<uint32_t>((instructions.size() + kGroupInstructions - 1) / kGroupInstructions *
                                     kGroupInstructions)),
        label_(count_ + 1, kNoLabel) {}

  void run() {
    find_labels();
    std::array<char, 8 * kMostLine> some;
    char* at = some.data();
    for (uint32_t i = 0; i < count_; ++i) {
      at = line(i, at);
      if (some.end() - at >= static_cast<ptrdiff_t>(kMostLine)) continue;
      out_.append(some.data(), at);
      at = some.data();
    }
    if (label_[count_] != kNoLabel) at = label_line(count_, at);
    out_.append(some.data(), at);
  }
  std::vector<uint32_t> take_labels() { return std::move(label_); }

 private:
  static constexpr size_t kMostLabel = 16;
  static constexpr size_t kMostLine = kMostText + 256;
  static constexpr size_t kTextColumn = 16;  // after the control column
  static constexpr size_t kWordColumn = 72;

  uint64_t word(uint32_t index) const { return words_[instruction_address(index) / 8]; }
  bool is_flagged(uint32_t index) const {
    return !words_.empty() && index % kGroupInstructions == 0 &&
           (words_[index / kGroupInstructions * 4] & kFlag63) != 0;
  }

  /// The target instruction of a branch, or the index one past the last; kNoLabel: none.
  uint32_t find_target(const Code& branch, uint32_t index) const {
    if (branch.form == kNoForm || !facts(branch).has_target || opcode(branch) == Opcode::jcal)
      return kNoLabel;
    const int64_t target = branch_target(branch, instruction_address(index));
    if (target < 0 || target > instruction_address(count_) || target % 8 != 0 || target % 32 == 0)
      return kNoLabel;
    return static_cast<uint32_t>(target / 32 * kGroupInstructions + target % 32 / 8 - 1);
  }

  void find_labels() {
    for (uint32_t i = 0; i < instructions_.size(); ++i) {
      const uint32_t target = find_target(instructions_[i], i);
      if (target != kNoLabel) label_[target] = 0;
    }
    uint32_t next = 0;
    for (uint32_t& label : label_) {
      if (label != kNoLabel) label = next++;
    }
  }

  // What follows appends to a text, and returns its new end.

  char* label(uint32_t index, char* at) const {
    return std::to_chars(write(".L", at), at + kMostLabel, label_[index]).ptr;
  }
  char* label_line(uint32_t index, char* at) const { return write(":\n", label(index, at)); }

  char* line(uint32_t index, char* at) {
    if (label_[index] != kNoLabel) at = label_line(index, at);
    if (is_flagged(index)) at = write(".flag63\n", at);
    const Code& code = index < instructions_.size() ? instructions_[index] : nop_;
    const bool is_known = code.form != kNoForm;
    char* const begin = at;
    at = write("                ", at);
    static_assert(kTextColumn == 16);
    const uint8_t reuse = code.control.reuse;
    const bool shown = reuse == 0 || (is_known && shows_reuse(code));
    print_control(code.control, shown ? -1 : reuse, begin + 2);
    at = is_known ? instruction(code, index, at) : append_hex_word(word(index), write(".word ", at));
    *at++ = ';';
    if (options_.words) {
      if (at < begin + kWordColumn) at = std::fill_n(at, begin + kWordColumn - at, ' ');
      at = append_hex_word(word(index), write(" // ", at));
    }
    *at++ = '\n';
    return at;
  }

  char* instruction(const Code& code, uint32_t index, char* at) {
    if (!facts(code).has_target) return print(code, 0, {}, last_, at);
    const uint32_t target = find_target(code, index);
    std::array<char, kMostLabel> name;
    const char* const end = target == kNoLabel ? name.data() : label(target, name.data());
    return print(code, instruction_address(index), {name.data(), end}, last_, at);
  }

  std::span<const Code> instructions_;
  std::span<const uint64_t> words_;  // empty: words are not printed
  const DisassembleOptions options_;
  std::string& out_;
  uint32_t count_;               // instructions of whole groups
  std::vector<uint32_t> label_;  // label number by instruction; the last entry is for the end
  LastMnemonics last_;
  const Code nop_ = make_instruction(Opcode::nop);
};

bool parse_hex_words(std::string_view text, std::vector<uint64_t>& words, Diagnostics& diagnostics) {
  size_t at = 0;
  uint32_t line = 1;
  size_t line_begin = 0;
  while (at < text.size()) {
    const char c = text[at];
    if (c == '\n') {
      ++line;
      line_begin = at + 1;
    }
    if (is_space(c) || c == ',') {
      ++at;
      continue;
    }
    size_t end = at;
    while (end < text.size() && !is_space(text[end]) && text[end] != ',') ++end;
    std::string_view token = text.substr(at, end - at);
    const SourceLocation location = SourceLocation::text(line, static_cast<uint32_t>(at - line_begin + 1),
                                                         static_cast<uint32_t>(token.size()));
    if (!take(token, "0x")) take(token, "0X");
    uint64_t word = 0;
    if (!read_number(token, word, 16)) {
      diagnostics.error(location, "not a 64-bit hexadecimal word");
      return false;
    }
    words.push_back(word);
    at = end;
  }
  return true;
}

/// Does the text consist of hexadecimal words, white space and commas?
bool is_hex_text(std::span<const uint8_t> input) {
  if (input.empty()) return false;
  return std::ranges::all_of(input, [](uint8_t byte) {
    const char c = static_cast<char>(byte);
    return is_hex_digit(c) || is_space(c) || c == ',' || c == 'x' || c == 'X';
  });
}

// ---------------------------------------------------------------- assembly

struct SourceLine {
  std::string_view text;  // without comment
  uint32_t number = 0;
  uint32_t address = 0;
  bool is_instruction = false;
};

bool is_label_name(std::string_view name) {
  if (name.empty() || is_digit(name.front())) return false;
  return std::all_of(name.begin(), name.end(),
                     [](char c) { return is_letter(c) || is_digit(c) || c == '_' || c == '.' || c == '$'; });
}

class Assembler {
 public:
  Assembler(std::vector<ListedProgram>& programs, Diagnostics& diagnostics, const AssembleOptions& options)
      : programs_(programs), diagnostics_(diagnostics), options_(options) {}

  void run(std::string_view text) {
    text = without_byte_order_mark(text);
    uint32_t number = 0;
    while (!text.empty() && !diagnostics_.full()) {
      const size_t end = std::min(text.find('\n'), text.size());
      std::string_view line = text.substr(0, end);
      text.remove_prefix(std::min(end + 1, text.size()));
      ++number;
      line = line.substr(0, std::min(line.find("//"), line.size()));
      collect(line, number);
    }
    flush();
  }

 private:
  SourceLocation locate(const SourceLine& line, std::string_view part) const {
    return SourceLocation::text(line.number, static_cast<uint32_t>(part.data() - line.text.data()) + 1,
                                static_cast<uint32_t>(part.size()));
  }

  template <typename... Args>
  bool fail(SourceLocation at, fmt::format_string<Args...> format, Args&&... args) {
    diagnostics_.error(at, format, std::forward<Args>(args)...);
    return false;
  }

  /// First pass: addresses and labels.
  void collect(std::string_view text, uint32_t number) {
    SourceLine line{text, number, 0, false};
    const std::string_view content = trim(text);
    if (content.empty()) return;
    if (content.starts_with(".kernel") && (content.size() == 7 || content[7] == ' ')) {
      flush();
      program_.location = locate(line, content);
      if (const std::string_view name = trim(content.substr(7)); !name.empty()) program_.facts.name = name;
      return;
    }
    if (content.ends_with(':')) {
      const std::string_view name = content.substr(0, content.size() - 1);
      if (!is_label_name(name)) {
        diagnostics_.error(locate(line, content), "label expected before ':'");
      } else if (!labels_.emplace(name, instruction_address(count_)).second) {
        diagnostics_.error(locate(line, content), "label '{}' is defined twice", name);
      }
      return;
    }
    if (content.front() == '.' && content != ".flag63" && !content.starts_with(".word")) {
      has_directives_ = true;
      parse_directive(content, locate(line, content), program_.facts, diagnostics_);
      return;
    }
    if (content != ".flag63") {
      line.is_instruction = true;
      line.address = instruction_address(count_++);
    }
    lines_.push_back(line);
  }

  /// Second pass over one program.
  void flush() {
    if (count_ == 0 && lines_.empty() && !has_directives_ && program_.location.line == 0) return;
    std::vector<Code> codes(count_, make_instruction(Opcode::nop));
    std::vector<uint32_t> flagged;
    uint32_t index = 0;
    for (const SourceLine& line : lines_) {
      if (diagnostics_.full()) break;
      if (line.is_instruction) {
        instruction(line, codes[index++]);
      } else if (index % kGroupInstructions == 0 && index < count_) {
        flagged.push_back(index);
      } else {
        diagnostics_.error(locate(line, trim(line.text)),
                           ".flag63 must come before the first of three instructions");
      }
    }
    std::pmr::vector<uint64_t> encoded;
    encode_unchecked(codes, encoded);
    std::vector<uint64_t>& words = program_.words;
    words.assign(encoded.begin(), encoded.end());
    for (const uint32_t first : flagged) words[first / kGroupInstructions * 4] |= kFlag63;
    if (has_directives_ && count_ != 0) {
      const std::span<const uint64_t> end = end_of_program(words);
      words.insert(words.end(), end.begin(), end.end());
    }
    programs_.push_back(std::move(program_));
    program_ = {};
    has_directives_ = false;
    lines_.clear();
    labels_.clear();
    count_ = 0;
  }

  void instruction(const SourceLine& line, Code& out) {
    std::string_view rest = trim(line.text);
    Control control;
    control.stall = 15;
    bool has_reuse = false;
    const std::string_view column = rest.substr(0, std::min(rest.find_first_of(" \t"), rest.size()));
    if (column.find(':') != std::string_view::npos) {
      control = Control{};
      if (!parse_control(column, control)) {
        diagnostics_.error(locate(line, column),
                           "control column expected: wait:read:write:yield:stall, such as 03:-:0:Y:2");
        return;
      }
      has_reuse = std::count(column.begin(), column.end(), ':') == 5;
      rest = trim(rest.substr(column.size()));
    }
    if (!scheduling(line, column.find(':') != std::string_view::npos, rest, control)) return;
    uint64_t word = 0;
    if (!body(line, rest, word, control, has_reuse)) return;
    out.word = word;
    out.control = control;
  }

  /// Removes the scheduling after the operands from the text, together with the semicolon.
  bool scheduling(const SourceLine& line, bool has_column, std::string_view& rest, Control& control) {
    const size_t semicolon = std::min(rest.find(';'), rest.size());
    const size_t begin = rest.find_first_of("&?");
    if (begin >= semicolon) return true;
    const std::string_view text = trim(rest.substr(begin, semicolon - begin));
    if (has_column)
      return fail(locate(line, text), "scheduling is given both before and after the instruction");
    const std::string_view wrong = parse_scheduling(text, control);
    if (!wrong.empty())
      return fail(locate(line, wrong),
                  "scheduling expected, each word once: &req={{0,1}} &rd=0x3 &wr=0x2 ?Y:2, with barriers "
                  "0 to 5 and stall 0 to 15");
    const std::string_view after = trim(rest.substr(std::min(semicolon + 1, rest.size())));
    if (!after.empty()) return fail(locate(line, after), "text after the semicolon");
    rest = trim(rest.substr(0, begin));
    return true;
  }

  bool body(const SourceLine& line, std::string_view rest, uint64_t& word, Control& control, bool has_reuse) {
    if (rest.starts_with(".word")) return raw_word(line, rest, word);
    Instruction parsed;
    const TextPlace place{line.number, locate(line, rest).column};
    OperandTexts operands;
    const auto address_of = [&](std::string_view label) {
      const auto found = labels_.find(std::string(label));
      return found == labels_.end() ? int64_t{-1} : int64_t{found->second};
    };
    if (!parse(rest, line.address, parsed, diagnostics_, place, address_of, &operands)) return false;
    if (!has_reuse) control.reuse = parsed.control.reuse;
    parsed.control = control;
    word = encode_unchecked(parsed);
    if (!options_.constraints) return true;
    Violation violation = check_constraints(parsed);
    const uint32_t sm = options_.sm != 0 ? options_.sm : program_.facts.sm;
    if (!violation && sm != 0) violation = check_target(parsed, sm);
    if (!violation) return true;
    if (violation.operand >= 0) {
      const std::string_view operand = operands[static_cast<size_t>(violation.operand)];
      if (!operand.empty()) rest = operand;
    }
    return fail(locate(line, rest), "{}", rule_text(violation.rule));
  }

  bool raw_word(const SourceLine& line, std::string_view rest, uint64_t& word) {
    std::string_view digits = trim(rest.substr(5));
    if (digits.ends_with(';')) digits = trim(digits.substr(0, digits.size() - 1));
    if (take(digits, "0x") && read_number(digits, word, 16)) return true;
    return fail(locate(line, rest), ".word takes a 64-bit hexadecimal number, 0x...");
  }

  std::vector<ListedProgram>& programs_;
  Diagnostics& diagnostics_;
  const AssembleOptions& options_;
  ListedProgram program_;  // the one that is being read
  bool has_directives_ = false;
  std::vector<SourceLine> lines_;
  std::unordered_map<std::string, uint32_t> labels_;
  uint32_t count_ = 0;
};

}  // namespace

bool assemble(std::string_view text, std::vector<ListedProgram>& programs, Diagnostics& diagnostics,
              const AssembleOptions& options) {
  const uint32_t before = diagnostics.error_count();
  Assembler(programs, diagnostics, options).run(text);
  return diagnostics.error_count() == before;
}

bool assemble(std::string_view text, std::vector<uint8_t>& out, Diagnostics& diagnostics,
              const AssembleOptions& options) {
  std::vector<ListedProgram> programs;
  const bool good = assemble(text, programs, diagnostics, options);
  for (const ListedProgram& program : programs) {
    const size_t begin = out.size();
    out.resize(begin + program.words.size() * 8);
    if (!program.words.empty())
      std::memcpy(out.data() + begin, program.words.data(), program.words.size() * 8);
  }
  return good;
}

bool disassemble_program(std::span<const uint64_t> words, std::string& out, Diagnostics& diagnostics,
                         const DisassembleOptions& options) {
  if (words.size() % 4 != 0) {
    diagnostics.error(
        SourceLocation::bytes(static_cast<uint32_t>(words.size() / 4 * 32)),
        "a program consists of whole groups of four words: a control word and three instructions");
    return false;
  }
  std::vector<Code> instructions(words.size() / 4 * kGroupInstructions);
  for (uint32_t i = 0; i < instructions.size(); ++i) {
    Code& code = instructions[i];
    code.word = words[instruction_address(i) / 8];
    Instruction instruction;
    if (decode(code.word, instruction)) code.form = instruction.form;
    code.control = decode_control(control_slot(words[i / kGroupInstructions * 4], i % kGroupInstructions));
  }
  Lister(instructions, words, options, out).run();
  return true;
}

std::vector<uint32_t> list_program(std::span<const Code> instructions, std::string& out) {
  Lister lister(instructions, {}, {}, out);
  lister.run();
  return lister.take_labels();
}

std::vector<uint64_t> to_words(std::span<const uint8_t> bytes) {
  std::vector<uint64_t> words(bytes.size() / 8);
  if (!words.empty()) std::memcpy(words.data(), bytes.data(), words.size() * 8);
  return words;
}

/// Words that are not whole groups, for example copied from a listing: instructions without control
/// words.
static void list_lone_words(std::span<const uint64_t> words, std::string& out) {
  for (uint64_t word : words) {
    Instruction instruction;
    out += "  ";
    if (decode(word, instruction)) {
      print(instruction, 0, out);
    } else {
      out += fmt::format(".word 0x{:016x}", word);
    }
    out += ";\n";
  }
}

std::string kernel_line(std::string_view name) {
  const auto is_control = [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; };
  std::string line = ".kernel " + std::string(name);
  std::replace_if(line.begin(), line.end(), is_control, '?');
  return line;
}

bool disassemble(std::span<const uint8_t> input, std::string& out, Diagnostics& diagnostics,
                 const DisassembleOptions& options) {
  if (is_hex_text(input)) {
    std::vector<uint64_t> words;
    const std::string_view text(reinterpret_cast<const char*>(input.data()), input.size());
    if (!parse_hex_words(text, words, diagnostics)) return false;
    if (words.size() % 4 != 0) {
      list_lone_words(words, out);
      return true;
    }
    return disassemble_program(words, out, diagnostics, options);
  }
  if (input.size() % 32 != 0) {
    diagnostics.error(SourceLocation::bytes(static_cast<uint32_t>(input.size() / 32 * 32)),
                      "size is not a multiple of 32 bytes: a program consists of groups of a control word "
                      "and three instructions");
    return false;
  }
  return disassemble_program(to_words(input), out, diagnostics, options);
}

}  // namespace texlate::maxwell
