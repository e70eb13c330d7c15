#include "tests/support/every_instruction.h"

#include <algorithm>
#include <array>

namespace texlate::test {
namespace {

using sm4::Opcode;
using sm4::OpcodeInfo;
using sm4::OperandShape;

constexpr std::string_view kResources =
    "dcl_sampler s0, mode_default\ndcl_sampler s1, mode_comparison\n"
    "dcl_resource_texture2d (float,float,float,float) t0\ndcl_resource_texture2dms(4) "
    "(float,float,float,float) "
    "t1\ndcl_resource_raw t4\ndcl_resource_structured t5, 16\n"
    "dcl_uav_typed_texture2d (float,float,float,float) u0\ndcl_uav_structured u1, 16\ndcl_uav_raw u2\n"
    "dcl_uav_raw u3\ndcl_uav_structured u4, 16\n";
/// The values of r1 and r2 are unknown; r0 and r3 are stored to a buffer.
constexpr std::string_view kBefore = "ld_raw r1.xyzw, l(0), t4.xyzw\nld_raw r2.xyzw, l(16), t4.xyzw\n";
constexpr std::string_view kAfter = "store_raw u3.xyzw, l(0), r0.xyzw\nstore_raw u3.xyzw, l(16), r3.xyzw\n";

// Flags of dcl_globalFlags that some instructions need.
#define EXTENSIONS                                                                                     \
  "dcl_globalFlags refactoringAllowed | enableDoublePrecisionFloatOps | enable11_1DoubleExtensions | " \
  "enable11_1ShaderExtensions\n"

struct Frame {
  sm4::StageMask stage;
  std::string_view begin, end;
};
constexpr Frame kFrames[] = {
    {sm4::kPixel, "ps_5_0\n" EXTENSIONS "dcl_input_ps linear v1.xyzw\ndcl_temps 4\n", "ret\n"},
    {sm4::kVertex, "vs_5_0\n" EXTENSIONS "dcl_temps 4\n", "ret\n"},
    {sm4::kGeometry,
     "gs_5_0\n" EXTENSIONS
     "dcl_inputprimitive point\ndcl_stream m0\ndcl_outputtopology pointlist\ndcl_output o0.x\n"
     "dcl_maxout 4\ndcl_temps 4\n",
     "mov o0.x, l(1.0)\nemit_stream m0\nret\n"},
    {sm4::kHull,
     "hs_5_0\nhs_decls\n" EXTENSIONS "dcl_input_control_point_count 1\ndcl_output_control_point_count 1\n"
     "dcl_tessellator_domain domain_tri\ndcl_tessellator_partitioning partitioning_integer\n"
     "dcl_tessellator_output_primitive output_triangle_cw\nhs_control_point_phase\ndcl_temps 4\n",
     "ret\n"},
    {sm4::kDomain,
     "ds_5_0\n" EXTENSIONS
     "dcl_input_control_point_count 1\ndcl_tessellator_domain domain_tri\ndcl_temps 4\n",
     "ret\n"},
    {sm4::kCompute, "cs_5_0\n" EXTENSIONS "dcl_thread_group 4, 1, 1\ndcl_temps 4\n", "ret\n"},
};

/// Control flow needs its counterparts: these texts surround the instruction. `@` marks the place of the
/// rest.
struct Partner {
  Opcode opcode;
  std::string_view text;
};
constexpr Partner kPartners[] = {
    {Opcode::if_, "if_nz r1.x\nmov r0.x, r1.y\nendif\n"},
    {Opcode::else_, "if_z r1.x\nmov r0.x, r1.y\nelse\nmov r0.x, r1.z\nendif\n"},
    {Opcode::endif, "if_nz r1.x\nendif\n"},
    {Opcode::loop, "loop\niadd r0.x, r0.x, l(1)\nige r0.y, r0.x, r1.x\nbreakc_nz r0.y\nendloop\n"},
    {Opcode::endloop, "loop\nbreak\nendloop\n"},
    {Opcode::break_, "loop\nif_nz r1.x\nbreak\nendif\niadd r1.x, r1.x, l(1)\nendloop\n"},
    {Opcode::breakc, "loop\niadd r1.x, r1.x, l(1)\nbreakc_z r1.x\nendloop\n"},
    {Opcode::continue_, "loop\nif_nz r1.x\nmov r1.x, l(0)\ncontinue\nendif\nbreak\nendloop\n"},
    {Opcode::continuec, "loop\niadd r1.x, r1.x, l(1)\ncontinuec_nz r1.x\nbreak\nendloop\n"},
    {Opcode::switch_, "switch r1.x\ncase l(0)\nmov r0.x, r1.y\nbreak\nendswitch\n"},
    {Opcode::case_, "switch r1.x\ncase l(1)\ncase l(2)\nmov r0.x, r1.y\nbreak\nendswitch\n"},
    {Opcode::default_, "switch r1.x\ncase l(1)\nbreak\ndefault\nmov r0.x, r1.y\nbreak\nendswitch\n"},
    {Opcode::endswitch, "switch r1.x\ndefault\nbreak\nendswitch\n"},
    {Opcode::retc, "retc_nz r1.x\n"},
    {Opcode::ret, "if_nz r1.x\nret\nendif\n"},
};
/// These need a body after the program's end.
struct Caller {
  Opcode opcode;
  std::string_view declarations, text, behind;
};
constexpr std::string_view kBody = "label l0\nmov r0.x, r1.y\nret\n";
constexpr Caller kCallers[] = {
    {Opcode::call, "", "call l0\n", kBody},
    {Opcode::callc, "", "callc_nz r1.x, l0\n", kBody},
    {Opcode::label, "", "call l0\n", kBody},
    {Opcode::fcall,
     "dcl_function_body fb0\ndcl_function_table ft0 = {fb0}\ndcl_interface fp0[1][1] = {ft0}\n",
     "fcall fp0[0][0]\n", "label fb0\nmov r0.x, r1.y\nret\n"},
};

std::string_view memory_of(Opcode opcode) {
  switch (opcode) {
    case Opcode::ldms:
    case Opcode::ldms_s:
    case Opcode::samplepos:
    case Opcode::sampleinfo: return "t1.xyzw";
    case Opcode::bufinfo:
    case Opcode::ld_raw:
    case Opcode::ld_raw_s: return "t4.xyzw";
    case Opcode::ld_structured:
    case Opcode::ld_structured_s: return "t5.xyzw";
    case Opcode::ld_uav_typed:
    case Opcode::ld_uav_typed_s: return "u0.xyzw";
    case Opcode::store_raw: return "u2.xyzw";
    case Opcode::store_structured: return "u1.xyzw";
    default: return "t0.xyzw";
  }
}

std::string_view destination(const OpcodeInfo& info, uint32_t position) {
  const bool narrow_double = info.types[position] != sm4::OperandType::double_ && info.operand_count > 1 &&
                             info.types[info.operand_count - 1u] == sm4::OperandType::double_;
  const bool scalar = info.has(sm4::kAtomic) || info.opcode == Opcode::imm_atomic_alloc ||
                      info.opcode == Opcode::imm_atomic_consume;
  if (position == 1 && info.has(sm4::kFeedback)) return "r3.x";
  if (scalar) return "r0.x";
  if (narrow_double) return "r0.xy";
  return position == 0 ? "r0.xyzw" : "r3.xyzw";
}

std::string spell(const OpcodeInfo& info) {
  if (const auto partner = std::ranges::find(kPartners, info.opcode, &Partner::opcode);
      partner != std::end(kPartners)) {
    return std::string(partner->text);
  }
  std::string text(info.mnemonic);
  if (info.has(sm4::kTest)) text += "_nz";
  if (info.has(sm4::kSync)) text += "_uglobal";
  uint32_t sources = 0;
  for (uint32_t i = 0; i < info.operand_count; ++i) {
    text += i == 0 ? " " : ", ";
    switch (info.shapes[i]) {
      case OperandShape::destination: text += destination(info, i); break;
      case OperandShape::source:
        text += sources == 0 ? "r1.xyzw" : sources == 1 ? "r2.xyzw" : "r2.zwzw";
        ++sources;
        break;
      case OperandShape::scalar: text += ++sources % 2 == 0 ? "r2.x" : "r2.y"; break;
      case OperandShape::sampler:
        text += info.has(sm4::kCompare) ? "s1" : "s0";
        if (info.mnemonic.starts_with("gather")) text += ".x";
        break;
      case OperandShape::uav_store: text += "u0.xyzw"; break;
      case OperandShape::atomic_target: text += "u2"; break;
      case OperandShape::counter: text += "u4"; break;
      case OperandShape::stream: text += "m0"; break;
      case OperandShape::input: text += "v1.xyzw"; break;
      default: text += memory_of(info.opcode); break;
    }
  }
  return text + "\n";
}

}  // namespace

std::string program_around(const sm4::OpcodeInfo& info, sm4::StageMask stage, bool with_it) {
  const auto frame = std::ranges::find(kFrames, stage, &Frame::stage);
  const auto caller = std::ranges::find(kCallers, info.opcode, &Caller::opcode);
  const bool calls = caller != std::end(kCallers);
  const size_t declarations = frame->begin.find('\n') + 1;
  const bool hull = stage == sm4::kHull;
  std::string text = std::string(frame->begin.substr(0, declarations)) + (hull ? "hs_decls\n" : "");
  if (calls && with_it) text += caller->declarations;
  text += kResources;
  text += frame->begin.substr(declarations + (hull ? 9 : 0));
  text += kBefore;
  if (with_it) text += calls ? std::string(caller->text) : spell(info);
  text += kAfter;
  text += frame->end;
  if (calls && with_it) text += caller->behind;
  return text;
}

}  // namespace texlate::test
