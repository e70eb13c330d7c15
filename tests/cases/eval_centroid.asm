// deko3d programs interpolate at the centroid themselves. With one sample it is the center.
ps_5_0
dcl_globalFlags refactoringAllowed
dcl_input_ps linear v0.xyzw
dcl_output o0.xyzw
eval_centroid o0.xyzw, v0.xyzw
ret

// TEST: run --via ir,ptx,maxwell,dksh
