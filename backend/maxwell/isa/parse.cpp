#include <array>
#include <string>
#include <unordered_map>
#include <vector>

#include "backend/maxwell/isa/compiled_form.h"
#include "backend/maxwell/isa/operand_parser.h"
#include "backend/maxwell/isa/table.h"
#include "backend/maxwell/isa/text.h"
#include "ir/base/characters.h"
#include "ir/base/diagnostics.h"

namespace texlate::maxwell {
namespace {

/// Forms by the first word of their mnemonic ("TEX" for TEX.B).
const std::unordered_map<std::string, std::vector<FormId>>& forms_by_mnemonic() {
  static const auto map = [] {
    std::unordered_map<std::string, std::vector<FormId>> result;
    for (size_t i = 0; i < forms().size(); ++i) {
      const std::string_view text = opcode_info(forms()[i].opcode).text;
      result[std::string(text.substr(0, text.find('.')))].push_back(static_cast<FormId>(i));
    }
    return result;
  }();
  return map;
}

/// Removes ".WORD" from the front if it is a whole word of the mnemonic.
bool take_word(std::string_view& rest, std::string_view word) {
  if (rest.size() <= word.size() || rest.front() != '.' || rest.substr(1, word.size()) != word) return false;
  if (rest.size() > word.size() + 1 && rest[word.size() + 1] != '.') return false;
  rest.remove_prefix(word.size() + 1);
  return true;
}

/// Matches the modifiers from `index` on with the rest of the mnemonic. `unmatched` is set to the shortest
/// unmatched rest.
bool match_modifiers(const Form& form, unsigned index, std::string_view rest, Instruction& out,
                     size_t& unmatched) {
  unmatched = std::min(unmatched, rest.size());
  if (index == form.modifier_count) {
    if (opcode_info(form.opcode).latency_class == LatencyClass::texture) {
      if (take_word(rest, "T")) {
        out.control.reuse = static_cast<uint8_t>(TexturePhase::t);
      } else if (take_word(rest, "P")) {
        out.control.reuse = static_cast<uint8_t>(TexturePhase::p);
      }
    }
    unmatched = std::min(unmatched, rest.size());
    return rest.empty();
  }
  const ModifierField& field = form.modifiers[index];
  if (field.kind == Modifier::literal) {
    return take_word(rest, field.text) && match_modifiers(form, index + 1, rest, out, unmatched);
  }
  const ModifierInfo& info = modifier_info(field.kind);
  // Spelled values first: a default must not match where a spelled value does.
  for (const bool spelled : {true, false}) {
    for (unsigned i = 0; i < info.value_count; ++i) {
      const ModifierValue& value = info.values[i];
      if (value.text.empty() == spelled) continue;
      std::string_view after = rest;
      if (spelled && !take_word(after, value.text)) continue;
      out.modifiers[index] = value.value;
      if (match_modifiers(form, index + 1, after, out, unmatched)) return true;
    }
  }
  return false;
}

struct Token {
  std::string_view text;
  size_t offset = 0;  // in the line
};

/// Of the number of a texture header, tsPtrIdxU13.
constexpr unsigned kHeaderIndexBits = 13;

constexpr unsigned kMaxTokens = kMaxOperands + 2;

struct Line {
  std::string_view text;
  uint8_t guard = kPT;
  bool has_guard = false;
  Token mnemonic;
  std::array<Token, kMaxTokens> operands;
  unsigned operand_count = 0;
  size_t end = 0;
};

/// How much of the text a form matched; the error of the form that matched most is reported.
struct Attempt {
  unsigned operands = 0;
  Token at;
  const Slot* wanted = nullptr;
  OperandResult result = OperandResult::ok;
  bool too_many = false;
  bool missing = false;
  Violation violation;
};

class InstructionParser {
 public:
  InstructionParser(std::string_view text, uint32_t address, Diagnostics& diagnostics, TextPlace place,
                    const LabelResolver& labels)
      : text_(text), context_{address, labels}, diagnostics_(diagnostics), place_(place) {}

  bool run(Instruction& out) {
    if (!split()) return false;
    const std::string_view mnemonic = line_.mnemonic.text;
    const auto candidates = forms_by_mnemonic().find(std::string(mnemonic.substr(0, mnemonic.find('.'))));
    if (candidates == forms_by_mnemonic().end()) {
      return error(line_.mnemonic, "unknown instruction '{}'", mnemonic.substr(0, mnemonic.find('.')));
    }
    size_t unmatched = mnemonic.size();
    bool modifiers_matched = false;
    Attempt best;
    for (const FormId id : candidates->second) {
      Instruction instruction = make_instruction(form(id).opcode, form(id).shape, form(id).variant);
      std::string_view rest = mnemonic;
      const std::string_view fixed = opcode_info(form(id).opcode).text;
      if (!rest.starts_with(fixed)) continue;
      rest.remove_prefix(fixed.size());
      if (!rest.empty() && rest.front() != '.') continue;
      if (!match_modifiers(form(id), 0, rest, instruction, unmatched)) continue;
      Attempt attempt;
      if (match_operands(form(id), instruction, attempt)) {
        instruction.guard = line_.guard;
        out = instruction;
        return true;
      }
      if (!modifiers_matched || attempt.operands > best.operands) best = attempt;
      modifiers_matched = true;
    }
    return modifiers_matched ? report(best) : report_modifier(unmatched);
  }
  const OperandTexts& operand_texts() const { return operand_texts_; }

