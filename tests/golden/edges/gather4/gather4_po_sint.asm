// Texels that are integers, and so is the border color.
ps_5_0
dcl_globalFlags refactoringAllowed
dcl_sampler s0, mode_default
dcl_resource_texture2d (sint,sint,sint,sint) t0
dcl_input_ps linear v1.xyzw
dcl_output o0.xyzw
dcl_temps 1
gather4_po_indexable(texture2d)(sint,sint,sint,sint) r0.xyzw, v1.xyxx, v1.zwzz, t0.xyzw, s0.x
itof o0.xyzw, r0.xyzw
ret

// TEST: golden
