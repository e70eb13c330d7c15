// An atomic of group memory.
cs_5_0
dcl_globalFlags refactoringAllowed
dcl_uav_raw u0
dcl_tgsm_raw g0, 16
dcl_input vThreadID.xyz
dcl_temps 3
dcl_thread_group 8, 8, 1
store_raw g0.x, l(0), l(0)
sync_g_t
imm_atomic_or r0.x, g0, l(0), vThreadID.x
sync_g_t
ld_raw r0.y, l(0), g0.xxxx
store_raw u0.xy, l(0), r0.xyxx
ret

// TEST: golden
