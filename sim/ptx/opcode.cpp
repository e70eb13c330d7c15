#include "sim/ptx/opcode.h"

#include <array>
#include <utility>

namespace texlate::sim::ptx {

namespace {

struct Text {
  std::string_view text, modifiers, operands;
};
constexpr Text kOpcodes[] = {
#define TEXLATE_PTX_OPCODE(name, text, modifiers, operands) {text, modifiers, operands},
#include "sim/ptx/opcode_table.inc"
#undef TEXLATE_PTX_OPCODE
};
constexpr size_t kOpcodeCount = sizeof(kOpcodes) / sizeof(kOpcodes[0]);

constexpr std::string_view kModifiers[] = {
#define TEXLATE_PTX_MODIFIER(name, text) text,
#include "sim/ptx/modifier_table.inc"
#undef TEXLATE_PTX_MODIFIER
};

constexpr std::string_view kTypes[] = {"",    "pred", "b8",  "b16", "b32", "b64", "u8",    "u16", "u32",
                                       "u64", "s8",   "s16", "s32", "s64", "f16", "f16x2", "f32", "f64"};

constexpr std::pair<std::string_view, Space> kSpaces[] = {
    {"param", Space::param},       {"shared", Space::shared},      {"shared::cta", Space::shared},
    {"local", Space::local},       {"global", Space::global},      {"const", Space::const_},
    {"param::func", Space::param}, {"param::entry", Space::param},
};

constexpr uint32_t bit(Type type) {
  return 1u << static_cast<uint32_t>(type);
}
constexpr uint32_t kInteger =
    bit(Type::u16) | bit(Type::u32) | bit(Type::u64) | bit(Type::s16) | bit(Type::s32) | bit(Type::s64);
constexpr uint32_t kBits = bit(Type::b8) | bit(Type::b16) | bit(Type::b32) | bit(Type::b64);

constexpr std::string_view kComparisonWords =
    "eq ne lt le gt ge lo ls hi hs equ neu ltu leu gtu geu num nan NaN";
constexpr std::string_view kOrdering =
    "ca cg cs lu cv wb wt volatile relaxed acquire release acq_rel sc weak cta gpu sys";
constexpr std::string_view kGeometries = "1d 2d 3d a1d a2d cube acube 2dms a2dms";

void add_words(std::string_view words, OpcodeInfo& info);

void add_class(char name, OpcodeInfo& info) {
  switch (name) {
    case 'i': info.types |= kInteger; break;
    case 'f': info.types |= bit(Type::f32) | bit(Type::f64); break;
    case 'h': info.types |= bit(Type::f16) | bit(Type::f16x2); break;
    case 'b': info.types |= kBits; break;
    case 'p': info.types |= bit(Type::pred); break;
    case 't': info.types |= ~0u; break;
    case 's': info.spaces = true; break;
    case 'm': info.memory_ordering = true; return add_words(kOrdering, info);
    case 'c': return add_words(kComparisonWords, info);
    case 'g': return add_words(kGeometries, info);
    default: break;
  }
}

void add_words(std::string_view words, OpcodeInfo& info) {
  while (!words.empty()) {
    const size_t end = words.find(' ');
    const std::string_view word = words.substr(0, end);
    words.remove_prefix(end == std::string_view::npos ? words.size() : end + 1);
    if (!word.empty() && word[0] == '#') {
      add_class(word[1], info);
    } else if (const auto modifier = find_modifier(word)) {
      info.modifiers.add(*modifier);
    }
  }
}

std::array<OpcodeInfo, kOpcodeCount> build_table() {
  std::array<OpcodeInfo, kOpcodeCount> table;
  for (size_t i = 0; i < kOpcodeCount; ++i) {
    table[i].text = kOpcodes[i].text;
    table[i].operands = kOpcodes[i].operands;
    add_words(kOpcodes[i].modifiers, table[i]);
  }
  return table;
}

}  // namespace

const OpcodeInfo& opcode_info(Opcode opcode) {
  static const std::array<OpcodeInfo, kOpcodeCount> table = build_table();
  return table[static_cast<size_t>(opcode)];
}

std::optional<Opcode> find_opcode(std::string_view text) {
  for (size_t i = 0; i < kOpcodeCount; ++i) {
    if (kOpcodes[i].text == text) return static_cast<Opcode>(i);
  }
  return std::nullopt;
}

std::optional<Mod> find_modifier(std::string_view text) {
  if (text == "nan") return Mod::nan;  // setp.nan and min.NaN share one bit
  for (size_t i = 0; i < static_cast<size_t>(Mod::count_); ++i) {
    if (kModifiers[i] == text) return static_cast<Mod>(i);
  }
  return std::nullopt;
}

std::optional<Type> find_type(std::string_view text) {
  for (size_t i = 1; i < sizeof(kTypes) / sizeof(kTypes[0]); ++i) {
    if (kTypes[i] == text) return static_cast<Type>(i);
  }
  return std::nullopt;
}

std::optional<Space> find_space(std::string_view text) {
  for (const auto& [name, space] : kSpaces) {
    if (name == text) return space;
  }
  return std::nullopt;
}

std::string_view type_name(Type type) {
  return kTypes[static_cast<size_t>(type)];
}

Handler select_handler(const Instruction& instruction) {
  switch (instruction.opcode) {
    case Opcode::and_:
    case Opcode::or_:
    case Opcode::xor_:
    case Opcode::not_:
    case Opcode::cnot:
    case Opcode::shl:
    case Opcode::shr:
    case Opcode::shf:
    case Opcode::lop3:
    case Opcode::prmt:
    case Opcode::bfe:
    case Opcode::bfi:
    case Opcode::brev:
    case Opcode::popc:
    case Opcode::clz:
    case Opcode::bfind: return select_bits(instruction);
    case Opcode::setp:
    case Opcode::set:
    case Opcode::selp:
    case Opcode::slct:
    case Opcode::testp: return select_compare(instruction);
    case Opcode::mov:
    case Opcode::cvt:
    case Opcode::cvta: return select_convert(instruction);
    case Opcode::ld:
    case Opcode::ldu:
    case Opcode::st: return select_memory(instruction);
    case Opcode::atom:
    case Opcode::red: return select_atomic(instruction);
    case Opcode::shfl:
    case Opcode::vote:
    case Opcode::match:
    case Opcode::activemask: return select_warp(instruction);
    case Opcode::bra:
    case Opcode::brx:
    case Opcode::call:
    case Opcode::ret:
    case Opcode::exit:
    case Opcode::trap:
    case Opcode::bar:
    case Opcode::barrier:
    case Opcode::membar:
    case Opcode::fence: return select_control(instruction);
    case Opcode::tex:
    case Opcode::tld4:
    case Opcode::txq:
    case Opcode::istypep: return select_texture(instruction);
    case Opcode::suld:
    case Opcode::sust:
    case Opcode::sured:
    case Opcode::suq: return select_surface(instruction);
    default: break;
  }
  switch (instruction.type) {
    case Type::f32:
    case Type::f16:
    case Type::f16x2: return select_float(instruction);
    case Type::f64: return select_double(instruction);
    default: return select_integer(instruction);
  }
}

}  // namespace texlate::sim::ptx
