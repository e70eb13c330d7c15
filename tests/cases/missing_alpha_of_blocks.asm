// BC6H, BC5 and BC4 lack alpha: it is 1 beyond the edges of the texture and in its border, too (D3D11.3 19.1.3.3).
cs_5_0
dcl_globalFlags refactoringAllowed
dcl_sampler s0, mode_default
dcl_resource_texture2d (float,float,float,float) t0
dcl_resource_texture2d (float,float,float,float) t1
dcl_uav_raw u0
dcl_temps 1
dcl_thread_group 1, 1, 1
ld_indexable(texture2d)(float,float,float,float) r0.xyzw, l(8,0,0,0), t0.xyzw
store_raw u0.xyzw, l(0), r0.xyzw
sample_l_indexable(texture2d)(float,float,float,float) r0.xyzw, l(-2.0,0.5,0,0), t0.xyzw, s0, l(0)
store_raw u0.xyzw, l(16), r0.xyzw
ld_indexable(texture2d)(float,float,float,float) r0.xyzw, l(8,0,0,0), t1.xyzw
store_raw u0.xyzw, l(32), r0.xyzw
sample_l_indexable(texture2d)(float,float,float,float) r0.xyzw, l(-2.0,0.5,0,0), t1.xyzw, s0, l(0)
store_raw u0.xyzw, l(48), r0.xyzw
ret

// TEST: run --scene missing_alpha_of_blocks.json --via ir,ptx,maxwell,dksh --buffers missing_alpha_of_blocks.out.json
// TEST: run --scene missing_alpha_of_blocks.json --via ir,vulkan
