// A signed maximum in a structure.
cs_5_0
dcl_globalFlags refactoringAllowed
dcl_uav_structured u0, 8
dcl_uav_raw u1
dcl_input vThreadID.xyz
dcl_temps 3
dcl_thread_group 8, 8, 1
mov r0.x, vThreadID.x
mov r0.y, l(4)
imm_atomic_imax r1.x, u0, r0.xyxx, vThreadID.y
store_raw u1.x, l(4), r1.x
ret

// TEST: golden
