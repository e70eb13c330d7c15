// Module-level directives, functions, declarations (PTX ISA 5, 11).
#include "sim/ptx/parser.h"

#include <algorithm>
#include <bit>
#include <charconv>
#include <cstring>

#include "sim/ptx/opcode.h"
#include "sim/ptx/special_registers.h"

namespace texlate::sim::ptx {

namespace {

constexpr uint32_t kMaxRegisters = 1u << 19;  // 128 MiB of register file per warp
constexpr uint64_t kMaxVariable = uint64_t{1} << 26;
constexpr uint64_t kMaxShared = 48 * 1024;  // static shared memory available on every generation
constexpr uint64_t kMaxLocal = 512 * 1024;
constexpr uint64_t kMaxParameters = 32764;
constexpr uint32_t kMaxDepth = 64;

uint64_t align_up(uint64_t value, uint64_t align) {
  return (value + align - 1) / align * align;
}

uint64_t round_literal(const Token& token, Type type) {
  if (token.kind == TokenKind::integer) return token.bits;
  const double value = token.kind == TokenKind::single
                           ? static_cast<double>(std::bit_cast<float>(static_cast<uint32_t>(token.bits)))
                           : std::bit_cast<double>(token.bits);
  if (type == Type::f32 && token.kind == TokenKind::double_)
    return std::bit_cast<uint32_t>(static_cast<float>(value));
  if (type == Type::f64) return std::bit_cast<uint64_t>(value);
  return token.bits;
}

}  // namespace

uint32_t Module::find_opaque(std::string_view name, std::string_view entry) const {
  uint32_t found = kNone;
  for (uint32_t i = 0; i < opaques.size(); ++i) {
    if (opaques[i].name != name) continue;
    if (opaques[i].entry == entry) return i;
    if (opaques[i].entry.empty()) found = i;
  }
  return found;
}

const Function* Module::find_entry(std::string_view name) const {
  for (const Function& function : functions) {
    if (function.is_entry && function.name == name) return &function;
  }
  return nullptr;
}

std::unique_ptr<Module> parse(std::string_view text, Diagnostics& diagnostics) {
  return Parser(text, diagnostics).run();
}

Parser::Parser(std::string_view text, Diagnostics& diagnostics)
    : diagnostics_(diagnostics), tokens_(tokenize(text, diagnostics)), module_(std::make_unique<Module>()) {
  module_->register_count = kFirstUserRegister;
  scopes_.push();
}

std::unique_ptr<Module> Parser::run() {
  while (!at_end() && !diagnostics_.full()) parse_top_level();
  for (const Function& function : module_->functions) {
    if (!function.defined) diagnostics_.error({}, "function {} is declared but never defined", function.name);
  }
  if (diagnostics_.has_errors()) return nullptr;
  return std::move(module_);
}

bool Parser::accept(char c) {
  if (!peek().is(c)) return false;
  next();
  return true;
}

bool Parser::expect(char c) {
  if (accept(c)) return true;
  diagnostics_.error(peek().location(), "expected '{}'", c);
  return false;
}

// Skips the rest of a statement. A brace before a comma, a semicolon, `]` or `|` ends a vector, not a block.
void Parser::recover() {
  while (!at_end() && !peek().is(';')) {
    const Token& after = peek(1);
    if (peek().is('}') && !after.is(',') && !after.is(';') && !after.is(']') && !after.is('|')) break;
    next();
  }
  accept(';');
}

void Parser::parse_top_level() {
  while (peek().is_dotted("visible") || peek().is_dotted("weak") || peek().is_dotted("extern") ||
         peek().is_dotted("common"))
    next();
  const Token& token = peek();
  if (token.is_dotted("entry") || token.is_dotted("func")) {
    next();
    return parse_function(token.text == "entry");
  }
  if (token.kind == TokenKind::dotted) {
    if (const auto space = find_space(token.text);
        space && *space != Space::param && *space != Space::local) {
      next();
      return parse_variable(*space);
    }
    if (parse_module_directive()) return;
  }
  diagnostics_.error(token.location(), "unexpected '{}' at module level", token.text);
  next();
  recover();
}

// .version, .target, .address_size, and debugging directives, which have no effect here.
bool Parser::parse_module_directive() {
  const Token directive = next();
  const uint32_t line = directive.line;
  if (directive.text == "address_size") {
    if (peek().bits != 64) diagnostics_.error(peek().location(), "only .address_size 64 is supported");
    next();
    return true;
  }
  const bool known = directive.text == "version" || directive.text == "target" || directive.text == "file" ||
                     directive.text == "loc" || directive.text == "pragma";
  if (known) {
    for (; !at_end() && peek().line == line; next()) {  // these end at the end of the line
      if (directive.text != "target") continue;
      module_->independent |= peek().text == "texmode_independent";
      constexpr std::string_view kSm = "sm_";
      if (!peek().text.starts_with(kSm)) continue;
      const std::string_view number = peek().text.substr(kSm.size());
      std::from_chars(number.data(), number.data() + number.size(), module_->sm);  // sm_90a: 90
    }
    return true;
  }
  if (directive.text == "section") {
    while (!at_end() && !accept('}')) next();
    return true;
  }
  --at_;
  return false;
}

void Parser::parse_function(bool entry) {
  Function function;
  function.is_entry = entry;
  scopes_.push();
  if (peek().is('(')) parse_formals(false, function.results, function);
  const Token name = next();
  if (name.kind != TokenKind::name) diagnostics_.error(name.location(), "expected a function's name");
  function.name = name.text;
  if (peek().is('(')) parse_formals(entry, function.parameters, function);
  parse_function_directives(function);

  // A declaration may come first. The definition then uses its slot and the positions of its parameters.
  uint32_t index = static_cast<uint32_t>(module_->functions.size());
  for (uint32_t i = 0; i < index; ++i) {
    if (module_->functions[i].name == function.name) index = i;
  }
  if (index == module_->functions.size()) {
    module_->functions.push_back(std::move(function));
  } else if (module_->functions[index].defined) {
    diagnostics_.error(name.location(), "function {} is defined twice", function.name);
  } else {
    module_->functions[index] = std::move(function);
  }
  if (accept(';')) return scopes_.pop();
  module_->functions[index].first_instruction = static_cast<uint32_t>(module_->code.size());
  if (expect('{')) parse_body();
  resolve_labels(true);
  // Reaching the end of the function returns.
  Instruction end;
  end.opcode = Opcode::ret;
  end.run = select_handler(end);
  end.line = peek().line;
  module_->code.push_back(end);
  module_->functions[index].end_instruction = static_cast<uint32_t>(module_->code.size());
  module_->functions[index].defined = true;
  scopes_.pop();
}

void Parser::parse_function_directives(Function& function) {
  while (peek().kind == TokenKind::dotted) {
    const Token directive = next();
    int count = 0;
    while (peek().kind == TokenKind::integer) {
      const uint64_t value = next().bits;
      if (directive.text == "reqntid" && count < 3)
        function.required_block[count++] = static_cast<uint32_t>(value);
      if (!accept(',')) break;
    }
    while (directive.text == "reqntid" && count > 0 && count < 3) function.required_block[count++] = 1;
    const bool known = directive.text == "reqntid" || directive.text == "maxntid" ||
                       directive.text == "minnctapersm" || directive.text == "maxnreg" ||
                       directive.text == "maxnctapersm" || directive.text == "noreturn" ||
                       directive.text == "pragma";
    if (!known) diagnostics_.error(directive.location(), "unknown function directive .{}", directive.text);
    if (directive.text == "pragma") next(), accept(';');
  }
}

void Parser::parse_formals(bool entry, std::vector<Parameter>& list, Function& function) {
  expect('(');
  while (!at_end() && !peek().is(')')) {
    if (!peek().is_dotted("param")) {
      diagnostics_.error(peek().location(), "parameters must be .param variables");
      while (!at_end() && !peek().is(')')) next();
      break;
    }
    next();
    if (parse_opaque_parameter(function, entry)) {
      if (!accept(',')) break;
      continue;
    }
    Type type = Type::none;
    const auto layout = parse_type_and_align(type);
    const Token name = next();
    uint64_t elements = 1;
    bool unsized = false;
    const bool is_array = peek().is('[');
    if (!layout || !parse_array_sizes(elements, unsized)) break;
    const uint64_t size = layout->first * elements;
    Symbol symbol{Symbol::Kind::variable, type, Space::param, 0, 0, static_cast<uint32_t>(size), 0};
    if (entry) {
      symbol.offset = align_up(function.parameter_bytes, layout->second);
      if (symbol.offset + size > kMaxParameters) {
        diagnostics_.error(name.location(), "the parameters of {} exceed {} bytes", function.name,
                           kMaxParameters);
        break;
      }
      function.parameter_bytes = static_cast<uint32_t>(symbol.offset + size);
      function.entry_parameters.push_back({std::string(name.text), type, static_cast<uint32_t>(symbol.offset),
                                           static_cast<uint32_t>(size), is_array, name.line, name.column});
    } else {
      symbol.offset = kCallParameterBase + allocate(Space::param, size, layout->second);
    }
    list.push_back({static_cast<uint32_t>(symbol.offset), static_cast<uint32_t>(size)});
    if (!scopes_.declare(name.text, symbol))
      diagnostics_.error(name.location(), "{} is declared twice", name.text);
    if (!accept(',')) break;
  }
  expect(')');
}

void Parser::parse_body() {
  if (++block_depth_ > kMaxDepth) {
    diagnostics_.error(peek().location(), "blocks are nested too deeply");
    at_ = tokens_.size() - 1;
  }
  while (!at_end() && !peek().is('}') && !diagnostics_.full()) parse_statement();
  expect('}');
  --block_depth_;
}

void Parser::parse_statement() {
  const Token& token = peek();
  if (accept(';')) return;
  if (token.is('{')) {
    next();
    // Labels and registers of a block hide those of outer blocks.
    scopes_.push();
    parse_body();
    resolve_labels(false);
    return scopes_.pop();
  }
  if (token.kind == TokenKind::name && peek(1).is(':')) {
    const Token label = next();
    next();
    if (peek().is_dotted("branchtargets")) return parse_branch_targets(label.text);
    Symbol symbol{Symbol::Kind::label,
                  Type::none,
                  Space::generic,
                  static_cast<uint32_t>(module_->code.size()),
                  0,
                  0,
                  0};
    if (!scopes_.declare(label.text, symbol))
      diagnostics_.error(label.location(), "{} is declared twice", label.text);
    return;
  }
  if (token.kind == TokenKind::dotted) {
    if (token.text == "reg") {
      next();
      return parse_registers();
    }
    if (const auto space = find_space(token.text)) {
      next();
      return parse_variable(*space);
    }
    if (parse_module_directive()) {
      accept(';');
      return;
    }
    diagnostics_.error(token.location(), "unknown directive .{}", token.text);
    return recover();
  }
  parse_instruction();
}

// .reg .type name, name<count>, ...;  .reg .v4 .f32 name;
void Parser::parse_registers() {
  uint32_t lanes = 1;
  if (peek().is_dotted("v2") || peek().is_dotted("v4")) lanes = next().text == "v2" ? 2 : 4;
  const auto type = peek().kind == TokenKind::dotted ? find_type(peek().text) : std::nullopt;
  if (!type) {
    diagnostics_.error(peek().location(), "expected a register type");
    return recover();
  }
  next();
  do {
    const Token name = next();
    if (name.kind != TokenKind::name) {
      diagnostics_.error(name.location(), "expected a register's name");
      return recover();
    }
    uint64_t count = lanes;
    const bool range = accept('<');
    if (range) {
      count = next().bits;
      if (!expect('>')) return recover();
    }
    if (count > kMaxRegisters || module_->register_count + count > kMaxRegisters) {
      diagnostics_.error(name.location(), "too many registers");
      return recover();
    }
    Symbol symbol{Symbol::Kind::reg,
                  *type,
                  Space::generic,
                  module_->register_count,
                  0,
                  0,
                  range       ? static_cast<uint32_t>(count)
                  : lanes > 1 ? lanes
                              : 0};
    module_->register_count += static_cast<uint32_t>(count);
    predicate_registers_.resize(module_->register_count);
    std::fill(predicate_registers_.end() - static_cast<ptrdiff_t>(count), predicate_registers_.end(),
              *type == Type::pred);
    if (!(range ? scopes_.declare_range(name.text, symbol) : scopes_.declare(name.text, symbol))) {
      diagnostics_.error(name.location(), "{} is declared twice", name.text);
    }
  } while (accept(','));
  if (!expect(';')) recover();
}

// [.align n] .type: the element's size and the alignment.
std::optional<std::pair<uint64_t, uint64_t>> Parser::parse_type_and_align(Type& type) {
  uint64_t align = 0, lanes = 1;
  bool of_pointee = false;
  while (peek().kind == TokenKind::dotted) {
    const Token token = next();
    if (token.text == "align") {
      const uint64_t given = next().bits;
      if (given == 0 || given > 4096 || !std::has_single_bit(given)) {
        diagnostics_.error(token.location(), "alignment must be a power of two");
        return std::nullopt;
      }
      if (!of_pointee) align = given;
    } else if (token.text == "v2" || token.text == "v4") {
      lanes = token.text == "v2" ? 2 : 4;
    } else if (token.text == "ptr") {  // .ptr .global .align 64: of what it points at (PTX ISA 5.1.6.3)
      of_pointee = true;
    } else if (const auto found = find_type(token.text)) {
      type = *found;
    } else if (!find_space(token.text)) {
      diagnostics_.error(token.location(), "unknown type .{}", token.text);
      return std::nullopt;
    }
  }
  if (type == Type::none || type == Type::pred) {
    diagnostics_.error(peek().location(), "expected a type");
    return std::nullopt;
  }
  const uint64_t size = static_cast<uint64_t>(size_of(type)) * lanes;
  return std::pair(size, std::max(align, size));
}

bool Parser::parse_array_sizes(uint64_t& elements, bool& unsized) {
  while (accept('[')) {
    if (accept(']')) {
      unsized = true;
      continue;
    }
    const Token count = next();
    if (count.kind != TokenKind::integer || count.bits > kMaxVariable ||
        (elements *= count.bits) > kMaxVariable) {
      diagnostics_.error(count.location(), "bad array size");
      return false;
    }
    if (!expect(']')) return false;
  }
  return true;
}

uint64_t Parser::allocate(Space space, uint64_t size, uint64_t align) {
  uint32_t& used = space == Space::shared  ? module_->shared_bytes
                   : space == Space::local ? module_->local_bytes
                                           : module_->call_parameter_bytes;
  const uint64_t limit = space == Space::shared  ? kMaxShared
                         : space == Space::local ? kMaxLocal
                                                 : kMaxParameters * 16;
  const uint64_t offset = align_up(used, align);
  if (offset + size > limit) {
    diagnostics_.error(peek().location(), "more than {} bytes of this state space", limit);
    return 0;
  }
  used = static_cast<uint32_t>(offset + size);
  return offset;
}

void Parser::parse_variable(Space space) {
  if (parse_opaques(space)) return;
  Type type = Type::none;
  const auto layout = parse_type_and_align(type);
  if (!layout) return recover();
  do {
    const Token name = next();
    if (name.kind != TokenKind::name) {
      diagnostics_.error(name.location(), "expected a variable's name");
      return recover();
    }
    uint64_t elements = 1;
    bool unsized = false;
    if (!parse_array_sizes(elements, unsized)) return recover();
    std::vector<std::byte> initial;
    const bool module_space = space == Space::global || space == Space::const_;
    if (peek().is('=')) {
      const Token equals = next();
      if (!module_space)
        diagnostics_.error(equals.location(), "only .global and .const variables have initializers");
      const uint64_t count =
          parse_initializer(initial, type, unsized ? kMaxVariable : elements * layout->first);
      if (unsized) elements = count;
    } else if (unsized && space != Space::shared) {
      diagnostics_.error(name.location(), "array {} has no size", name.text);
    }
    const uint64_t size = elements * layout->first;
    Symbol symbol{Symbol::Kind::variable, type, space, 0, 0, static_cast<uint32_t>(size), 0};
    if (module_space) {
      symbol.index = static_cast<uint32_t>(module_->globals.size());
      initial.resize(size);
      module_->globals.push_back({std::string(name.text), space, size, layout->second, std::move(initial)});
    } else if (unsized) {
      symbol.offset = kDynamicSharedBase;
    } else {
      symbol.offset =
          allocate(space, size, layout->second) + (space == Space::param ? kCallParameterBase : 0);
    }
    if (!scopes_.declare(name.text, symbol))
      diagnostics_.error(name.location(), "{} is declared twice", name.text);
  } while (accept(','));
  if (!expect(';')) recover();
}

// A number, or nested braces of them, flattened. Returns the number of elements read.
uint64_t Parser::parse_initializer(std::vector<std::byte>& bytes, Type type, uint64_t limit) {
  uint32_t depth = 0;
  uint64_t count = 0;
  do {
    while (accept('{')) ++depth;
    const bool negative = accept('-');
    const Token token = next();
    if (token.kind != TokenKind::integer && token.kind != TokenKind::single &&
        token.kind != TokenKind::double_) {
      diagnostics_.error(token.location(), "expected a number");
      break;
    }
    uint64_t value = round_literal(token, type);
    if (negative) value = is_float(type) ? value ^ (uint64_t{1} << (size_of(type) * 8 - 1)) : 0 - value;
    const size_t at = bytes.size();
    if (at + size_of(type) > limit) {
      diagnostics_.error(token.location(), "more initial values than elements");
      break;
    }
    bytes.resize(at + size_of(type));
    std::memcpy(bytes.data() + at, &value, size_of(type));
    ++count;
    while (depth > 0 && accept('}')) --depth;
  } while (depth > 0 && accept(','));
  return count;
}

// label: .branchtargets a, b, c;
void Parser::parse_branch_targets(std::string_view label) {
  next();
  const auto table = static_cast<uint32_t>(module_->branch_tables.size());
  module_->branch_tables.emplace_back();
  do {
    const Token target = next();
    label_uses_.push_back({0, table, static_cast<uint32_t>(module_->branch_tables[table].size()), target});
    module_->branch_tables[table].push_back(0);
  } while (accept(','));
  scopes_.declare(label, {Symbol::Kind::table, Type::none, Space::generic, table, 0, 0, 0});
  if (!expect(';')) recover();
}

}  // namespace texlate::sim::ptx
