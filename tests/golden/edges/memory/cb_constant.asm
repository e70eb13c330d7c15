// Rows of a constant buffer.
ps_5_0
dcl_globalFlags refactoringAllowed
dcl_constantbuffer cb0[2], immediateIndexed
dcl_input_ps linear v1.xyzw
dcl_output o0.xyzw
mad o0.xyzw, v1.xyzw, cb0[0].xyzw, cb0[1].xyzw
ret

// TEST: golden
