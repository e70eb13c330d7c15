// The least and the greatest of the texels that a filter would blend (D3D11.2, D3D11_FILTER_REDUCTION_TYPE).
ps_5_0
dcl_globalFlags refactoringAllowed
dcl_sampler s0, mode_default
dcl_sampler s1, mode_default
dcl_resource_texture2d (float,float,float,float) t0
dcl_input_ps linear v1.xy
dcl_output o0.xyzw
dcl_output o1.xyzw
dcl_output o2.xyzw
sample_l_indexable(texture2d)(float,float,float,float) o0.xyzw, v1.xyxx, t0.xyzw, s0, l(0)
sample_l_indexable(texture2d)(float,float,float,float) o1.xyzw, v1.xyxx, t0.xyzw, s1, l(0)
sample_l_indexable(texture2d)(float,float,float,float) o2.xyzw, v1.xyxx, t0.xyzw, s1, l(0.75)
ret

// TEST: run --scene reductions.json --via ir,dksh
// llvmpipe blends what it finds in two mips; Direct3D takes the least or the greatest of all texels.
// TEST: run --scene reductions_of_a_mip.json --via ir,vulkan
