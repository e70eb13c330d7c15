// Threads past the last element evaluate inputs too. They must read only inputs that exist.
ps_5_0
dcl_globalFlags refactoringAllowed
dcl_input_ps linear v0.xyzw
dcl_output o0.xyzw
dcl_temps 1
eval_snapped o0.xyzw, v0.xyzw, l(3, -5, 0, 0)
ret

// TEST: run --scene eval_small.json --via ir,ptx,maxwell
