// NaN becomes 0, and what is too large the nearest integer.
ps_5_0
dcl_globalFlags refactoringAllowed
dcl_input_ps linear v1.xyzw
dcl_output o0.xyzw
dcl_temps 1
ftoi r0.x, v1.x
ftou r0.y, v1.y
itof r0.x, r0.x
utof r0.y, r0.y
mov o0.xyzw, r0.xyxy
ret

// TEST: golden
