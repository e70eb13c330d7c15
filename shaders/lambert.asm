// Lambert's law with a normal map and a shadow map. The normal from the map is rotated into the frame of the
// surface's normal and tangent. The comparison with the shadow map decides how much of the lamp's light arrives.
//
// Resource Bindings:
//   t0, s0: texture2d    color
//   t1, s0: texture2d    normals, as bytes
//   t2, s1: texture2d    depth as the light sees it, compared
//   cb0[0]: ambient light; cb0[1]: the lamp's color
//
// Inputs: v1 texture coordinates, v2 normal, v3 tangent, v4 direction to the lamp, v5 position in the shadow map
//
ps_5_0
dcl_globalFlags refactoringAllowed
dcl_constantbuffer CB0[2], immediateIndexed
dcl_sampler s0, mode_default
dcl_sampler s1, mode_comparison
dcl_resource_texture2d (float,float,float,float) t0
dcl_resource_texture2d (float,float,float,float) t1
dcl_resource_texture2d (float,float,float,float) t2
dcl_input_ps linear v1.xy
dcl_input_ps linear v2.xyz
dcl_input_ps linear v3.xyz
dcl_input_ps linear v4.xyz
dcl_input_ps linear v5.xyz
dcl_output o0.xyzw
dcl_temps 6
sample_indexable(texture2d)(float,float,float,float) r1.xyz, v1.xyxx, t1.xyzw, s0
dp3 r2.w, v2.xyzx, v2.xyzx
rsq r2.w, r2.w
mul r2.xyz, r2.wwww, v2.xyzx
dp3 r2.w, v3.xyzx, v3.xyzx
rsq r2.w, r2.w
mul r3.xyz, r2.wwww, v3.xyzx
mul r4.xyz, r2.zxyz, r3.yzxy
mad r4.xyz, r2.yzxy, r3.zxyz, -r4.xyzx
mad r1.xyz, r1.xyzx, l(2.000000, 2.000000, 2.000000, 0.000000), l(-1.000000, -1.000000, -1.000000, 0.000000)
mul r4.xyz, r1.yyyy, r4.xyzx
mad r3.xyz, r1.xxxx, r3.xyzx, r4.xyzx
mad r2.xyz, r1.zzzz, r2.xyzx, r3.xyzx
dp3 r2.w, r2.xyzx, r2.xyzx
rsq r2.w, r2.w
mul r2.xyz, r2.wwww, r2.xyzx
dp3 r2.w, v4.xyzx, v4.xyzx
rsq r2.w, r2.w
mul r3.xyz, r2.wwww, v4.xyzx
dp3_sat r2.x, r2.xyzx, r3.xyzx
sample_c_lz_indexable(texture2d)(float,float,float,float) r2.y, v5.xyxx, t2.xxxx, s1, v5.z
mul r2.x, r2.y, r2.x
mad r2.xyz, r2.xxxx, cb0[1].xyzx, cb0[0].xyzx
sample_indexable(texture2d)(float,float,float,float) r0.xyzw, v1.xyxx, t0.xyzw, s0
mul o0.xyz, r0.xyzx, r2.xyzx
mov o0.w, r0.w
ret 

// Cases of `texlate test shaders`. The tolerances cover rounding that each device chooses: UNORM decoding, interpolation, filter weights in 8 bits.
// TEST: golden --folder golden
// TEST: translate --to ptx --expect-reflection golden/lambert.json
// TEST: run --scene scenes/lambert.json --via ir,ptx,maxwell,sass,dksh --picture golden/lambert.png
// TEST: run --scene scenes/lambert.json --known scenes/lambert.json --via ir,ptx,maxwell
// TEST: run --scene scenes/lambert.json --via ir,vulkan --absolute 0.02
// TEST: run --scene scenes/lambert.json --via ir,vulkan --robustness shader --absolute 0.02
