// Six lines of nine parts; one of the patches has no lines.
hs_5_0
hs_decls
dcl_input_control_point_count 4
dcl_output_control_point_count 4
dcl_tessellator_domain domain_isoline
dcl_tessellator_partitioning partitioning_integer
dcl_tessellator_output_primitive output_line
hs_control_point_phase
dcl_input v[4][0].xyzw
dcl_input vOutputControlPointID
dcl_output o0.xyzw
dcl_temps 1
mov r0.x, vOutputControlPointID.x
mov o0.xyzw, v[r0.x + 0][0].xyzw
ret
hs_fork_phase
dcl_input vPrim
dcl_output_siv o0.x, finalLineDetailTessFactor
dcl_output_siv o1.x, finalLineDensityTessFactor
dcl_temps 1
ieq r0.x, vPrim.x, l(1)
movc o0.x, r0.x, l(0), l(9.000000)
mov o1.x, l(6.000000)
ret
