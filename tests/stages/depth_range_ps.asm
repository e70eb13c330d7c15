// A depth is clamped to the viewport's range (D3D11.3 15.6), here 0.25 to 1: in the upper half it runs from -3 at the left to
// 3 at the right, and what is below 0.5 passes. In the lower half it is a NaN, which becomes 0.25 and passes everywhere.
ps_5_0
dcl_input_ps linear v1.xyzw
dcl_output o0.xyzw
dcl_output oDepth
dcl_temps 1
mov o0.xyzw, v1.wyzw
div r0.x, v1.z, v1.z
lt r0.y, v1.y, l(0.0)
movc oDepth, r0.y, r0.x, v1.x
ret

// TEST: run --pipeline depth_range.json --via ir,ptx,maxwell,dksh --picture depth_range.png
// TEST: run --pipeline depth_range.json --via ir,vulkan --steps 2
