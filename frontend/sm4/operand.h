// One operand of an SM4/5 instruction or declaration. Plain data, 32 bytes.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace texlate::sm4 {

/// Values are those of the token format (bits [19:12] of an operand token).
enum class RegisterFile : uint8_t {
#define SM4_REGISTER_FILE(enumerator, spelling, number, indices, components) enumerator = number,
#include "frontend/sm4/register_files.inc"
#undef SM4_REGISTER_FILE
};
inline constexpr uint32_t kRegisterFileLimit = 43;

/// Bits [1:0] of an operand token: the number of components of the operand.
enum class ComponentCount : uint8_t { none = 0, one = 1, four = 2 };

enum class IndexSpelling : uint8_t { kNone, kSuffix };

struct RegisterFileInfo {
  std::string_view spelling;
  IndexSpelling indices = IndexSpelling::kNone;
  ComponentCount default_count = ComponentCount::none;  // of an operand printed without mask or swizzle
};

namespace detail {
constexpr std::array<RegisterFileInfo, kRegisterFileLimit> make_register_files() {
  std::array<RegisterFileInfo, kRegisterFileLimit> table{};
#define SM4_REGISTER_FILE(enumerator, spelling, number, indices, components) \
  table[number] = {spelling, IndexSpelling::indices, ComponentCount::components};
#include "frontend/sm4/register_files.inc"
#undef SM4_REGISTER_FILE
  return table;
}
}  // namespace detail

inline constexpr std::array<RegisterFileInfo, kRegisterFileLimit> kRegisterFiles =
    detail::make_register_files();
constexpr const RegisterFileInfo& info(RegisterFile file) {
  return kRegisterFiles[static_cast<uint32_t>(file)];
}

/// Bits [3:2], for four components: how components are selected.
enum class Selection : uint8_t { mask = 0, swizzle = 1, select = 2 };

/// Bits [13:6] of the extended operand token.
enum class OperandModifier : uint8_t { none = 0, negate = 1, absolute = 2, negate_absolute = 3 };

/// Bits [16:14] of the extended operand token.
enum class MinPrecision : uint8_t { none = 0, float16 = 1, float2_8 = 2, sint16 = 4, uint16 = 5 };

inline constexpr uint32_t kNoOperand = 0xffffffffu;
inline constexpr uint8_t kFullMask = 0xf;
inline constexpr uint8_t kIdentitySwizzle = 0xe4;  // x,y,z,w: two bits each, x lowest

/// The component 0..3 that position `lane` of a swizzle reads.
constexpr uint32_t swizzle_component(uint8_t swizzle, uint32_t lane) {
  return (swizzle >> (2 * lane)) & 3u;
}

/// One index of a register: an immediate, a register component, or their sum.
struct OperandIndex {
  uint32_t immediate = 0;
  uint32_t relative = kNoOperand;  // index into Program::operands of an operand that selects a scalar
  bool operator==(const OperandIndex&) const = default;
};

/// How an index is encoded: usually as a dword, or as a register plus a dword.
enum class IndexForm : uint8_t {
  usual = 0,
  relative_only = 1,  // a register without a dword (text prints `+ 0` anyway)
  wide = 2,           // a 64-bit immediate, its high dword 0
};

struct Operand {
  RegisterFile file = RegisterFile::null;
  ComponentCount component_count = ComponentCount::none;
  Selection selection = Selection::mask;
  /// mask: bits 0..3; swizzle: two bits per lane; select: component 0..3. 0 if there is no selection.
  uint8_t components = 0;
  OperandModifier modifier = OperandModifier::none;
  MinPrecision min_precision = MinPrecision::none;
  uint8_t index_count = 0;  // 0..3
  uint8_t non_uniform : 1 = 0;
  /// Two bits per index, lowest first: its encoding in the token stream, if there is a choice (see
  /// IndexForm).
  uint8_t index_forms : 6 = 0;
  /// Registers use `index`. immediate32 has 1 or 4 values in `immediate` (component_count tells which).
  /// immediate64 has two doubles, low dword first in memory (the same order as in the token stream).
  union {
    std::array<OperandIndex, 3> index;
    std::array<uint32_t, 4> immediate;
  };

  constexpr Operand() : index{} {}

  IndexForm index_form(uint32_t i) const { return static_cast<IndexForm>((index_forms >> (2 * i)) & 3u); }
  void set_index_form(uint32_t i, IndexForm form) {
    index_forms =
        static_cast<uint8_t>((index_forms & ~(3u << (2 * i))) | (static_cast<uint32_t>(form) << (2 * i))) &
        0x3f;
  }
  bool is_immediate() const { return file == RegisterFile::immediate32 || file == RegisterFile::immediate64; }
  /// The components that the lanes of a source read, for any form of selection. A scalar register reads
  /// component 0.
  uint8_t source_swizzle() const {
    if (component_count != ComponentCount::four) return 0;
    if (selection == Selection::mask || is_immediate()) return kIdentitySwizzle;
    return selection == Selection::swizzle ? components : static_cast<uint8_t>(components * 0x55u);
  }
  /// The one that lane 0..3 reads.
  uint32_t source_component(uint32_t lane) const { return swizzle_component(source_swizzle(), lane); }
  /// The write mask of a destination; for a scalar register it is x.
  uint8_t write_mask() const { return component_count == ComponentCount::four ? components : uint8_t{1}; }
};
static_assert(sizeof(Operand) == 32);

}  // namespace texlate::sm4
