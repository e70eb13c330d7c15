// A row by a run-time index: rows beyond the buffer read 0.
ps_5_0
dcl_globalFlags refactoringAllowed
dcl_constantbuffer cb0[16], dynamicIndexed
dcl_input_ps linear v1.xyzw
dcl_output o0.xyzw
dcl_temps 1
ftoi r0.x, v1.x
mov o0.xyzw, cb0[r0.x + 1].xyzw
ret

// TEST: golden
