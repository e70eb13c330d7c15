// A sign change whose bits are read changes the sign bit alone, of a denormal and a NaN, too; in arithmetic any NaN will do.
ps_5_0
dcl_globalFlags refactoringAllowed
dcl_input_ps linear v1.xyzw
dcl_output o0.xyzw
mov o0.x, -v1.x
mov o0.y, |v1.y|
add o0.z, -v1.z, v1.w
mov o0.w, l(1.000000)
ret

// TEST: golden
