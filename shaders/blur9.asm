// A Gaussian blur of three by three texels, row by row. Corners, edges and the center have the weights 1/16, 2/16 and 4/16.
// Each fetch except the center's has its own offset. Fetches outside the picture read 0.
//
// Resource Bindings:
//   t0: texture2d     the picture
//
ps_5_0
dcl_globalFlags refactoringAllowed
dcl_resource_texture2d (float,float,float,float) t0
dcl_input_ps_siv linear noperspective v0.xy, position
dcl_output o0.xyzw
dcl_temps 3
ftoi r0.xy, v0.xyxx
mov r0.zw, l(0,0,0,0)
ld_aoffimmi_indexable(-1,-1,0)(texture2d)(float,float,float,float) r1.xyzw, r0.xyzw, t0.xyzw
mul r1.xyzw, r1.xyzw, l(0.0625, 0.0625, 0.0625, 0.0625)
ld_aoffimmi_indexable(0,-1,0)(texture2d)(float,float,float,float) r2.xyzw, r0.xyzw, t0.xyzw
mad r1.xyzw, r2.xyzw, l(0.125, 0.125, 0.125, 0.125), r1.xyzw
ld_aoffimmi_indexable(1,-1,0)(texture2d)(float,float,float,float) r2.xyzw, r0.xyzw, t0.xyzw
mad r1.xyzw, r2.xyzw, l(0.0625, 0.0625, 0.0625, 0.0625), r1.xyzw
ld_aoffimmi_indexable(-1,0,0)(texture2d)(float,float,float,float) r2.xyzw, r0.xyzw, t0.xyzw
mad r1.xyzw, r2.xyzw, l(0.125, 0.125, 0.125, 0.125), r1.xyzw
ld_indexable(texture2d)(float,float,float,float) r2.xyzw, r0.xyzw, t0.xyzw
mad r1.xyzw, r2.xyzw, l(0.25, 0.25, 0.25, 0.25), r1.xyzw
ld_aoffimmi_indexable(1,0,0)(texture2d)(float,float,float,float) r2.xyzw, r0.xyzw, t0.xyzw
mad r1.xyzw, r2.xyzw, l(0.125, 0.125, 0.125, 0.125), r1.xyzw
ld_aoffimmi_indexable(-1,1,0)(texture2d)(float,float,float,float) r2.xyzw, r0.xyzw, t0.xyzw
mad r1.xyzw, r2.xyzw, l(0.0625, 0.0625, 0.0625, 0.0625), r1.xyzw
ld_aoffimmi_indexable(0,1,0)(texture2d)(float,float,float,float) r2.xyzw, r0.xyzw, t0.xyzw
mad r1.xyzw, r2.xyzw, l(0.125, 0.125, 0.125, 0.125), r1.xyzw
ld_aoffimmi_indexable(1,1,0)(texture2d)(float,float,float,float) r2.xyzw, r0.xyzw, t0.xyzw
mad o0.xyzw, r2.xyzw, l(0.0625, 0.0625, 0.0625, 0.0625), r1.xyzw
ret 

// Cases of `texlate test shaders`. The tolerances cover rounding that each device chooses: UNORM decoding and interpolation.
// TEST: golden --folder golden
// TEST: translate --to ptx --expect-reflection golden/blur9.json
// TEST: run --scene scenes/blur9.json --via ir,ptx,maxwell,sass,dksh --picture golden/blur9.png
// TEST: run --scene scenes/blur9.json --known scenes/blur9.json --via ir,ptx,maxwell
// TEST: run --scene scenes/blur9.json --via ir,vulkan --absolute 0.000002
// TEST: run --scene scenes/blur9.json --via ir,vulkan --robustness shader --absolute 0.000002
