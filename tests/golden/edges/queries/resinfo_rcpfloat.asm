// Reciprocals of the size.
ps_5_0
dcl_globalFlags refactoringAllowed
dcl_resource_texture2d (float,float,float,float) t0
dcl_output o0.xyzw
resinfo_indexable(texture2d)(float,float,float,float)_rcpFloat o0.xyzw, l(0), t0.xyzw
ret

// TEST: golden
