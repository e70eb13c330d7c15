// Widths and offsets of five bits.
ps_5_0
dcl_globalFlags refactoringAllowed
dcl_input_ps linear v1.xyzw
dcl_output o0.xyzw
dcl_temps 2
ftou r0.xyzw, v1.xyzw
ubfe r1.x, r0.x, r0.y, r0.z
ibfe r1.y, r0.x, r0.y, r0.z
bfi r1.z, r0.x, r0.y, r0.z, r0.w
firstbit_hi r1.w, r0.x
utof o0.xyzw, r1.xyzw
ret

// TEST: golden
