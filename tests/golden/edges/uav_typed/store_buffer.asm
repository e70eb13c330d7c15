// A store outside the view writes nothing.
cs_5_0
dcl_globalFlags refactoringAllowed
dcl_uav_typed_buffer (float,float,float,float) u0
dcl_input vThreadID.xyz
dcl_temps 3
dcl_thread_group 8, 8, 1
utof r0.xyzw, vThreadID.xyzx
store_uav_typed u0.xyzw, vThreadID.xyzz, r0.xyzw
ret

// TEST: golden
