// A sphere that mirrors a cube map. The reflected direction selects the face and the texel, and its derivatives give the level.
// Pixels outside the sphere are discarded.
//
// Resource Bindings:
//   t0: texturecube    the surroundings
//   s0                 trilinear
//
ps_5_0
dcl_globalFlags refactoringAllowed
dcl_sampler s0, mode_default
dcl_resource_texturecube (float,float,float,float) t0
dcl_input_ps linear v1.xy
dcl_output o0.xyzw
dcl_temps 3
mad r0.xy, v1.xyxx, l(2.200000, -2.200000, 0.000000, 0.000000), l(-1.100000, 1.100000, 0.000000, 0.000000)
dp2 r0.w, r0.xyxx, r0.xyxx
add r0.z, -r0.w, l(1.000000)
max r0.z, r0.z, l(0.000000)
sqrt r0.z, r0.z
add r1.x, r0.z, r0.z
mad r1.xyz, r1.xxxx, r0.xyzx, l(0.000000, 0.000000, -1.000000, 0.000000)
sample_indexable(texturecube)(float,float,float,float) r1.xyz, r1.xyzx, t0.xyzw, s0
lt r0.w, l(1.000000), r0.w
discard_nz r0.w
mad r2.x, r0.z, l(0.600000), l(0.400000)
mul o0.xyz, r1.xyzx, r2.xxxx
mov o0.w, l(1.000000)
ret 

// Cases of `texlate test shaders`. The tolerances cover rounding that each device chooses: UNORM decoding, interpolation, filter weights
// in 8 bits, and mips blended in 4 bits.
// TEST: golden --folder golden
// TEST: translate --to ptx --expect-reflection golden/cube_sphere.json
// TEST: run --scene scenes/cube_sphere.json --via ir,ptx,maxwell,sass --picture golden/cube_sphere.png
// TEST: run --scene scenes/cube_sphere.json --known scenes/cube_sphere.json --via ir,ptx,maxwell
// TEST: run --scene scenes/cube_sphere.json --via ir,vulkan --absolute 0.02
// TEST: run --scene scenes/cube_sphere.json --via ir,vulkan --robustness shader --absolute 0.02
// Hardware computes the level of a cube from coordinates on each pixel's own face (docs/dksh.md).
// TEST: run --scene scenes/cube_sphere.json --via ir,dksh --absolute 0.05
