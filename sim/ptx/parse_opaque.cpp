// .texref, .samplerref, .surfref: declarations, initializers, and uses as operands (PTX ISA 5.3).
#include "sim/ptx/parser.h"

namespace texlate::sim::ptx {

namespace {

constexpr std::string_view kNames[] = {".texref", ".samplerref", ".surfref"};
// PTX ISA 5.3.1 and 5.3.2; a number may replace a name and counts in this order.
constexpr std::string_view kFilters[] = {"nearest", "linear"};
constexpr std::string_view kAddressModes[] = {"wrap", "mirror", "clamp_ogl", "clamp_to_edge",
                                              "clamp_to_border"};
// Properties that the host's texture defines.
constexpr std::string_view kViewFields[] = {
    "width",         "height",     "depth",       "channel_data_type",
    "channel_order", "array_size", "num_samples", "num_mipmap_levels",
    "memory_layout",
};

std::optional<OpaqueKind> opaque_kind(const Token& token) {
  if (token.is_dotted("texref")) return OpaqueKind::texture;
  if (token.is_dotted("samplerref")) return OpaqueKind::sampler;
  if (token.is_dotted("surfref")) return OpaqueKind::surface;
  return std::nullopt;
}

}  // namespace

std::string_view opaque_name(OpaqueKind kind) {
  return kNames[static_cast<size_t>(kind)];
}

bool Parser::declare_opaque(const Token& name, OpaqueVariable variable) {
  if (name.kind != TokenKind::name) {
    diagnostics_.error(name.location(), "expected a variable's name");
    return false;
  }
  if (variable.kind == OpaqueKind::sampler && !module_->independent) {
    diagnostics_.error(name.location(), "a .samplerref needs .target texmode_independent");
    return false;
  }
  const auto index = static_cast<uint32_t>(module_->opaques.size());
  variable.name = name.text;
  variable.line = name.line, variable.column = name.column;
  variable.reg = new_register();
  predicate_registers_.resize(module_->register_count);
  module_->constants.push_back({variable.reg, 0, kNone, index});
  if (!scopes_.declare(name.text, {Symbol::Kind::opaque, Type::none, Space::global, index, 0, 0, 0})) {
    diagnostics_.error(name.location(), "{} is declared twice", name.text);
    return false;
  }
  module_->opaques.push_back(std::move(variable));
  return true;
}

// .global .texref name [= {field = value, ...}], ...; Returns false if no opaque type follows.
bool Parser::parse_opaques(Space space) {
  const Token type = peek();
  const auto kind = opaque_kind(type);
  if (!kind) return false;
  next();
  if (space != Space::global || block_depth_ != 0) {
    diagnostics_.error(type.location(),
                       "a {} must be a .global variable of the module or a parameter of an entry",
                       opaque_name(*kind));
    recover();
    return true;
  }
  do {
    const Token name = next();
    OpaqueVariable variable;
    variable.kind = *kind;
    if (peek().is('[')) {
      diagnostics_.error(peek().location(),
                         "arrays of {} are not supported: the ISA does not say where their elements are",
                         opaque_name(*kind));
      recover();
      return true;
    }
    if (accept('=') && !parse_opaque_initializer(variable)) {
      recover();
      return true;
    }
    if (!declare_opaque(name, std::move(variable))) {
      recover();
      return true;
    }
  } while (accept(','));
  if (!expect(';')) recover();
  return true;
}

// .param .texref name. It has no space in the parameter block: the host binds it by name. Returns false if no
// opaque type follows.
bool Parser::parse_opaque_parameter(const Function& function, bool entry) {
  const Token type = peek();
  const auto kind = opaque_kind(type);
  if (!kind) return false;
  next();
  const Token name = next();
  OpaqueVariable variable;
  variable.kind = *kind;
  variable.entry = function.name;
  if (!entry) {
    diagnostics_.error(type.location(), "only an entry has parameters of the type {}", opaque_name(*kind));
  } else {
    declare_opaque(name, std::move(variable));
  }
  return true;
}

bool Parser::parse_opaque_initializer(OpaqueVariable& variable) {
  variable.initialized = true;
  if (!expect('{')) return false;
  while (!peek().is('}')) {
    if (!parse_opaque_field(variable)) return false;
    if (!accept(',')) break;
  }
  return expect('}');
}

// One of the names, or its number.
std::optional<uint32_t> Parser::parse_enumerator(std::span<const std::string_view> names) {
  const Token value = next();
  if (value.kind == TokenKind::integer && value.bits < names.size()) return static_cast<uint32_t>(value.bits);
  for (uint32_t i = 0; i < names.size(); ++i) {
    if (value.kind == TokenKind::name && value.text == names[i]) return i;
  }
  diagnostics_.error(value.location(), "{} is not a value of this field", value.text);
  return std::nullopt;
}

bool Parser::parse_opaque_field(OpaqueVariable& variable) {
  static constexpr std::string_view kTruth[] = {"false", "true"};
  const Token field = next();
  if (!expect('=')) return false;
  const bool sampler = variable.kind == OpaqueKind::sampler, texture = variable.kind == OpaqueKind::texture;
  if (!sampler &&
      std::find(std::begin(kViewFields), std::end(kViewFields), field.text) != std::end(kViewFields)) {
    next();
    return true;
  }
  if (field.text == "filter_mode" && (sampler || texture)) {
    const auto value = parse_enumerator(kFilters);
    if (value) variable.filter = *value == 1 ? Filter::linear : Filter::point;
    return value.has_value();
  }
  if (field.text == "normalized_coords" && texture) {
    const auto value = parse_enumerator(kTruth);
    if (value) variable.normalized = *value != 0;
    return value.has_value();
  }
  if (field.text == "force_unnormalized_coords" && sampler) {
    const auto value = parse_enumerator(kTruth);
    if (value) variable.force_unnormalized = *value != 0;
    return value.has_value();
  }
  constexpr std::string_view kAddress = "addr_mode_";
  const bool axis_known =
      field.text.size() == kAddress.size() + 1 && field.text.back() >= '0' && field.text.back() <= '2';
  if (field.text.substr(0, kAddress.size()) != kAddress || !axis_known || !(sampler || texture)) {
    diagnostics_.error(field.location(), "a {} has no field {}", opaque_name(variable.kind), field.text);
    return false;
  }
  const Token at = peek();
  const auto value = parse_enumerator(kAddressModes);
  if (!value) return false;
  constexpr std::optional<AddressMode> kModes[] = {AddressMode::wrap, AddressMode::mirror, std::nullopt,
                                                   AddressMode::clamp, AddressMode::border};
  variable.address[static_cast<size_t>(field.text.back() - '0')] = kModes[*value];
  if (!kModes[*value]) diagnostics_.error(at.location(), "address mode clamp_ogl is not supported");
  return kModes[*value].has_value();
}

// The name of an opaque variable as an operand of mov: its handle.
bool Parser::accept_opaque(uint32_t& reg) {
  if (peek().kind != TokenKind::name) return false;
  Symbol storage;
  const Symbol* symbol = scopes_.find(peek().text, storage);
  if (symbol == nullptr || symbol->kind != Symbol::Kind::opaque) return false;
  next();
  reg = module_->opaques[symbol->index].reg;
  return true;
}

// The object of a texture or surface instruction: a variable's name, or a register with a handle.
bool Parser::handle_operand(uint32_t& reg, OpaqueKind kind) {
  const Token token = peek();
  Symbol storage;
  const Symbol* symbol = token.kind == TokenKind::name ? scopes_.find(token.text, storage) : nullptr;
  if (symbol == nullptr || symbol->kind != Symbol::Kind::opaque) {
    if (symbol == nullptr || symbol->kind != Symbol::Kind::variable) return register_operand(reg, false);
    diagnostics_.error(token.location(), "{} is neither a {} nor a register with a handle", token.text,
                       opaque_name(kind));
    return false;
  }
  const OpaqueVariable& variable = module_->opaques[symbol->index];
  if (variable.kind != kind) {
    diagnostics_.error(token.location(), "{} is a {}, but a {} is needed", token.text,
                       opaque_name(variable.kind), opaque_name(kind));
    return false;
  }
  next();
  reg = variable.reg;
  return true;
}

}  // namespace texlate::sim::ptx
