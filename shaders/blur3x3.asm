// A 3x3 box filter: nine loads and one typed store. Loads outside the picture read 0, and
// threads outside the view store nothing.
//
// Resource Bindings:
//   t0: texture2d                the picture
//   u0: RWTexture2D<float4>      the result
//
cs_5_0
dcl_globalFlags refactoringAllowed
dcl_resource_texture2d (float,float,float,float) t0
dcl_uav_typed_texture2d (float,float,float,float) u0
dcl_input vThreadID.xy
dcl_temps 3
dcl_thread_group 8, 8, 1
mov r0.xy, vThreadID.xyxx
mov r0.zw, l(0,0,0,0)
ld_aoffimmi_indexable(-1,-1,0)(texture2d)(float,float,float,float) r1.xyzw, r0.xyzw, t0.xyzw
ld_aoffimmi_indexable(0,-1,0)(texture2d)(float,float,float,float) r2.xyzw, r0.xyzw, t0.xyzw
add r1.xyzw, r1.xyzw, r2.xyzw
ld_aoffimmi_indexable(1,-1,0)(texture2d)(float,float,float,float) r2.xyzw, r0.xyzw, t0.xyzw
add r1.xyzw, r1.xyzw, r2.xyzw
ld_aoffimmi_indexable(-1,0,0)(texture2d)(float,float,float,float) r2.xyzw, r0.xyzw, t0.xyzw
add r1.xyzw, r1.xyzw, r2.xyzw
ld_indexable(texture2d)(float,float,float,float) r2.xyzw, r0.xyzw, t0.xyzw
add r1.xyzw, r1.xyzw, r2.xyzw
ld_aoffimmi_indexable(1,0,0)(texture2d)(float,float,float,float) r2.xyzw, r0.xyzw, t0.xyzw
add r1.xyzw, r1.xyzw, r2.xyzw
ld_aoffimmi_indexable(-1,1,0)(texture2d)(float,float,float,float) r2.xyzw, r0.xyzw, t0.xyzw
add r1.xyzw, r1.xyzw, r2.xyzw
ld_aoffimmi_indexable(0,1,0)(texture2d)(float,float,float,float) r2.xyzw, r0.xyzw, t0.xyzw
add r1.xyzw, r1.xyzw, r2.xyzw
ld_aoffimmi_indexable(1,1,0)(texture2d)(float,float,float,float) r2.xyzw, r0.xyzw, t0.xyzw
add r1.xyzw, r1.xyzw, r2.xyzw
mul r1.xyzw, r1.xyzw, l(0.111111, 0.111111, 0.111111, 0.111111)
store_uav_typed u0.xyzw, vThreadID.xyyy, r1.xyzw
ret 

// Cases of `texlate test shaders`. The tolerances cover rounding that each device chooses: UNORM decoding, interpolation, filter weights
// in 8 bits, and mips blended in 4 bits.
// TEST: golden --folder golden
// TEST: translate --to ptx --expect-reflection golden/blur3x3.json
// TEST: run --scene scenes/blur3x3.json --via ir,ptx,maxwell,sass,dksh --picture golden/blur3x3.png
// TEST: run --scene scenes/blur3x3.json --known scenes/blur3x3.json --via ir,ptx,maxwell
// TEST: run --scene scenes/blur3x3.json --via ir,vulkan --absolute 0.000002
// TEST: run --scene scenes/blur3x3.json --via ir,vulkan --robustness shader --absolute 0.000002
