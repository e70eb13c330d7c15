// Reading what may be written elsewhere (globally coherent).
cs_5_0
dcl_globalFlags refactoringAllowed
dcl_uav_raw_glc u0
dcl_input vThreadID.xyz
dcl_temps 3
dcl_thread_group 8, 8, 1
ishl r0.x, vThreadID.x, l(2)
ld_raw_indexable(raw_buffer)(mixed,mixed,mixed,mixed) r1.x, r0.x, u0.xxxx
iadd r1.x, r1.x, l(1)
store_raw u0.x, r0.x, r1.x
ret

// TEST: golden
