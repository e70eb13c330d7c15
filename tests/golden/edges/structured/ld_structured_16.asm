// Structures of 16 bytes.
cs_5_0
dcl_globalFlags refactoringAllowed
dcl_resource_structured t0, 16
dcl_uav_raw u0
dcl_input vThreadID.xyz
dcl_temps 3
dcl_thread_group 8, 8, 1
ld_structured_indexable(structured_buffer, stride=16)(mixed,mixed,mixed,mixed) r0.xyzw, vThreadID.x, l(0), t0.xyzw
store_raw u0.xyzw, l(0), r0.xyzw
ret

// TEST: golden
