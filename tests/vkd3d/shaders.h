// Listings for the tests of libvkd3d-shader.so.1.
#pragma once

#include <string_view>

namespace texlate::vkd3d {

inline constexpr std::string_view kVertexShader =
    "// Input signature:\n//\n"
    "// Name                 Index   Mask Register SysValue Format   Used\n"
    "// -------------------- ----- ------ -------- -------- ------ ------\n"
    "// POSITION                 0   xyzw        0     NONE  float   xyzw\n"
    "// NORMAL                   1   xyz         1     NONE  float   x   \n//\n"
    "// Output signature:\n//\n"
    "// Name                 Index   Mask Register SysValue Format   Used\n"
    "// -------------------- ----- ------ -------- -------- ------ ------\n"
    "// SV_Position              0   xyzw        0      POS  float   xyzw\n"
    "// TEXCOORD                 2   xy          1     NONE  float   x   \n//\n"
    "vs_5_0\ndcl_globalFlags refactoringAllowed\ndcl_input v0.xyzw\ndcl_input v1.x\n"
    "dcl_output_siv o0.xyzw, position\ndcl_output o1.xy\nmov o0.xyzw, v0.xyzw\nmov o1.x, v1.x\nret \n";

inline constexpr std::string_view kViewsShader =
    "cs_5_0\ndcl_globalFlags refactoringAllowed\ndcl_uav_typed_texture2d (float,float,float,float) u0\n"
    "dcl_uav_typed_texture2d (uint,uint,uint,uint) u1\ndcl_uav_typed_texture2d (float,float,float,float) u2\n"
    "dcl_temps 1\ndcl_thread_group 1, 1, 1\n"
    "ld_uav_typed_indexable(texture2d)(float,float,float,float) r0.xyzw, l(0,0,0,0), u0.xyzw\n"
    "atomic_iadd u1, l(0,0,0,0), l(1)\nstore_uav_typed u2.xyzw, l(0,0,0,0), r0.xyzw\nret \n";

inline constexpr std::string_view kPixelShader =
    "ps_5_0\ndcl_globalFlags refactoringAllowed\ndcl_output o0.xyzw\nmov o0.xyzw, l(1.0,0,0,0)\nret \n";

inline constexpr std::string_view kSpriteShader =
    "// Input signature:\n//\n"
    "// Name                 Index   Mask Register SysValue Format   Used\n"
    "// -------------------- ----- ------ -------- -------- ------ ------\n"
    "// COLOR                    0   xy          0     NONE  float   xy  \n"
    "// TexCoord                 3     zw        0     NONE  float     zw\n"
    "// TEXCOORD                 4   xyz         1     NONE  float   xyz \n//\n"
    "ps_5_0\ndcl_globalFlags refactoringAllowed\ndcl_input_ps linear v0.xy\ndcl_input_ps linear v0.zw\n"
    "dcl_input_ps linear v1.xyz\ndcl_output o0.xyzw\nadd o0.xyzw, v0.xyzw, v1.xyzx\nret \n";

inline constexpr std::string_view kSamplingShader =
    "ps_5_0\ndcl_globalFlags refactoringAllowed\ndcl_sampler s0, mode_default\n"
    "dcl_resource_texture2d (float,float,float,float) t0\n"
    "dcl_resource_texture2d (float,float,float,float) t1\ndcl_output o0.xyzw\ndcl_temps 2\n"
    "sample_l_indexable(texture2d)(float,float,float,float) r0.xyzw, l(0,0,0,0), t1.xyzw, s0, l(0)\n"
    "ld_indexable(texture2d)(float,float,float,float) r1.xyzw, l(0,0,0,0), t1.xyzw\n"
    "resinfo_indexable(texture2d)(float,float,float,float) r1.xyzw, l(0), t1.xyzw\n"
    "sample_l_indexable(texture2d)(float,float,float,float) r0.xyzw, l(0,0,0,0), t1.xyzw, s0, l(1)\n"
    "sample_l_indexable(texture2d)(float,float,float,float) r0.xyzw, l(0,0,0,0), t0.xyzw, s0, l(0)\n"
    "mov o0.xyzw, r0.xyzw\nret \n";

inline constexpr std::string_view kHullShader =
    "hs_5_0\nhs_decls\ndcl_input_control_point_count 3\ndcl_output_control_point_count 3\n"
    "dcl_tessellator_domain domain_tri\ndcl_tessellator_partitioning partitioning_fractional_odd\n"
    "dcl_tessellator_output_primitive output_triangle_ccw\ndcl_globalFlags refactoringAllowed\n"
    "hs_fork_phase\ndcl_hs_fork_phase_instance_count 3\ndcl_input vForkInstanceID\n"
    "dcl_output_siv o0.x, finalTriUeq0EdgeTessFactor\ndcl_output_siv o1.x, finalTriVeq0EdgeTessFactor\n"
    "dcl_output_siv o2.x, finalTriWeq0EdgeTessFactor\ndcl_temps 1\ndcl_indexrange o0.x 3\n"
    "mov r0.x, vForkInstanceID.x\nmov o[r0.x + 0].x, l(2.0)\nret \n"
    "hs_fork_phase\ndcl_output_siv o3.x, finalTriInsideTessFactor\nmov o3.x, l(2.0)\nret \n";

}  // namespace texlate::vkd3d
