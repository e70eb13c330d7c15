#include "ir/text_parser.h"

#include <algorithm>
#include <charconv>

#include "ir/text_declaration_parser.h"

namespace texlate::ir {

namespace {

using namespace text_form;

constexpr uint32_t kLongestRange = 8;  // results written as %1..%4
constexpr uint32_t kSpareNumbers = 0x10000;

class Parser : private DeclarationParser {
 public:
  Parser(std::string_view text, Module& module, Diagnostics& diagnostics, Lines lines,
         std::pmr::vector<DeclarationPlace>* declarations)
      : DeclarationParser(text, module, diagnostics), lines_(lines) {
    places_ = declarations;
  }

  bool run() {
    const uint32_t errors_before = diagnostics_.error_count();
    while (!cursor_.at_end() && !diagnostics_.full()) {
      if (!cursor_.line_done()) {
        const bool good = in_code_ ? code_line() : declaration();
        if (good && !cursor_.line_done()) fail("unexpected text after the end of the statement");
      }
      cursor_.next_line();
    }
    if (!diagnostics_.full()) {
      if (in_code_) fail("the code is not closed by '}}'");
      if (!has_module_) diagnostics_.error({}, "there is no 'module' line");
    }
    return diagnostics_.error_count() == errors_before;
  }

 private:
  struct Result {
    uint32_t number;
    Type type;
    SourceLocation location;
  };

  bool code_line() {
    if (cursor_.accept('}')) {
      in_code_ = false;
      return true;
    }
    update_location(cursor_.comment());
    operands_.clear();
    results_.clear();
    flags_ = 0;
    instruction_ = {};
    access_ = {};
    slots_.fill(kNoValue);
    const bool good = instruction();
    finish(good);
    return good;
  }

  // An instruction without a comment has the location of the previous one.
  void update_location(std::string_view comment) {
    constexpr std::string_view kLine = "; line ";
    constexpr std::string_view kOffset = "; offset 0x";
    uint32_t number = 0;
    if (lines_ == Lines::of_text) {
      location_ = SourceLocation::text(cursor_.line(), 1);
    } else if (comment.starts_with(kLine) && parse_decimal(comment.substr(kLine.size()), number)) {
      location_ = SourceLocation::text(number, 0);
    } else if (comment.starts_with(kOffset)) {
      comment.remove_prefix(kOffset.size());
      const auto [end, error] = std::from_chars(comment.data(), comment.data() + comment.size(), number, 16);
      if (error == std::errc() && end == comment.data() + comment.size())
        location_ = SourceLocation::bytes(number);
    } else if (comment == "; no line") {
      location_ = {};
    }
  }

  bool value_number(uint32_t& number) {
    if (!expect('%')) return false;
    const std::string_view word = cursor_.word();
    // A number far beyond those that the text can define is a mistake, and must not take up memory.
    if (parse_decimal(word, number) && number < cursor_.size() + kSpareNumbers) return true;
    return fail_at(cursor_.place_of(word), "expected the number of a value");
  }

  bool results() {
    do {
      Result result{0, Type::b32, cursor_.here(2)};
      if (!value_number(result.number)) return false;
      if (cursor_.accept(':') && !enumerator(result.type, "type")) return false;
      results_.push_back(result);
      if (!cursor_.accept(std::string_view(".."))) continue;
      uint32_t last = 0;
      const SourceLocation place = cursor_.here();
      if (!value_number(last)) return false;
      if (last <= result.number || last - result.number >= kLongestRange) {
        return fail_at(place, "the numbers of a range of results must increase, and there are at most {}",
                       kLongestRange);
      }
      for (uint32_t number = result.number + 1; number <= last; ++number)
        results_.push_back({number, Type::b32, place});
    } while (cursor_.accept(','));
    return expect('=');
  }

  bool instruction() {
    if (cursor_.peek() == '%' && !results()) return false;
    const std::string_view word = cursor_.word(true);
    const auto op = parse_op(word);
    if (!op) return fail_at(cursor_.place_of(word), "unknown operation '{}'", word);
    instruction_.op = *op;
    if (cursor_.accept(std::string_view("[precise]"))) flags_ |= kPrecise;
    if (!operation()) return false;
    if (info(*op).passes_results()) return true;
    const size_t expected = info(*op).results.size() + (access_.feedback ? 1 : 0);
    if (results_.size() == expected) return true;
    return fail_at(cursor_.place_of(word), "{} has {} results, not {}", word, expected, results_.size());
  }

