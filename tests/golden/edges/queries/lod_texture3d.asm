// The level that a sample would take, clamped (x) and not (y).
ps_5_0
dcl_globalFlags refactoringAllowed
dcl_sampler s0, mode_default
dcl_resource_texture3d (float,float,float,float) t0
dcl_input_ps linear v1.xyzw
dcl_output o0.xyzw
dcl_temps 1
lod r0.xy, v1.xyzx, t0.xyzw, s0
mov o0.xyzw, r0.xyxy
ret

// TEST: golden
