// A domain shader: a point of a triangle.
ds_5_0
dcl_input_control_point_count 3
dcl_tessellator_domain domain_tri
dcl_input vDomain.xyz
dcl_input vcp[3][0].xyz
dcl_output_siv o0.xyzw, position
dcl_temps 1
mul r0.xyz, vDomain.yyyy, vcp[1][0].xyzx
mad r0.xyz, vDomain.xxxx, vcp[0][0].xyzx, r0.xyzx
mad o0.xyz, vDomain.zzzz, vcp[2][0].xyzx, r0.xyzx
mov o0.w, l(1.000000)
ret

// TEST: golden
