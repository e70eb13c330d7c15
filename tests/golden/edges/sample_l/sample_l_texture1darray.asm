// A given level.
ps_5_0
dcl_globalFlags refactoringAllowed
dcl_sampler s0, mode_default
dcl_resource_texture1darray (float,float,float,float) t0
dcl_input_ps linear v1.xyzw
dcl_input_ps linear v2.x
dcl_output o0.xyzw
sample_l_indexable(texture1darray)(float,float,float,float) o0.xyzw, v1.xyxx, t0.xyzw, s0, v2.x
ret

// TEST: golden
