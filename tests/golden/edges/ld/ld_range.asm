// A register of a range by a run-time index (model 5.1).
ps_5_1
dcl_globalFlags refactoringAllowed
dcl_resource_texture2d (float,float,float,float) T0[0:3], space=0
dcl_input_ps linear v1.xyzw
dcl_output o0.xyzw
dcl_temps 3
ftoi r0.xyzw, v1.xyzz
mov r0.zw, l(0,0,0,0)
ftou r1.x, v1.z
ld_indexable(texture2d)(float,float,float,float) o0.xyzw, r0.xyzw, T0[r1.x + 0].xyzw
ret

// TEST: golden
