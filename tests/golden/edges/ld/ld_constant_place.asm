// A constant coordinate.
ps_5_0
dcl_globalFlags refactoringAllowed
dcl_resource_texture2d (float,float,float,float) t0
dcl_output o0.xyzw
ld_indexable(texture2d)(float,float,float,float) o0.xyzw, l(3,4,0,0), t0.xyzw
ret

// TEST: golden
