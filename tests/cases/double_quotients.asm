// Quotients of doubles: rounded once, although Vulkan's division of doubles may be off by 2.5 units in the last place.
cs_5_0
dcl_globalFlags refactoringAllowed | enableDoublePrecisionFloatOps | enable11_1DoubleExtensions
dcl_constantbuffer cb0[6], immediateIndexed
dcl_uav_raw u0
dcl_temps 1
dcl_thread_group 1, 1, 1
ddiv r0.xyzw, cb0[0].xyzw, cb0[1].xyzw
store_raw u0.xyzw, l(0), r0.xyzw
ddiv r0.xyzw, cb0[2].xyzw, cb0[3].xyzw
store_raw u0.xyzw, l(16), r0.xyzw
ddiv r0.xyzw, cb0[4].xyzw, -cb0[5].xyzw
store_raw u0.xyzw, l(32), r0.xyzw
drcp r0.xyzw, cb0[3].xyzw
store_raw u0.xyzw, l(48), r0.xyzw
ret

// TEST: run --scene double_quotients.json --via ir,ptx,maxwell
// TEST: run --scene double_quotients.json --via ir,vulkan
