ps_5_0
dcl_input_ps linear v1.x
dcl_input_ps_sgv constant v1.y, primitive_id
dcl_output o0.xyzw
dcl_temps 1
utof r0.x, v1.y
mul o0.x, r0.x, l(0.004)
mov o0.y, -v1.x
mov o0.zw, l(0.0, 0.0, 0.0, 1.0)
ret

// TEST: run --pipeline streams.json --via ir,ptx,maxwell,dksh --picture streams.png
// TEST: run --pipeline streams.json --via ir,vulkan --steps 2
