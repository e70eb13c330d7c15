// A patch of 32 control points; patch constants that 99 fork instances and a join phase write. Patch p has
// p + 1 as its factors, which the join phase reads back from what the fork phases wrote.
hs_5_0
hs_decls
dcl_input_control_point_count 32
dcl_output_control_point_count 32
dcl_tessellator_domain domain_tri
dcl_tessellator_partitioning partitioning_fractional_odd
dcl_tessellator_output_primitive output_triangle_ccw
dcl_hs_max_tessfactor l(64.000000)
hs_control_point_phase
dcl_input v[32][0].xy
dcl_input vOutputControlPointID
dcl_output o0.xy
dcl_temps 1
iadd r0.x, -vOutputControlPointID, l(31)
mov o0.xy, v[r0.x + 0][0].yxyy
ret
hs_fork_phase
dcl_hs_fork_phase_instance_count 99
dcl_input vForkInstanceID
dcl_output o4.xyz
dcl_temps 1
ieq r0.x, vForkInstanceID, l(98)
if_nz r0.x
  mov o4.x, vForkInstanceID.x
endif
ieq r0.x, vForkInstanceID, l(0)
if_nz r0.x
  mov o4.y, vForkInstanceID.x
endif
ret
hs_fork_phase
dcl_input vPrim
dcl_input vocp[32][0].xy
dcl_output_siv o0.x, finalTriUeq0EdgeTessFactor
dcl_output_siv o1.x, finalTriVeq0EdgeTessFactor
dcl_output_siv o2.x, finalTriWeq0EdgeTessFactor
dcl_temps 1
utof r0.x, vPrim
add r0.x, r0.x, l(1.000000)
mov o0.x, r0.x
mov o1.x, r0.x
add o2.x, r0.x, vocp[31][0].x
ret
hs_join_phase
dcl_input vpc0.x
dcl_input vpc4.x
dcl_output o4.z
dcl_output_siv o3.x, finalTriInsideTessFactor
mov o3.x, vpc0.x
iadd o4.z, vpc4.x, l(1)
ret

// TEST: run --scene hull_phases.json --via ir,ptx,maxwell,vulkan --buffers hull_phases.out.json
// TEST: run --scene hull_phases.json --via ir,dksh
