// A constant offset beyond what an immediate one can have.
ps_5_0
dcl_globalFlags refactoringAllowed
dcl_sampler s0, mode_default
dcl_resource_texture2d (float,float,float,float) t0
dcl_input_ps linear v1.xyzw
dcl_output o0.xyzw
gather4_po_indexable(texture2d)(float,float,float,float) o0.xyzw, v1.xyxx, l(-32,31,0,0), t0.xyzw, s0.x
ret

// TEST: golden