  bool operation() {
    const Op op = instruction_.op;
    const std::string_view word = operand_word(op);
    if (!word.empty()) {
      if (cursor_.line_done()) return true;
      return accept_word(word) && group();
    }
    switch (info(op).payload) {
      case Payload::none: return cursor_.line_done() || values();
      case Payload::reg: return register_operand() && rest();
      case Payload::system_value: {
        uint32_t value = 0;
        if (!system_value(value) || !component(value)) return false;
        instruction_.payload = value;
        return rest();
      }
      case Payload::constant_buffer:
      case Payload::table:
      case Payload::local:
      case Payload::shared:
      case Payload::shared_atomic: return memory(info(op).payload);
      case Payload::access: return access();
      case Payload::binding_query: return query();
      case Payload::value:
        return op == Op::case_ ? word_constant(instruction_.payload) : integer(instruction_.payload);
      case Payload::barrier: return barrier();
      case Payload::phase: return integer(instruction_.payload);
      case Payload::text: return text(instruction_.payload) && rest();
    }
    return false;
  }

  /// A string, with \\xNN for some characters.
  bool text(uint32_t& offset) {
    const auto quoted = cursor_.quoted();
    if (!quoted) return fail("expected a text in quotation marks");
    offset = static_cast<uint32_t>(module_.names.size());
    for (size_t i = 0; i < quoted->size(); ++i) {
      char c = (*quoted)[i];
      if (c == '\\') {
        unsigned number = 0;
        const std::string_view digits = quoted->substr(i + 1).substr(0, 3);
        const char* const end = digits.data() + digits.size();
        if (digits.size() != 3 || digits[0] != 'x' ||
            std::from_chars(digits.data() + 1, end, number, 16).ptr != end || number == 0)
          return fail_at(cursor_.place_of(quoted->substr(i)), "expected \\xNN, which is not \\x00");
        c = static_cast<char>(number);
        i += digits.size();
      }
      module_.names.push_back(c);
    }
    module_.names.push_back('\0');
    return true;
  }

  bool accept_word(std::string_view wanted) {
    const std::string_view word = cursor_.word();
    return word == wanted || fail_at(cursor_.place_of(word), "expected '{}('", wanted);
  }

  bool value(Value& value) {
    if (cursor_.peek() != '%') {
      ValueInfo info;
      if (!constant(info)) return false;
      value = module_.constant(info.type, info.bits);
      return true;
    }
    const SourceLocation place = cursor_.here(2);
    uint32_t number = 0;
    if (!value_number(number)) return false;
    value = number < numbers_.size() ? numbers_[number] : kNoValue;
    return value != kNoValue || fail_at(place, "%{} is used before it is defined", number);
  }
  bool values() {
    do {
      Value next = kNoValue;
      if (!value(next)) return false;
      operands_.push_back(next);
    } while (cursor_.accept(','));
    return true;
  }
  bool group() { return expect('(') && values() && expect(')'); }
  /// Operands after a payload: `, %1, %2`.
  bool rest() { return !cursor_.accept(',') || values(); }

  /// `.x`; turns the number of a register into a payload.
  bool component(uint32_t& number) {
    if (!expect('.')) return false;
    const std::string_view word = cursor_.word();
    const size_t found = word.size() == 1 ? kComponents.find(word[0]) : std::string_view::npos;
    if (found == std::string_view::npos) return fail_at(cursor_.place_of(word), "expected one of x, y, z, w");
    number = number * 4 + static_cast<uint32_t>(found);
    return true;
  }

  bool register_operand() {
    uint32_t reg = 0;
    if (!register_number(register_prefix(instruction_.op), reg) || !component(reg)) return false;
    instruction_.payload = reg;
    if (cursor_.accept(std::string_view("vertex"))) {
      flags_ |= kVertexOperand;
      if (!group()) return false;
    }
    if (cursor_.accept(std::string_view("index"))) {
      flags_ |= kIndexOperand;
      if (!group()) return false;
    }
    return true;
  }

