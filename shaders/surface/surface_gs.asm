// Gives each triangle its normal.
gs_5_0
dcl_input_siv v[3][0].xyzw, position
dcl_input v[3][1].xyz
dcl_input v[3][2].xy
dcl_temps 3
dcl_inputprimitive triangle
dcl_stream m0
dcl_outputtopology trianglestrip
dcl_output_siv o0.xyzw, position
dcl_output o1.xyz
dcl_output o2.xy
dcl_maxout 3
add r0.xyz, -v[0][1].xyzx, v[1][1].xyzx
add r1.xyz, -v[0][1].xyzx, v[2][1].xyzx
mul r2.xyz, r1.zxyz, r0.yzxy
mad r2.xyz, r1.yzxy, r0.zxyz, -r2.xyzx
dp3 r0.w, r2.xyzx, r2.xyzx
rsq r0.w, r0.w
mul r2.xyz, r0.wwww, r2.xyzx
mov o0.xyzw, v[0][0].xyzw
mov o1.xyz, r2.xyzx
mov o2.xy, v[0][2].xyxx
emit_stream m0
mov o0.xyzw, v[1][0].xyzw
mov o1.xyz, r2.xyzx
mov o2.xy, v[1][2].xyxx
emit_stream m0
mov o0.xyzw, v[2][0].xyzw
mov o1.xyz, r2.xyzx
mov o2.xy, v[2][2].xyxx
emit_stream m0
ret
