// A quotient, within Direct3D's tolerance and exact.
ps_5_0
dcl_globalFlags refactoringAllowed
dcl_input_ps linear v1.xyzw
dcl_output o0.xyzw
dcl_temps 1
div r0.x, v1.x, v1.y
div [precise] r0.y, v1.x, v1.y
mov o0.xyzw, r0.xyxy
ret

// TEST: golden
