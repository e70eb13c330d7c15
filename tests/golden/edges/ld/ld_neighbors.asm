// Four loads around one place share their guards.
ps_5_0
dcl_globalFlags refactoringAllowed
dcl_resource_texture2d (float,float,float,float) t0
dcl_input_ps linear v1.xyzw
dcl_output o0.xyzw
dcl_temps 3
ftoi r0.xy, v1.xyxx
mov r0.zw, l(0,0,0,0)
ld_aoffimmi_indexable(-1,0,0)(texture2d)(float,float,float,float) r1.xyzw, r0.xyzw, t0.xyzw
ld_aoffimmi_indexable(1,0,0)(texture2d)(float,float,float,float) r2.xyzw, r0.xyzw, t0.xyzw
add r1.xyzw, r1.xyzw, r2.xyzw
ld_aoffimmi_indexable(0,-1,0)(texture2d)(float,float,float,float) r2.xyzw, r0.xyzw, t0.xyzw
add r1.xyzw, r1.xyzw, r2.xyzw
ld_aoffimmi_indexable(0,1,0)(texture2d)(float,float,float,float) r2.xyzw, r0.xyzw, t0.xyzw
add r1.xyzw, r1.xyzw, r2.xyzw
mov o0.xyzw, r1.xyzw
ret

// TEST: golden
