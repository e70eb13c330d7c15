// What a comparison compares: the reference as a depth buffer would store it, and no denormals. The border is all that is read.
cs_5_0
dcl_globalFlags refactoringAllowed
dcl_sampler s0, mode_comparison
dcl_sampler s1, mode_comparison
dcl_sampler s2, mode_comparison
dcl_resource_texture2d (float,float,float,float) t0
dcl_resource_texture2d (float,float,float,float) t1
dcl_resource_texture2d (float,float,float,float) t2
dcl_uav_raw u0
dcl_temps 2
dcl_thread_group 1, 1, 1
// 4196224.7499 of 16777215. The product of floats is 4196224.5, whose nearest even number is another one.
sample_c_lz_indexable(texture2d)(float,float,float,float) r0.x, l(2.0, 2.0, 0, 0), t0.xxxx, s0, l(0.250114501)
// 19715.4999 of 65535. The product of floats is 19715.5.
sample_c_lz_indexable(texture2d)(float,float,float,float) r0.y, l(2.0, 2.0, 0, 0), t1.xxxx, s1, l(0.300839245)
// A denormal equals 0.
sample_c_lz_indexable(texture2d)(float,float,float,float) r0.z, l(2.0, 2.0, 0, 0), t2.xxxx, s2, l(1e-40)
gather4_c_indexable(texture2d)(float,float,float,float) r1.xyzw, l(2.0, 2.0, 0, 0), t0.xyzw, s0.x, l(0.250114501)
mov r0.w, r1.x
store_raw u0.xyzw, l(0), r0.xyzw
ret

// TEST: run --scene compared_references.json --via ir,ptx,maxwell --buffers compared_references.out.json
