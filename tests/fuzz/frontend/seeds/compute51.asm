cs_5_1
dcl_constantbuffer CB0[0:0][4], immediateIndexed, space=0
dcl_immediateConstantBuffer { { 1.000000, 0, 0, 0},
                              { 0, 1.000000, 15, -0.000000} }
dcl_resource_structured T0[0:3], 48, space=0
dcl_uav_typed_texture2d (unorm,unorm,unorm,unorm) U0[0:0], space=1
dcl_input vThreadID.xyz
dcl_temps 2
dcl_tgsm_raw g0, 1024
dcl_thread_group 8, 8, 1
ld_structured r0.xy, vThreadID.x, l(16), T0[r1.x + 1].zwzz { nonuniform }
imm_atomic_iadd r0.z, g0, vThreadID.x, l(1)
switch r0.x
  case l(1)
  mov r0.xyzw, icb[r0.y + 0].xyzw
  break 
  default 
  sync_g_t
  break 
endswitch 
store_uav_typed U0[0].xyzw, vThreadID.xyyy, r0.xyzw
ret 
// Approximately 10 instruction slots used
