// A bias of the level.
ps_5_0
dcl_globalFlags refactoringAllowed
dcl_sampler s0, mode_default
dcl_resource_texture2darray (float,float,float,float) t0
dcl_input_ps linear v1.xyzw
dcl_output o0.xyzw
sample_b_indexable(texture2darray)(float,float,float,float) o0.xyzw, v1.xyzx, t0.xyzw, s0, v1.w
ret

// TEST: golden
