// Part of a structure at a run-time offset.
cs_5_0
dcl_globalFlags refactoringAllowed
dcl_uav_structured u0, 20
dcl_input vThreadID.xyz
dcl_temps 3
dcl_thread_group 8, 8, 1
and r0.x, vThreadID.y, l(12)
utof r1.xy, vThreadID.xyxx
store_structured u0.xy, vThreadID.x, r0.x, r1.xyxx
ret

// TEST: golden
