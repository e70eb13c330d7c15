// Three triangles over each other in a rasterizer-ordered view: each pixel finds what the one before it has stored. The last color is 3 * (3 * 1 + 2) + 3 of 32, or
// 3 * 1 + 3 where the second triangle is not.
ps_5_0
dcl_globalFlags refactoringAllowed
dcl_uav_typed_texture2d_rov (uint,uint,uint,uint) u1
dcl_input_ps_siv linear noperspective v0.xy, position
dcl_input_ps linear v1.xyzw
dcl_output o0.xyzw
dcl_temps 3
ftou r0.xy, v0.xyxx
mov r0.zw, l(0,0,0,0)
ld_uav_typed_indexable(texture2d)(uint,uint,uint,uint) r1.x, r0.xyzw, u1.xyzw
round_ne r1.y, v1.x
ftou r1.y, r1.y
imad r1.x, r1.x, l(3), r1.y
store_uav_typed u1.xyzw, r0.xyzw, r1.xxxx
utof r1.xyzw, r1.xxxx
mul o0.xyzw, r1.xyzw, l(0.03125,0.03125,0.03125,0.03125)
ret

// TEST: run --pipeline ordered_views.json --via ir,ptx,maxwell --picture ordered_views.png
