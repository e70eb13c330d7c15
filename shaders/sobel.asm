// Sobel's edge filter: the luminance of eight neighbors, its differences along x and y, and their length. The differences
// of the corners along the two diagonals contribute to both directions.
//
// Resource Bindings:
//   t0: texture2d                the picture
//   u0: RWTexture2D<float4>      the edges
//
cs_5_0
dcl_globalFlags refactoringAllowed
dcl_resource_texture2d (float,float,float,float) t0
dcl_uav_typed_texture2d (float,float,float,float) u0
dcl_input vThreadID.xy
dcl_temps 4
dcl_thread_group 8, 8, 1
mov r0.xy, vThreadID.xyxx
mov r0.zw, l(0,0,0,0)
ld_aoffimmi_indexable(-1,-1,0)(texture2d)(float,float,float,float) r1.xyz, r0.xyzw, t0.xyzw
dp3 r1.x, r1.xyzx, l(0.299000, 0.587000, 0.114000, 0.000000)
ld_aoffimmi_indexable(1,-1,0)(texture2d)(float,float,float,float) r2.xyz, r0.xyzw, t0.xyzw
dp3 r1.y, r2.xyzx, l(0.299000, 0.587000, 0.114000, 0.000000)
ld_aoffimmi_indexable(-1,1,0)(texture2d)(float,float,float,float) r2.xyz, r0.xyzw, t0.xyzw
dp3 r1.z, r2.xyzx, l(0.299000, 0.587000, 0.114000, 0.000000)
ld_aoffimmi_indexable(1,1,0)(texture2d)(float,float,float,float) r2.xyz, r0.xyzw, t0.xyzw
dp3 r1.w, r2.xyzx, l(0.299000, 0.587000, 0.114000, 0.000000)
ld_aoffimmi_indexable(-1,0,0)(texture2d)(float,float,float,float) r2.xyz, r0.xyzw, t0.xyzw
dp3 r2.x, r2.xyzx, l(0.299000, 0.587000, 0.114000, 0.000000)
ld_aoffimmi_indexable(1,0,0)(texture2d)(float,float,float,float) r3.xyz, r0.xyzw, t0.xyzw
dp3 r2.y, r3.xyzx, l(0.299000, 0.587000, 0.114000, 0.000000)
ld_aoffimmi_indexable(0,-1,0)(texture2d)(float,float,float,float) r3.xyz, r0.xyzw, t0.xyzw
dp3 r2.z, r3.xyzx, l(0.299000, 0.587000, 0.114000, 0.000000)
ld_aoffimmi_indexable(0,1,0)(texture2d)(float,float,float,float) r3.xyz, r0.xyzw, t0.xyzw
dp3 r2.w, r3.xyzx, l(0.299000, 0.587000, 0.114000, 0.000000)
add r3.xy, r1.wyww, -r1.xzxx
add r3.z, r3.x, r3.y
add r3.w, r3.x, -r3.y
add r3.x, r2.y, -r2.x
add r3.y, r2.w, -r2.z
mad r3.x, r3.x, l(2.000000), r3.z
mad r3.y, r3.y, l(2.000000), r3.w
dp2 r3.x, r3.xyxx, r3.xyxx
sqrt r3.x, r3.x
mov r3.w, l(1.000000)
store_uav_typed u0.xyzw, vThreadID.xyyy, r3.xxxw
ret 

// Cases of `texlate test shaders`. The tolerances cover rounding that each device chooses: UNORM decoding and interpolation.
// TEST: golden --folder golden
// TEST: translate --to ptx --expect-reflection golden/sobel.json
// TEST: run --scene scenes/sobel.json --via ir,ptx,maxwell,sass,dksh --picture golden/sobel.png
// TEST: run --scene scenes/sobel.json --known scenes/sobel.json --via ir,ptx,maxwell
// TEST: run --scene scenes/sobel.json --via ir,vulkan --absolute 0.000002
// TEST: run --scene scenes/sobel.json --via ir,vulkan --robustness shader --absolute 0.000002
