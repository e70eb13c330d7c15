// Isolines: lines as the tessellator makes them, with perspective.
ps_5_0
dcl_input_ps linear v1.xyzw
dcl_output o0.xyzw
mov o0.xyzw, v1.xyzw
ret

// TEST: run --pipeline lines.json --via ir,ptx,maxwell,dksh --picture lines.png
// TEST: run --pipeline lines.json --via ir,vulkan --steps 8 --max-pixels 8
