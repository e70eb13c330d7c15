// NaN is 0 in a view of UNORM components.
cs_5_0
dcl_globalFlags refactoringAllowed
dcl_uav_typed_texture2d (unorm,unorm,unorm,unorm) u0
dcl_input vThreadID.xyz
dcl_temps 3
dcl_thread_group 8, 8, 1
div r0.xyzw, vThreadID.xyzx, vThreadID.yzxx
store_uav_typed u0.xyzw, vThreadID.xyzz, r0.xyzw
ret

// TEST: golden
