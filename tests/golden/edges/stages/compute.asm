// A compute shader: a sum over a group.
cs_5_0
dcl_globalFlags refactoringAllowed
dcl_resource_structured t0, 4
dcl_uav_raw u0
dcl_input vThreadIDInGroupFlattened
dcl_input vThreadGroupID.x
dcl_input vThreadID.x
dcl_temps 2
dcl_tgsm_structured g0, 4, 64
dcl_thread_group 64, 1, 1
ld_structured_indexable(structured_buffer, stride=4)(mixed,mixed,mixed,mixed) r0.x, vThreadID.x, l(0), t0.xxxx
store_structured g0.x, vThreadIDInGroupFlattened.x, l(0), r0.x
sync_g_t
mov r0.x, l(32)
loop
  ieq r0.y, r0.x, l(0)
  breakc_nz r0.y
  ult r0.y, vThreadIDInGroupFlattened.x, r0.x
  if_nz r0.y
    iadd r0.z, r0.x, vThreadIDInGroupFlattened.x
    ld_structured r1.x, vThreadIDInGroupFlattened.x, l(0), g0.xxxx
    ld_structured r1.y, r0.z, l(0), g0.xxxx
    add r1.x, r1.y, r1.x
    store_structured g0.x, vThreadIDInGroupFlattened.x, l(0), r1.x
  endif
  sync_g_t
  ushr r0.x, r0.x, l(1)
endloop
if_z vThreadIDInGroupFlattened.x
  ld_structured r0.x, l(0), l(0), g0.xxxx
  ishl r0.y, vThreadGroupID.x, l(2)
  store_raw u0.x, r0.y, r0.x
endif
ret

// TEST: golden
