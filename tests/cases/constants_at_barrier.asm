// What only reads, as the row of cb0, may be moved between a barrier and its fence.
cs_5_0
dcl_immediateConstantBuffer { { 0x4b000001, 0x477ff000, 0x400bb5ba, 0xc0e30e92} }
dcl_constantbuffer cb0[6], dynamicIndexed
dcl_resource_raw t0
dcl_resource_raw t1
dcl_resource_structured t2, 20
dcl_uav_raw u0
dcl_uav_raw u1
dcl_uav_structured u2, 12
dcl_uav_typed_buffer (uint,uint,uint,uint) u3
dcl_input vThreadID.x
dcl_temps 13
dcl_thread_group 32, 1, 1
  ishl r7.x, vThreadID.x, l(4)
  ld_raw_indexable(raw_buffer)(mixed,mixed,mixed,mixed) r1.xyzw, r7.z, t0.xyzw
  ne r3.xz, -|r2.zzzw|, icb[r6.y + 0].zyyx
  mul r5.xyzw, r3.wxzy, r3.xwww
  loop
    uge r8.y, r8.x, l(1)
    breakc_nz r8.y
    iadd r8.x, r8.x, l(1)
  endloop
  sync_uglobal_g_t
  lt r0.xyzw, r5.zxzx, r4.ywzy
  lt r4.xyzw, r2.xxzy, -|cb0[r6.z + 0].ywxy|
  if_nz r4.y
    and r12.x, r0.y, l(31)
  endif
  store_raw u1.xyzw, r12.x, r0.xwwy
  store_raw u0.xyzw, r7.y, r1.xyzw
  iadd r7.y, r7.x, l(1536)
  store_raw u0.xyzw, r7.y, r3.xyzw
  ret

// TEST: run --scene constants_at_barrier.json --via ir,maxwell
// TEST: run --scene constants_at_barrier.json --via ir,dksh
