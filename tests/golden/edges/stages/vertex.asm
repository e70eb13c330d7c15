// A vertex shader: a matrix product, an instance number and a clip distance.
vs_5_0
dcl_globalFlags refactoringAllowed
dcl_constantbuffer cb0[5], immediateIndexed
dcl_input v0.xyz
dcl_input v1.xy
dcl_input_sgv v2.x, instance_id
dcl_output_siv o0.xyzw, position
dcl_output o1.xy
dcl_output_siv o2.x, clip_distance
dcl_temps 2
utof r0.x, v2.x
mad r0.xyz, r0.xxxx, l(2.000000, 0.000000, 0.000000, 0.000000), v0.xyzx
mul r1.xyzw, r0.yyyy, cb0[1].xyzw
mad r1.xyzw, r0.xxxx, cb0[0].xyzw, r1.xyzw
mad r1.xyzw, r0.zzzz, cb0[2].xyzw, r1.xyzw
add o0.xyzw, r1.xyzw, cb0[3].xyzw
mov o1.xy, v1.xyxx
dp3 o2.x, r0.xyzx, cb0[4].xyzx
ret

// TEST: golden
