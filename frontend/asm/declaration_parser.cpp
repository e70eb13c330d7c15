#include "frontend/asm/declaration_parser.h"

#include <utility>

#include "frontend/sm4/declaration.h"
#include "ir/base/characters.h"

namespace texlate::assembly {

using sm4::ComponentCount;
using sm4::DeclarationPiece;
using sm4::Instruction;
using sm4::Opcode;
using sm4::Operand;
using sm4::OperandShape;
using sm4::RegisterFile;

bool parse_return_types(Cursor& cursor, uint32_t& packed) {
  packed = 0;
  for (uint32_t i = 0; i < 4; ++i) {
    if (i != 0 && !cursor.expect(',', "between return types")) return false;
    cursor.skip_blanks();
    const char* from = cursor.at;
    if (cursor.peek() == '<') ++cursor.at;  // <unused>
    cursor.word();
    if (cursor.peek() == '>') ++cursor.at;
    const std::string_view name(from, static_cast<size_t>(cursor.at - from));
    auto type = sm4::find_keyword(sm4::kReturnTypeNames, name);
    if (!type) return cursor.error(from, "unknown resource dimension or return type '{}'", name);
    packed |= *type << (4 * i);
  }
  return cursor.expect(')', "after the return types");
}

bool DeclarationParser::parse(Instruction& dcl, std::string_view mnemonic, std::string_view suffix) {
  mnemonic_ = mnemonic;
  suffix_ = suffix;
  if (dcl.opcode == Opcode::custom_data) return parse_constant_buffer(dcl);
  for (char piece : sm4::declaration_pieces(dcl.opcode)) {
    if (!parse_piece(static_cast<DeclarationPiece>(piece), dcl)) return false;
  }
  if (!suffix_.empty()) return cursor_.error(mnemonic_.data(), "unknown declaration '{}'", mnemonic_);
  return true;
}

bool DeclarationParser::parse_piece(DeclarationPiece piece, Instruction& dcl) {
  uint32_t value = 0;
  switch (piece) {
    case DeclarationPiece::dimension: return parse_dimension(dcl);
    case DeclarationPiece::uav_flags: parse_uav_flags(dcl); return true;
    case DeclarationPiece::return_types:
      cursor_.skip_blanks();
      if (!cursor_.expect('(', "before the return types") || !parse_return_types(cursor_, value))
        return false;
      add_word(value);
      return true;
    case DeclarationPiece::operand: return parse_declared_operand(dcl);
    case DeclarationPiece::range: return parse_range(dcl, false);
    case DeclarationPiece::constant_buffer: return parse_range(dcl, true);
    case DeclarationPiece::indexable_temp: return parse_indexable_temp();
    case DeclarationPiece::access_pattern:
      if (!cursor_.expect(',', "before the access pattern")) return false;
      if (!cursor_.parse_keyword(sm4::kAccessPatternNames, "access pattern", value)) return false;
      dcl.controls |= static_cast<uint16_t>(value);
      return true;
    case DeclarationPiece::sampler_mode: return parse_sampler_mode(dcl);
    case DeclarationPiece::interpolation: return parse_interpolation(dcl);
    case DeclarationPiece::system_value:
      if (!cursor_.expect(',', "before the system value")) return false;
      if (!cursor_.parse_keyword(sm4::kSystemValueNames, "system value", value)) return false;
      add_word(value);
      return true;
    case DeclarationPiece::number_after_comma:
      if (!cursor_.expect(',', "before the next number")) return false;
      [[fallthrough]];
    case DeclarationPiece::number:
      if (dcl.opcode == Opcode::dcl_indexrange) return parse_index_count();
      if (!cursor_.parse_number("a number", value)) return false;
      add_word(value);
      return true;
    case DeclarationPiece::float_number: return parse_float_number();
    case DeclarationPiece::global_flags: return parse_global_flags(dcl);
    case DeclarationPiece::input_primitive:
    case DeclarationPiece::output_topology:
    case DeclarationPiece::tessellator_domain:
    case DeclarationPiece::tessellator_partitioning:
    case DeclarationPiece::tessellator_output: {
      const sm4::ControlWord control = sm4::control_word(piece);
      if (!cursor_.parse_keyword(control.table, control.what, value)) return false;
      dcl.controls |= static_cast<uint16_t>(value);
      return true;
    }
    case DeclarationPiece::control_points: {
      const char* from = cursor_.at;
      if (!cursor_.parse_number("the number of control points", value)) return false;
      if (value > 32) return cursor_.error(from, "{} control points exceed the limit of 32", value);
      dcl.controls |= static_cast<uint16_t>(value);
      return true;
    }
    case DeclarationPiece::space:
    case DeclarationPiece::space_or_blank: return parse_view_flags(dcl) && parse_space();
    case DeclarationPiece::function_body:
      if (!parse_named_id("fb", value)) return false;
      add_word(value);
      return true;
    case DeclarationPiece::function_table: return parse_function_table();
    case DeclarationPiece::interface_: return parse_interface(dcl);
    case DeclarationPiece::trailing_blank: return true;
  }
  return true;
}

// `_glc_opc`: the suffixes after the first, or all.
void DeclarationParser::parse_uav_flags(Instruction& dcl) {
  while (!suffix_.empty()) {
    const size_t cut = suffix_.find('_');
    const auto flag = sm4::find_keyword(sm4::kUavFlagNames, suffix_.substr(0, cut));
    if (!flag) return;  // already reported by parse()
    dcl.controls |= static_cast<uint16_t>(*flag);
    suffix_ = cut == std::string_view::npos ? std::string_view{} : suffix_.substr(cut + 1);
  }
}

// vkd3d omits mode_default: `dcl_sampler s0`, `dcl_sampler s0[0:0], space=1`.
bool DeclarationParser::parse_sampler_mode(Instruction& dcl) {
  const char* before = cursor_.at;
  if (!cursor_.take(',')) return true;
  cursor_.skip_blanks();
  const auto mode = sm4::find_keyword(sm4::kSamplerModeNames, cursor_.word());
  if (!mode && cursor_.peek() != '=') return cursor_.error(before, "unknown sampler mode");
  if (mode) dcl.controls |= static_cast<uint16_t>(*mode);
  if (!mode) cursor_.at = before;
  return true;
}

// ` l(64.000000)`, or the number alone.
bool DeclarationParser::parse_float_number() {
  cursor_.skip_blanks();
  const bool bracketed = cursor_.peek() == 'l';
  if (bracketed && (++cursor_.at, !cursor_.expect('(', "after 'l'"))) return false;
  const char* from = cursor_.at;
  uint32_t value = 0;
  if (!cursor_.report(read_literal(cursor_.at, cursor_.end, value), from)) return false;
  add_word(value);
  return !bracketed || cursor_.expect(')', "at the end of the literal");
}

bool DeclarationParser::parse_function_table() {
  uint32_t id = 0, count = 0;
  if (!parse_named_id("ft", id)) return false;
  add_word(id);
  add_word(0);
  const size_t count_at = program_.words.size() - 1;
  if (!parse_id_list("fb", count)) return false;
  program_.words[count_at] = count;
  return true;
}

// `_texture2d`, `_texture2dms(4)`: the first suffix.
bool DeclarationParser::parse_dimension(Instruction& dcl) {
  const size_t cut = suffix_.find('_');
  const std::string_view name = suffix_.substr(0, cut);
  const auto dimension = sm4::find_keyword(sm4::kDimensionNames, name);
  if (!dimension) return cursor_.error(mnemonic_.data(), "unknown resource dimension in '{}'", mnemonic_);
  suffix_ = cut == std::string_view::npos ? std::string_view{} : suffix_.substr(cut + 1);
  dcl.controls |= static_cast<uint16_t>(*dimension);
  if (cursor_.peek() == '(') {  // no blank before the parenthesis: the sample count, not the return types
    ++cursor_.at;
    const char* from = cursor_.at;
    uint32_t samples = 0;
    if (!cursor_.parse_number("the sample count", samples) || !cursor_.expect(')', "after the sample count"))
      return false;
    if (samples > 127) return cursor_.error(from, "sample count {} is too large", samples);
    dcl.controls |= static_cast<uint16_t>(samples << 5);
  }
  return true;
}

// `t3` in 5.0, `T0[3:5]` or `T0[3:*]` in 5.1. The size of a constant buffer follows: `cb0[12]`,
// `CB0[0:0][12]`.
bool DeclarationParser::parse_range(Instruction& dcl, bool sized) {
  cursor_.skip_blanks();
  const char* from = cursor_.at;
  ++dcl.operand_count;
  Operand& operand = operand_;
  operand = Operand{};
  if (!parse_named_register()) {
    cursor_.at = from;
    const auto file = parse_register_name(cursor_);
    if (file) operand.file = *file;
    if (!file || operand.is_immediate()) return cursor_.error(from, "expected a register");
    if (!cursor_.parse_number("a register number", operand.index[0].immediate)) return false;
  }
  operand.index_count = 1;
  uint32_t size = 0;
  if (sm51() && !parse_bounds(from)) return false;
  if (sized) {
    if (!cursor_.expect('[', "before the size") || !cursor_.parse_number("the size", size) ||
        !cursor_.expect(']', "after the size"))
      return false;
    skip_buffer_name();
    if (sm51()) {
      add_word(size);
    } else {
      operand.index[1].immediate = size;
      operand.index_count = 2;
    }
  }
  // The compilers give constant buffers, and in 5.1 all ranges, a full swizzle that the text does not show.
  if (sized || sm51()) {
    operand.component_count = ComponentCount::four;
    operand.selection = sm4::Selection::swizzle;
    operand.components = sm4::kIdentitySwizzle;
  }
  return true;
}

// `[3:5]` or `[3:*]`. RenderDoc prints `[3:unbound]`, and nothing for a single register, whose number follows
// the space (see parse_registers()).
bool DeclarationParser::parse_bounds(const char* from) {
  Operand& operand = operand_;
  const char* const begin = cursor_.at;
  uint32_t lower = 0, upper = 0;
  operand.index_count = 3;
  awaits_register_ = true;
  if (!cursor_.take('[')) {
    if (operand.file == RegisterFile::constant_buffer)
      return cursor_.error(from, "expected the size of the buffer");
    return true;
  }
  if (!cursor_.parse_number("the first register", lower)) return false;
  if (cursor_.peek() == ']' && operand.file == RegisterFile::constant_buffer) {
    cursor_.at = begin;  // the size
    return true;
  }
  if (!cursor_.expect(':', "in the register range")) return false;
  cursor_.skip_blanks();
  if (cursor_.take('*') || (is_letter(cursor_.peek()) && cursor_.word() == "unbound")) {
    upper = sm4::kUnbounded;
  } else if (!cursor_.parse_number("the last register", upper)) {
    return false;
  }
  operand.index[1].immediate = lower;
  operand.index[2].immediate = upper;
  awaits_register_ = false;
  return cursor_.expect(']', "after the register range");
}

// RenderDoc prints the names of resources and samplers: `Diffuse (t0)`. Returns false if there is no name.
bool DeclarationParser::parse_named_register() {
  constexpr size_t kMostNames = 256;  // all t#, s# and u# of model 5.0 have 208
  const std::string_view name = cursor_.word();
  cursor_.skip_blanks();
  if (sm51() || name.empty() || cursor_.peek() != '(' || operands_.listed().names.size() == kMostNames)
    return false;
  ++cursor_.at;
  const auto file = parse_register_name(cursor_);
  if (!file || file == RegisterFile::immediate32 || file == RegisterFile::immediate64) return false;
  const char* digits = cursor_.at;
  if (read_unsigned(cursor_.at, cursor_.end, operand_.index[0].immediate) != LiteralError::none ||
      cursor_.at == digits || !cursor_.take(')'))
    return false;
  operand_.file = *file;
  operands_.listed().names.push_back({name, *file, operand_.index[0].immediate});
  operands_.listed().has_friendly_names = true;
  return true;
}

// `cb0[2] (Params)`: RenderDoc's operands do not use the name.
void DeclarationParser::skip_buffer_name() {
  const char* before = cursor_.at;
  cursor_.skip_blanks();
  const bool is_named = cursor_.peek() == '(';
  while (is_named && !cursor_.at_end() && cursor_.peek() != ')') ++cursor_.at;
  if (!is_named || !cursor_.take(')'))
    cursor_.at = before;
  else
    operands_.listed().has_friendly_names = true;
}

bool DeclarationParser::parse_declared_operand(Instruction& dcl) {
  ++dcl.operand_count;
  Operand& operand = operand_;
  sm4::OperandPlace place;
  if (!operands_.parse(OperandShape::destination, operand, place)) return false;
  // These are read and written as one component, but fxc declares them without components.
  const bool scalar = operand.file == RegisterFile::input_primitive_id ||
                      operand.file == RegisterFile::output_coverage_mask ||
                      operand.file == RegisterFile::output_control_point_id;
  if (scalar && operand.component_count == ComponentCount::one)
    operand.component_count = ComponentCount::none;
  return true;
}

// ` 4`, or hand-written `dcl_indexRange o[0], o[3]`.
bool DeclarationParser::parse_index_count() {
  uint32_t value = 0;
  if (cursor_.take(',')) {
    Operand last;
    sm4::OperandPlace place;
    const char* from = cursor_.at;
    if (!operands_.parse(OperandShape::destination, last, place)) return false;
    const Operand& first = operand_;
    if (last.index_count == 0 || last.index_count != first.index_count || last.file != first.file) {
      return cursor_.error(from, "the two ends of the index range do not match");
    }
    const uint32_t i = last.index_count - 1;
    if (last.index[i].immediate < first.index[i].immediate)
      return cursor_.error(from, "the index range ends before it starts");
    value = last.index[i].immediate - first.index[i].immediate + 1;
  } else if (!cursor_.parse_number("the number of registers", value)) {
    return false;
  }
  add_word(value);
  return true;
}

bool DeclarationParser::parse_indexable_temp() {
  cursor_.skip_blanks();
  const char* from = cursor_.at;
  if (parse_register_name(cursor_) != RegisterFile::indexable_temp) return cursor_.error(from, "expected x#");
  uint32_t id = 0;
  uint32_t count = 0;
  uint32_t components = 0;
  if (!cursor_.parse_number("a register number", id) || !cursor_.expect('[', "before the size") ||
      !cursor_.parse_number("the size", count) || !cursor_.expect(']', "after the size") ||
      !cursor_.expect(',', "before the component count") ||
      !cursor_.parse_number("the component count", components)) {
    return false;
  }
  add_word(id);
  add_word(count);
  add_word(components);
  return true;
}

// `linear noperspective centroid`: takes the longest match. Compilers before 10.x print none for
// dcl_input_ps_sgv.
bool DeclarationParser::parse_interpolation(Instruction& dcl) {
  cursor_.skip_blanks();
  const std::string_view rest = cursor_.rest();
  const sm4::Keyword* best = nullptr;
  for (const sm4::Keyword& keyword : sm4::kInterpolationNames) {
    if (!sm4::equal_ignoring_case(rest.substr(0, keyword.name.size()), keyword.name)) continue;
    if (best == nullptr || keyword.name.size() > best->name.size()) best = &keyword;
  }
  if (best == nullptr) {
    if (dcl.opcode != Opcode::dcl_input_ps_sgv) return true;
    best = &sm4::kInterpolationNames[0];  // the tokens have `constant` in any case
    dcl.controls |= static_cast<uint16_t>(best->value);
    return true;
  }
  cursor_.at += best->name.size();
  dcl.controls |= static_cast<uint16_t>(best->value);
  return true;
}

/// RenderDoc's, where they are not fxc's.
constexpr sm4::Keyword kListedGlobalFlags[] = {
    {"doublePrecisionFloats", sm4::kEnableDoublePrecision},
    {"skipOptimisation", sm4::kSkipOptimization},
    {"enableMinPrecision", sm4::kEnableMinimumPrecision},
    {"doubleExtensions", sm4::kEnable11_1DoubleExtensions},
    {"shaderExtensions", sm4::kEnable11_1ShaderExtensions},
    {"d3d12AllResourcesBound", sm4::kAllResourcesBound},
};

// `refactoringAllowed | allResourcesBound`; RenderDoc prints commas.
bool DeclarationParser::parse_global_flags(Instruction& dcl) {
  if (cursor_.at_line_end()) return true;
  do {
    cursor_.skip_blanks();
    const char* from = cursor_.at;
    uint32_t flag = 0;
    if (const auto listed = sm4::find_keyword(kListedGlobalFlags, cursor_.word())) {
      flag = *listed;
    } else {
      cursor_.at = from;
      if (!cursor_.parse_keyword(sm4::kGlobalFlagNames, "global flag", flag)) return false;
    }
    dcl.controls |= static_cast<uint16_t>(flag);
  } while (cursor_.take('|') || cursor_.take(','));
  return true;
}

/// RenderDoc's words for `_glc`, `_rov` and `_opc`.
constexpr sm4::Keyword kListedViewFlags[] = {
    {"globallyCoherant", sm4::controls::kUavGloballyCoherent},
    {"rasterizerOrderedAccess", sm4::controls::kUavRasterizerOrdered},
    {"hasOrderPreservingCounter", sm4::controls::kUavOrderedCounter},
};

// `dcl_uav_raw u0, globallyCoherant`: RenderDoc's.
bool DeclarationParser::parse_view_flags(Instruction& dcl) {
  const std::string_view pieces = sm4::declaration_pieces(dcl.opcode);
  if (pieces.find(static_cast<char>(DeclarationPiece::uav_flags)) == std::string_view::npos) return true;
  for (const char* before = cursor_.at; cursor_.take(','); before = cursor_.at) {
    cursor_.skip_blanks();
    const auto flag = sm4::find_keyword(kListedViewFlags, cursor_.word());
    if (!flag) {
      cursor_.at = before;
      return true;
    }
    dcl.controls |= static_cast<uint16_t>(*flag);
  }
  return true;
}

// `, space=1`; RenderDoc's ` space=1,reg=3`.
bool DeclarationParser::parse_space() {
  if (!sm51()) return true;
  uint32_t space = 0;
  const bool has_comma = cursor_.take(',');
  cursor_.skip_blanks();
  if (has_comma || is_letter(cursor_.peek())) {
    const char* from = cursor_.at;
    if (!sm4::equal_ignoring_case(cursor_.word(), "space") || !cursor_.take('='))
      return cursor_.error(from, "expected 'space='");
    if (!cursor_.parse_number("the register space", space)) return false;
  }
  add_word(space);
  return parse_registers();
}

// `,reg=3`, `,regs=3:5` or `,regs=3:unbounded`: RenderDoc's. Only the first says what the operand does not.
bool DeclarationParser::parse_registers() {
  Operand& operand = operand_;
  const bool is_single = std::exchange(awaits_register_, false);
  if (!cursor_.take(',')) {
    if (!is_single) return true;
    return cursor_.error(cursor_.at,
                         "expected the registers of the range: either such as T0[3:3], or 'reg='");
  }
  cursor_.skip_blanks();
  const char* from = cursor_.at;
  uint32_t first = 0, last = sm4::kUnbounded;
  if (cursor_.word() != (is_single ? "reg" : "regs") || !cursor_.take('='))
    return cursor_.error(from, "expected '{}='", is_single ? "reg" : "regs");
  if (!cursor_.parse_number("the first register", first)) return false;
  if (is_single) {
    operand.index[1].immediate = operand.index[2].immediate = first;
  } else if (!cursor_.expect(':', "in the registers")) {
    return false;
  } else if (!(is_letter(cursor_.peek()) && cursor_.word() == "unbounded") &&
             !cursor_.parse_number("the last register", last)) {
    return false;
  } else if (first != operand.index[1].immediate || last != operand.index[2].immediate) {
    return cursor_.error(from, "these are other registers than those of the range");
  }
  constexpr size_t kMostRanges = 1024;  // each operand looks for its own
  if (operands_.listed().ranges.size() == kMostRanges)
    return cursor_.error(from, "more than {} ranges of RenderDoc", kMostRanges);
  operands_.listed().ranges.push_back({operand.file, operand.index[0].immediate, first, is_single});
  return true;
}

bool DeclarationParser::parse_named_id(std::string_view name, uint32_t& value) {
  cursor_.skip_blanks();
  const char* from = cursor_.at;
  if (!cursor_.rest().starts_with(name)) {
    return cursor_.error(from, "expected {}#", name);
  }
  cursor_.at += name.size();
  return cursor_.parse_number("a number", value);
}

// ` = {fb0, fb1}`
bool DeclarationParser::parse_id_list(std::string_view name, uint32_t& count) {
  count = 0;
  if (!cursor_.expect('=', "before the list") || !cursor_.expect('{', "before the list")) return false;
  if (cursor_.take('}')) return true;
  do {
    uint32_t id = 0;
    if (!parse_named_id(name, id)) return false;
    add_word(id);
    ++count;
  } while (cursor_.take(','));
  return cursor_.expect('}', "after the list");
}

// `fp0[array length][call sites] = {ft0, ft1}`; words: id, call sites, (array length << 16 | tables), tables
// (d3d12TokenizedProgramFormat.hpp, D3D11_SB_OPCODE_DCL_INTERFACE).
bool DeclarationParser::parse_interface(Instruction& dcl) {
  if (suffix_ == "dynamicindexed") {
    dcl.controls |= 1;
    suffix_ = {};
  }
  uint32_t id = 0;
  uint32_t length = 0;
  uint32_t call_sites = 0;
  if (!parse_named_id("fp", id) || !cursor_.expect('[', "before the array length") ||
      !cursor_.parse_number("the array length", length) || !cursor_.expect(']', "after the array length") ||
      !cursor_.expect('[', "before the call sites") ||
      !cursor_.parse_number("the number of call sites", call_sites) ||
      !cursor_.expect(']', "after the call sites")) {
    return false;
  }
  add_word(id);
  add_word(call_sites);
  add_word(0);
  const size_t count_at = program_.words.size() - 1;
  uint32_t count = 0;
  if (!parse_id_list("ft", count)) return false;
  program_.words[count_at] = (length << 16) | (count & 0xffff);
  return true;
}

bool DeclarationParser::parse_constant_buffer(Instruction& dcl) {
  dcl.controls = sm4::kImmediateConstantBuffer;
  if (parse_constant_rows()) return true;
  // The rows after one with an error are not instructions.
  for (Cursor next = cursor_; next.next_line();) {
    next.skip_blanks();
    if (next.peek() != '{') break;
    cursor_ = next;
  }
  return false;
}

// dcl_immediateConstantBuffer { { 1.000000, 0, 0, 0},
//                               { 0, 1.000000, 0, 0} }
bool DeclarationParser::parse_constant_rows() {
  auto skip_lines = [this] {
    for (;;) {
      cursor_.skip_blanks();
      const std::string_view rest = cursor_.rest();
      if (!rest.empty() && !rest.starts_with("//")) return;
      if (!cursor_.next_line()) return;
    }
  };
  if (!cursor_.expect('{', "before the constants")) return false;
  do {
    skip_lines();
    if (!cursor_.expect('{', "before a row of constants")) return false;
    for (uint32_t i = 0; i < 4; ++i) {
      if (i != 0 && !cursor_.expect(',', "between the four numbers of a row")) return false;
      cursor_.skip_blanks();
      const char* from = cursor_.at;
      uint32_t bits = 0;
      if (!cursor_.report(read_literal(cursor_.at, cursor_.end, bits), from)) return false;
      add_word(bits);
    }
    if (!cursor_.expect('}', "after a row of constants")) return false;
    skip_lines();
  } while (cursor_.take(','));
  return cursor_.expect('}', "after the constants");
}

}  // namespace texlate::assembly
