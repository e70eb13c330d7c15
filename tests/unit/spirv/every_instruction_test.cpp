// Every instruction of the table, in every stage that may have it, becomes a valid module. The list is the
// front end's table of opcodes, so that none is missing.

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <algorithm>
#include <set>

#include "frontend/sm4/opcode.h"
#include "tests/support/every_instruction.h"
#include "tests/unit/spirv/from_listing.h"

namespace texlate::spirv {
namespace {

using sm4::Opcode;
using sm4::OpcodeInfo;

constexpr sm4::StageMask kStages[] = {sm4::kPixel, sm4::kVertex, sm4::kGeometry,
                                      sm4::kHull,  sm4::kDomain, sm4::kCompute};

class EveryInstruction : public ::testing::TestWithParam<Robustness> {};

TEST_P(EveryInstruction, IsTranslatedInEveryStage) {
  std::set<std::string> seen;
  uint32_t modules = 0;
  Options options;
  options.robustness = GetParam();
  for (const OpcodeInfo& info : sm4::kOpcodeTable) {
    if (info.mnemonic.empty() || info.has(sm4::kDeclaration)) continue;
    if (info.opcode == Opcode::fcall) continue;  // needs a class: tests/unit/lower
    seen.insert(std::string(info.mnemonic));
    for (const sm4::StageMask stage : kStages) {
      if ((info.stages & stage) == 0) continue;
      const std::string text = test::program_around(info, stage);
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
  // SPIR-V returns the previous value; consume returns one less (D3D11.3 22.17.17).
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

// Vulkan clamps the level to the last mip; Direct3D reads nothing past it (D3D11.3 5.8.5). The alpha of
// nothing is that of the format. A comparison needs the sampler's function, and stays.
TEST(SpirvInstructions, AFloorPastTheLastMip) {
  const std::string_view declarations =
      "ps_5_0\ndcl_sampler s0, {}\ndcl_resource_texture2d (float,float,float,float) t0\n"
      "dcl_input_ps linear v0.xy\ndcl_output o0.xyzw\ndcl_temps 2\n";
  const FromListing ps(fmt::format(fmt::runtime(declarations), "mode_default") +
                       "sample_cl_s o0.xyzw, null, v0.xyxx, t0.xyzw, s0, v0.x\nret\n");
  ASSERT_NE(ps.text, "") << ps.messages;
  EXPECT_EQ(ps.count("OpImageQueryLevels"), 1u);
  EXPECT_EQ(ps.count(" Ceil %"), 1u);
  EXPECT_EQ(ps.count("OpSelect %v4float"), 1u);
  EXPECT_EQ(ps.count("OpSpecConstant %uint"), 1u);
  const FromListing compared(
      fmt::format(fmt::runtime(declarations), "mode_comparison") +
      "sample_c_cl_s r0.x, null, v0.xyxx, t0.xxxx, s0, l(0.5), v0.x\nmov o0.xyzw, r0.xxxx\nret\n");
  ASSERT_NE(compared.text, "") << compared.messages;
  EXPECT_EQ(compared.count("OpImageQueryLevels"), 0u);
}

}  // namespace
}  // namespace texlate::spirv
