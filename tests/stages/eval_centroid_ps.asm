// The centroid of a pixel that is partly covered is its first covered sample (docs/reference/pipeline.md 5). Kernels compute it
// from the coverage and the differences over the quad; deko3d programs interpolate there.
ps_5_0
dcl_input_ps linear v1.xyzw
dcl_output o0.xyzw
eval_centroid o0.xyzw, v1.xyzw
ret

// TEST: run --pipeline eval_centroid.json --via ir,ptx,maxwell,dksh --picture eval_centroid.png
// TEST: run --pipeline eval_centroid.json --via ir,vulkan --steps 2
