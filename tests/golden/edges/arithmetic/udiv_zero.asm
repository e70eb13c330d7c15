// A division by zero gives 0xffffffff twice.
ps_5_0
dcl_globalFlags refactoringAllowed
dcl_input_ps linear v1.xyzw
dcl_output o0.xyzw
dcl_temps 3
ftou r0.xy, v1.xyxx
udiv r1.x, r2.x, r0.x, r0.y
utof o0.xyzw, r1.xxxx
utof o0.y, r2.x
ret

// TEST: golden
