// A sum in a raw buffer.
cs_5_0
dcl_globalFlags refactoringAllowed
dcl_uav_raw u0
dcl_input vThreadID.xyz
dcl_temps 3
dcl_thread_group 8, 8, 1
ishl r0.x, vThreadID.x, l(2)
atomic_iadd u0, r0.x, l(1)
ret

// TEST: golden
