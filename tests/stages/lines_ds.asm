// A bent line between two sides of the patch, with a color that changes along it.
ds_5_0
dcl_input_control_point_count 4
dcl_tessellator_domain domain_isoline
dcl_input vDomain.xy
dcl_input vcp[4][0].xyzw
dcl_output_siv o0.xyzw, position
dcl_output o1.xyzw
dcl_temps 3
add r0.xyzw, -vcp[0][0].xyzw, vcp[1][0].xyzw
mad r0.xyzw, vDomain.xxxx, r0.xyzw, vcp[0][0].xyzw
add r1.xyzw, -vcp[2][0].xyzw, vcp[3][0].xyzw
mad r1.xyzw, vDomain.xxxx, r1.xyzw, vcp[2][0].xyzw
add r1.xyzw, -r0.xyzw, r1.xyzw
mad r0.xyzw, vDomain.yyyy, r1.xyzw, r0.xyzw
add r2.x, -vDomain.x, l(1.000000)
mul r2.x, r2.x, vDomain.x
add r0.y, r0.y, r2.x
mov o0.xyzw, r0.xyzw
mov o1.xy, vDomain.xyxx
mov o1.zw, l(0, 0, 1.000000, 1.000000)
ret
