// Floors of a level on devices without shaderResourceMinLod: the level that the sampler would take, its bias included, decides.
// llvmpipe makes levels of derivatives by a logarithm that is up to 0.044 too small (docs/spirv.md).
ps_5_0
dcl_globalFlags refactoringAllowed
dcl_sampler s0, mode_default
dcl_sampler s1, mode_default
dcl_sampler s2, mode_comparison
dcl_resource_texture2d (float,float,float,float) t0
dcl_resource_texturecube (float,float,float,float) t1
dcl_resource_texture3d (float,float,float,float) t2
dcl_resource_texture2d (float,float,float,float) t3
dcl_input_ps linear v1.xy
dcl_output o0.xyzw
dcl_output o1.xyzw
dcl_output o2.xyzw
dcl_output o3.xyzw
dcl_output o4.xyzw
dcl_output o5.xyzw
dcl_output o6.xyzw
dcl_temps 3
// A floor from 0 to 4, one past the last mip of t0 by a fraction, and one beyond it at the right edge.
mul r0.z, v1.y, l(4.0)
lt r0.w, l(0.9), v1.x
movc r0.z, r0.w, l(6.25), r0.z
lt r0.w, l(0.95), v1.x
movc r0.z, r0.w, l(20.0), r0.z
sample_cl_s_indexable(texture2d)(float,float,float,float) o0.xyzw, null, v1.xyxx, t0.xyzw, s0, r0.z
sample_b_cl_s_indexable(texture2d)(float,float,float,float) o1.xyzw, null, v1.xyxx, t0.xyzw, s1, l(1.25), r0.z
// Coordinates without derivatives: the floor is the level.
sample_cl_s_indexable(texture2d)(float,float,float,float) o2.xyzw, null, l(0.3, 0.4, 0, 0), t0.xyzw, s1, r0.z
lt r1.x, v1.y, v1.x
mov r2.xyzw, l(0,0,0,0)
mov r1.yzw, l(0,0,0,0)
if_nz r1.x
  // In a branch: the sampler's bias has been measured before it.
  sample_d_cl_s_indexable(texture2d)(float,float,float,float) r2.xyzw, null, v1.xyxx, t0.xyzw, s1, l(0.05, 0.01, 0, 0), l(-0.002, 0.07, 0, 0), r0.z
endif
mov o3.xyzw, r2.xyzw
mad r1.xy, v1.xyxx, l(0.5, 0.5, 0, 0), l(-0.25, -0.25, 0, 0)
mov r1.z, l(1.0)
sample_cl_s_indexable(texturecube)(float,float,float,float) o4.xyzw, null, r1.xyzx, t1.xyzw, s1, r0.z
sample_d_cl_s_indexable(texture3d)(float,float,float,float) o5.xyzw, null, v1.xyxx, t2.xyzw, s0, l(0.1, 0, 0, 0), l(0, 0.2, 0.05, 0), r0.z
mul r0.z, v1.y, l(4.0)
sample_c_cl_s_indexable(texture2d)(float,float,float,float) o6.x, null, v1.xyxx, t3.xxxx, s2, v1.x, r0.z
mov o6.yzw, l(0,0,0,0)
ret

// TEST: run --scene clamped_levels.json --via ir,vulkan --without shaderResourceMinLod --absolute 0.05
// TEST: run --scene clamped_levels.json --via ir,vulkan --without shaderResourceMinLod --robustness shader --absolute 0.05
