// Each register of a small range has its own constants for what is bound and for the alpha of reads outside (docs/spirv.md,
// Robustness).
cs_5_1
dcl_globalFlags refactoringAllowed
dcl_resource_texture2d (float,float,float,float) T0[2:5], space=0
dcl_resource_raw T1[0:3], space=1
dcl_uav_raw U0[0:0], space=0
dcl_input vThreadGroupID.x
dcl_temps 3
dcl_thread_group 1, 1, 1
imul null, r0.x, vThreadGroupID.x, l(64)
iadd r0.y, vThreadGroupID.x, l(2)
ld r1.xyzw, l(999,0,0,0), T0[r0.y + 0].xyzw
store_raw U0[0].xyzw, r0.x, r1.xyzw
ld r1.xyzw, l(1,2,0,0), T0[r0.y + 0].xyzw
iadd r0.z, r0.x, l(16)
store_raw U0[0].xyzw, r0.z, r1.xyzw
ld_raw r1.x, l(4), T1[vThreadGroupID.x + 0].x
ld_raw r1.y, l(4), T1[1].x
ld_raw r1.z, l(4), T1[2].x
mov r1.w, l(7)
iadd r0.z, r0.x, l(32)
store_raw U0[0].xyzw, r0.z, r1.xyzw
ld r1.xyzw, l(999,0,0,0), T0[4].xyzw
iadd r0.z, r0.x, l(48)
store_raw U0[0].xyzw, r0.z, r1.xyzw
ret

// TEST: run --scene partly_bound_ranges.json --via ir,ptx,maxwell
// TEST: run --scene partly_bound_ranges.json --via ir,vulkan --robustness shader --without shaderSampledImageArrayDynamicIndexing
// TEST: run --scene partly_bound_ranges.json --via ir,vulkan --robustness shader --without shaderSampledImageArrayDynamicIndexing,shaderStorageBufferArrayDynamicIndexing
