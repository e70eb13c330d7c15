#include "frontend/asm/operand_parser.h"

#include "ir/base/characters.h"

namespace texlate::assembly {

using sm4::ComponentCount;
using sm4::Operand;
using sm4::OperandShape;
using sm4::RegisterFile;
using sm4::Selection;

namespace {

/// `x0[x0[r1.x + 2].y + 3]` is the deepest nesting in practice; the token format allows only one level below
/// that.
constexpr uint32_t kMaxIndexDepth = 3;

constexpr bool takes_mask(OperandShape shape) {
  return shape == OperandShape::destination || shape == OperandShape::uav_store ||
         shape == OperandShape::memory_store || shape == OperandShape::atomic_target ||
         shape == OperandShape::counter;
}

/// Views that are read: their swizzle permutes the result, and text may omit it.
constexpr bool is_read_view(OperandShape shape) {
  return shape == OperandShape::resource || shape == OperandShape::resource_or_uav ||
         shape == OperandShape::memory || shape == OperandShape::resource_or_rasterizer;
}

constexpr int component_number(char c) {
  switch (c | 0x20) {  // in either case
    case 'x': return 0;
    case 'y': return 1;
    case 'z': return 2;
    case 'w': return 3;
    default: return -1;
  }
}

struct RegisterName {
  std::string_view name;
  RegisterFile file;
};
/// RenderDoc's, where they are not fxc's.
constexpr RegisterName kOtherNames[] = {{"vCoverageMask", RegisterFile::input_coverage_mask},
                                        {"oDepthLessEqual", RegisterFile::output_depth_less_equal},
                                        {"oDepthGreaterEqual", RegisterFile::output_depth_greater_equal}};

// fxc prints `|r2.x|`, RenderDoc `abs(r2.x)`.
char take_absolute(Cursor& cursor) {
  constexpr std::string_view kFunction = "abs(";
  if (cursor.take('|')) return '|';
  if (!cursor.rest().starts_with(kFunction)) return '\0';
  cursor.at += kFunction.size();
  return ')';
}

// Hand-written text: `case 1`, `udiv null, r0.x, v0.x, 4`, `mov x0[0].x, 2.0f`.
bool parse_bare_number(Cursor& cursor, Operand& operand) {
  const char* from = cursor.at;
  operand.file = RegisterFile::immediate32;
  operand.component_count = ComponentCount::one;
  operand.immediate = {};
  return cursor.report(read_literal(cursor.at, cursor.end, operand.immediate[0]), from);
}

bool parse_immediates(Cursor& cursor, Operand& operand) {
  const char* from = cursor.at;
  operand.immediate = {};
  if (!cursor.expect('(', "after 'l'")) return false;
  uint32_t count = 0;
  do {
    cursor.skip_blanks();
    const char* number = cursor.at;
    uint32_t bits = 0;
    if (!cursor.report(read_literal(cursor.at, cursor.end, bits), number)) return false;
    if (count == 4) return cursor.error(from, "a literal has one or four components, found more");
    operand.immediate[count++] = bits;
  } while (cursor.take(','));
  if (!cursor.expect(')', "at the end of the literal")) return false;
  operand.component_count = count == 1 ? ComponentCount::one : ComponentCount::four;
  if (count == 2 || count == 3) {
    cursor.warning(from, "a literal has one or four components, found {}: the others are 0", count);
  }
  return true;
}

// `d(1.000000l, 2.000000l)`; fxc's option /Lx prints four dwords: `d(0x00000000, 0x3ff00000, ...)`.
bool parse_doubles(Cursor& cursor, Operand& operand) {
  constexpr uint32_t kDwords = 4;
  const char* from = cursor.at;
  operand.immediate = {};
  operand.component_count = ComponentCount::four;
  if (!cursor.expect('(', "after 'd'")) return false;
  uint64_t values[kDwords] = {};
  uint32_t count = 0;
  bool are_dwords = true;
  do {
    cursor.skip_blanks();
    const char* number = cursor.at;
    uint64_t bits = 0;
    if (!cursor.report(read_double(cursor.at, cursor.end, bits), number)) return false;
    if (count == kDwords) return cursor.error(from, "a double literal has two components, found more");
    are_dwords = are_dwords && cursor.at - number > 2 && (number[1] | 0x20) == 'x' && bits >> 32 == 0;
    values[count++] = bits;
  } while (cursor.take(','));
  if (!cursor.expect(')', "at the end of the literal")) return false;
  if (count == kDwords && are_dwords) {
    for (uint32_t i = 0; i < kDwords; ++i) operand.immediate[i] = static_cast<uint32_t>(values[i]);
    return true;
  }
  if (count > 2) return cursor.error(from, "a double literal has two components, found more");
  for (uint32_t i = 0; i < 2; ++i) {
    operand.immediate[2 * i] = static_cast<uint32_t>(values[i]);
    operand.immediate[2 * i + 1] = static_cast<uint32_t>(values[i] >> 32);
  }
  if (count == 1) cursor.warning(from, "a double literal has two components, found 1: the other is 0");
  return true;
}

bool parse_components(Cursor& cursor, OperandShape shape, Operand& operand) {
  const ComponentCount default_count = info(operand.file).default_count;
  if (cursor.peek() != '.') {
    const bool four =
        default_count == ComponentCount::four || (is_read_view(shape) && operand.file != RegisterFile::null);
    operand.component_count = four ? ComponentCount::four : default_count;
    if (four) {
      operand.selection = takes_mask(shape) ? Selection::mask : Selection::swizzle;
      operand.components = takes_mask(shape) ? sm4::kFullMask : sm4::kIdentitySwizzle;
    }
    return true;
  }
  const char* from = ++cursor.at;
  uint32_t count = 0;
  uint32_t mask = 0;
  uint32_t swizzle = 0;
  bool ascending = true;
  const char* place = from;
  for (int component; count < 5 && place != cursor.end && (component = component_number(*place)) >= 0;
       ++place) {
    if ((mask >> component) != 0) ascending = false;
    mask |= 1u << component;
    if (count < 4) swizzle |= static_cast<uint32_t>(component) << (2 * count);
    ++count;
  }
  cursor.at = place;
  if (count == 0 || count > 4 || is_word_character(cursor.peek())) {
    cursor.word();
    return cursor.error(from, "expected components of xyzw after '.'");
  }
  operand.component_count = ComponentCount::four;
  if (takes_mask(shape)) {
    if (!ascending) return cursor.error(from, "a write mask names components once each, in the order xyzw");
    operand.selection = Selection::mask;
    operand.components = static_cast<uint8_t>(mask);
  } else if (count == 1) {
    operand.selection = Selection::select;
    operand.components = static_cast<uint8_t>(swizzle);
  } else if (count == 4) {
    operand.selection = Selection::swizzle;
    operand.components = static_cast<uint8_t>(swizzle);
  } else {
    // A write mask on a source. Mod tools accept it, so listings of games contain it. The last component is
    // repeated.
    const uint32_t last = (swizzle >> (2 * (count - 1))) & 3u;
    for (uint32_t lane = count; lane < 4; ++lane) swizzle |= last << (2 * lane);
    operand.selection = Selection::swizzle;
    operand.components = static_cast<uint8_t>(swizzle);
    cursor.warning(from, "mask on a source: a swizzle has one or four components, found {}", count);
  }
  return true;
}

// What may follow an operand: ` {min16f}`, ` { nonuniform }`, ` <v0:float>`. ` {min16f as def32}` names the
// operand's precision first, then that of the instruction, which its result has.
bool parse_annotations(Cursor& cursor, Operand& operand) {
  for (;;) {
    const char* before = cursor.at;
    cursor.skip_blanks();
    const char open = cursor.peek();
    if (open != '{' && open != '<') {
      cursor.at = before;
      return true;
    }
    const char* from = cursor.at++;
    if (open == '{') {
      cursor.skip_blanks();
      const std::string_view name = cursor.word();
      if (sm4::equal_ignoring_case(name, "nonuniform")) {
        operand.non_uniform = 1;
      } else if (auto precision = sm4::find_keyword(sm4::kMinPrecisionNames, name)) {
        operand.min_precision = static_cast<sm4::MinPrecision>(*precision);
      } else {
        return cursor.error(from, "unknown annotation '{}'", name);
      }
    }
    const char close = open == '{' ? '}' : '>';
    while (!cursor.at_end() && cursor.peek() != close) ++cursor.at;
    if (!cursor.expect(close, "at the end of the annotation")) return false;
  }
}

}  // namespace

std::optional<RegisterFile> parse_register_name(Cursor& cursor) {
  const char* from = cursor.at;
  const char* p = from;
  while (p < cursor.end && (is_letter(*p) || *p == '_')) ++p;
  const auto length = static_cast<size_t>(p - from);
  cursor.at = p;
  if (length == 1) {
    switch (*from) {  // covers nearly every operand of a listing
      case 'r': return RegisterFile::temp;
      case 'v': return RegisterFile::input;
      case 'o': return RegisterFile::output;
      case 't': return RegisterFile::resource;
      case 's': return RegisterFile::sampler;
      case 'l':
      case 'L': return cursor.peek() == '(' ? RegisterFile::immediate32 : RegisterFile::label;
      default: break;
    }
  }
  const std::string_view name(from, length);
  if (const auto file = sm4::find_register_file(name)) return file;
  for (const RegisterName& other : kOtherNames) {
    if (other.name == name) return other.file;
  }
  return std::nullopt;
}

bool OperandParser::parse(OperandShape shape, Operand& operand, sm4::OperandPlace& place) {
  operand = Operand{};
  cursor_.skip_blanks();
  const char* from = cursor_.at;
  const char c = cursor_.peek();
  if (is_digit(c) || (c == '-' && cursor_.at + 1 < cursor_.end && is_digit(cursor_.at[1]))) {
    if (!parse_bare_number(cursor_, operand)) return false;
  } else {
    const bool negated = c == '-';
    if (negated) ++cursor_.at;
    const char end = take_absolute(cursor_);
    const bool absolute = end != '\0';
    if (!parse_register(shape, operand)) return false;
    // fxc prints `|r2.xyzw {min16f}|`.
    if (absolute &&
        (!parse_annotations(cursor_, operand) || !cursor_.expect(end, "at the end of the absolute value")))
      return false;
    if (negated || absolute) {
      operand.modifier = static_cast<sm4::OperandModifier>((negated ? 1 : 0) + (absolute ? 2 : 0));
      if (takes_mask(shape)) return cursor_.error(from, "a destination cannot have a modifier");
    }
  }
  if (takes_mask(shape) && operand.is_immediate())
    return cursor_.error(from, "a literal cannot be a destination");
  constexpr uint32_t kMost = 0xffff;
  const auto length = static_cast<uint32_t>(cursor_.at - from);
  place = {};
  if (cursor_.column(from) <= kMost && length <= kMost)
    place = {static_cast<uint16_t>(cursor_.column(from)), static_cast<uint16_t>(length)};
  return parse_annotations(cursor_, operand);
}

/// The number that RenderDoc leaves out (see ListedRegisters::Range): `T0` is T0[3], and `CB1[4]` CB1[3][4].
bool OperandParser::add_register_number(Operand& operand, const char* from) {
  const bool is_buffer = operand.file == RegisterFile::constant_buffer;
  for (const ListedRegisters::Range& range : listed_.ranges) {
    if (range.file != operand.file || range.id != operand.index[0].immediate) continue;
    // RenderDoc prints the number of the register twice, in place of a row that is computed.
    if (is_buffer && !range.is_single && operand.index_count == 3 &&
        operand.index[2].relative != sm4::kNoOperand)
      return cursor_.error(from, "RenderDoc does not print which row of a range is read at run time");
    if (!range.is_single || operand.index_count != (is_buffer ? 2u : 1u)) return true;
    if (is_buffer) {
      operand.index[2] = operand.index[1];
      operand.set_index_form(2, operand.index_form(1));
      operand.set_index_form(1, sm4::IndexForm{});
    }
    operand.index[1] = {};
    operand.index[1].immediate = range.register_number;
    ++operand.index_count;
    return true;
  }
  return true;
}

/// A name that a declaration introduced (see ListedRegisters::Name). Otherwise the cursor does not move.
bool OperandParser::take_resource_name(Operand& operand) {
  const char* from = cursor_.at;
  const std::string_view name = cursor_.word();
  for (const ListedRegisters::Name& known : listed_.names) {
    if (known.name != name) continue;
    operand.file = known.file;
    operand.index[0].immediate = known.id;
    operand.index_count = 1;
    return true;
  }
  cursor_.at = from;
  return false;
}

// `3`, `[1]`, `[r0.x + 4]`, one after another.
bool OperandParser::parse_indices(Operand& operand) {
  if (is_digit(cursor_.peek())) {
    const char* from = cursor_.at;
    uint32_t value = 0;
    if (!cursor_.report(read_unsigned(cursor_.at, cursor_.end, value), from)) return false;
    operand.index[operand.index_count++].immediate = value;
  }
  while (cursor_.peek() == '[') {
    const char* from = cursor_.at;
    if (operand.index_count == 3) return cursor_.error(from, "a register has at most three indices");
    ++cursor_.at;
    if (!parse_index(operand)) return false;
  }
  return true;
}

bool OperandParser::parse_index(Operand& operand) {
  const char* from = cursor_.at;
  const uint32_t number = operand.index_count;
  sm4::OperandIndex index;
  do {
    cursor_.skip_blanks();
    if (is_digit(cursor_.peek()) || cursor_.peek() == '-') {  // vkd3d prints `[r0.x + -4]`
      const char* digits = cursor_.at;
      const bool negative = cursor_.take('-');
      uint32_t value = 0;
      if (!cursor_.report(read_unsigned(cursor_.at, cursor_.end, value), digits)) return false;
      index.immediate += negative ? 0u - value : value;
      continue;
    }
    if (index.relative != sm4::kNoOperand) return cursor_.error(from, "an index has at most one register");
    if (depth_ == kMaxIndexDepth) return cursor_.error(from, "indices are nested too deeply");
    Operand relative;
    sm4::OperandPlace place;
    ++depth_;
    const bool good = parse(OperandShape::scalar, relative, place);
    --depth_;
    if (!good) return false;
    if (relative.is_immediate() || relative.component_count == ComponentCount::none ||
        (relative.component_count == ComponentCount::four && relative.selection != Selection::select)) {
      return cursor_.error(from, "an index takes one component of a register");
    }
    index.relative = static_cast<uint32_t>(program_.operands.size());
    program_.operands.push_back(relative);
    program_.operand_places.push_back(place);
  } while (cursor_.take('+'));
  if (!cursor_.expect(']', "at the end of the index")) return false;
  operand.index[number] = index;
  // fxc's tokens have no dword for `+ 0`, although its text shows one.
  if (index.relative != sm4::kNoOperand && index.immediate == 0)
    operand.set_index_form(number, sm4::IndexForm::relative_only);
  ++operand.index_count;
  return true;
}

bool OperandParser::parse_register(OperandShape shape, Operand& operand) {
  const char* from = cursor_.at;
  if (!listed_.names.empty() && take_resource_name(operand)) return parse_components(cursor_, shape, operand);
  const auto file = parse_register_name(cursor_);
  if (!file) {
    cursor_.word();
    const std::string_view name(from, static_cast<size_t>(cursor_.at - from));
    if (name.empty()) return cursor_.error(from, "expected an operand");
    if (listed_.has_friendly_names)
      return cursor_.error(
          from,
          "unknown register '{}'; if it is a variable of a constant buffer, the listing does not say "
          "which row that is: turn off RenderDoc's setting DXBC.Disassembly.FriendlyNaming",
          name);
    return cursor_.error(from, "unknown register '{}'", name);
  }
  operand.file = *file;
  if (operand.file == RegisterFile::immediate32) return parse_immediates(cursor_, operand);
  if (operand.file == RegisterFile::immediate64) return parse_doubles(cursor_, operand);
  if (!parse_indices(operand)) return false;
  if (!listed_.ranges.empty() && !add_register_number(operand, from)) return false;
  return parse_components(cursor_, shape, operand);
}

}  // namespace texlate::assembly
