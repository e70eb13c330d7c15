// One ld, eight texels up and to the left: in a viewport sixteen pixels larger than the texture it leaves the texture on all four
// sides. Direct3D: outside reads 0. The address is unsigned, so that 0 - 8 is far outside as well.
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

// Cases of `texlate test shaders`. Tolerances: rounding of UNORM decoding and interpolation, of a filter's weights in 8 bits, and of
// mips blended in 4 bits are the device's own.
// TEST: translate --to ptx --expect golden/ld_frame.ptx --expect-reflection golden/ld_frame.json
// TEST: translate --to ir --expect golden/ld_frame.ir
// TEST: run --scene scenes/ld_frame.json --via ir,ptx,maxwell --picture golden/ld_frame.png
// TEST: run --scene scenes/ld_frame.json --via ir,vulkan --absolute 0.000002
// TEST: run --scene scenes/ld_frame.json --via ir,vulkan --robustness shader --absolute 0.000002
