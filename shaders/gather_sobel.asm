// Edges of a picture. Four gather4 with offsets read the sixteen texels around a corner, and two dot products per gather make
// the gradient. The address mode is clamp, so the frame of the picture shows no edge.
//
// Resource Bindings:
//   t0: texture2d    the picture
//   s0               clamp, point
//
ps_5_0
dcl_globalFlags refactoringAllowed
dcl_sampler s0, mode_default
dcl_resource_texture2d (float,float,float,float) t0
dcl_input_ps linear v1.xy
dcl_output o0.xyzw
dcl_temps 4
gather4_aoffimmi_indexable(-1,-1,0)(texture2d)(float,float,float,float) r0.xyzw, v1.xyxx, t0.xyzw, s0.x
dp4 r1.x, r0.xyzw, l(-2.000000, -1.000000, -1.000000, -1.000000)
dp4 r1.y, r0.xyzw, l(-1.000000, -1.000000, -2.000000, -1.000000)
gather4_aoffimmi_indexable(1,-1,0)(texture2d)(float,float,float,float) r0.xyzw, v1.xyxx, t0.xyzw, s0.x
dp4 r2.x, r0.xyzw, l(1.000000, 2.000000, 1.000000, 1.000000)
dp4 r2.y, r0.xyzw, l(-1.000000, -1.000000, -1.000000, -2.000000)
add r1.xy, r1.xyxx, r2.xyxx
gather4_aoffimmi_indexable(-1,1,0)(texture2d)(float,float,float,float) r0.xyzw, v1.xyxx, t0.xyzw, s0.x
dp4 r2.x, r0.xyzw, l(-1.000000, -1.000000, -1.000000, -2.000000)
dp4 r2.y, r0.xyzw, l(1.000000, 2.000000, 1.000000, 1.000000)
add r1.xy, r1.xyxx, r2.xyxx
gather4_aoffimmi_indexable(1,1,0)(texture2d)(float,float,float,float) r0.xyzw, v1.xyxx, t0.xyzw, s0.x
dp4 r2.x, r0.xyzw, l(1.000000, 1.000000, 2.000000, 1.000000)
dp4 r2.y, r0.xyzw, l(2.000000, 1.000000, 1.000000, 1.000000)
add r1.xy, r1.xyxx, r2.xyxx
dp2 r1.z, r1.xyxx, r1.xyxx
sqrt r1.z, r1.z
mul_sat r3.xyz, r1.zzzz, l(0.450000, 0.300000, 0.200000, 0.000000)
mad_sat o0.xyz, r1.xyxx, l(0.060000, 0.060000, 0.000000, 0.000000), r3.xyzx
mov o0.w, l(1.000000)
ret 

// Cases of `texlate test shaders`. The tolerances cover rounding that each device chooses: UNORM decoding, interpolation, filter weights
// in 8 bits, and mips blended in 4 bits.
// TEST: golden --folder golden
// TEST: translate --to ptx --expect-reflection golden/gather_sobel.json
// TEST: run --scene scenes/gather_sobel.json --via ir,ptx,maxwell,sass,dksh --picture golden/gather_sobel.png
// TEST: run --scene scenes/gather_sobel.json --known scenes/gather_sobel.json --via ir,ptx,maxwell
// TEST: run --scene scenes/gather_sobel.json --via ir,vulkan --absolute 0.000002
// TEST: run --scene scenes/gather_sobel.json --via ir,vulkan --robustness shader --absolute 0.000002
