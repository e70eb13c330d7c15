// One ld with an offset of eight texels up and to the left. In a viewport sixteen pixels larger than the texture it leaves the texture
// on all four sides. In Direct3D such a load reads 0. The address is unsigned, so 0 - 8 is far out of range too.
//
// Resource Bindings:
//   t0: texture2d    the picture, 80 x 80
//
ps_5_0
dcl_globalFlags refactoringAllowed
dcl_resource_texture2d (float,float,float,float) t0
dcl_input_ps_siv linear noperspective v0.xy, position
dcl_output o0.xyzw
dcl_temps 1
ftoi r0.xy, v0.xyxx
mov r0.zw, l(0,0,0,0)
ld_aoffimmi_indexable(-8,-8,0)(texture2d)(float,float,float,float) r0.xyz, r0.xyzw, t0.xyzw
mov o0.xyz, r0.xyzx
mov o0.w, l(1.000000)
ret 

// Cases of `texlate test shaders`. The tolerances cover rounding that each device chooses: UNORM decoding, interpolation, filter weights
// in 8 bits, and mips blended in 4 bits.
// TEST: golden --folder golden
// TEST: translate --to ptx --expect-reflection golden/ld_frame.json
// TEST: run --scene scenes/ld_frame.json --via ir,ptx,maxwell,sass,dksh --picture golden/ld_frame.png
// TEST: run --scene scenes/ld_frame.json --known scenes/ld_frame.json --via ir,ptx,maxwell
// TEST: run --scene scenes/ld_frame.json --via ir,vulkan --absolute 0.000002
// TEST: run --scene scenes/ld_frame.json --via ir,vulkan --robustness shader --absolute 0.000002
