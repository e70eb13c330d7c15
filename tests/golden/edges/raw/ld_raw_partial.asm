// Words 0 and 2 of three.
cs_5_0
dcl_globalFlags refactoringAllowed
dcl_resource_raw t0
dcl_uav_raw u0
dcl_input vThreadID.xyz
dcl_temps 3
dcl_thread_group 8, 8, 1
imul null, r0.x, vThreadID.x, l(12)
ld_raw_indexable(raw_buffer)(mixed,mixed,mixed,mixed) r1.xz, r0.x, t0.xyzw
store_raw u0.xy, r0.x, r1.xzxx
ret

// TEST: golden
