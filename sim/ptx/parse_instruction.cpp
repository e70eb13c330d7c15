// Parses one instruction: guard, mnemonic, modifiers, and operands in the shape that opcode_table.inc gives
// (PTX ISA 9.1 - 9.6).
#include <bit>

#include "sim/ptx/opcode.h"
#include "sim/ptx/parser.h"
#include "sim/ptx/special_registers.h"

namespace texlate::sim::ptx {

namespace {

// The type of source `index` for literals (only float types change a literal's bits).
Type source_type(const Instruction& i, int index) {
  switch (i.opcode) {
    case Opcode::cvt: return i.type2 != Type::none ? i.type2 : i.type;
    case Opcode::set: return i.type2;
    case Opcode::slct: return index == 2 ? i.type2 : i.type;
    case Opcode::shl:
    case Opcode::shr: return index == 1 ? Type::u32 : i.type;
    case Opcode::istypep: return Type::u64;
    default: return i.type;
  }
}

bool is_predicate_source(const Instruction& i, int index) {
  switch (i.opcode) {
    case Opcode::setp: return index == 2 || i.type == Type::pred;
    case Opcode::set: return index == 2;
    case Opcode::selp: return index == 2;
    case Opcode::vote: return index == 0;
    default: return i.type == Type::pred;
  }
}

bool has_predicate_destination(const Instruction& i) {
  switch (i.opcode) {
    case Opcode::setp:
    case Opcode::istypep:
    case Opcode::testp: return true;
    case Opcode::vote: return !i.has(Mod::ballot);
    default: return i.type == Type::pred;
  }
}

}  // namespace

void Parser::parse_instruction() {
  Instruction instruction;
  const Token first = peek();
  if (accept('@')) {
    instruction.guard_negated = accept('!');
    if (!register_operand(instruction.guard, true)) return recover();
  }
  const Token mnemonic = next();
  instruction.line = mnemonic.line, instruction.column = mnemonic.column;
  if (mnemonic.kind != TokenKind::name) {
    diagnostics_.error(first.location(), "expected an instruction");
    return recover();
  }
  const auto opcode = find_opcode(mnemonic.text);
  if (!opcode) {
    diagnostics_.error(mnemonic.location(), "unknown instruction {}", mnemonic.text);
    return recover();
  }
  instruction.opcode = *opcode;
  if (!parse_modifiers(instruction) || !parse_operands(instruction)) return recover();
  if (!peek().is(';')) {
    diagnostics_.error(peek().location(), "expected ';' after {}", mnemonic.text);
    return recover();
  }
  next();
  instruction.run = select_handler(instruction);
  if (instruction.run == nullptr) {
    std::string form(mnemonic.text);
    if (instruction.type != Type::none) form.append(".").append(type_name(instruction.type));
    diagnostics_.error(mnemonic.location(), "{} has no form with these modifiers", form);
    return;
  }
  module_->has_read_only_loads |= reads_constant_memory(instruction);
  module_->code.push_back(instruction);
}

bool Parser::parse_modifiers(Instruction& instruction) {
  const OpcodeInfo& info = opcode_info(instruction.opcode);
  while (peek().kind == TokenKind::dotted && !peek().spaced) {
    const Token token = next();
    const auto refuse = [&] {
      diagnostics_.error(token.location(), "{} does not take modifier .{}", info.text, token.text);
      return false;
    };
    if (const auto type = find_type(token.text)) {
      if ((info.types >> static_cast<uint32_t>(*type) & 1) == 0) return refuse();
      (instruction.type == Type::none ? instruction.type : instruction.type2) = *type;
    } else if (const auto space = find_space(token.text); space && info.spaces) {
      instruction.space = *space;
    } else if (const auto modifier = find_modifier(token.text)) {
      if (!info.modifiers.has(*modifier)) return refuse();
      instruction.modifiers.add(*modifier);
      if (*modifier == Mod::v2) instruction.vector = 2;
      if (*modifier == Mod::v4) instruction.vector = 4;
    } else if (info.memory_ordering && token.text.find("::") != std::string_view::npos) {
      continue;  // cache eviction and prefetch hints
    } else {
      diagnostics_.error(token.location(), "unknown modifier .{} of {}", token.text, info.text);
      return false;
    }
  }
  return true;
}

bool Parser::parse_operands(Instruction& instruction) {
  int sources = 0;
  bool first = true;
  for (char shape : opcode_info(instruction.opcode).operands) {
    if (shape == 'D') {
      if (accept('|') && !destination(instruction.dst[1], true)) return false;
      continue;
    }
    const bool optional = shape == 'S' || shape == 'c';
    if (optional && !peek().is(',')) continue;
    if (!first && !expect(',')) return false;
    first = false;
    if (!parse_operand(shape, instruction, sources)) return false;
  }
  return true;
}

bool Parser::parse_operand(char shape, Instruction& instruction, int& source_index) {
  switch (shape) {
    case 'd':
      if (peek().is('{') && instruction.opcode == Opcode::mov) return parse_vector(instruction, true, 0);
      return destination(instruction.dst[0], has_predicate_destination(instruction));
    case 's':
    case 'S':
    case 'p':
    case 'c': {
      if (peek().is('{') && instruction.opcode == Opcode::mov) return parse_vector(instruction, false, 0);
      const int index = source_index++;
      const bool is_barrier = instruction.opcode == Opcode::bar || instruction.opcode == Opcode::barrier;
      if (is_barrier && index == 0 && !instruction.has(Mod::warp) && peek().kind == TokenKind::integer &&
          peek().bits > 15) {
        diagnostics_.error(peek().location(), "there is no barrier {}: they are 0 to 15", peek().bits);
        return false;
      }
      const bool predicate = is_predicate_source(instruction, index);
      if (predicate && accept('!')) instruction.negated |= static_cast<uint8_t>(1u << index);
      if (instruction.opcode == Opcode::mov && accept_opaque(instruction.src[index])) return true;
      return source(instruction.src[index], source_type(instruction, index), predicate);
    }
    case 'v': return parse_vector(instruction, true, instruction.vector);
    case 'V': return parse_vector(instruction, false, instruction.vector);
    case 'm': return parse_address(instruction);
    case 'L': {
      const Token label = next();
      if (label.kind != TokenKind::name) {
        diagnostics_.error(label.location(), "expected a label");
        return false;
      }
      label_uses_.push_back({static_cast<uint32_t>(module_->code.size()), kNone, 0, label});
      return true;
    }
    case 'T': {
      const Token table = next();
      Symbol storage;
      const Symbol* symbol = scopes_.find(table.text, storage);
      if (symbol == nullptr || symbol->kind != Symbol::Kind::table) {
        diagnostics_.error(table.location(), "{} is not a .branchtargets label", table.text);
        return false;
      }
      instruction.target = symbol->index;
      return true;
    }
    case 'C': return parse_call(instruction);
    case 'x': return parse_texture(instruction);
    case 'u': return parse_surface(instruction, false);
    case 'U': return parse_surface(instruction, true);
    case 'q': return parse_query(instruction);
    default: return false;
  }
}

// `{a, b, c, d}`, or a single register if count is 1. A count of 0 (mov) accepts 2 or 4 elements.
bool Parser::parse_vector(Instruction& instruction, bool is_destination, int count) {
  int at = 0;
  const auto one = [&] {
    if (at == 4) return false;
    return is_destination ? destination(instruction.dst[at++], false)
                          : source(instruction.src[at++], instruction.type);
  };
  const Token start = peek();
  if (accept('{')) {
    do {
      if (!one()) return false;
    } while (accept(','));
    if (!expect('}')) return false;
  } else {
    if (const Symbol* symbol = vector_register(start)) {
      next();
      for (; at < static_cast<int>(symbol->count) && at < 4; ++at) {
        (is_destination ? instruction.dst[at] : instruction.src[at]) =
            symbol->index + static_cast<uint32_t>(at);
      }
    } else if (!one()) {
      return false;
    }
  }
  if (count == 0) {
    instruction.vector = static_cast<uint8_t>(at);
  } else if (at != count) {
    diagnostics_.error(start.location(), "expected {} element{}, found {}", count, count == 1 ? "" : "s", at);
    return false;
  }
  return true;
}

// The .v2 or .v4 register that the token names, if the whole of it is meant; otherwise null.
const Symbol* Parser::vector_register(const Token& token) {
  Symbol storage;
  const Symbol* symbol = token.kind == TokenKind::name ? scopes_.find(token.text, storage) : nullptr;
  const bool is_component = peek(1).kind == TokenKind::dotted && !peek(1).spaced;
  if (symbol == nullptr || symbol == &storage || is_component) return nullptr;
  return symbol->kind == Symbol::Kind::reg && symbol->count > 1 ? symbol : nullptr;
}

// `%v.x`, `%tid.x`: a name followed by a component is one operand.
std::string_view Parser::joined_name() {
  const Token name = next();
  if (peek().kind == TokenKind::dotted && !peek().spaced) {
    const Token component = next();
    return {name.text.data(),
            static_cast<size_t>(component.text.data() + component.text.size() - name.text.data())};
  }
  return name.text;
}

bool Parser::register_operand(uint32_t& reg, bool predicate) {
  const Token token = peek();
  if (token.kind != TokenKind::name) {
    diagnostics_.error(token.location(), "expected a register");
    return false;
  }
  std::string_view name = joined_name();
  Symbol storage;
  const Symbol* symbol = scopes_.find(name, storage);
  uint32_t component = 0;
  if (symbol == nullptr && name.size() > 2 && name[name.size() - 2] == '.') {
    component = static_cast<uint32_t>(std::string_view("xyzw").find(name.back()));
    symbol = scopes_.find(name.substr(0, name.size() - 2), storage);
    if (symbol != nullptr && (symbol->kind != Symbol::Kind::reg || component >= symbol->count))
      symbol = nullptr;
  }
  if (symbol == nullptr || symbol->kind != Symbol::Kind::reg) {
    diagnostics_.error(token.location(), "{} is not a declared register", name);
    return false;
  }
  reg = symbol->index + component;
  if (predicate_registers_[reg] != predicate) {
    diagnostics_.error(token.location(), "{} is {} predicate", name, predicate ? "not a" : "a");
    return false;
  }
  return true;
}

bool Parser::destination(uint32_t& reg, bool predicate) {
  if (peek().kind == TokenKind::name && peek().text == "_") {
    next();
    reg = kSink;
    return true;
  }
  return register_operand(reg, predicate);
}

uint32_t Parser::constant(uint64_t value, uint32_t global) {
  const auto [entry, added] = constants_.try_emplace({value, global}, module_->register_count);
  if (added) {
    new_register();
    predicate_registers_.resize(module_->register_count);
    module_->constants.push_back({entry->second, value, global});
  }
  return entry->second;
}

std::optional<uint64_t> Parser::literal(Type type) {
  const bool negative = accept('-');
  const Token token = next();
  const auto flip = [&](uint64_t bits, int width) {
    return negative ? bits ^ (uint64_t{1} << (width - 1)) : bits;
  };
  switch (token.kind) {
    case TokenKind::integer: return negative ? 0 - token.bits : token.bits;
    case TokenKind::single: {
      const auto bits = static_cast<uint32_t>(flip(token.bits, 32));
      return type == Type::f64 ? std::bit_cast<uint64_t>(static_cast<double>(std::bit_cast<float>(bits)))
                               : bits;
    }
    case TokenKind::double_: {
      const uint64_t bits = flip(token.bits, 64);
      return type == Type::f32 ? std::bit_cast<uint32_t>(static_cast<float>(std::bit_cast<double>(bits)))
                               : bits;
    }
    default: break;
  }
  diagnostics_.error(token.location(), "expected a register or a number");
  return std::nullopt;
}

// A register, a number, a special register, or the address of a variable.
bool Parser::source(uint32_t& reg, Type type, bool predicate) {
  const Token token = peek();
  if (token.kind != TokenKind::name) {
    if (predicate && token.kind != TokenKind::integer) {
      diagnostics_.error(token.location(), "expected a predicate");
      return false;
    }
    const auto value = literal(type);
    if (!value) return false;
    reg = constant(*value);
    return true;
  }
  if (token.text == "WARP_SZ") {
    next();
    reg = constant(32);
    return true;
  }
  Symbol storage;
  const Symbol* symbol = scopes_.find(token.text, storage);
  if (symbol != nullptr && symbol->kind == Symbol::Kind::variable) {
    next();
    uint64_t offset = symbol->offset;
    if (accept('+')) offset += next().bits;
    const bool module_space = symbol->space == Space::global || symbol->space == Space::const_;
    reg = constant(offset, module_space ? symbol->index : kNone);
    return true;
  }
  if (symbol == nullptr && token.text[0] == '%') {
    const size_t before = at_;
    const std::string_view name = joined_name();
    for (uint32_t i = 0; i < static_cast<uint32_t>(Special::count_); ++i) {
      if (kSpecialNames[i] != name) continue;
      reg = kFirstSpecial + i;
      return true;
    }
    at_ = before;
  }
  if (symbol != nullptr && symbol->kind == Symbol::Kind::opaque) {
    diagnostics_.error(token.location(),
                       "{} is a {}, which only texture and surface instructions and mov accept", token.text,
                       opaque_name(module_->opaques[symbol->index].kind));
    return false;
  }
  return register_operand(reg, predicate);
}

// [reg], [reg+imm], [name], [name+imm], [imm] (PTX ISA 6.4.1).
bool Parser::parse_address(Instruction& instruction) {
  if (!expect('[')) return false;
  const bool store = instruction.opcode == Opcode::st;
  uint32_t& base =
      instruction.src[store                                                                     ? 4
                      : instruction.opcode == Opcode::atom || instruction.opcode == Opcode::red ? 3
                                                                                                : 0];
  const Token token = peek();
  if (token.kind == TokenKind::integer) {
    instruction.fixed_address = true;
    instruction.offset = static_cast<int64_t>(next().bits);
  } else {
    Symbol storage;
    const Symbol* symbol = token.kind == TokenKind::name ? scopes_.find(token.text, storage) : nullptr;
    const bool local_symbol = symbol != nullptr && symbol->kind == Symbol::Kind::variable &&
                              symbol->space != Space::global && symbol->space != Space::const_;
    if (local_symbol) {
      next();
      instruction.fixed_address = true;
      instruction.offset = static_cast<int64_t>(symbol->offset);
      if (instruction.space == Space::generic) {
        diagnostics_.error(token.location(), "{} needs a state space to be addressed by name", token.text);
        return false;
      }
    } else if (!source(base, Type::b64)) {
      return false;
    }
    if (accept('+')) {  // a negative offset is written `+-4`
      const bool negative = accept('-');
      const Token offset = next();
      if (offset.kind != TokenKind::integer) {
        diagnostics_.error(offset.location(), "expected an offset");
        return false;
      }
      instruction.offset += static_cast<int64_t>(negative ? 0 - offset.bits : offset.bits);
    }
  }
  return expect(']');
}

// call[.uni] [(results),] function [, (arguments)];  Results and arguments are .param
// variables.
bool Parser::parse_call(Instruction& instruction) {
  Call call;
  if (peek().is('(')) {
    if (!parse_call_list(call.results) || !expect(',')) return false;
  }
  const Token name = next();
  for (uint32_t i = 0; i < module_->functions.size(); ++i) {
    if (module_->functions[i].name == name.text && !module_->functions[i].is_entry) call.function = i;
  }
  if (call.function == kNone) {
    diagnostics_.error(name.location(), "{} is not a declared function", name.text);
    return false;
  }
  if (accept(',') && !parse_call_list(call.arguments)) return false;
  const Function& function = module_->functions[call.function];
  if (call.arguments.size() != function.parameters.size() || call.results.size() != function.results.size()) {
    diagnostics_.error(name.location(), "{} takes {} argument(s) and gives {} result(s)", name.text,
                       function.parameters.size(), function.results.size());
    return false;
  }
  instruction.target = static_cast<uint32_t>(module_->calls.size());
  module_->calls.push_back(std::move(call));
  return true;
}

bool Parser::parse_call_list(std::vector<Parameter>& list) {
  if (!expect('(')) return false;
  while (!peek().is(')')) {
    const Token token = next();
    Symbol storage;
    const Symbol* symbol = scopes_.find(token.text, storage);
    if (symbol == nullptr || symbol->kind != Symbol::Kind::variable || symbol->space != Space::param ||
        symbol->offset < kCallParameterBase) {
      diagnostics_.error(token.location(), "{} is not a .param variable of the function", token.text);
      return false;
    }
    list.push_back({static_cast<uint32_t>(symbol->offset), symbol->size});
    if (!accept(',')) break;
  }
  return expect(')');
}

// A use that is still unresolved at the end of a block may refer to an outer one.
void Parser::resolve_labels(bool function_ends) {
  std::vector<LabelUse> left;
  for (const LabelUse& use : label_uses_) {
    Symbol storage;
    const Symbol* symbol = scopes_.find(use.token.text, storage);
    if (symbol == nullptr || symbol->kind != Symbol::Kind::label) {
      if (!function_ends) {
        left.push_back(use);
      } else {
        diagnostics_.error(use.token.location(), "label {} is not defined", use.token.text);
      }
    } else if (use.table != kNone) {
      module_->branch_tables[use.table][use.entry] = symbol->index;
    } else if (use.instruction < module_->code.size()) {
      module_->code[use.instruction].target = symbol->index;
    }
  }
  label_uses_ = std::move(left);
}

}  // namespace texlate::sim::ptx
