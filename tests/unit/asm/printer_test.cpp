#include <gtest/gtest.h>

#include "tests/unit/asm/parse_text.h"

namespace texlate {
namespace {

/// Lines in fxc's exact form. Each must be printed as it was read (docs/reference/assembly-text.md, "Exact
/// line per form").
TEST(Printer, KeepsEveryFormOfFxc) {
  const std::string_view kListings[] = {
      "ps_5_0\n"
      "dcl_globalFlags refactoringAllowed | forceEarlyDepthStencil\n"
      "dcl_immediateConstantBuffer { { 1.000000, 0, 0, 0},\n"
      "                              { 0, 1.000000, 0x0000cccc, -0.000000} }\n"
      "dcl_constantbuffer cb0[36], dynamicIndexed\n"
      "dcl_sampler s1, mode_comparison\n"
      "dcl_resource_texture2d (uint,uint,uint,uint) t8\n"
      "dcl_resource_texture2dms(0) (float,float,float,float) t1\n"
      "dcl_resource_structured t0, 48 \n"
      "dcl_uav_typed_texture2d (float,float,float,float) u0\n"
      "dcl_uav_structured_opc u7, 256\n"
      "dcl_input_ps linear noperspective centroid v2.xyz\n"
      "dcl_input_ps_siv linear noperspective sample v17.z, position\n"
      "dcl_input_ps_sgv v5.x, is_front_face\n"
      "dcl_output oDepthLE\n"
      "dcl_temps 9\n"
      "dcl_indexableTemp x0[4], 4\n"
      "resinfo_indexable(texture2d)(float,float,float,float)_uint r2.w, l(0), t8.xzwy\n"
      "sample_c_lz_aoffimmi_indexable(-1,-1,0)(texture2d)(float,float,float,float) r9.x, r23.xyxx, t11.xxxx, "
      "s11, r6.z\n"
      "sample_l_indexable [precise](texture2d)(float,float,float,float) o0.xyzw, v1.xyxx, t0.xyzw, s0, "
      "l(0.000000)\n"
      "gather4_indexable(texture2d)(float,float,float,float) r0.zw, r0.zwzz, t0.ywxz, s1.x\n"
      "ld_structured_indexable(structured_buffer, stride=48)(mixed,mixed,mixed,mixed) r1.xy, v1.x, l(32), "
      "t0.xyxx\n"
      "imm_atomic_iadd r8.x, g15, l(0), l(1)\n"
      "mov r0.xy, x0[r0.x + 0].xyxx\n"
      "mov [precise(x)] r0.x, cb0[25].w\n"
      "mov r0.xyzw, l(0,1.000000,0x7fffffff,-0.000000)\n"
      "mul r1.xyz, r1.xyzx, l(2.000000, -2.000000, 1.000000, 0.000000)\n"
      "and r0.w, r0.w, l(0x3f800000)\n"
      "dadd r0.xyzw, cb0[0].xyxy, d(1.000000l, 2.000000l)\n"
      "mad_sat r0.x, -|r0.x|, l(4.000000), l(4.000000)\n"
      "add r2.xyzw {min16f}, -|r2.xyzw {min16f}|, r1.xyzw {min16f}\n"
      "sincos null, r2.w, r2.w\n"
      "if_nz r1.w\n"
      "  switch r3.x\n"
      "    case l(1)\n"
      "    break \n"
      "    default \n"
      "    break \n"
      "  endswitch \n"
      "else \n"
      "  loop \n"
      "    breakc_z r2.z\n"
      "  endloop \n"
      "endif \n"
      "sync_uglobal_g_t\n"
      "discard_nz l(-1)\n"
      "ret \n"
      "// Approximately 25 instruction slots used\n",

      "ps_5_1\n"
      "dcl_constantbuffer CB0[0:0][4], immediateIndexed, space=0\n"
      "dcl_sampler S0[0:0], mode_default, space=0\n"
      "dcl_resource_texture2d (float,float,float,float) T1[10:*], space=0\n"
      "dcl_resource_structured T0[0:0], 92, space=0\n"
      "dcl_uav_typed_texture2d (unorm,unorm,unorm,unorm) U0[0:0], space=0\n"
      "sample r1.xyzw, r0.xyxx, T2[r1.x + 0].xyzw { nonuniform }, S0[5]\n"
      "uge r0.xyz, vThreadID.xyzx, CB0[0][2].xyzx\n",

      "gs_5_0\n"
      "dcl_input_siv v[1][0].xyzw, position\n"
      "dcl_input vGSInstanceID\n"
      "dcl_gsinstances 4\n"
      "dcl_inputprimitive line \n"
      "dcl_stream m0\n"
      "dcl_outputtopology trianglestrip \n"
      "dcl_maxout 4\n"
      "add r3.xyzw, r0.xyzw, v[r1.w + 0][0].xyzw\n"
      "emit_stream m0\n",

      "hs_5_0\n"
      "hs_decls \n"
      "dcl_input_control_point_count 3\n"
      "dcl_tessellator_domain domain_tri\n"
      "dcl_tessellator_partitioning partitioning_fractional_even\n"
      "hs_fork_phase \n"
      "dcl_hs_fork_phase_instance_count 4\n"
      "dcl_input vForkInstanceID\n"
      "dcl_input vicp[3][0].xyzw\n"
      "dcl_output_siv o0.x, finalQuadUeq0EdgeTessFactor\n"
      "dcl_indexrange o0.x 4\n"
      "mov o[r0.y + 0].x, vpc0.x\n",

      "cs_5_0\n"
      "dcl_uav_raw u1\n"
      "dcl_input vThreadIDInGroupFlattened\n"
      "dcl_tgsm_structured g3, 4, 512\n"
      "dcl_thread_group 16, 16, 1\n"
      "atomic_cmp_store g0, r1.xyxx, vThreadIDInGroup.y, vThreadIDInGroup.x\n"
      "store_uav_typed u0.xyzw, r4.xwww, r0.xyzw\n",
  };
  for (std::string_view listing : kListings) EXPECT_EQ(print_text(parse_good(listing)), listing);
}

TEST(Printer, WritesTheNewerDialect) {
  const auto program = parse_good(
      "ps_5_0\ndcl_constantbuffer cb0[4], immediateIndexed\ndcl_input_ps_sgv v5.x, is_front_face\n");
  assembly::PrintOptions options;
  options.dialect = assembly::Dialect::windows_10;
  EXPECT_EQ(
      print_text(program, options),
      "ps_5_0\ndcl_constantbuffer CB0[4], immediateIndexed\ndcl_input_ps_sgv constant v5.x, is_front_face\n");
}

TEST(Printer, KeepsAllBitsWhenAsked) {
  const auto program = parse_good("ps_5_0\nmul r0.x, r0.x, l(1.000000012E-007)\n");
  EXPECT_EQ(print_text(program), "ps_5_0\nmul r0.x, r0.x, l(0.000000)\n");
  assembly::PrintOptions options;
  options.exact_literals = true;
  EXPECT_EQ(print_text(program, options), "ps_5_0\nmul r0.x, r0.x, l(1e-07)\n");
}

}  // namespace
}  // namespace texlate
