// Two shadow tests: one is filtered by the sampler (sample_c_lz), the other is the mean of four comparisons (gather4_c).
// CUDA has no comparison samplers, so PTX compares in code.
//
// Resource Bindings:
//   t0: texture2d    depth
//   s0               comparison, less_equal
//
ps_5_0
dcl_globalFlags refactoringAllowed
dcl_sampler s0, mode_comparison
dcl_resource_texture2d (float,float,float,float) t0
dcl_input_ps linear v1.xyz
dcl_output o0.xyzw
dcl_temps 2
sample_c_lz_indexable(texture2d)(float,float,float,float) r0.x, v1.xyxx, t0.xxxx, s0, v1.z
gather4_c_aoffimmi_indexable(1,-1,0)(texture2d)(float,float,float,float) r1.xyzw, v1.xyxx, t0.xyzw, s0.x, v1.z
dp4 r0.y, r1.xyzw, l(0.250000, 0.250000, 0.250000, 0.250000)
mov o0.xy, r0.xyxx
mov o0.zw, l(0,0,0,1.000000)
ret 

// Cases of `texlate test shaders`. The tolerances cover rounding that each device chooses: UNORM decoding, interpolation, filter weights
// in 8 bits, and mips blended in 4 bits.
// TEST: golden --folder golden
// TEST: translate --to ptx --expect-reflection golden/shadow_gather.json
// TEST: run --scene scenes/shadow_gather.json --via ir,ptx,maxwell,sass,dksh --picture golden/shadow_gather.png
// TEST: run --scene scenes/shadow_gather.json --known scenes/shadow_gather.json --via ir,ptx,maxwell
// TEST: run --scene scenes/shadow_gather.json --via ir,vulkan --absolute 0.0001
// TEST: run --scene scenes/shadow_gather.json --via ir,vulkan --robustness shader --absolute 0.0001
