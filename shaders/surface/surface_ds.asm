// Points of the patch, displaced by 0.5 - 0.6 (x^2 + z^2), and their place on the screen.
ds_5_0
dcl_input_control_point_count 4
dcl_tessellator_domain domain_quad
dcl_constantbuffer cb0[4], immediateIndexed
dcl_input vDomain.xy
dcl_input vcp[4][0].xyz
dcl_output_siv o0.xyzw, position
dcl_output o1.xyz
dcl_output o2.xy
dcl_temps 3
add r0.xyz, -vcp[0][0].xyzx, vcp[1][0].xyzx
mad r0.xyz, vDomain.xxxx, r0.xyzx, vcp[0][0].xyzx
add r1.xyz, -vcp[2][0].xyzx, vcp[3][0].xyzx
mad r1.xyz, vDomain.xxxx, r1.xyzx, vcp[2][0].xyzx
add r1.xyz, -r0.xyzx, r1.xyzx
mad r0.xyz, vDomain.yyyy, r1.xyzx, r0.xyzx
dp2 r1.x, r0.xzxx, r0.xzxx
mad r0.y, r1.x, l(-0.600000), l(0.500000)
mul r2.xyzw, r0.yyyy, cb0[1].xyzw
mad r2.xyzw, r0.xxxx, cb0[0].xyzw, r2.xyzw
mad r2.xyzw, r0.zzzz, cb0[2].xyzw, r2.xyzw
add o0.xyzw, r2.xyzw, cb0[3].xyzw
mov o1.xyz, r0.xyzx
mov o2.xy, r0.xzxx
ret
