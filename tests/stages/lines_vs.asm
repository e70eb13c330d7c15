// Control points of patches; the hull shader reads them.
vs_5_0
dcl_input v0.xyzw
dcl_output o0.xyzw
mov o0.xyzw, v0.xyzw
ret
