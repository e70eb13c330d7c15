// Triangles of a strip with a cut, half of which is transparent; perspective, depth, samples, blending, stencil.
ps_5_0
dcl_input_ps linear v1.xyzw
dcl_output o0.xyzw
mov o0.xyzw, v1.xyzw
ret

// TEST: run --pipeline square.json --via ir,ptx,maxwell,dksh --picture square.png
// TEST: run --pipeline square.json --via ir,vulkan --steps 2 --max-pixels 32
