// At sample frequency the rasterizer's depth is the sample's, also of a shader whose position is the pixel's and not
// `sample` (D3D11.3 16.9.3.2). The color shows that the position still is the pixel's.
ps_5_0
dcl_input_ps linear sample v1.x
dcl_input_ps_siv linear noperspective v2.xyz, position
dcl_output o0.xyzw
dcl_output oDepthGE
mul o0.xyz, v2.xyzx, l(0.0625, 0.25, 1.0, 0.0)
mov o0.w, v1.x
mov oDepthGE, l(0.0)
ret

// TEST: run --pipeline depth_beside_position.json --via ir,ptx,maxwell,dksh --picture depth_beside_position.png
