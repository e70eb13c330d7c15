// Texels that are unorm.
ps_5_0
dcl_globalFlags refactoringAllowed
dcl_resource_texture2d (unorm,unorm,unorm,unorm) t0
dcl_input_ps linear v1.xyzw
dcl_output o0.xyzw
dcl_temps 3
ftoi r0.xy, v1.xyxx
mov r0.zw, l(0,0,0,0)
ld_indexable(texture2d)(unorm,unorm,unorm,unorm) r0.xyzw, r0.xyzw, t0.xyzw
mov o0.xyzw, r0.xyzw
ret

// TEST: golden
