// The size of a mip that may not exist, and the number of mips.
ps_5_0
dcl_globalFlags refactoringAllowed
dcl_resource_texturecubearray (float,float,float,float) t0
dcl_input_ps linear v1.xyzw
dcl_output o0.xyzw
dcl_temps 1
ftou r0.x, v1.x
resinfo_indexable(texturecubearray)(float,float,float,float) o0.xyzw, r0.x, t0.xyzw
ret

// TEST: golden
