// Shows the level of detail. Each mip of the texture has its own color, the level grows with the distance from the center, and
// sample_l blends neighboring mips. In the right half the level comes from the derivatives of coordinates that change faster towards the edges.
//
// Resource Bindings:
//   t0: texture2d    one color per mip
//   s0               wrap, trilinear
//
ps_5_0
dcl_globalFlags refactoringAllowed
dcl_sampler s0, mode_default
dcl_resource_texture2d (float,float,float,float) t0
dcl_input_ps linear v1.xy
dcl_output o0.xyzw
dcl_temps 3
add r0.xy, v1.xyxx, l(-0.500000, -0.500000, 0.000000, 0.000000)
dp2 r0.z, r0.xyxx, r0.xyxx
mul r1.xy, r0.xyxx, r0.zzzz
mul r1.xy, r1.xyxx, l(24.000000, 24.000000, 0.000000, 0.000000)
sample_indexable(texture2d)(float,float,float,float) r2.xyz, r1.xyxx, t0.xyzw, s0
sqrt r0.z, r0.z
mul r0.w, r0.z, l(9.000000)
sample_l_indexable(texture2d)(float,float,float,float) r1.xyz, v1.xyxx, t0.xyzw, s0, r0.w
lt r0.w, l(0.000000), r0.x
movc o0.xyz, r0.wwww, r2.xyzx, r1.xyzx
mov o0.w, l(1.000000)
ret 

// Cases of `texlate test shaders`. The tolerances cover rounding that each device chooses: UNORM decoding, interpolation, filter weights
// in 8 bits, and mips blended in 4 bits.
// TEST: golden --folder golden
// TEST: translate --to ptx --expect-reflection golden/mip_rings.json
// TEST: run --scene scenes/mip_rings.json --via ir,ptx,maxwell,sass,dksh --picture golden/mip_rings.png
// TEST: run --scene scenes/mip_rings.json --known scenes/mip_rings.json --via ir,ptx,maxwell
// TEST: run --scene scenes/mip_rings.json --via ir,vulkan --absolute 0.125
// TEST: run --scene scenes/mip_rings.json --via ir,vulkan --robustness shader --absolute 0.125
