// What the C interface reports about a program without translating it.

#include "tests/api/translated.h"

namespace texlate {
namespace {

texlate_binding binding_of(const api::Program& program, uint32_t index) {
  texlate_binding binding{};
  binding.struct_size = sizeof binding;
  EXPECT_EQ(texlate_program_get_binding(program.get(), index, &binding), TEXLATE_OK);
  return binding;
}

TEST(ProgramQueries, WhatIsDoneWithEachBinding) {
  const api::Program program(
      "cs_5_0\ndcl_globalFlags refactoringAllowed\ndcl_constantbuffer cb3[2], immediateIndexed\n"
      "dcl_sampler s1, mode_comparison\ndcl_resource_texture2dms(4) (uint,uint,uint,uint) t2\n"
      "dcl_uav_typed_texture2d_glc (sint,sint,sint,sint) u0\ndcl_uav_raw u1\ndcl_uav_structured u2, 8\n"
      "dcl_uav_raw u3\ndcl_input vThreadID.x\ndcl_temps 1\ndcl_thread_group 8, 1, 1\n"
      "ld_uav_typed_indexable(texture2d)(sint,sint,sint,sint) r0.xyzw, vThreadID.xxxx, u0.xyzw\n"
      "store_raw u1.x, vThreadID.x, r0.x\nimm_atomic_alloc r0.x, u2\natomic_iadd u3, l(0), cb3[0].x\n"
      "bufinfo_indexable(raw_buffer)(mixed,mixed,mixed,mixed) r0.x, u1.x\nret \n");
  ASSERT_TRUE(program.ok());
  EXPECT_EQ(binding_of(program, 0).flags, TEXLATE_BINDING_READ);
  EXPECT_EQ(binding_of(program, 1).flags, TEXLATE_BINDING_COMPARISON);
  const texlate_binding texture = binding_of(program, 2);
  EXPECT_EQ(texture.flags, 0u);
  EXPECT_EQ(texture.sample_count, 4u);
  EXPECT_EQ(texture.component_type, 4u);
  const texlate_binding typed = binding_of(program, 3);
  EXPECT_EQ(typed.flags, uint32_t{TEXLATE_BINDING_READ} | TEXLATE_BINDING_COHERENT);
  EXPECT_EQ(typed.component_type, 3u);
  // A size query does not count as a read.
  EXPECT_EQ(binding_of(program, 4).flags, TEXLATE_BINDING_WRITTEN);
  EXPECT_EQ(binding_of(program, 5).flags, TEXLATE_BINDING_COUNTER);
  EXPECT_EQ(binding_of(program, 6).flags,
            uint32_t{TEXLATE_BINDING_READ} | TEXLATE_BINDING_WRITTEN | TEXLATE_BINDING_ATOMIC);
  texlate_binding none{};
  none.struct_size = sizeof none;
  EXPECT_EQ(texlate_program_get_binding(program.get(), 7, &none), TEXLATE_ERROR_ARGUMENT);
  EXPECT_STREQ(texlate_argument_error(), "the program has no binding number 7");
}

TEST(ProgramQueries, SignaturesByIndexAndBySemantic) {
  const api::Program program(
      "// Output signature:\n//\n"
      "// Name                 Index   Mask Register SysValue Format   Used\n"
      "// -------------------- ----- ------ -------- -------- ------ ------\n"
      "// SV_Position              0   xyzw        0      POS  float   xyzw\n"
      "// Color                    3   xyz         1     NONE   uint   x z \n//\n"
      "vs_5_0\ndcl_output_siv o0.xyzw, position\ndcl_output o1.xyz\nmov o0.xyzw, l(0,0,0,0)\n"
      "mov o1.xz, l(1,2,3,4)\nret \n");
  ASSERT_TRUE(program.ok());
  EXPECT_EQ(texlate_program_signature_size(program.get(), TEXLATE_SIGNATURE_OUTPUT), 2u);
  EXPECT_EQ(texlate_program_signature_size(program.get(), TEXLATE_SIGNATURE_INPUT), 0u);
  texlate_signature_element element{};
  element.struct_size = sizeof element;
  ASSERT_EQ(texlate_program_get_signature_element(program.get(), TEXLATE_SIGNATURE_OUTPUT, 0, &element),
            TEXLATE_OK);
  EXPECT_STREQ(element.semantic_name, "SV_Position");
  EXPECT_EQ(element.system_value, 1u);
  ASSERT_EQ(texlate_program_find_signature_element(program.get(), TEXLATE_SIGNATURE_OUTPUT, "COLOR", 3, 0,
                                                   &element),
            TEXLATE_OK);
  EXPECT_EQ(element.register_index, 1u);
  EXPECT_EQ(element.component_type, 1u);
  EXPECT_EQ(element.mask, 7u);
  EXPECT_EQ(element.used_mask, 5u);
  EXPECT_EQ(texlate_program_find_signature_element(program.get(), TEXLATE_SIGNATURE_OUTPUT, "COLOR", 2, 0,
                                                   &element),
            TEXLATE_ERROR_ARGUMENT);
  EXPECT_STREQ(texlate_argument_error(), "the signature has no COLOR2 of stream 0");
}

}  // namespace
}  // namespace texlate
