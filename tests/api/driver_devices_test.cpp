// What a driver says about a device that lacks something: SPIR-V 1.0 for Vulkan 1.0, and pixels that cannot
// be demoted to helpers.

#include "tests/api/translated.h"

namespace texlate {
namespace {

using testing::HasSubstr;
using testing::Not;

constexpr std::string_view kBuffers =
    "cs_5_0\ndcl_globalFlags refactoringAllowed\ndcl_constantbuffer cb0[1], immediateIndexed\n"
    "dcl_resource_structured t0, 16\ndcl_uav_structured u0, 4\ndcl_uav_raw u1\ndcl_input "
    "vThreadID.x\ndcl_temps 1\n"
    "dcl_thread_group 4, 1, 1\n"
    "ld_structured_indexable(structured_buffer, stride=16)(mixed,mixed,mixed,mixed) r0.x, vThreadID.x, l(0), "
    "t0.xxxx\n"
    "imm_atomic_alloc r0.y, u0\nbufinfo_indexable(raw_buffer)(mixed,mixed,mixed,mixed) r0.z, u1.x\n"
    "iadd r0.x, r0.x, cb0[0].x\niadd r0.x, r0.x, r0.z\nstore_structured u0.x, r0.y, l(0), r0.x\n"
    "store_raw u1.x, r0.y, r0.x\nret \n";

constexpr std::string_view kVertexId =
    "vs_5_0\ndcl_globalFlags refactoringAllowed\ndcl_input_sgv v0.x, vertex_id\ndcl_output_siv o0.xyzw, "
    "position\n"
    "dcl_temps 1\nutof r0.x, v0.x\nmov o0.xyzw, r0.xxxx\nret \n";

// Stores are uniform blocks: the storage class is newer.
TEST(DriverDevices, Vulkan10TakesSpirv10) {
  texlate_spirv_options options = spirv_options();
  options.version = 0x00010000;
  const Translated made = translate(kBuffers, options);
  ASSERT_EQ(made.status, TEXLATE_OK) << made.messages;
  EXPECT_THAT(made.text, HasSubstr("; Version: 1.0"));
  EXPECT_THAT(made.text, HasSubstr(" BufferBlock"));
  EXPECT_THAT(made.text, Not(HasSubstr("StorageBuffer ")));
  EXPECT_EQ(count(made.text, " Block\n"), 1u) << "the constant buffer";
  const Translated vertices = translate(kVertexId, options);
  ASSERT_EQ(vertices.status, TEXLATE_OK) << vertices.messages;
  EXPECT_THAT(vertices.text, HasSubstr("OpExtension \"SPV_KHR_shader_draw_parameters\""));
  options.version = 0x00010300;
  EXPECT_THAT(translate(kVertexId, options).text, Not(HasSubstr("OpExtension")));
  for (const uint32_t wrong : {0x00010100u, 0x00010200u, 0x00010700u, 0x00010001u}) {
    options.version = wrong;
    const Translated refused = translate(kVertexId, options);
    EXPECT_EQ(refused.status, TEXLATE_ERROR_ARGUMENT);
    EXPECT_THAT(refused.messages, HasSubstr("neither 0 nor 0x10000"));
  }
}

constexpr std::string_view kDiscard =
    "ps_5_0\ndcl_globalFlags refactoringAllowed\ndcl_uav_raw u1\ndcl_input_ps_siv linear noperspective "
    "v0.xy, position\n"
    "dcl_output o0.xyzw\ndcl_temps 1\nlt r0.x, v0.x, l(1.0)\ndiscard_nz r0.x\n"
    "imm_atomic_iadd r0.y, u1, l(0), l(1)\nstore_raw u1.x, l(4), l(7)\nmov o0.xyzw, r0.yyyy\nret \n";

TEST(DriverDevices, DiscardWithoutDemotion) {
  texlate_spirv_options options = spirv_options();
  const Translated demoted = translate(kDiscard, options);
  ASSERT_EQ(demoted.status, TEXLATE_OK) << demoted.messages;
  EXPECT_THAT(demoted.text, HasSubstr("OpDemoteToHelperInvocation"));
  options.discard = TEXLATE_DISCARD_FLAG;
  for (const uint32_t version : {0x00010000u, 0x00010300u, 0x00010600u}) {
    options.version = version;
    const Translated made = translate(kDiscard, options);
    ASSERT_EQ(made.status, TEXLATE_OK) << made.messages;
    EXPECT_THAT(made.text, Not(HasSubstr("Demote")));
    EXPECT_EQ(count(made.text, "OpKill"), 1u);
    EXPECT_EQ(count(made.text, "OpSelectionMerge"), 3u) << "the atomic, the store, the end";
    EXPECT_EQ(count(made.text, "OpPhi %uint"), 1u) << "what the atomic returns";
  }
  const Translated plain = translate(
      "ps_5_0\ndcl_globalFlags refactoringAllowed\ndcl_output o0.xyzw\nmov o0.xyzw, l(0,0,0,0)\nret \n",
      options);
  EXPECT_THAT(plain.text, Not(HasSubstr("OpKill")));
  options.discard = static_cast<texlate_discard>(2);
  EXPECT_EQ(translate(kDiscard, options).status, TEXLATE_ERROR_ARGUMENT);
}

}  // namespace
}  // namespace texlate
