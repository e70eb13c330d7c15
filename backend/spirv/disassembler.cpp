#include "backend/spirv/disassembler.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <spirv/unified1/spirv.hpp>

#include "backend/spirv/grammar.h"
#include "backend/spirv/id_names.h"
#include "backend/spirv/literal.h"

namespace texlate::spirv {

namespace {

using grammar::Form;
using grammar::Quantifier;
using grammar::Row;

/// Results end before this column, instructions begin at it.
constexpr size_t kIndent = 15;

class Disassembler {
 public:
  Disassembler(std::span<const uint32_t> words, std::pmr::string& text)
      : words_(words),
        text_(text),
        names_(words[3], text.get_allocator().resource()),
        imports_(text.get_allocator()) {}

  bool run() {
    append_header();
    return for_each_instruction([this] { return name_instruction(); }) &&
           for_each_instruction([this] { return append_instruction(); });
  }

 private:
  template <typename Work>
  bool for_each_instruction(const Work& work) {
    for (size_t at = kHeaderWords; at < words_.size(); at += line_.size()) {
      const uint32_t size = words_[at] >> spv::WordCountShift;
      if (size == 0 || size > words_.size() - at) return false;
      line_ = words_.subspan(at, size);
      row_ = grammar::find_instruction(line_[0] & spv::OpCodeMask);
      if (row_ == nullptr || !find_results() || !work()) return false;
    }
    return true;
  }

  /// The ids of type and result, which come first.
  bool find_results() {
    type_ = result_ = 0;
    at_ = 1;
    for (const grammar::Operand& operand : grammar::operands(*row_)) {
      const Form form = grammar::form_of(operand.kind);
      if (form != Form::type_id && form != Form::result_id) break;
      if (!take(form == Form::type_id ? type_ : result_)) return false;
    }
    at_ = 1;
    return true;
  }

  bool name_instruction() {
    if ((line_[0] & spv::OpCodeMask) == spv::OpExtInstImport && line_.size() > 2)
      imports_.push_back({result_, characters(line_.subspan(2))});
    names_.add(line_, result_, type_);
    return true;
  }

  void append_header() {
    // The upper half is a registered tool (SPIRV-Headers, spir-v.xml): 0 is Khronos.
    const uint32_t version = words_[1], tool = words_[2] >> 16;
    const auto out = std::back_inserter(text_);
    fmt::format_to(out, "; SPIR-V\n; Version: {}.{}\n", version >> 16 & 255, version >> 8 & 255);
    fmt::format_to(out, "; Generator: {}; {}\n", tool == 0 ? "Khronos" : fmt::format("Unknown({})", tool),
                   words_[2] & 0xffff);
    fmt::format_to(out, "; Bound: {}\n; Schema: {}\n", words_[3], words_[4]);
  }

  bool append_instruction() {
    if (result_ != 0) {
      if (!names_.has(result_)) return false;
      const std::string_view name = names_.name(result_);
      constexpr size_t kRoom = kIndent - std::string_view("% = ").size();
      if (name.size() < kRoom) text_.append(kRoom - name.size(), ' ');
      append_id(result_);
      text_ += " = ";
    } else {
      text_.append(kIndent, ' ');
    }
    text_ += row_->name;
    if (!append_operands(*row_) || at_ != line_.size()) return false;
    text_ += '\n';
    return true;
  }

  bool append_operands(const Row& row) {
    for (const grammar::Operand& operand : grammar::operands(row)) {
      // Others than `one` are there as long as there are words.
      do {
        if (operand.quantifier != Quantifier::one && at_ == line_.size()) break;
        if (!append_operand(operand)) return false;
      } while (operand.quantifier == Quantifier::any_number);
    }
    return true;
  }

  bool append_operand(const grammar::Operand& operand) {
    const Form form = grammar::form_of(operand.kind);
    if (form == Form::result_id) return take(result_);
    text_ += ' ';
    switch (form) {
      case Form::result_id: break;
      case Form::id:
      case Form::type_id: return append_next_id();
      case Form::value: return append_value(operand);
      case Form::mask: return append_mask(operand);
      case Form::integer: return append_literal({});
      case Form::string: return append_string();
      case Form::number: return append_literal_of(type_);
      case Form::extended: return append_extended();
      case Form::opcode: return append_opcode();
      case Form::literal_id: return append_literal_of(selector_type()) && append_space() && append_next_id();
      case Form::id_literal: return append_next_id() && append_space() && append_literal({});
      case Form::id_id: return append_next_id() && append_space() && append_next_id();
    }
    return false;
  }