  bool memory(Payload kind) {
    AtomicOp atomic = AtomicOp::add;
    if (kind == Payload::shared_atomic && !enumerator(atomic, "atomic operation")) return false;
    uint32_t index = 0;
    std::string_view word;
    if (!name(memory_prefix(kind), index, word)) return false;
    if (kind == Payload::constant_buffer) {
      uint16_t found = 0;
      if (!find(Kind::constant_buffer, index, word, found)) return false;
      index = found;
    } else {
      const size_t count = kind == Payload::table   ? module_.tables.size()
                           : kind == Payload::local ? module_.locals.size()
                                                    : module_.shared.size();
      if (index >= count) return fail_at(cursor_.place_of(word), "{} is not declared", word);
    }
    if (instruction_.op != Op::cb_rows) {
      Value row = kNoValue;
      if (!expect('[') || !value(row) || !expect(']')) return false;
      operands_.push_back(row);
    }
    if (kind == Payload::local && !component(index)) return false;
    if (kind == Payload::shared_atomic) index = index * 16 + static_cast<uint32_t>(atomic);
    instruction_.payload = index;
    if (kind == Payload::constant_buffer && !range_index()) return false;
    if (!cursor_.accept(std::string_view("guard"))) return rest();
    // It comes before the other operands in the text and after them in the module.
    flags_ |= kGuarded;
    Value guard = kNoValue;
    if (!expect('(') || !value(guard) || !expect(')') || !rest()) return false;
    operands_.push_back(guard);
    return true;
  }

  bool query() {
    BindingQuery query;
    std::string_view word;
    const bool of_sampler = cursor_.peek() == 's';
    if (of_sampler) {
      uint32_t id = 0;
      if (!name("s", id, word) || !find(Kind::sampler, id, word, query.resource)) return false;
    } else if (!resource_name(query.resource)) {
      return false;
    }
    const SourceLocation place = cursor_.here();
    const bool is_named = instruction_.op != Op::address || cursor_.peek() == '.';
    if (is_named && (!expect('.') || !enumerator(query.fact, "property of a binding"))) return false;
    if (query.is_sampler_fact() != of_sampler)
      return fail_at(place, "a {} has no such property", of_sampler ? "sampler" : "resource");
    instruction_.payload = query.pack();
    return range_index();
  }

  /// The index into a 5.1 range, if there is one.
  bool range_index() {
    if (!cursor_.accept(std::string_view("index"))) return true;
    if (!group()) return false;
    if (cursor_.accept(std::string_view("non_uniform"))) flags_ |= kNonUniform;
    return true;
  }

  bool barrier() {
    static constexpr std::string_view kWords[] = {"threads", "shared", "uav_group", "uav_global"};
    while (!cursor_.line_done()) {
      const std::string_view word = cursor_.word();
      const auto* const found = std::find(std::begin(kWords), std::end(kWords), word);
      if (found == std::end(kWords))
        return fail_at(cursor_.place_of(word), "'{}' is not a kind of barrier", word);
      instruction_.payload |= 1u << (found - std::begin(kWords));
    }
    return true;
  }

  // ---- accesses ----

  bool access() {
    if (!resource_name(access_.resource)) return false;
    uint32_t sampler = 0;
    const std::string_view word = cursor_.word();
    if (split(word, "s", sampler)) {
      if (!find(Kind::sampler, sampler, word, access_.sampler) || !enumerator(access_.dimension, "dimension"))
        return false;
    } else if (const auto dimension = parse_spelling<Dimension>(word)) {
      access_.dimension = *dimension;
    } else {
      return fail_at(cursor_.place_of(word), "'{}' is neither a sampler nor a dimension", word);
    }
    if (!enumerator(access_.type, "component type")) return false;
    while (!cursor_.line_done()) {
      if (!access_attribute()) return false;
    }
    for (uint32_t slot = 0; slot < kSlotCount; ++slot) {
      if (slots_[slot] == kNoValue) continue;
      access_.slots |= 1u << slot;
      operands_.push_back(slots_[slot]);
    }
    instruction_.payload = static_cast<uint32_t>(module_.accesses.size());
    module_.accesses.push_back(access_);
    return true;
  }

