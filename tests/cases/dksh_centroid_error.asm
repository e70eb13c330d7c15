// Where a program runs once per sample, IPA.CENTROID is the sample's position; Direct3D's centroid is the pixel's.
ps_5_0
dcl_globalFlags refactoringAllowed
dcl_input_ps linear centroid v0.xy
dcl_input_ps linear sample v1.xy
dcl_output o0.xyzw
dcl_temps 1
add r0.xyzw, v0.xyxy, v1.xyxy
mov o0.xyzw, r0.xyzw
ret
// TEST: error --to dksh
// CHECK: error: add: an evaluation at the centroid in a shader that runs once for each sample cannot be expressed on dksh
