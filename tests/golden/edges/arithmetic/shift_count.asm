// Shifts take five bits of their count.
ps_5_0
dcl_globalFlags refactoringAllowed
dcl_input_ps linear v1.xyzw
dcl_output o0.xyzw
dcl_temps 2
ftou r0.xy, v1.xyxx
ishl r1.x, r0.x, r0.y
ishr r1.y, r0.x, r0.y
ushr r1.z, r0.x, r0.y
utof o0.xyzw, r1.xyzx
ret

// TEST: golden
