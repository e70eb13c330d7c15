// A given level and an offset.
ps_5_0
dcl_globalFlags refactoringAllowed
dcl_sampler s0, mode_default
dcl_resource_texture2darray (float,float,float,float) t0
dcl_input_ps linear v1.xyzw
dcl_output o0.xyzw
sample_l_aoffimmi_indexable(7,-8,0)(texture2darray)(float,float,float,float) o0.xyzw, v1.xyzx, t0.xyzw, s0, l(1.500000)
ret

// TEST: golden
