// Factors of patches from cb0[patch]: one that is 0, negative or NaN culls, inside factors never do, and all
// are clamped.
hs_5_0
hs_decls
dcl_input_control_point_count 1
dcl_output_control_point_count 1
dcl_tessellator_domain domain_quad
dcl_tessellator_partitioning partitioning_integer
dcl_tessellator_output_primitive output_triangle_cw
dcl_constantbuffer cb0[8], dynamicIndexed
hs_control_point_phase
dcl_input v[1][0].x
dcl_output o0.x
mov o0.x, v[0][0].x
ret
hs_fork_phase
dcl_input vPrim
dcl_output_siv o0.x, finalQuadUeq0EdgeTessFactor
dcl_output_siv o1.x, finalQuadVeq0EdgeTessFactor
dcl_output_siv o2.x, finalQuadUeq1EdgeTessFactor
dcl_output_siv o3.x, finalQuadVeq1EdgeTessFactor
dcl_output_siv o4.x, finalQuadUInsideTessFactor
dcl_output_siv o5.x, finalQuadVInsideTessFactor
dcl_temps 1
mov r0.x, vPrim.x
mov o0.x, cb0[r0.x + 0].x
mov o1.x, cb0[r0.x + 0].y
mov o2.x, l(1.000000)
mov o3.x, l(1.000000)
mov o4.x, cb0[r0.x + 0].z
mov o5.x, cb0[r0.x + 0].w
ret

// TEST: run --scene factors.json --via ir,ptx,maxwell --buffers factors.out.json
// The device numbers primitives itself.
// TEST: run --scene factors_counted.json --via ir,vulkan
// TEST: run --scene factors.json --via ir,dksh
