// A load of a typed view; outside it reads 0.
cs_5_0
dcl_globalFlags refactoringAllowed
dcl_uav_typed_texture3d (sint,sint,sint,sint) u0
dcl_uav_raw u1
dcl_input vThreadID.xyz
dcl_temps 3
dcl_thread_group 8, 8, 1
ld_uav_typed_indexable(texture3d)(sint,sint,sint,sint) r0.xyzw, vThreadID.xyzz, u0.xyzw
store_raw u1.xyzw, l(16), r0.xyzw
ret

// TEST: golden
