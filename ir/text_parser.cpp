#include "ir/text_parser.h"

#include <algorithm>
#include <array>
#include <bit>
#include <unordered_map>

#include "ir/spelling.h"
#include "ir/text_cursor.h"
#include "ir/text_form.h"

namespace texlate::ir {

namespace {

using namespace text_form;

constexpr uint32_t kRegisterLimit = 0x10000;
constexpr uint32_t kLongestRange = 8;  // results written as %1..%4
constexpr uint32_t kSpareNumbers = 0x10000;

class Parser {
 public:
  Parser(std::string_view text, Module& module, Diagnostics& diagnostics)
      : cursor_(text), module_(module), diagnostics_(diagnostics), scratch_(module.memory()) {}

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
  // ---- errors and small pieces; every one returns false after an error ----

  template <typename... Args>
  bool fail_at(SourceLocation location, fmt::format_string<Args...> format, Args&&... args) {
    diagnostics_.error(location, format, std::forward<Args>(args)...);
    return false;
  }
  template <typename... Args>
  bool fail(fmt::format_string<Args...> format, Args&&... args) {
    return fail_at(cursor_.here(), format, std::forward<Args>(args)...);
  }

  bool expect(char wanted) {
    if (cursor_.accept(wanted)) return true;
    return fail("expected '{}'", wanted);
  }

  template <typename Integer>
  bool integer(Integer& number) {
    const std::string_view text = cursor_.number();
    if (parse_decimal(text, number)) return true;
    return fail_at(cursor_.place_of(text), "expected a number, 0 or more and of {} bits",
                   sizeof(Integer) * 8);
  }
  template <typename Integer>
  bool in_parentheses(Integer& number) {
    return expect('(') && integer(number) && expect(')');
  }

  template <typename Enum>
  bool enumerator(Enum& value, std::string_view what) {
    const std::string_view text = cursor_.word();
    if (const auto parsed = parse_spelling<Enum>(text)) {
      value = *parsed;
      return true;
    }
    return fail_at(cursor_.place_of(text), "'{}' is no {}", text, what);
  }

  bool string(std::pmr::string& out) {
    const auto quoted = cursor_.quoted();
    if (!quoted) return fail("expected a string in quotes");
    for (size_t i = 0; i < quoted->size(); ++i) {
      char c = (*quoted)[i];
      if (c == '\\') {
        uint8_t byte = 0;
        const std::string_view digits = quoted->substr(i).substr(0, 4);
        const bool good = digits.size() == 4 && digits[1] == 'x' &&
                          std::from_chars(&digits[2], &digits[2] + 2, byte, 16).ptr == &digits[2] + 2;
        if (!good || byte == 0) return fail_at(cursor_.place_of(digits), "expected \\xNN, not \\x00");
        c = static_cast<char>(byte);
        i += 3;
      }
      out += c;
    }
    return true;
  }

  bool constant(ValueInfo& value) {
    const std::string_view text = cursor_.number();
    if (!parse_constant(text, value)) {
      return fail_at(cursor_.place_of(text), "expected a value: %number or a constant");
    }
    return true;
  }
  bool word_constant(uint32_t& bits) {
    ValueInfo value;
    const SourceLocation place = cursor_.here();
    if (!constant(value)) return false;
    if (value.type != Type::b32) return fail_at(place, "expected a constant of 32 bits");
    bits = static_cast<uint32_t>(value.bits);
    return true;
  }

  template <typename Number>
  static bool exactly(std::string_view text, Number& number) {
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    return error == std::errc() && end == text.data() + text.size();
  }

