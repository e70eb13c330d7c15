// Group-shared memory that fills Direct3D's 32 KiB needs no more in Vulkan: accesses without a known range have no spare words.
cs_5_0
dcl_globalFlags refactoringAllowed
dcl_constantbuffer cb0[2], immediateIndexed
dcl_uav_raw u0
dcl_tgsm_raw g0, 16384
dcl_tgsm_structured g1, 16, 1024
dcl_input vThreadIDInGroupFlattened
dcl_temps 3
dcl_thread_group 16, 1, 1
// The last rows of both arrays, in the group's order.
imad r0.x, vThreadIDInGroupFlattened.x, cb0[0].x, cb0[0].y
iadd r0.y, vThreadIDInGroupFlattened.x, cb0[0].z
store_raw g0.xyzw, r0.x, l(1, 2, 3, 4)
store_structured g1.xyzw, r0.y, cb0[0].w, vThreadIDInGroupFlattened.xxxx
sync_g_t
atomic_iadd g0, r0.x, vThreadIDInGroupFlattened.x
sync_g_t
// Not run here, because the result is undefined in Direct3D: guards by a branch.
iadd r0.z, r0.x, cb0[1].x
if_nz cb0[1].y
  store_raw g0.xy, r0.z, l(50, 60, 0, 0)
  imm_atomic_iadd r0.w, g0, r0.z, l(70)
endif
sync_g_t
ld_raw r1.xyzw, r0.x, g0.xyzw
ld_structured r2.xyzw, r0.y, cb0[0].w, g1.xyzw
iadd r1.xyzw, r1.xyzw, r2.xyzw
ishl r0.x, vThreadIDInGroupFlattened.x, l(4)
store_raw u0.xyzw, r0.x, r1.xyzw
ret

// TEST: translate --to spirv-text
// CHECK-NOT: OpConstant %uint 4097
// CHECK: = OpTypeArray %uint %uint_4096
// TEST: run --scene full_group_memory.json --via ir,ptx,maxwell
// TEST: run --scene full_group_memory.json --via ir,vulkan
