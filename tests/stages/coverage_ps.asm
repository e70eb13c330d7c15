// At sample frequency each invocation sees the coverage of the whole primitive (D3D11.3 16.3.2), here 15, and the count of the target's samples, 4.
ps_5_0
dcl_input vCoverage.x
dcl_input_ps linear sample v1.xyzw
dcl_output o0.xyzw
dcl_temps 1
sampleinfo r0.xyzw, rasterizer.xyzw
and r0.y, vCoverage.x, l(255)
utof r0.y, r0.y
mul o0.x, r0.x, l(0.125)
mul o0.y, r0.y, l(0.0625)
mov o0.zw, v1.zzzw
ret

// TEST: run --pipeline coverage.json --via ir,ptx,maxwell --picture coverage.png
