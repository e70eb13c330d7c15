// Texels that are sint.
ps_5_0
dcl_globalFlags refactoringAllowed
dcl_resource_texture2d (sint,sint,sint,sint) t0
dcl_input_ps linear v1.xyzw
dcl_output o0.xyzw
dcl_temps 3
ftoi r0.xy, v1.xyxx
mov r0.zw, l(0,0,0,0)
ld_indexable(texture2d)(sint,sint,sint,sint) r0.xyzw, r0.xyzw, t0.xyzw
itof o0.xyzw, r0.xyzw
ret

// TEST: golden
