// Conservative depth: the greater of the shader's depth and the rasterizer's is tested (D3D11.3 16.9.3.1). The
// rasterizer's runs from 0 at the left to 1 at the right, so that a part of the picture passes.
ps_5_0
dcl_input_ps linear v1.xyzw
dcl_output o0.xyzw
dcl_output oDepthGE
mov o0.xyzw, v1.xyzw
mov oDepthGE, l(0.250000)
ret

// TEST: run --pipeline depth_greater.json --via ir,ptx,maxwell,dksh --picture depth_greater.png
// TEST: run --pipeline depth_greater.json --via ir,vulkan --steps 2
// TEST: run --pipeline depth_greater_samples.json --via ir,ptx,maxwell,dksh
// One pixel of which only sample 2 is covered: its depth, the centroid's, is 0.125, and 0.5 at the center (16.9.3.2).
// TEST: run --pipeline depth_centroid.json --via ir,ptx,maxwell,dksh --picture depth_centroid.png
