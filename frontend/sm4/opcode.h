// The opcodes of shader models 4.0 to 5.1 and their properties, from opcodes.inc.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace texlate::sm4 {

/// Values are the numbers of the token format (bits [10:0] of an opcode token).
enum class Opcode : uint16_t {
#define SM4_OPCODE(enumerator, mnemonic, number, operands, model, stages, traits) enumerator = number,
#include "frontend/sm4/opcodes.inc"
#undef SM4_OPCODE
};
inline constexpr uint32_t kOpcodeLimit = 235;  // one past the largest number

/// Values are those of the version token, bits [31:16].
enum class Stage : uint8_t { pixel = 0, vertex = 1, geometry = 2, hull = 3, domain = 4, compute = 5 };

enum StageMask : uint8_t {
  kPixel = 1 << 0,
  kVertex = 1 << 1,
  kGeometry = 1 << 2,
  kHull = 1 << 3,
  kDomain = 1 << 4,
  kCompute = 1 << 5,
  kAll = 0x3f,
};

enum OpcodeTraits : uint32_t {
  kSaturate = 1u << 0,          // may carry _sat (token bit 13)
  kTest = 1u << 1,              // spelled with _z or _nz (token bit 18)
  kOpensBlock = 1u << 2,        // the lines that follow are one level deeper
  kClosesBlock = 1u << 3,       // this line is one level less deep
  kTexture = 1u << 4,           // SM5.0 prints `_indexable(dimension)(types)`: extended tokens 2 and 3
  kOffset = 1u << 5,            // may carry `_aoffimmi(u,v,w)`: extended token 1
  kCompare = 1u << 6,           // compares with a reference: needs a sampler with mode_comparison
  kImplicitLod = 1u << 7,       // computes its LOD from derivatives
  kResinfoReturn = 1u << 8,     // _uint, _rcpFloat (token bits [12:11])
  kSampleinfoReturn = 1u << 9,  // _uint (token bit 11)
  kFeedback = 1u << 10,         // the second destination is the residency status
  kLodClamp = 1u << 11,         // the last source is a LOD clamp
  kAtomic = 1u << 12,
  kSync = 1u << 13,      // _uglobal, _ugroup, _g, _t (token bits [14:11])
  kCallSite = 1u << 14,  // one dword, the call site, precedes the operand
  kDeclaration = 1u << 15,
  kHullPhase = 1u << 16,
};

/// The kind of operand at an operand position; see opcodes.inc for the letters.
enum class OperandShape : char {
  destination = 'D',
  source = 'S',
  scalar = 'C',
  resource = 'T',
  resource_or_uav = 'R',
  memory = 'M',
  resource_or_rasterizer = 'X',
  sampler = 'P',
  uav_store = 'W',
  memory_store = 'V',
  atomic_target = 'A',
  counter = 'K',
  label = 'L',
  stream = 'N',
  interface_ = 'F',
  input = 'I',
};

enum class OperandType : char {
  float_ = 'f',
  signed_ = 'i',
  unsigned_ = 'u',
  untyped = 'b',
  double_ = 'd',
  none = '-',
};

inline constexpr uint32_t kMaxOperands = 8;

struct OpcodeInfo {
  std::string_view mnemonic;  // empty: no such opcode
  Opcode opcode{};
  uint8_t operand_count = 0;
  uint8_t model = 0;  // 40, 41, 50, 111
  uint8_t stages = 0;
  uint32_t traits = 0;
  std::array<OperandShape, kMaxOperands> shapes{};
  std::array<OperandType, kMaxOperands> types{};

  constexpr bool has(OpcodeTraits trait) const { return (traits & trait) != 0; }
  /// Destinations come first: shapes D, W and V.
  constexpr bool is_destination(uint32_t operand) const {
    return shapes[operand] == OperandShape::destination || shapes[operand] == OperandShape::uav_store ||
           shapes[operand] == OperandShape::memory_store;
  }
};

namespace detail {
constexpr OpcodeInfo make_info(std::string_view mnemonic, Opcode opcode, std::string_view operands,
                               uint8_t model, uint8_t stages, uint32_t traits) {
  OpcodeInfo info;
  info.mnemonic = mnemonic;
  info.opcode = opcode;
  info.operand_count = static_cast<uint8_t>(operands.size() / 2);
  info.model = model;
  info.stages = stages;
  info.traits = traits;
  for (uint32_t i = 0; i < info.operand_count; ++i) {
    info.shapes[i] = static_cast<OperandShape>(operands[2 * i]);
    info.types[i] = static_cast<OperandType>(operands[2 * i + 1]);
  }
  return info;
}

constexpr std::array<OpcodeInfo, kOpcodeLimit> make_table() {
  std::array<OpcodeInfo, kOpcodeLimit> table{};
#define SM4_OPCODE(enumerator, mnemonic, number, operands, model, stages, traits) \
  table[number] = make_info(mnemonic, Opcode::enumerator, operands, model, stages, traits);
#include "frontend/sm4/opcodes.inc"
#undef SM4_OPCODE
  return table;
}
}  // namespace detail

/// Indexed by opcode number; an entry with an empty mnemonic is not an opcode.
inline constexpr std::array<OpcodeInfo, kOpcodeLimit> kOpcodeTable = detail::make_table();

constexpr const OpcodeInfo& info(Opcode opcode) {
  return kOpcodeTable[static_cast<uint32_t>(opcode)];
}

/// True if `number` (bits [10:0] of an opcode token) is an opcode.
constexpr bool is_opcode(uint32_t number) {
  return number < kOpcodeLimit && !kOpcodeTable[number].mnemonic.empty();
}

}  // namespace texlate::sm4