 private:
  template <typename... Args>
  bool error(const Token& at, fmt::format_string<Args...> format, Args&&... args) {
    diagnostics_.error(SourceLocation::text(place_.line, place_.column + static_cast<uint32_t>(at.offset),
                                            static_cast<uint32_t>(at.text.size())),
                       format, std::forward<Args>(args)...);
    return false;
  }

  Token token(size_t begin, size_t end) const {
    while (begin < end && is_space(text_[begin])) ++begin;
    while (end > begin && is_space(text_[end - 1])) --end;
    return {text_.substr(begin, end - begin), begin};
  }

  bool split() {
    size_t end = text_.find(';');
    if (end == std::string_view::npos) end = text_.size();
    if (const Token rest = token(std::min(end + 1, text_.size()), text_.size()); !rest.text.empty()) {
      return error(rest, "text after the semicolon");
    }
    size_t at = 0;
    while (at < end && is_space(text_[at])) ++at;
    if (at < end && text_[at] == '@') {
      size_t stop = at;
      while (stop < end && !is_space(text_[stop])) ++stop;
      if (!parse_guard(token(at, stop))) return false;
      at = stop;
      while (at < end && is_space(text_[at])) ++at;
    }
    size_t stop = at;
    while (stop < end && !is_space(text_[stop])) ++stop;
    line_.mnemonic = token(at, stop);
    line_.end = end;
    if (line_.mnemonic.text.empty()) return error(line_.mnemonic, "instruction expected");
    return split_operands(stop, end);
  }

  bool parse_guard(const Token& guard) {
    std::string_view name = guard.text.substr(1);
    const bool negated = name.starts_with("!");
    if (negated) name.remove_prefix(1);
    if (name.size() != 2 || name[0] != 'P' || !(name[1] == 'T' || (name[1] >= '0' && name[1] <= '6'))) {
      return error(guard, "guard predicate expected: @P0 .. @P6, @PT or negated");
    }
    line_.guard = make_guard(name[1] == 'T' ? kPT : static_cast<uint8_t>(name[1] - '0'), negated);
    line_.has_guard = true;
    return true;
  }

  /// Commas inside brackets and braces are not separators.
  bool split_operands(size_t at, size_t end) {
    if (token(at, end).text.empty()) return true;
    int depth = 0;
    size_t begin = at;
    for (size_t i = at; i <= end; ++i) {
      if (i < end && (text_[i] == '[' || text_[i] == '{')) ++depth;
      if (i < end && (text_[i] == ']' || text_[i] == '}')) --depth;
      if (i != end && (text_[i] != ',' || depth > 0)) continue;
      const Token operand = token(begin, i);
      if (operand.text.empty()) return error(operand, "operand expected");
      if (line_.operand_count == kMaxTokens) return error(operand, "too many operands");
      line_.operands[line_.operand_count++] = operand;
      begin = i + 1;
    }
    return true;
  }

  /// Is the text the second register of the bound TMML, which has no second vector? RZ should stand there,
  /// which nvdisasm omits; another register is no error (TMML page) and no part of the word.
  bool is_unused_extra(const Form& form, unsigned index, unsigned next, Instruction scratch) const {
    if (index == 0 || form.operands[index - 1].span != Span::texture_coordinates ||
        form.operands[index].span == Span::texture_extra || next >= line_.operand_count)
      return false;
    return parse_operand(form.operands[index - 1], line_.operands[next].text, context_, scratch, index - 1) ==
           OperandResult::ok;
  }

  /// A mask may be left out only at the end of the text, and TEXS' only if Rd1 is a register: RZ as Rd1 is
  /// for one or two components, and none of these masks is the default.
  bool may_omit(const Slot& slot, unsigned next, const Instruction& instruction) const {
    if (slot.omit == Omit::rgba && instruction.operands[0].reg == kRZ) return false;
    return slot.omit != Omit::never && (!is_mask(slot.omit) || next >= line_.operand_count);
  }

  static bool is_header_index(const Slot& slot) {
    return slot.ignored || (slot.kind == SlotKind::unsigned_imm && slot.width == kHeaderIndexBits);
  }

  /// The older spelling of a texture header's number has two numbers: the texture's, which has been read,
  /// followed by the sampler's. The unit takes them as one number of 13 bits, of which the sampler's is the
  /// upper five. Returns whether the text had the second number.
  bool take_sampler(const Form& form, unsigned index, unsigned next, Instruction& instruction) {
    if (!is_header_index(form.operands[index]) || next >= line_.operand_count) return false;
    if (index + 1 < form.operand_count && form.operands[index + 1].kind == SlotKind::unsigned_imm)
      return false;
    Instruction sampler = instruction;
    const Slot& slot = form.operands[index];
    if (parse_operand(slot, line_.operands[next].text, context_, sampler, index) != OperandResult::ok)
      return false;
    constexpr int32_t kTextures = 256, kSamplers = 32;
    int32_t& number = instruction.operands[index].value;
    const int32_t upper = sampler.operands[index].value;
    // If one number is too large, the combined number must be too large for its field.
    number = number < kTextures && upper < kSamplers ? upper * kTextures + number : kTextures * kSamplers;
    return true;
  }