  static bool parse_constant(std::string_view text, ValueInfo& value) {
    value = {0, Type::b32, true};
    if (text == "true" || text == "false") {
      value = {text == "true" ? 1u : 0u, Type::b1, true};
      return true;
    }
    if (text.starts_with("0x")) {
      if (text.ends_with('l')) {
        value.type = Type::b64;
        text.remove_suffix(1);
      }
      text.remove_prefix(2);
      const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value.bits, 16);
      if (error != std::errc() || end != text.data() + text.size()) return false;
      return value.type == Type::b64 || value.bits <= UINT32_MAX;
    }
    if (text.empty() || !(text[0] == '-' || (text[0] >= '0' && text[0] <= '9'))) return false;
    const std::string_view digits = text.substr(0, text.size() - 1);
    if (text.ends_with('f')) {
      float number = 0;
      if (!exactly(digits, number)) return false;
      value.bits = std::bit_cast<uint32_t>(number);
      return true;
    }
    if (text.ends_with('d')) {
      double number = 0;
      if (!exactly(digits, number)) return false;
      value = {std::bit_cast<uint64_t>(number), Type::b64, true};
      return true;
    }
    int64_t number = 0;
    if (text.ends_with('l')) {
      if (!exactly(digits, number)) return false;
      value = {static_cast<uint64_t>(number), Type::b64, true};
      return true;
    }
    if (!exactly(text, number) || number < INT32_MIN || number > int64_t{UINT32_MAX}) return false;
    value.bits = static_cast<uint32_t>(number);
    return true;
  }

  // ---- names of declared things ----

  enum class Kind : uint8_t { resource, uav, sampler, constant_buffer };
  static uint64_t key(Kind kind, uint32_t id) { return (static_cast<uint64_t>(kind) << 32) | id; }

  bool declare(Kind kind, uint32_t id, size_t index, std::string_view word) {
    if (index >= UINT16_MAX) return fail_at(cursor_.place_of(word), "too many declarations of one kind");
    if (symbols_.emplace(key(kind, id), static_cast<uint16_t>(index)).second) return true;
    return fail_at(cursor_.place_of(word), "{} is declared twice", word);
  }

  /// `<prefix>number`
  static bool split(std::string_view word, std::string_view prefix, uint32_t& number) {
    return word.starts_with(prefix) && parse_decimal(word.substr(prefix.size()), number);
  }
  bool name(std::string_view prefix, uint32_t& number, std::string_view& word) {
    word = cursor_.word();
    if (split(word, prefix, number)) return true;
    return fail_at(cursor_.place_of(word), "expected {} and a number", prefix);
  }
  bool find(Kind kind, uint32_t id, std::string_view word, uint16_t& index) {
    const auto found = symbols_.find(key(kind, id));
    if (found == symbols_.end()) return fail_at(cursor_.place_of(word), "{} is not declared", word);
    index = found->second;
    return true;
  }
  bool resource_name(uint16_t& index) {
    const std::string_view word = cursor_.word();
    uint32_t id = 0;
    if (split(word, "t", id)) return find(Kind::resource, id, word, index);
    if (split(word, "u", id)) return find(Kind::uav, id, word, index);
    return fail_at(cursor_.place_of(word), "expected a resource (t# or u#)");
  }

  // ---- declarations ----

  bool declaration() {
    const std::string_view word = cursor_.word();
    if (word == "module") return module_line();
    if (word == "code") {
      in_code_ = true;
      return expect('{');
    }
    for (const ModuleNumber& number : kModuleNumbers) {
      if (word == number.word) return integer(module_.*number.member);
    }
    for (const ModuleFlag& flag : kModuleFlags) {
      if (word == flag.word) return module_.*flag.member = true;
    }
    for (const ParameterList& list : kParameterLists) {
      if (word == list.word) return parameter(list);
    }
    if (word == "thread_group") {
      return integer(module_.thread_group[0]) && integer(module_.thread_group[1]) &&
             integer(module_.thread_group[2]);
    }
    if (word == "max_tessellation_factor") {
      uint32_t bits = 0;
      if (!word_constant(bits)) return false;
      module_.max_tessellation_factor = std::bit_cast<float>(bits);
      return true;
    }
    if (word == "resource") return resource(false);
    if (word == "uav") return resource(true);
    if (word == "sampler") return sampler();
    if (word == "constant_buffer") return constant_buffer();
    if (word == "local") return local();
    if (word == "shared") return shared();
    if (word == "table") return table();
    if (word == "row") return row();
    if (word == "phase") return phase();
    return fail_at(cursor_.place_of(word), "expected a declaration or 'code {{'");
  }

  bool module_line() {
    if (has_module_) return fail("there is a 'module' line already");
    has_module_ = true;
    if (!enumerator(module_.stage, "stage")) return false;
    const std::string_view model = cursor_.number();
    const bool good = model.size() == 3 && model[1] == '.' && model[0] >= '0' && model[0] <= '9' &&
                      model[2] >= '0' && model[2] <= '9';
    if (!good) return fail_at(cursor_.place_of(model), "expected a shader model such as 5.0");
    module_.shader_model = static_cast<uint8_t>((model[0] - '0') * 10 + (model[2] - '0'));
    return string(module_.name);
  }

