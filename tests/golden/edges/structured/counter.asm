// imm_atomic_alloc and a store to the place.
cs_5_0
dcl_globalFlags refactoringAllowed
dcl_uav_structured_opc u0, 4
dcl_input vThreadID.xyz
dcl_temps 3
dcl_thread_group 8, 8, 1
imm_atomic_alloc r0.x, u0
store_structured u0.x, r0.x, l(0), vThreadID.x
ret

// TEST: golden
