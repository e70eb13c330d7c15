// The number of samples of a texture.
ps_5_0
dcl_globalFlags refactoringAllowed
dcl_resource_texture2dms(4) (float,float,float,float) t0
dcl_output o0.xyzw
sampleinfo o0.xyzw, t0.xyzw
ret

// TEST: golden
