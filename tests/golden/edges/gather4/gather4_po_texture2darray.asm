// An offset of six bits an axis that the shader computes.
ps_5_0
dcl_globalFlags refactoringAllowed
dcl_sampler s0, mode_default
dcl_resource_texture2darray (float,float,float,float) t0
dcl_input_ps linear v1.xyzw
dcl_input_ps linear v2.xy
dcl_output o0.xyzw
dcl_temps 1
ftoi r0.xy, v2.xyxx
gather4_po_indexable(texture2darray)(float,float,float,float) o0.xyzw, v1.xyzx, r0.xyxx, t0.xyzw, s0.x
ret

// TEST: golden
