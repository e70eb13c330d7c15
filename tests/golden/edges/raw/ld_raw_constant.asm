// A constant address.
cs_5_0
dcl_globalFlags refactoringAllowed
dcl_resource_raw t0
dcl_uav_raw u0
dcl_input vThreadID.xyz
dcl_temps 3
dcl_thread_group 8, 8, 1
ld_raw_indexable(raw_buffer)(mixed,mixed,mixed,mixed) r0.xyzw, l(32), t0.xyzw
store_raw u0.xyzw, l(48), r0.xyzw
ret

// TEST: golden
