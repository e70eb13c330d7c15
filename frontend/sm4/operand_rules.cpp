#include "frontend/sm4/operand_rules.h"

namespace texlate::sm4 {

namespace {

/// Instructions that open, divide, leave or close a block or subroutine, or call one.
constexpr bool is_structural(Opcode opcode) {
  using enum Opcode;
  for (const Opcode other : {if_, else_, endif, loop, endloop, switch_, case_, default_, endswitch, break_,
                             breakc, continue_, continuec, ret, label, call, callc, fcall}) {
    if (other == opcode) return true;
  }
  return false;
}

constexpr bool is_view(OperandShape shape) {
  using enum OperandShape;
  return shape == resource || shape == resource_or_uav || shape == memory ||
         shape == resource_or_rasterizer || shape == uav_store || shape == memory_store ||
         shape == atomic_target || shape == counter;
}

/// Positions whose lanes do not follow from their shape and type.
struct LaneException {
  Opcode opcode;
  uint32_t position;
  Lanes lanes;
};
constexpr LaneException kLaneExceptions[] = {
    {Opcode::dp2, 1, Lanes::xy},
    {Opcode::dp2, 2, Lanes::xy},
    {Opcode::dp3, 1, Lanes::xyz},
    {Opcode::dp3, 2, Lanes::xyz},
    {Opcode::dp4, 1, Lanes::xyzw},
    {Opcode::dp4, 2, Lanes::xyzw},
    {Opcode::lod, 1, Lanes::coordinates},
    {Opcode::ld, 1, Lanes::texel},
    {Opcode::ld_s, 2, Lanes::texel},
    {Opcode::gather4_po, 2, Lanes::xy},
    {Opcode::gather4_po_c, 2, Lanes::xy},
    {Opcode::gather4_po_s, 3, Lanes::xy},
    {Opcode::gather4_po_c_s, 3, Lanes::xy},
    {Opcode::sample_d, 4, Lanes::coordinates},
    {Opcode::sample_d, 5, Lanes::coordinates},
    {Opcode::sample_d_cl_s, 5, Lanes::coordinates},
    {Opcode::sample_d_cl_s, 6, Lanes::coordinates},
    {Opcode::store_uav_typed, 2, Lanes::xyzw},
    {Opcode::store_raw, 2, Lanes::results},
    {Opcode::store_structured, 3, Lanes::results},
    {Opcode::eval_snapped, 2, Lanes::xy},
};

constexpr bool has_double(const OpcodeInfo& opcode) {
  for (uint32_t i = 0; i < opcode.operand_count; ++i) {
    if (opcode.types[i] == OperandType::double_) return true;
  }
  return false;
}

constexpr Lanes lanes_at(const OpcodeInfo& opcode, uint32_t position, bool has_view) {
  for (const LaneException& row : kLaneExceptions) {
    if (row.opcode == opcode.opcode && row.position == position) return row.lanes;
  }
  const OperandShape shape = opcode.shapes[position];
  if (shape == OperandShape::scalar) return Lanes::x;
  if (shape == OperandShape::input) return Lanes::results;
  if (shape != OperandShape::source) return Lanes::none;
  if (has_view) return Lanes::address;
  const bool is_double = opcode.types[position] == OperandType::double_;
  const bool gives_double = opcode.types[0] == OperandType::double_;
  if (is_double && !gives_double) return Lanes::pair_of_result;
  return gives_double && !is_double ? Lanes::half_of_result : Lanes::results;
}

constexpr uint8_t kNegates = static_cast<uint8_t>(OperandModifier::negate);
constexpr uint8_t kMakesAbsolute = static_cast<uint8_t>(OperandModifier::absolute);

/// True for the position of a value that is only compared with 0.
constexpr bool is_condition(const OpcodeInfo& opcode, uint32_t position) {
  if (opcode.has(kTest)) return position == 0;
  const bool moves = opcode.opcode == Opcode::movc || opcode.opcode == Opcode::dmovc;
  return moves ? position == 1 : opcode.opcode == Opcode::swapc && position == 2;
}

/// Signed integers may be negated, unsigned ones and bits of `and` cannot (the forms of the instructions in
/// Microsoft Learn, "Shader Model 4 Assembly"). The modifiers of f16tof32 apply to the float. Conditions are
/// bits (D3D11.3 functional specification 22.7.1, 22.9.2); a negation, which does not change whether they are
/// 0, is harmless.
constexpr uint8_t refused_modifiers(const OpcodeInfo& opcode, uint32_t position) {
  if (opcode.opcode == Opcode::f16tof32) return 0;
  if (is_condition(opcode, position)) return kMakesAbsolute;
  switch (opcode.types[position]) {
    case OperandType::signed_: return kMakesAbsolute;
    case OperandType::unsigned_: return kNegates | kMakesAbsolute;
    case OperandType::float_:
    case OperandType::untyped:
    case OperandType::double_:
    case OperandType::none: return 0;
  }
  return 0;
}

constexpr uint32_t versions_of(const OpcodeInfo& opcode) {
  uint32_t versions = 0;
  for (uint32_t stage = 0; stage < 6; ++stage) {
    for (const uint32_t model : {40u, 41u, 50u, 51u}) {
      if ((opcode.stages >> stage & 1) != 0 && model >= needed_model(opcode))
        versions |= version_bit(static_cast<Stage>(stage), model);
    }
  }
  return versions;
}

constexpr OpcodeRule make_rule(const OpcodeInfo& opcode) {
  OpcodeRule rule;
  rule.versions = versions_of(opcode);
  rule.operand_count = opcode.operand_count;
  bool has_view = false;
  uint32_t results = 0;
  for (uint32_t i = 0; i < opcode.operand_count; ++i) {
    has_view = has_view || is_view(opcode.shapes[i]);
    results += opcode.shapes[i] == OperandShape::destination;
    if (opcode.shapes[i] == OperandShape::stream) rule.tasks |= kUsesStreams;
  }
  if (opcode.has(kDeclaration)) rule.tasks |= kDeclares;
  if (is_structural(opcode.opcode)) rule.tasks |= kStructures;
  if (has_view) rule.tasks |= kUsesViews;
  if (results >= 2) rule.tasks |= kHasTwoResults;
  if (has_double(opcode)) rule.tasks |= kHasDoubles;
  if (opcode.model == 111) rule.tasks |= kNeedsExtension;
  for (uint32_t i = 0; i < opcode.operand_count; ++i) {
    const OperandShape shape = opcode.shapes[i];
    PositionRule& position = rule.positions[i];
    if (shape == OperandShape::destination) position.kind = PositionKind::result;
    if (shape == OperandShape::source || shape == OperandShape::scalar) position.kind = PositionKind::value;
    position.refused_modifiers =
        position.kind == PositionKind::value ? refused_modifiers(opcode, i) : kNegates | kMakesAbsolute;
    position.lanes = lanes_at(opcode, i, has_view);
  }
  return rule;
}

constexpr std::array<OpcodeRule, kOpcodeLimit> make_rules() {
  std::array<OpcodeRule, kOpcodeLimit> rules{};
  for (uint32_t i = 0; i < kOpcodeLimit; ++i) {
    if (!kOpcodeTable[i].mnemonic.empty()) rules[i] = make_rule(kOpcodeTable[i]);
  }
  return rules;
}

}  // namespace

constinit const std::array<OpcodeRule, kOpcodeLimit> kOpcodeRules = make_rules();

// docs/reference/direct3d.md 1.1
DimensionLanes lanes_of(ResourceDimension dimension) {
  switch (dimension) {
    case ResourceDimension::buffer: return {0x1, 0x1};
    case ResourceDimension::texture1d: return {0x1, 0x1};
    case ResourceDimension::texture1darray: return {0x1, 0x3};
    case ResourceDimension::texture2d:
    case ResourceDimension::texture2dms: return {0x3, 0x3};
    case ResourceDimension::texture2darray:
    case ResourceDimension::texture2dmsarray: return {0x3, 0x7};
    case ResourceDimension::texture3d:
    case ResourceDimension::texturecube: return {0x7, 0x7};
    case ResourceDimension::texturecubearray: return {0x7, 0xf};
    case ResourceDimension::raw_buffer: return {0x1, 0x1};
    case ResourceDimension::structured_buffer: return {0x3, 0x3};  // index and byte offset of atomics
    case ResourceDimension::unknown: return {0, 0};
  }
  return {0, 0};
}

}  // namespace texlate::sm4
