// Control points of a surface; the hull shader reads them.
vs_5_0
dcl_input v0.xyz
dcl_output o0.xyz
mov o0.xyz, v0.xyzx
ret