  /// Matches each slot with its text. A slot that may be omitted keeps its neutral value if the text does not
  /// match it.
  bool match_operands(const Form& form, Instruction& instruction, Attempt& attempt) {
    operand_texts_.fill({});
    std::array<int, kMaxOperands> token_of;
    token_of.fill(-1);
    unsigned next = 0;
    for (unsigned i = 0; i < form.operand_count; ++i) {
      const Slot& slot = form.operands[i];
      if (is_unused_extra(form, i, next, instruction)) ++next;
      Instruction trial = instruction;
      OperandResult result = OperandResult::mismatch;
      if (next < line_.operand_count) {
        result = parse_operand(slot, line_.operands[next].text, context_, trial, i);
      }
      if (result == OperandResult::ok) {
        instruction = trial;
        operand_texts_[i] = line_.operands[next].text;
        token_of[i] = static_cast<int>(next++);
        if (take_sampler(form, i, next, instruction)) ++next;
        if (!slot.ignored) continue;
        int32_t& number = instruction.operands[i].value;
        if (number >> kHeaderIndexBits == 0) {
          number = 0;
          continue;
        }
        fail(attempt, next - 1, &slot, OperandResult::bad_number);
        return false;
      }
      if (result == OperandResult::mismatch && may_omit(slot, next, instruction)) continue;
      fail(attempt, next, &slot, result);
      attempt.missing = next >= line_.operand_count;
      return false;
    }
    if (next < line_.operand_count) {
      fail(attempt, next, nullptr, OperandResult::mismatch);
      attempt.too_many = true;
      return false;
    }
    const uint8_t guard = instruction.guard;
    instruction.guard = line_.guard;
    attempt.violation = check_encodable(instruction);
    instruction.guard = guard;
    if (!form.guarded && line_.has_guard) attempt.violation = {Rule::no_guard, -1};
    if (!attempt.violation) return true;
    const int operand = attempt.violation.operand;
    const int at = operand < 0 ? -1 : token_of[static_cast<size_t>(operand)];
    fail(attempt, at < 0 ? kMaxTokens : static_cast<unsigned>(at), nullptr, OperandResult::ok);
    attempt.operands = next + 1;
    return false;
  }

  void fail(Attempt& attempt, unsigned token_index, const Slot* wanted, OperandResult result) const {
    attempt.operands = token_index;
    attempt.wanted = wanted;
    attempt.result = result;
    attempt.at = line_.mnemonic;
    if (token_index < line_.operand_count) attempt.at = line_.operands[token_index];
    if (token_index == line_.operand_count) attempt.at = {{}, line_.end};
  }

  bool report(const Attempt& attempt) {
    const Token& at = attempt.at;
    const std::string_view name = line_.mnemonic.text;
    if (attempt.violation) return error(at, "{}: {}", name, rule_text(attempt.violation.rule));
    if (attempt.too_many) return error(at, "{} cannot have an operand here", name);
    const std::string_view wanted = slot_info(attempt.wanted->kind).text;
    if (attempt.missing) return error(at, "{} needs {} here", name, wanted);
    if (attempt.result == OperandResult::bad_number) {
      return error(at, "{}: '{}' does not fit the field of {}", name, at.text, wanted);
    }
    if (attempt.result == OperandResult::unknown_label) return error(at, "unknown label '{}'", at.text);
    return error(at, "{} needs {} here, not '{}'", name, wanted, at.text);
  }

  bool report_modifier(size_t unmatched) {
    const std::string_view name = line_.mnemonic.text;
    const size_t begin = name.size() - unmatched;
    if (begin >= name.size()) return error(line_.mnemonic, "'{}' needs a modifier", name);
    size_t end = name.find('.', begin + 1);
    if (end == std::string_view::npos) end = name.size();
    const Token at{name.substr(begin, end - begin), line_.mnemonic.offset + begin};
    return error(at, "modifier '{}' is not allowed here (modifiers must be in nvdisasm's order)", at.text);
  }

  std::string_view text_;
  OperandContext context_;
  Diagnostics& diagnostics_;
  TextPlace place_;
  Line line_;
  OperandTexts operand_texts_;
};

}  // namespace

bool parse(std::string_view text, uint32_t address, Instruction& out, Diagnostics& diagnostics,
           TextPlace place, const LabelResolver& labels, OperandTexts* texts) {
  InstructionParser parser(text, address, diagnostics, place, labels);
  if (!parser.run(out)) return false;
  if (texts != nullptr) *texts = parser.operand_texts();
  return true;
}

}  // namespace texlate::maxwell
