// Approximated functions.
ps_5_0
dcl_globalFlags refactoringAllowed
dcl_input_ps linear v1.xyzw
dcl_output o0.xyzw
dcl_temps 2
rcp r0.x, v1.x
rsq r0.y, v1.y
exp r0.z, v1.z
log r0.w, v1.w
sincos r1.x, r1.y, v1.x
add o0.xyzw, r0.xyzw, r1.xyxy
ret

// TEST: golden