  /// Attributes that resources, samplers and constant buffers share.
  template <typename Declared>
  bool range_attribute(std::string_view word, Declared& declared) {
    if (word == "space") return in_parentheses(declared.space);
    if (word != "registers") return unknown_attribute(word);
    if (!expect('(') || !integer(declared.lower_bound) || !expect(',')) return false;
    if (cursor_.accept(std::string_view("unbounded"))) {
      declared.upper_bound = UINT32_MAX;
    } else if (!integer(declared.upper_bound)) {
      return false;
    }
    return expect(')');
  }
  bool unknown_attribute(std::string_view word) {
    return fail_at(cursor_.place_of(word), "unknown attribute '{}'", word);
  }

  bool resource(bool is_uav) {
    Resource resource;
    std::string_view word;
    resource.is_uav = is_uav;
    if (!name(is_uav ? "u" : "t", resource.id, word)) return false;
    if (!declare(is_uav ? Kind::uav : Kind::resource, resource.id, module_.resources.size(), word))
      return false;
    resource.lower_bound = resource.upper_bound = resource.id;
    if (!enumerator(resource.dimension, "dimension")) return false;
    if (!enumerator(resource.component_types[0], "component type")) return false;
    for (uint32_t i = 1; i < 4; ++i) resource.component_types[i] = resource.component_types[0];
    if (cursor_.peek() == ',') {
      for (uint32_t i = 1; i < 4; ++i) {
        if (!expect(',') || !enumerator(resource.component_types[i], "component type")) return false;
      }
    }
    bool good = true;
    while (good && !cursor_.line_done()) good = resource_attribute(resource);
    module_.resources.push_back(resource);
    return good;
  }

  bool resource_attribute(Resource& resource) {
    const std::string_view word = cursor_.word();
    for (const ResourceFlag& flag : kResourceFlags) {
      if (word == flag.word) return resource.*flag.member = true;
    }
    if (word == "samples") return in_parentheses(resource.sample_count);
    if (word == "stride") return in_parentheses(resource.stride);
    return range_attribute(word, resource);
  }

  bool sampler() {
    Sampler sampler;
    std::string_view word;
    if (!name("s", sampler.id, word) || !declare(Kind::sampler, sampler.id, module_.samplers.size(), word))
      return false;
    sampler.lower_bound = sampler.upper_bound = sampler.id;
    bool good = true;
    while (good && !cursor_.line_done()) {
      word = cursor_.word();
      if (word == "comparison") {
        sampler.comparison = true;
      } else {
        good = range_attribute(word, sampler);
      }
    }
    module_.samplers.push_back(sampler);
    return good;
  }

  bool constant_buffer() {
    ConstantBuffer buffer;
    std::string_view word;
    if (!name("cb", buffer.id, word)) return false;
    if (!declare(Kind::constant_buffer, buffer.id, module_.constant_buffers.size(), word)) return false;
    buffer.lower_bound = buffer.upper_bound = buffer.id;
    bool good = true;
    while (good && !cursor_.line_done()) {
      word = cursor_.word();
      if (word == "dynamic") {
        buffer.dynamically_indexed = true;
      } else {
        good = word == "rows" ? in_parentheses(buffer.rows) : range_attribute(word, buffer);
      }
    }
    module_.constant_buffers.push_back(buffer);
    return good;
  }

  /// `v3`, or the name of a special register; times 4 plus a component it is a payload.
  bool register_number(std::string_view prefix, uint32_t& reg) {
    const std::string_view word = cursor_.word();
    if (split(word, prefix, reg)) {
      if (reg < kRegisterLimit) return true;
      return fail_at(cursor_.place_of(word), "register numbers end at {}", kRegisterLimit - 1);
    }
    const auto special = parse_spelling<SystemValue>(word);
    if (!special)
      return fail_at(cursor_.place_of(word), "expected {} and a number, or a system value", prefix);
    reg = kSpecialRegister + static_cast<uint32_t>(*special);
    return true;
  }