  /// OpSwitch: its first operand is the selector.
  uint32_t selector_type() const { return names_.has(line_[1]) ? names_.type_of(line_[1]) : 0; }

  bool append_space() {
    text_ += ' ';
    return true;
  }

  bool take(uint32_t& word) {
    if (at_ >= line_.size()) return false;
    word = line_[at_++];
    return true;
  }

  void append_id(uint32_t id) {
    text_ += '%';
    text_ += names_.name(id);
  }

  bool append_next_id() {
    uint32_t id = 0;
    if (!take(id) || !names_.has(id)) return false;
    append_id(id);
    return true;
  }

  bool append_value(const grammar::Operand& operand) {
    uint32_t value = 0;
    if (!take(value)) return false;
    const Row* const row = grammar::find_value(operand.kind, value);
    if (row == nullptr) return false;
    text_ += row->name;
    return append_operands(*row);
  }

  /// The names of the bits that are set, from the lowest, and then the operands of each.
  bool append_mask(const grammar::Operand& operand) {
    uint32_t mask = 0;
    if (!take(mask)) return false;
    if (mask == 0) text_ += "None";
    for (uint32_t rest = mask; rest != 0; rest &= rest - 1) {
      const Row* const row = grammar::find_value(operand.kind, rest & (0u - rest));
      if (row == nullptr) return false;
      if (rest != mask) text_ += '|';
      text_ += row->name;
    }
    for (uint32_t rest = mask; rest != 0; rest &= rest - 1) {
      if (!append_operands(*grammar::find_value(operand.kind, rest & (0u - rest)))) return false;
    }
    return true;
  }

  bool append_literal_of(uint32_t type) {
    return names_.has(type) && append_literal(names_.number_type(type));
  }

  bool append_literal(NumberType type) {
    if (type.words() > line_.size() - at_) return false;
    append_number(type, line_.subspan(at_, type.words()), text_);
    at_ += type.words();
    return true;
  }

  bool append_string() {
    const std::string_view string = characters(line_.subspan(at_));
    if (string.size() == line_.subspan(at_).size_bytes()) return false;
    text_ += '"';
    for (const char c : string) {
      if (c == '"' || c == '\\') text_ += '\\';
      text_ += c;
    }
    text_ += '"';
    at_ += string.size() / sizeof(uint32_t) + 1;
    return true;
  }

  /// The set is the operand before.
  bool append_extended() {
    uint32_t number = 0;
    if (!take(number)) return false;
    const auto set = std::ranges::find(imports_, line_[at_ - 2], &Import::id);
    const Row* const row =
        set != imports_.end() ? grammar::find_extended_instruction(set->name, number) : nullptr;
    if (row == nullptr) return false;
    text_ += row->name;
    return true;
  }

  /// OpSpecConstantOp: the name without "Op", and then the operands of that instruction behind its results.
  bool append_opcode() {
    uint32_t opcode = 0;
    if (!take(opcode)) return false;
    const Row* const row = grammar::find_instruction(opcode);
    if (row == nullptr || row->operand_count < 2) return false;
    text_ += row->name + 2;
    Row behind = *row;
    behind.first_operand = static_cast<uint16_t>(behind.first_operand + 2);
    behind.operand_count = static_cast<uint16_t>(behind.operand_count - 2);
    return append_operands(behind);
  }

  std::span<const uint32_t> words_;
  std::pmr::string& text_;
  IdNames names_;
  struct Import {
    uint32_t id;
    std::string_view name;
  };
  std::pmr::vector<Import> imports_;
  std::span<const uint32_t> line_;  // the current instruction
  const Row* row_ = nullptr;
  size_t at_ = 1;  // the next word of it
  uint32_t type_ = 0;
  uint32_t result_ = 0;
};

}  // namespace

bool disassemble(std::span<const uint32_t> words, std::pmr::string& text) {
  if (words.size() < kHeaderWords || words[0] != spv::MagicNumber) return false;
  return Disassembler(words, text).run();
}

}  // namespace texlate::spirv
