// A comparison, level from derivatives.
ps_5_0
dcl_globalFlags refactoringAllowed
dcl_sampler s0, mode_comparison
dcl_resource_texture2d (float,float,float,float) t0
dcl_input_ps linear v1.xyzw
dcl_input_ps linear v2.x
dcl_output o0.xyzw
dcl_temps 1
sample_c_indexable(texture2d)(float,float,float,float) r0.x, v1.xyxx, t0.xxxx, s0, v2.x
mov o0.xyzw, r0.xxxx
ret

// TEST: golden
