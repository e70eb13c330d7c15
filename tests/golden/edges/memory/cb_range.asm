// A buffer of a range by a run-time index (model 5.1).
ps_5_1
dcl_globalFlags refactoringAllowed
dcl_constantbuffer CB0[0:3][4], immediateIndexed, space=0
dcl_input_ps linear v1.xyzw
dcl_output o0.xyzw
dcl_temps 1
ftou r0.x, v1.x
mov o0.xyzw, CB0[r0.x + 0][2].xyzw
ret

// TEST: golden
