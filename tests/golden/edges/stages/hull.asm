// A hull shader: a control point each, factors by a fork phase, one of them by a join phase.
hs_5_0
hs_decls
dcl_input_control_point_count 3
dcl_output_control_point_count 3
dcl_tessellator_domain domain_tri
dcl_tessellator_partitioning partitioning_fractional_odd
dcl_tessellator_output_primitive output_triangle_cw
dcl_constantbuffer cb0[1], immediateIndexed
hs_control_point_phase
dcl_input v[3][0].xyz
dcl_input vOutputControlPointID
dcl_output o0.xyz
dcl_temps 1
mov r0.x, vOutputControlPointID.x
mov o0.xyz, v[r0.x + 0][0].xyzx
ret
hs_fork_phase
dcl_hs_fork_phase_instance_count 3
dcl_input vForkInstanceID
dcl_output_siv o0.x, finalTriUeq0EdgeTessFactor
dcl_output_siv o1.x, finalTriVeq0EdgeTessFactor
dcl_output_siv o2.x, finalTriWeq0EdgeTessFactor
dcl_temps 1
dcl_indexrange o0.x 3
mov r0.x, vForkInstanceID.x
mov o[r0.x + 0].x, cb0[0].x
ret
hs_join_phase
dcl_input vpc0.x
dcl_output_siv o3.x, finalTriInsideTessFactor
mul o3.x, vpc0.x, cb0[0].y
ret

// TEST: golden
