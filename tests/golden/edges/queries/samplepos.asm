// Where a sample is.
ps_5_0
dcl_globalFlags refactoringAllowed
dcl_resource_texture2dms(4) (float,float,float,float) t0
dcl_output o0.xyzw
dcl_temps 1
samplepos r0.xy, t0.xyzw, l(1)
mov o0.xyzw, r0.xyxy
ret

// TEST: golden
