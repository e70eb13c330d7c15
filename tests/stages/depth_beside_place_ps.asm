// The same where z of the position is not declared, for the lesser depth; x and y are the pixel's.
ps_5_0
dcl_input_ps linear v1.xyzw
dcl_input_ps_siv linear noperspective v2.xy, position
dcl_input_ps_sgv constant v3.x, sampleIndex
dcl_output o0.xyzw
dcl_output oDepthLE
mul o0.xy, v2.xyxx, l(0.0625, 0.25, 0.0, 0.0)
mov o0.zw, v1.zzzw
mov oDepthLE, l(1.0)
ret

// TEST: run --pipeline depth_beside_place.json --via ir,ptx,maxwell,dksh
// TEST: run --pipeline depth_beside_place.json --via ir,vulkan --steps 2
