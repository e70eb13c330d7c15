// Four words at a run-time address.
cs_5_0
dcl_globalFlags refactoringAllowed
dcl_resource_raw t0
dcl_uav_raw u0
dcl_input vThreadID.xyz
dcl_temps 3
dcl_thread_group 8, 8, 1
ishl r0.x, vThreadID.x, l(4)
ld_raw_indexable(raw_buffer)(mixed,mixed,mixed,mixed) r1.xyzw, r0.x, t0.xyzw
store_raw u0.xyzw, r0.x, r1.xyzw
ret

// TEST: golden
