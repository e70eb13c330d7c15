// The level of a constant coordinate is the finest.
ps_5_0
dcl_globalFlags refactoringAllowed
dcl_sampler s0, mode_default
dcl_resource_texture2d (float,float,float,float) t0
dcl_output o0.xyzw
sample_indexable(texture2d)(float,float,float,float) o0.xyzw, l(0.250000, 0.750000, 0.000000, 0.000000), t0.xyzw, s0
ret

// TEST: golden
