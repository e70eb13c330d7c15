// A bilinear sample with an offset, and one with a level bias. The level comes from derivatives over the quad.
//
// Resource Bindings:
//   t0: texture2d    the picture, with mips
//   s0               wrap, linear
//
ps_5_0
dcl_globalFlags refactoringAllowed
dcl_constantbuffer cb0[1], immediateIndexed
dcl_sampler s0, mode_default
dcl_resource_texture2d (float,float,float,float) t0
dcl_input_ps linear v1.xy
dcl_output o0.xyzw
dcl_temps 2
sample_aoffimmi_indexable(-1,2,0)(texture2d)(float,float,float,float) r0.xyzw, v1.xyxx, t0.xyzw, s0
sample_b_indexable(texture2d)(float,float,float,float) r1.xyzw, v1.xyxx, t0.xyzw, s0, cb0[0].x
add r0.xyzw, r0.xyzw, r1.xyzw
mul o0.xyzw, r0.xyzw, l(0.500000, 0.500000, 0.500000, 0.500000)
ret 

// Cases of `texlate test shaders`. The tolerances cover rounding that each device chooses: UNORM decoding, interpolation, filter weights
// in 8 bits, and mips blended in 4 bits.
// TEST: golden --folder golden
// TEST: translate --to ptx --expect-reflection golden/sample_offset_bias.json
// TEST: run --scene scenes/sample_offset_bias.json --via ir,ptx,maxwell,sass,dksh --picture golden/sample_offset_bias.png
// TEST: run --scene scenes/sample_offset_bias.json --known scenes/sample_offset_bias.json --via ir,ptx,maxwell
// TEST: run --scene scenes/sample_offset_bias.json --via ir,vulkan --absolute 0.02
// TEST: run --scene scenes/sample_offset_bias.json --via ir,vulkan --robustness shader --absolute 0.02
