#include "frontend/dxbc/features.h"

#include <bit>

#include "frontend/sm4/declaration.h"

namespace texlate::dxbc {

using sm4::Instruction;
using sm4::Opcode;
using sm4::Operand;
using sm4::RegisterFile;
using sm4::Stage;

namespace {

// D3D_SHADER_REQUIRES_* (d3d11shader.h), as in kFeatures.
constexpr uint64_t kDoubles = 0x1;
constexpr uint64_t kRawBuffers4 = 0x2;
constexpr uint64_t kUavsAtEveryStage = 0x4;
constexpr uint64_t k64Uavs = 0x8;
constexpr uint64_t kMinimumPrecision = 0x10;
constexpr uint64_t kDoubleExtensions = 0x20;
constexpr uint64_t kShaderExtensions = 0x40;
constexpr uint64_t kTiledResources = 0x100;
constexpr uint64_t kStencilReference = 0x200;
constexpr uint64_t kInnerCoverage = 0x400;
constexpr uint64_t kTypedUavLoads = 0x800;
constexpr uint64_t kRasterizerOrderedViews = 0x1000;
constexpr uint64_t kLayersFromAnyShader = 0x2000;

constexpr uint32_t kUavSlots = 8;  // of Direct3D 11.0: D3D11_PS_CS_UAV_REGISTER_COUNT

uint64_t of_global_flags(const Instruction& dcl, const sm4::ProgramVersion& version) {
  struct Flag {
    uint16_t global;
    uint64_t feature;
  };
  constexpr Flag kFlags[] = {
      {sm4::kEnableDoublePrecision, kDoubles},
      {sm4::kEnableMinimumPrecision, kMinimumPrecision},
      {sm4::kEnable11_1DoubleExtensions, kDoubleExtensions},
      {sm4::kEnable11_1ShaderExtensions, kShaderExtensions},
  };
  uint64_t features = 0;
  for (const Flag& flag : kFlags) features |= (dcl.controls & flag.global) != 0 ? flag.feature : 0;
  const bool raw = (dcl.controls & sm4::kEnableRawAndStructuredBuffers) != 0;
  return features | (raw && version.major == 4 ? kRawBuffers4 : 0);
}

uint64_t of_view(const sm4::Program& program, const Instruction& dcl) {
  const Stage stage = program.version.stage;
  const sm4::DeclaredRange range = declared_range(program, dcl);
  uint64_t features = stage != Stage::pixel && stage != Stage::compute ? kUavsAtEveryStage : 0;
  if (range.upper_bound >= kUavSlots) features |= k64Uavs;
  if ((dcl.controls & sm4::controls::kUavRasterizerOrdered) != 0) features |= kRasterizerOrderedViews;
  return features;
}

uint64_t of_interface(const sm4::Program& program, const Instruction& dcl) {
  const Operand& operand = program.operands[dcl.first_operand];
  if (operand.file == RegisterFile::output_stencil_ref) return kStencilReference;
  if (operand.file == RegisterFile::inner_coverage) return kInnerCoverage;
  if (operand.file != RegisterFile::output) return 0;
  const sm4::SystemValue value = declared_system_value(program, dcl);
  const bool is_layer =
      value == sm4::SystemValue::rendertarget_array_index || value == sm4::SystemValue::viewport_array_index;
  const Stage stage = program.version.stage;
  return is_layer && (stage == Stage::vertex || stage == Stage::domain) ? kLayersFromAnyShader : 0;
}

uint64_t of_instruction(const sm4::Program& program, const Instruction& instruction) {
  const bool residency =
      info(instruction.opcode).has(sm4::kFeedback) || instruction.opcode == Opcode::check_access_fully_mapped;
  uint64_t features = residency ? kTiledResources : 0;
  // A view with a single 32-bit component has no other components to read.
  const bool typed_load =
      instruction.opcode == Opcode::ld_uav_typed || instruction.opcode == Opcode::ld_uav_typed_s;
  if (typed_load && std::popcount(program.operands[instruction.first_operand].write_mask()) > 1)
    features |= kTypedUavLoads;
  return features;
}

}  // namespace

uint64_t required_features(const sm4::Program& program) {
  uint64_t features = 0;
  for (const Instruction& instruction : program.instructions) {
    switch (instruction.opcode) {
      case Opcode::dcl_global_flags: features |= of_global_flags(instruction, program.version); break;
      case Opcode::dcl_uav_typed:
      case Opcode::dcl_uav_raw:
      case Opcode::dcl_uav_structured: features |= of_view(program, instruction); break;
      case Opcode::dcl_input:
      case Opcode::dcl_output:
      case Opcode::dcl_output_siv: features |= of_interface(program, instruction); break;
      default: features |= of_instruction(program, instruction); break;
    }
  }
  return features;
}

}  // namespace texlate::dxbc
