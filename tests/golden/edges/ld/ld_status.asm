// The residency of what was read.
ps_5_0
dcl_globalFlags refactoringAllowed
dcl_resource_texture2d (float,float,float,float) t0
dcl_input_ps linear v1.xyzw
dcl_output o0.xyzw
dcl_temps 3
ftoi r0.xy, v1.xyxx
mov r0.zw, l(0,0,0,0)
ld_s_indexable(texture2d)(float,float,float,float) r1.xyzw, r2.x, r0.xyzw, t0.xyzw
check_access_fully_mapped r2.x, r2.x
and o0.xyzw, r1.xyzw, r2.xxxx
ret

// TEST: golden
