// What each operand position of each opcode accepts and reads: made from the opcode table, for validate().
#pragma once

#include <array>

#include "frontend/sm4/operand.h"
#include "frontend/sm4/program.h"

namespace texlate::sm4 {

/// The lanes of a source, after its swizzle, that an instruction reads.
enum class Lanes : uint8_t {
  none,     // not a value
  results,  // those that the masks of the destinations name
  x,
  xy,
  xyz,
  xyzw,
  address,         // coordinates in the view's dimension, with the array index
  texel,           // the same, and the mip in w
  coordinates,     // coordinates without an array index
  pair_of_result,  // doubles with 32-bit results: two lanes for each
  half_of_result,  // 32-bit values that give doubles: one lane for two
};

/// How an operand position is checked.
enum class PositionKind : uint8_t {
  result,  // a register that is written
  value,   // a register or literal that is read
  other,   // a view, sampler, label ...
};

struct PositionRule {
  PositionKind kind = PositionKind::other;
  uint8_t refused_modifiers = 0;  // bits of OperandModifier
  Lanes lanes = Lanes::none;
};

/// What else validate() does for an opcode.
enum OpcodeTask : uint8_t {
  kDeclares = 1 << 0,
  kStructures = 1 << 1,  // control flow
  kUsesViews = 1 << 2,
  kHasTwoResults = 1 << 3,
  kHasDoubles = 1 << 4,
  kNeedsExtension = 1 << 5,  // of Direct3D 11.1
  kUsesStreams = 1 << 6,
};

struct OpcodeRule {
  uint32_t versions = 0;  // the stages and models that have it: bits by version_bit()
  uint8_t operand_count = 0;
  uint8_t tasks = 0;  // OpcodeTask
  std::array<PositionRule, kMaxOperands> positions{};
};

/// The bit of a stage and model in OpcodeRule::versions.
constexpr uint32_t version_bit(Stage stage, uint32_t model) {
  const uint32_t row = model >= 51 ? 3 : model >= 50 ? 2 : model >= 41 ? 1 : 0;
  return 1u << (static_cast<uint32_t>(stage) * 4 + row);
}

/// The 11.1 extensions belong to model 5.0; flags of dcl_globalFlags enable them.
constexpr uint32_t needed_model(const OpcodeInfo& opcode) {
  return opcode.model == 111 ? 50 : opcode.model;
}

extern const std::array<OpcodeRule, kOpcodeLimit> kOpcodeRules;

inline const OpcodeRule& rule_of(Opcode opcode) {
  return kOpcodeRules[static_cast<uint32_t>(opcode)];
}

/// The components that lanes (a mask) read through a swizzle.
constexpr uint8_t components_read(uint8_t swizzle, uint32_t lanes) {
  uint32_t read = 0;
  for (uint32_t lane = 0; lane < 4; ++lane) {
    if ((lanes >> lane & 1) != 0) read |= 1u << swizzle_component(swizzle, lane);
  }
  return static_cast<uint8_t>(read);
}

/// Lanes of an address: coordinates, and with the array index.
struct DimensionLanes {
  uint8_t coordinates;
  uint8_t address;
};
DimensionLanes lanes_of(ResourceDimension dimension);

}  // namespace texlate::sm4
