// SetResourceMinLOD: the levels below the clamp are not there (D3D11.3 5.8.5), but resinfo counts them.
cs_5_0
dcl_globalFlags refactoringAllowed
dcl_sampler s0, mode_default
dcl_resource_texture2d (float,float,float,float) t0
dcl_uav_raw u0
dcl_temps 2
dcl_thread_group 1, 1, 1
sample_l_indexable(texture2d)(float,float,float,float) r0.xyzw, l(0.5,0.5,0,0), t0.xyzw, s0, l(0)
store_raw u0.xyzw, l(0), r0.xyzw
ld_indexable(texture2d)(float,float,float,float) r0.xyzw, l(0,0,0,1), t0.xyzw
store_raw u0.xyzw, l(16), r0.xyzw
ld_indexable(texture2d)(float,float,float,float) r0.xyzw, l(0,0,0,2), t0.xyzw
store_raw u0.xyzw, l(32), r0.xyzw
gather4_indexable(texture2d)(float,float,float,float) r0.xyzw, l(0.5,0.5,0,0), t0.xyzw, s0.x
store_raw u0.xyzw, l(48), r0.xyzw
resinfo_indexable(texture2d)(float,float,float,float)_uint r0.xyzw, l(0), t0.xyzw
store_raw u0.xyzw, l(64), r0.xyzw
ret

// TEST: run --scene least_lod.json --via ir --buffers least_lod.out.json
