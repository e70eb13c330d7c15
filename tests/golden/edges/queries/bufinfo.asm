// The sizes of buffers: bytes of a raw one, structures, elements.
cs_5_0
dcl_globalFlags refactoringAllowed
dcl_resource_raw t0
dcl_resource_structured t1, 20
dcl_resource_buffer (float,float,float,float) t2
dcl_uav_raw u0
dcl_input vThreadID.xyz
dcl_temps 3
dcl_thread_group 1, 1, 1
bufinfo_indexable(raw_buffer)(mixed,mixed,mixed,mixed) r0.x, t0.xyzw
bufinfo_indexable(structured_buffer, stride=20)(mixed,mixed,mixed,mixed) r0.y, t1.yxzw
bufinfo_indexable(buffer)(float,float,float,float) r0.z, t2.yzxw
store_raw u0.xyz, l(0), r0.xyzx
ret

// TEST: golden
