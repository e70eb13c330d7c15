// g# with a barrier.
cs_5_0
dcl_globalFlags refactoringAllowed
dcl_uav_raw u0
dcl_tgsm_structured g0, 8, 64
dcl_input vThreadID.xyz
dcl_temps 3
dcl_thread_group 64, 1, 1
store_structured g0.xy, vThreadID.x, l(0), vThreadID.xyxx
sync_g_t
xor r0.x, vThreadID.x, l(1)
ld_structured r1.xy, r0.x, l(0), g0.xyxx
ishl r0.y, vThreadID.x, l(3)
store_raw u0.xy, r0.y, r1.xyxx
ret

// TEST: golden
