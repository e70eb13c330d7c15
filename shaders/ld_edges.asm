// ld with offsets that step past all four edges of mip 0. Loads outside read 0 (alpha too, for a format that has alpha).
//
// Resource Bindings:
//   t0: texture2d    the picture
//
ps_5_0
dcl_globalFlags refactoringAllowed
dcl_resource_texture2d (float,float,float,float) t0
dcl_input_ps_siv linear noperspective v0.xy, position
dcl_output o0.xyzw
dcl_temps 3
ftoi r0.xy, v0.xyxx
mov r0.zw, l(0,0,0,0)
ld_aoffimmi_indexable(-8,0,0)(texture2d)(float,float,float,float) r1.xyzw, r0.xyzw, t0.xyzw
ld_aoffimmi_indexable(7,0,0)(texture2d)(float,float,float,float) r2.xyzw, r0.xyzw, t0.xyzw
add r1.xyzw, r1.xyzw, r2.xyzw
ld_aoffimmi_indexable(0,-8,0)(texture2d)(float,float,float,float) r2.xyzw, r0.xyzw, t0.xyzw
add r1.xyzw, r1.xyzw, r2.xyzw
ld_aoffimmi_indexable(0,7,0)(texture2d)(float,float,float,float) r2.xyzw, r0.xyzw, t0.xyzw
add r1.xyzw, r1.xyzw, r2.xyzw
mul o0.xyzw, r1.xyzw, l(0.250000, 0.250000, 0.250000, 0.250000)
ret 

// Cases of `texlate test shaders`. The tolerances cover rounding that each device chooses: UNORM decoding, interpolation, filter weights
// in 8 bits, and mips blended in 4 bits.
// TEST: golden --folder golden
// TEST: translate --to ptx --expect-reflection golden/ld_edges.json
// TEST: run --scene scenes/ld_edges.json --via ir,ptx,maxwell,sass,dksh --picture golden/ld_edges.png
// TEST: run --scene scenes/ld_edges.json --known scenes/ld_edges.json --via ir,ptx,maxwell
// TEST: run --scene scenes/ld_edges.json --via ir,vulkan --absolute 0.000002
// TEST: run --scene scenes/ld_edges.json --via ir,vulkan --robustness shader --absolute 0.000002
