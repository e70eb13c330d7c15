// A table in the shader by a run-time index.
ps_5_0
dcl_globalFlags refactoringAllowed
dcl_immediateConstantBuffer { { 1.000000, 0, 0, 0}, { 0, 1.000000, 0, 0}, { 0, 0, 1.000000, 0} }
dcl_input_ps linear v1.xyzw
dcl_output o0.xyzw
dcl_temps 1
ftou r0.x, v1.x
mov o0.xyzw, icb[r0.x + 0].xyzw
ret

// TEST: golden
