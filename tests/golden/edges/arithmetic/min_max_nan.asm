// Of a NaN and a number, the number.
ps_5_0
dcl_globalFlags refactoringAllowed
dcl_input_ps linear v1.xyzw
dcl_output o0.xyzw
dcl_temps 1
min r0.x, v1.x, v1.y
max r0.y, v1.z, v1.w
mov o0.xyzw, r0.xyxy
ret

// TEST: golden
