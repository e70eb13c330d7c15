// Each patch of four control points is divided 5.5 times.
hs_5_0
hs_decls
dcl_input_control_point_count 4
dcl_output_control_point_count 4
dcl_tessellator_domain domain_quad
dcl_tessellator_partitioning partitioning_fractional_odd
dcl_tessellator_output_primitive output_triangle_cw
hs_control_point_phase
dcl_input v[4][0].xyz
dcl_input vOutputControlPointID
dcl_output o0.xyz
dcl_temps 1
mov r0.x, vOutputControlPointID.x
mov o0.xyz, v[r0.x + 0][0].xyzx
ret
hs_fork_phase
dcl_output_siv o0.x, finalQuadUeq0EdgeTessFactor
dcl_output_siv o1.x, finalQuadVeq0EdgeTessFactor
dcl_output_siv o2.x, finalQuadUeq1EdgeTessFactor
dcl_output_siv o3.x, finalQuadVeq1EdgeTessFactor
dcl_output_siv o4.x, finalQuadUInsideTessFactor
dcl_output_siv o5.x, finalQuadVInsideTessFactor
mov o0.x, l(5.500000)
mov o1.x, l(5.500000)
mov o2.x, l(5.500000)
mov o3.x, l(5.500000)
mov o4.x, l(5.500000)
mov o5.x, l(5.500000)
ret
