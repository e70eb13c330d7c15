// A compare and exchange in a texture.
cs_5_0
dcl_globalFlags refactoringAllowed
dcl_uav_typed_texture2d (uint,uint,uint,uint) u0
dcl_uav_raw u1
dcl_input vThreadID.xyz
dcl_temps 3
dcl_thread_group 8, 8, 1
imm_atomic_cmp_exch r0.x, u0, vThreadID.xyzz, l(0), vThreadID.x
store_raw u1.x, l(0), r0.x
ret

// TEST: golden
