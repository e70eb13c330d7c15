// The same of coordinates that the shader computes: Direct3D leaves their derivatives undefined, kernels take 0 toward the others.
ps_5_0
dcl_globalFlags refactoringAllowed
dcl_sampler s0, mode_default
dcl_resource_texture2d (float,float,float,float) t0
dcl_input_ps linear v1.xyzw
dcl_output o0.xyzw
dcl_temps 3
mov r0.xyzw, l(0,0,0,0)
lt r1.x, l(0.500000), v1.z
if_nz r1.x
  add r2.xy, v1.xyxx, v1.wwww
  sample_indexable(texture2d)(float,float,float,float) r0.xyzw, r2.xyxx, t0.xyzw, s0
endif
mov o0.xyzw, r0.xyzw
ret

// TEST: golden
