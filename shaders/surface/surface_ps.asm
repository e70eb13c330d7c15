// A texture lit from one side, flat by triangle: the last stage of a displaced, tessellated surface.
ps_5_0
dcl_globalFlags refactoringAllowed
dcl_sampler s0, mode_default
dcl_resource_texture2d (float,float,float,float) t0
dcl_input_ps constant v1.xyz
dcl_input_ps linear v2.xy
dcl_output o0.xyzw
dcl_temps 2
dp3 r0.x, v1.xyzx, l(0.500000, 0.750000, -0.500000, 0.000000)
max r0.x, r0.x, l(0.000000)
mad r0.x, r0.x, l(0.800000), l(0.200000)
sample_indexable(texture2d)(float,float,float,float) r1.xyzw, v2.xyxx, t0.xyzw, s0
mul o0.xyz, r0.xxxx, r1.xyzx
mov o0.w, l(1.000000)
ret

// TEST: run --pipeline surface.json --via ir,ptx,maxwell,dksh,vulkan --picture surface.png --steps 1 --max-pixels 1
