// 5 by 3 pixels are six quads. What runs past the edges are helpers, which store nothing: u0 counts the others.
ps_5_0
dcl_globalFlags refactoringAllowed
dcl_uav_raw u0
dcl_uav_raw u1
dcl_input_ps_siv linear noperspective v0.xy, position
dcl_output o0.xyzw
dcl_temps 1
ftou r0.xy, v0.xyxx
imad r0.x, r0.y, l(16), r0.x
ishl r0.x, r0.x, l(2)
atomic_iadd u0, l(0), l(1)
store_raw u1.x, r0.x, l(7)
mov o0.xyzw, r0.xxxx
ret

// TEST: run --scene odd_edges.json --via ir,ptx,maxwell,dksh --buffers odd_edges.out.json
// TEST: run --scene odd_edges.json --via ir,vulkan
