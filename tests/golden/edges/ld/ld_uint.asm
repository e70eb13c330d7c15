// Texels that are uint.
ps_5_0
dcl_globalFlags refactoringAllowed
dcl_resource_texture2d (uint,uint,uint,uint) t0
dcl_input_ps linear v1.xyzw
dcl_output o0.xyzw
dcl_temps 3
ftoi r0.xy, v1.xyxx
mov r0.zw, l(0,0,0,0)
ld_indexable(texture2d)(uint,uint,uint,uint) r0.xyzw, r0.xyzw, t0.xyzw
utof o0.xyzw, r0.xyzw
ret

// TEST: golden
