// Four comparisons.
ps_5_0
dcl_globalFlags refactoringAllowed
dcl_sampler s0, mode_comparison
dcl_resource_texture2darray (float,float,float,float) t0
dcl_input_ps linear v1.xyzw
dcl_input_ps linear v2.x
dcl_output o0.xyzw
gather4_c_indexable(texture2darray)(float,float,float,float) o0.xyzw, v1.xyzx, t0.xyzw, s0.x, v2.x
ret

// TEST: golden