  bool access_attribute() {
    const std::string_view word = cursor_.word();
    const bool has_operands = cursor_.peek() == '(';
    for (const LodWord& rule : kLodWords) {
      if (word != rule.word) continue;
      access_.lod = rule.rule;
      return !has_operands || !rule.takes_lod || slot_group({rule.word, Slot::lod, 1});
    }
    for (const AccessFlag& flag : kAccessFlags) {
      if (word != flag.word) continue;
      access_.*flag.member = true;
      return !has_operands || flag.member != &ResourceAccess::compare ||
             slot_group({word, Slot::reference, 1});
    }
    for (const SlotGroup& group : kSlotGroups) {
      if (word == group.word) return slot_group(group);
    }
    if (word == "offset") return immediate_offset();
    if (word == "component") return in_parentheses(access_.gather_component);
    if (word == "mask") return in_parentheses(access_.component_mask);
    if (word == "align") return in_parentheses(access_.alignment);
    if (word == "atomic") return expect('(') && enumerator(access_.atomic, "atomic operation") && expect(')');
    if (word == "counter")
      return expect('(') && enumerator(access_.counter, "counter operation") && expect(')');
    return unknown_attribute(word);
  }

  bool slot_group(const SlotGroup& group) {
    if (!expect('(')) return false;
    for (uint32_t i = 0; i < group.count; ++i) {
      if (i != 0 && !cursor_.accept(',')) break;
      if (cursor_.peek() == '_') {
        cursor_.accept('_');
      } else if (!value(slots_[static_cast<uint32_t>(group.first + i)])) {
        return false;
      }
    }
    return expect(')');
  }

  bool immediate_offset() {
    access_.has_offset = true;
    if (!expect('(')) return false;
    if (cursor_.accept(')')) return true;
    for (uint32_t i = 0; i < 3; ++i) {
      if (i != 0 && !cursor_.accept(',')) break;
      const std::string_view text = cursor_.number();
      if (!parse_decimal(text, access_.offset[i]))
        return fail_at(cursor_.place_of(text), "expected an offset in texels");
    }
    return expect(')');
  }

  // ---- the end of an instruction ----

  void finish(bool good) {
    if (results_.size() > UINT16_MAX) {
      fail("an instruction has at most {} results", UINT16_MAX);
      results_.resize(UINT16_MAX);
    }
    const OpInfo& operation = info(instruction_.op);
    const bool annotated = !good || operation.passes_results();  // the text gives the types
    const Value first = module_.next_value();
    for (size_t i = 0; i < results_.size(); ++i) {
      const Result& result = results_[i];
      const Type type = annotated                      ? result.type
                        : i < operation.results.size() ? type_of_letter(operation.results[i])
                                                       : Type::b32;
      if (result.number >= numbers_.size()) numbers_.resize(size_t{result.number} + 1, kNoValue);
      if (numbers_[result.number] != kNoValue)
        fail_at(result.location, "%{} is defined twice", result.number);
      numbers_[result.number] = module_.new_values(type);
    }
    if (!good) return;  // the results exist, so that their uses are not reported as errors
    instruction_.flags = flags_;
    instruction_.location = module_.add_location(location_);
    instruction_.result_count = static_cast<uint16_t>(results_.size());
    if (!results_.empty()) instruction_.first_result = first;
    instruction_.first_operand = static_cast<uint32_t>(module_.operands.size());
    instruction_.operand_count = static_cast<uint32_t>(operands_.size());
    module_.operands.append(operands_);
    module_.code.push_back(instruction_);
  }

  std::pmr::vector<Value> numbers_{&scratch_};  // value of each %number
  std::pmr::vector<Value> operands_{&scratch_};
  std::pmr::vector<Result> results_{&scratch_};
  std::array<Value, kSlotCount> slots_{};
  ResourceAccess access_;
  Instruction instruction_;
  Lines lines_;
  SourceLocation location_;
  uint8_t flags_ = 0;
};

}  // namespace

bool parse(std::string_view text, Module& module, Diagnostics& diagnostics, Lines lines,
           std::pmr::vector<DeclarationPlace>* declarations) {
  return Parser(text, module, diagnostics, lines, declarations).run();
}

}  // namespace texlate::ir
