// Domain points of the fixed-function tessellator, by patch; a control point by a relative index.
ds_5_0
dcl_input_control_point_count 4
dcl_tessellator_domain domain_tri
dcl_input vpc0.x
dcl_input vpc4.xy
dcl_input vDomain.xyz
dcl_input vPrim
dcl_input vcp[4][0].xy
dcl_output o0.xyzw
dcl_output o1.xyz
dcl_temps 1
and r0.x, vPrim, l(3)
mov o0.xy, vcp[r0.x + 0][0].xyxx
mov o0.z, vpc0.x
mov o0.w, vpc4.y
mov o1.xyz, vDomain.xyzx
ret

// TEST: run --scene domain_points.json --via ir,ptx,maxwell,vulkan --buffers domain_points.out.json
// TEST: run --scene domain_list.json --via ir,ptx,maxwell --buffers domain_list.out.json
// TEST: run --scene domain_points.json --via ir,dksh