  bool system_value(uint32_t& value) {
    const std::string_view word = cursor_.word();
    if (const auto named = parse_spelling<SystemValue>(word)) {
      value = static_cast<uint32_t>(*named);
      return true;
    }
    if (parse_decimal(word, value) && value < kRegisterLimit) return true;
    return fail_at(cursor_.place_of(word), "'{}' is no system value", word);
  }

  bool parameter(const ParameterList& list) {
    Parameter parameter;
    if (!register_number(list.prefix, parameter.reg) || !expect('.')) return false;
    const std::string_view mask = cursor_.word();
    parameter.mask = 0;
    for (const char c : mask) {
      const size_t component = kComponents.find(c);
      if (component == std::string_view::npos)
        return fail_at(cursor_.place_of(mask), "'{}' is no write mask", mask);
      parameter.mask |= static_cast<uint8_t>(1u << component);
    }
    bool good = true;
    while (good && !cursor_.line_done()) good = parameter_attribute(parameter);
    (module_.*list.member).push_back(parameter);
    return good;
  }

  bool parameter_attribute(Parameter& parameter) {
    const std::string_view word = cursor_.word();
    if (word == "semantic") {
      std::pmr::string text(&scratch_);
      if (!string(text)) return false;
      parameter.semantic = static_cast<uint32_t>(module_.names.size());
      module_.names.insert(module_.names.end(), text.c_str(), text.c_str() + text.size() + 1);
      return true;
    }
    if (word == "semantic_index") return in_parentheses(parameter.semantic_index);
    if (word == "array") return in_parentheses(parameter.array_size);
    if (word == "sv") {
      uint32_t value = 0;
      if (!expect('(') || !system_value(value)) return false;
      parameter.system_value = static_cast<SystemValue>(value);
      return expect(')');
    }
    for (const ParameterNumber& number : kParameterNumbers) {
      if (word == number.word) return in_parentheses(parameter.*number.member);
    }
    const auto interpolation = parse_spelling<Interpolation>(word);
    if (!interpolation) return unknown_attribute(word);
    parameter.interpolation = *interpolation;
    return true;
  }

  /// Memories are numbered in the order of their declarations.
  bool next_name(std::string_view prefix, size_t index) {
    uint32_t number = 0;
    std::string_view word;
    if (!name(prefix, number, word)) return false;
    return number == index ||
           fail_at(cursor_.place_of(word), "expected {}{}: these are numbered in order", prefix, index);
  }
  bool attribute(std::string_view word, uint32_t& number) {
    const std::string_view found = cursor_.word();
    if (found != word) return fail_at(cursor_.place_of(found), "expected '{}'", word);
    return in_parentheses(number);
  }
  bool local() {
    LocalArray local{};
    if (!next_name("x", module_.locals.size()) || !attribute("rows", local.rows)) return false;
    if (!attribute("components", local.components)) return false;
    module_.locals.push_back(local);
    return true;
  }
  bool shared() {
    SharedArray shared{};
    if (!next_name("g", module_.shared.size()) || !attribute("bytes", shared.bytes)) return false;
    if (!attribute("stride", shared.stride)) return false;
    module_.shared.push_back(shared);
    return true;
  }
  bool table() {
    if (!next_name("table", module_.tables.size())) return false;
    module_.tables.push_back({static_cast<uint32_t>(module_.table_words.size()), 0});
    return true;
  }
  bool row() {
    if (module_.tables.empty()) return fail("a row belongs to a table");
    std::array<uint32_t, 4> words{};
    for (uint32_t i = 0; i < 4; ++i) {
      if ((i != 0 && !expect(',')) || !word_constant(words[i])) return false;
    }
    module_.table_words.insert(module_.table_words.end(), words.begin(), words.end());
    ++module_.tables.back().rows;
    return true;
  }
  bool phase() {
    uint32_t number = 0;
    HullPhaseInfo phase{};
    if (!integer(number)) return false;
    if (number != module_.phases.size()) return fail("expected phase {}", module_.phases.size());
    if (!enumerator(phase.kind, "hull phase") || !attribute("instances", phase.instance_count)) return false;
    module_.phases.push_back(phase);
    return true;
  }

  // ---- instructions ----

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

