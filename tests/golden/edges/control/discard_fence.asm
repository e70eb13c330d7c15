// A discard in a shader with u# is a fence of its accesses, whether it kills or not (D3D11.3 22.17.7).
ps_5_0
dcl_globalFlags refactoringAllowed
dcl_uav_raw u1
dcl_uav_raw u2
dcl_input_ps constant v1.xyzw
dcl_output o0.xyzw
dcl_temps 1
store_raw u1.x, v1.x, v1.y
discard_nz v1.w
ld_raw r0.x, v1.z, u2.xxxx
mov o0.xyzw, r0.xxxx
ret
// TEST: golden
