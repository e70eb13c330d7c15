// The number of samples of the render target.
ps_5_0
dcl_globalFlags refactoringAllowed
dcl_output o0.xyzw
sampleinfo o0.xyzw, rasterizer.xyzw
ret

// TEST: golden