  // An instruction without a comment stands at the line of the one before.
  void update_location(std::string_view comment) {
    constexpr std::string_view kLine = "; line ";
    constexpr std::string_view kOffset = "; offset 0x";
    uint32_t number = 0;
    if (comment.starts_with(kLine) && parse_decimal(comment.substr(kLine.size()), number)) {
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
    // A number far beyond what the text can define is a slip, and must not cost memory.
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
        return fail_at(place, "a range of results goes up, and has at most {}", kLongestRange);
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
    if (!op) return fail_at(cursor_.place_of(word), "'{}' is no operation", word);
    instruction_.op = *op;
    if (cursor_.accept(std::string_view("[precise]"))) flags_ |= kPrecise;
    if (!operation()) return false;
    const std::string_view types = info(*op).results;
    if (types == "*") return true;
    const size_t expected = types.size() + (access_.feedback ? 1 : 0);
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
      case Payload::shared_atomic: return memory(info(op).payload) && rest();
      case Payload::access: return access();
      case Payload::binding_query: return query();
      case Payload::value:
        return op == Op::case_ ? word_constant(instruction_.payload) : integer(instruction_.payload);
      case Payload::barrier: return barrier();
      case Payload::phase: return integer(instruction_.payload);
    }
    return false;
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

  /// `.x`; makes a payload of the number of a register.
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
    Value row = kNoValue;
    if (!expect('[') || !value(row) || !expect(']')) return false;
    operands_.push_back(row);
    if (kind == Payload::local && !component(index)) return false;
    if (kind == Payload::shared_atomic) index = index * 16 + static_cast<uint32_t>(atomic);
    instruction_.payload = index;
    if (kind == Payload::constant_buffer && cursor_.accept(std::string_view("index"))) return group();
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
    if (!expect('.') || !enumerator(query.fact, "fact of a binding")) return false;
    if (query.is_sampler_fact() != of_sampler)
      return fail_at(place, "no such fact of a {}", of_sampler ? "sampler" : "resource");
    instruction_.payload = query.pack();
    return !cursor_.accept(std::string_view("index")) || group();
  }

  bool barrier() {
    static constexpr std::string_view kWords[] = {"threads", "shared", "uav_group", "uav_global"};
    while (!cursor_.line_done()) {
      const std::string_view word = cursor_.word();
      const auto* const found = std::find(std::begin(kWords), std::end(kWords), word);
      if (found == std::end(kWords))
        return fail_at(cursor_.place_of(word), "'{}' is no kind of barrier", word);
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
    const auto types = good ? info(instruction_.op).results : std::string_view("*");
    const Value first = static_cast<Value>(module_.values.size());
    for (size_t i = 0; i < results_.size(); ++i) {
      const Result& result = results_[i];
      const Type type = types == "*" ? result.type : i < types.size() ? type_of_letter(types[i]) : Type::b32;
      if (result.number >= numbers_.size()) numbers_.resize(size_t{result.number} + 1, kNoValue);
      if (numbers_[result.number] != kNoValue)
        fail_at(result.location, "%{} is defined twice", result.number);
      numbers_[result.number] = module_.new_values(type);
    }
    if (!good) return;  // the results exist, so that their uses are no errors of their own
    instruction_.flags = flags_;
    instruction_.location = location_;
    instruction_.result_count = static_cast<uint16_t>(results_.size());
    if (!results_.empty()) instruction_.first_result = first;
    instruction_.first_operand = static_cast<uint32_t>(module_.operands.size());
    instruction_.operand_count = static_cast<uint32_t>(operands_.size());
    module_.operands.insert(module_.operands.end(), operands_.begin(), operands_.end());
    module_.code.push_back(instruction_);
  }

  TextCursor cursor_;
  Module& module_;
  Diagnostics& diagnostics_;
  std::pmr::monotonic_buffer_resource scratch_;
  std::pmr::unordered_map<uint64_t, uint16_t> symbols_{&scratch_};
  std::pmr::vector<Value> numbers_{&scratch_};  // value of each %number
  std::pmr::vector<Value> operands_{&scratch_};
  std::pmr::vector<Result> results_{&scratch_};
  std::array<Value, kSlotCount> slots_{};
  ResourceAccess access_;
  Instruction instruction_;
  SourceLocation location_;
  uint8_t flags_ = 0;
  bool in_code_ = false;
  bool has_module_ = false;
};

}  // namespace

bool parse(std::string_view text, Module& module, Diagnostics& diagnostics) {
  return Parser(text, module, diagnostics).run();
}

}  // namespace texlate::ir
