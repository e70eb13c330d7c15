// Every instruction of the table, in every stage that may have it, becomes a valid module: from the
// frontend's own table of opcodes, so that none is forgotten.

#include <gmock/gmock.h>

#include <algorithm>
#include <set>

#include "frontend/sm4/opcode.h"
#include "tests/unit/spirv/from_listing.h"

namespace texlate::spirv {
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
/// r1 and r2 hold what nobody knows; r0 and r3 go to a buffer.
constexpr std::string_view kBefore = "ld_raw r1.xyzw, l(0), t4.xyzw\nld_raw r2.xyzw, l(16), t4.xyzw\n";
constexpr std::string_view kAfter = "store_raw u3.xyzw, l(0), r0.xyzw\nstore_raw u3.xyzw, l(16), r3.xyzw\n";

struct Frame {
  sm4::StageMask stage;
  std::string_view begin, end;
};
constexpr Frame kFrames[] = {
    {sm4::kPixel, "ps_5_0\ndcl_input_ps linear v1.xyzw\ndcl_temps 4\n", "ret\n"},
    {sm4::kVertex, "vs_5_0\ndcl_temps 4\n", "ret\n"},
    {sm4::kGeometry,
     "gs_5_0\ndcl_inputprimitive point\ndcl_stream m0\ndcl_outputtopology pointlist\ndcl_output o0.x\n"
     "dcl_maxout 4\ndcl_temps 4\n",
     "mov o0.x, l(1.0)\nemit_stream m0\nret\n"},
    {sm4::kHull,
     "hs_5_0\nhs_decls\ndcl_input_control_point_count 1\ndcl_output_control_point_count 1\n"
     "dcl_tessellator_domain domain_tri\ndcl_tessellator_partitioning partitioning_integer\n"
     "dcl_tessellator_output_primitive output_triangle_cw\nhs_control_point_phase\ndcl_temps 4\n",
     "ret\n"},
    {sm4::kDomain,
     "ds_5_0\ndcl_input_control_point_count 1\ndcl_tessellator_domain domain_tri\ndcl_temps 4\n", "ret\n"},
    {sm4::kCompute, "cs_5_0\ndcl_thread_group 4, 1, 1\ndcl_temps 4\n", "ret\n"},
};

/// Control flow needs partners: what stands here is the instruction among them. `@` is where the rest goes.
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
/// These stand with their labels and declarations in the tests of tests/unit/lower.
constexpr Opcode kElsewhere[] = {Opcode::call, Opcode::callc, Opcode::label, Opcode::fcall};

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

class EveryInstruction : public ::testing::TestWithParam<Robustness> {};

TEST_P(EveryInstruction, IsTranslatedInEveryStage) {
  std::set<std::string> seen;
  uint32_t modules = 0;
  Options options;
  options.robustness = GetParam();
  for (const OpcodeInfo& info : sm4::kOpcodeTable) {
    if (info.mnemonic.empty() || info.has(sm4::kDeclaration)) continue;
    if (std::ranges::find(kElsewhere, info.opcode) != std::end(kElsewhere)) continue;
    seen.insert(std::string(info.mnemonic));
    const std::string instruction = spell(info);
    for (const Frame& frame : kFrames) {
      if ((info.stages & frame.stage) == 0) continue;
      const size_t declarations = frame.begin.find('\n') + 1;
      const bool hull = frame.stage == sm4::kHull;
      const std::string text =
          std::string(frame.begin.substr(0, declarations)) + (hull ? "hs_decls\n" : "") +
          std::string(kResources) + std::string(frame.begin.substr(declarations + (hull ? 9 : 0))) +
          std::string(kBefore) + instruction + std::string(kAfter) + std::string(frame.end);
      const FromListing shader(text, options);
      EXPECT_NE(shader.text, "") << text << shader.messages;
      ++modules;
    }
  }
  EXPECT_GT(seen.size(), 170u);
  EXPECT_GT(modules, 900u);
}

INSTANTIATE_TEST_SUITE_P(Robustness, EveryInstruction,
                         ::testing::Values(Robustness::driver, Robustness::shader), [](const auto& instance) {
                           return instance.param == Robustness::driver ? "driver" : "shader";
                         });

TEST(SpirvInstructions, SharedMemoryOfAGroup) {
  std::string text =
      "cs_5_0\ndcl_uav_raw u3\ndcl_input vThreadIDInGroupFlattened\ndcl_tgsm_raw g0, 64\n"
      "dcl_tgsm_structured g1, 8, 16\ndcl_temps 3\ndcl_thread_group 16, 1, 1\n"
      "mov r0.x, vThreadIDInGroupFlattened\nstore_raw g0.x, r0.x, r0.x\n"
      "store_structured g1.xy, r0.x, l(0), r0.xxxx\nsync_g_t\nld_raw r1.x, r0.x, g0.xxxx\n"
      "ld_structured r1.y, r0.x, l(4), g1.xxxx\n";
  for (const char* name : {"iadd", "and", "or", "xor", "imax", "imin", "umax", "umin"}) {
    text += std::string("atomic_") + name + " g0, r0.x, r1.x\n";
    text += std::string("imm_atomic_") + name + " r1.x, g0, r0.x, r1.x\n";
  }
  text +=
      "imm_atomic_exch r1.x, g0, r0.x, r1.x\natomic_cmp_store g0, r0.x, r1.x, r1.y\n"
      "imm_atomic_cmp_exch r1.x, g0, r0.x, r1.x, r1.y\nstore_raw u3.xy, r0.x, r1.xyxx\nret\n";
  const FromListing cs(text);
  ASSERT_NE(cs.text, "") << cs.messages;
  EXPECT_EQ(cs.count("OpControlBarrier"), 1u);
  EXPECT_EQ(cs.count("OpAtomic"), 19u);
  EXPECT_EQ(cs.count("OpCapability"), 1u);
}

TEST(SpirvInstructions, CountersReturnTheirValueBeforeAndAfter) {
  const FromListing cs(
      "cs_5_0\ndcl_uav_structured_opc u1, 4\ndcl_uav_raw u3\ndcl_temps 1\ndcl_thread_group 1, 1, 1\n"
      "imm_atomic_alloc r0.x, u1\nimm_atomic_consume r0.y, u1\nstore_raw u3.xy, l(0), r0.xyxx\nret\n");
  ASSERT_NE(cs.text, "") << cs.messages;
  // SPIR-V gives the value before: a consume's is one less (D3D11.3 22.17.17).
  EXPECT_EQ(cs.count("OpAtomicI"), 2u);
  EXPECT_EQ(cs.count("OpISub %"), 1u);
  EXPECT_THAT(cs.text, ::testing::HasSubstr("Binding 225"));
}

TEST(SpirvInstructions, ResidencyFeedback) {
  const FromListing ps(
      "ps_5_0\ndcl_sampler s0, mode_default\ndcl_resource_texture2d (float,float,float,float) t0\n"
      "dcl_input_ps linear v0.xy\ndcl_output o0.xyzw\ndcl_temps 2\n"
      "sample_cl_s o0.xyz, r1.x, v0.xyxx, t0.xyzw, s0, l(2.0)\ncheck_access_fully_mapped r0.x, r1.x\n"
      "and o0.w, r0.x, l(1.0)\nret\n");
  ASSERT_NE(ps.text, "") << ps.messages;
  EXPECT_THAT(ps.text, ::testing::AllOf(::testing::HasSubstr("OpImageSparseSampleImplicitLod"),
                                        ::testing::HasSubstr("MinLod %"),
                                        ::testing::HasSubstr("OpImageSparseTexelsResident"),
                                        ::testing::HasSubstr("OpCapability SparseResidency"),
                                        ::testing::HasSubstr("OpCapability MinLod")));
}

}  // namespace
}  // namespace texlate::spirv
