// Makes signatures from declarations, for assembly text without a header.
#include "frontend/dxbc/signature.h"
#include "frontend/sm4/declaration.h"

namespace texlate::dxbc {

using sm4::ComponentType;
using sm4::Instruction;
using sm4::Opcode;
using sm4::RegisterFile;
using sm4::SignatureElement;

namespace {

constexpr ComponentType kFloat = ComponentType::float_;
constexpr ComponentType kUint = ComponentType::uint;

/// HLSL's name of a system value in a declaration, and its value in signatures
/// (D3D_NAME).
struct SystemSemantic {
  uint32_t declared;  // sm4::SystemValue
  std::string_view name;
  uint32_t index;
  uint32_t signature_value;
  ComponentType type;
};
constexpr SystemSemantic kSystemSemantics[] = {
    {1, "SV_Position", 0, 1, kFloat},           {2, "SV_ClipDistance", 0, 2, kFloat},
    {3, "SV_CullDistance", 0, 3, kFloat},       {4, "SV_RenderTargetArrayIndex", 0, 4, kUint},
    {5, "SV_ViewportArrayIndex", 0, 5, kUint},  {6, "SV_VertexID", 0, 6, kUint},
    {7, "SV_PrimitiveID", 0, 7, kUint},         {8, "SV_InstanceID", 0, 8, kUint},
    {9, "SV_IsFrontFace", 0, 9, kUint},         {10, "SV_SampleIndex", 0, 10, kUint},
    {11, "SV_TessFactor", 0, 11, kFloat},       {12, "SV_TessFactor", 1, 11, kFloat},
    {13, "SV_TessFactor", 2, 11, kFloat},       {14, "SV_TessFactor", 3, 11, kFloat},
    {15, "SV_InsideTessFactor", 0, 12, kFloat}, {16, "SV_InsideTessFactor", 1, 12, kFloat},
    {17, "SV_TessFactor", 0, 13, kFloat},       {18, "SV_TessFactor", 1, 13, kFloat},
    {19, "SV_TessFactor", 2, 13, kFloat},       {20, "SV_InsideTessFactor", 0, 14, kFloat},
    {21, "SV_TessFactor", 0, 15, kFloat},       {22, "SV_TessFactor", 1, 16, kFloat},
};

/// Output registers outside o#.
struct SpecialOutput {
  RegisterFile file;
  std::string_view name;
  ComponentType type;
};
constexpr SpecialOutput kSpecialOutputs[] = {
    {RegisterFile::output_depth, "SV_Depth", kFloat},
    {RegisterFile::output_depth_greater_equal, "SV_DepthGreaterEqual", kFloat},
    {RegisterFile::output_depth_less_equal, "SV_DepthLessEqual", kFloat},
    {RegisterFile::output_coverage_mask, "SV_Coverage", kUint},
    {RegisterFile::output_stencil_ref, "SV_StencilRef", kUint},
};

class Maker {
 public:
  explicit Maker(sm4::Program& program) : program_(program) {}

  void run() {
    bool patch_phase = false;
    for (const Instruction& instruction : program_.instructions) {
      switch (instruction.opcode) {
        case Opcode::hs_fork_phase:
        case Opcode::hs_join_phase: patch_phase = true; break;
        case Opcode::dcl_stream:
          stream_ = program_.operands[instruction.first_operand].index[0].immediate;
          break;
        case Opcode::dcl_input:
        case Opcode::dcl_input_siv:
        case Opcode::dcl_input_sgv:
        case Opcode::dcl_input_ps:
        case Opcode::dcl_input_ps_siv:
        case Opcode::dcl_input_ps_sgv: add_input(instruction, patch_phase); break;
        case Opcode::dcl_output:
        case Opcode::dcl_output_siv:
        case Opcode::dcl_output_sgv: add_output(instruction, patch_phase); break;
        default: break;
      }
    }
  }

 private:
  void add_input(const Instruction& dcl, bool patch_phase) {
    const sm4::Operand& operand = program_.operands[dcl.first_operand];
    const bool per_vertex =
        operand.file == RegisterFile::input || operand.file == RegisterFile::input_control_point;
    const bool patch = operand.file == RegisterFile::input_patch_constant;
    if (operand.index_count == 0 || (!per_vertex && !patch) || (patch && patch_phase)) return;
    add(patch ? program_.patch_constant_signature : program_.input_signature, dcl, operand, "TEXCOORD", true);
  }

  void add_output(const Instruction& dcl, bool patch_phase) {
    const sm4::Operand& operand = program_.operands[dcl.first_operand];
    auto& signature = patch_phase ? program_.patch_constant_signature : program_.output_signature;
    for (const SpecialOutput& special : kSpecialOutputs) {
      if (special.file != operand.file) continue;
      SignatureElement element{std::pmr::string(special.name, program_.memory())};
      element.component_type = static_cast<uint32_t>(special.type);
      element.register_index = sm4::kNoRegister;
      element.mask = 1;
      element.used_mask = 0xe;
      signature.push_back(std::move(element));
      return;
    }
    if (operand.file != RegisterFile::output || operand.index_count == 0) return;
    add(signature, dcl, operand, program_.version.stage == sm4::Stage::pixel ? "SV_Target" : "TEXCOORD",
        false);
  }

  void add(std::pmr::vector<SignatureElement>& signature, const Instruction& dcl, const sm4::Operand& operand,
           std::string_view name, bool is_input) {
    if (signature.size() == sm4::kMaxSignatureElements) return;
    const uint32_t id = operand.index[operand.index_count - 1u].immediate;
    SignatureElement element{std::pmr::string(name, program_.memory())};
    element.semantic_index = id;
    element.component_type = static_cast<uint32_t>(kFloat);
    for (const SystemSemantic& semantic : kSystemSemantics) {
      if (semantic.declared != static_cast<uint32_t>(declared_system_value(program_, dcl))) continue;
      element.semantic_name = semantic.name;
      element.semantic_index = semantic.index;
      element.system_value = semantic.signature_value;
      element.component_type = static_cast<uint32_t>(semantic.type);
    }
    element.register_index = id;
    element.mask = operand.write_mask();
    element.used_mask = is_input ? element.mask : static_cast<uint8_t>(~element.mask & 0xf);
    element.stream = static_cast<uint8_t>(stream_ & 3);
    for (const SignatureElement& other :
         signature) {  // phases of a hull shader repeat declarations of inputs
      if (other.register_index == id && (other.mask & element.mask) != 0 && other.stream == element.stream)
        return;
      if (other.semantic_name == element.semantic_name && other.semantic_index == element.semantic_index &&
          other.stream == element.stream) {
        ++element.semantic_index;
      }
    }
    signature.push_back(std::move(element));
  }

  sm4::Program& program_;
  uint32_t stream_ = 0;
};

}  // namespace

void make_signatures(sm4::Program& program) {
  Maker(program).run();
}

}  // namespace texlate::dxbc
