// A row number that becomes constant by folding may be beyond the declared rows, which is all that the host of a deko3d program binds.
cs_5_0
dcl_globalFlags refactoringAllowed
dcl_constantbuffer cb0[2], dynamicIndexed
dcl_uav_raw u0
dcl_temps 2
dcl_thread_group 1, 1, 1
mov r0.xyzw, l(1, 999, 0x7fffffff, 0x0fffffff)
mov r1.xyzw, cb0[r0.x + 0].xyzw
store_raw u0.xyzw, l(0), r1.xyzw
mov r1.xyzw, cb0[r0.x + 1].xyzw
store_raw u0.xyzw, l(16), r1.xyzw
mov r1.xyzw, cb0[r0.y + 1].xyzw
store_raw u0.xyzw, l(32), r1.xyzw
mov r1.xyzw, cb0[r0.z + 1].xyzw
store_raw u0.xyzw, l(48), r1.xyzw
mov r1.xyzw, cb0[r0.w + 1].xyzw
store_raw u0.xyzw, l(64), r1.xyzw
ret

// TEST: run --scene folded_row.json --via ir,ptx,maxwell
// TEST: run --scene folded_row.json --via ir,dksh
// TEST: run --scene folded_row.json --via ir,vulkan
