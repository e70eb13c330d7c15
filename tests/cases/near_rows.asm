// Rows whose numbers are one value plus constants share the test of the furthest one. Values just below 0 reach the first rows.
cs_5_0
dcl_globalFlags refactoringAllowed
dcl_immediateConstantBuffer {
  { 0x00000000, 0, 0, 0 },
  { 0x00000001, 0, 0, 0 },
  { 0x00000002, 0, 0, 0 },
  { 0x00000003, 0, 0, 0 },
  { 0x00000004, 0, 0, 0 },
  { 0x00000005, 0, 0, 0 },
  { 0x00000006, 0, 0, 0 },
  { 0x00000007, 0, 0, 0 },
  { 0xffffffff, 0, 0, 0 },
  { 0xfffffffe, 0, 0, 0 },
  { 0xfffffffd, 0, 0, 0 },
  { 0xfffffffc, 0, 0, 0 },
  { 0xfffffffb, 0, 0, 0 },
  { 0xfffffffa, 0, 0, 0 },
  { 0x00000ffa, 0, 0, 0 },
  { 0x00000ffb, 0, 0, 0 },
  { 0x00000fff, 0, 0, 0 },
  { 0x00001000, 0, 0, 0 },
  { 0x00001ffb, 0, 0, 0 },
  { 0x00001fff, 0, 0, 0 },
  { 0x0ffffffb, 0, 0, 0 },
  { 0x0ffffffe, 0, 0, 0 },
  { 0x0fffffff, 0, 0, 0 },
  { 0x10000000, 0, 0, 0 },
  { 0x10000001, 0, 0, 0 },
  { 0x1fffffff, 0, 0, 0 },
  { 0x7ffffffd, 0, 0, 0 },
  { 0x7fffffff, 0, 0, 0 },
  { 0x80000000, 0, 0, 0 },
  { 0x80000001, 0, 0, 0 },
  { 0xefffffff, 0, 0, 0 },
  { 0xfffff000, 0, 0, 0 } }
dcl_constantbuffer cb0[8], dynamicIndexed
dcl_uav_raw u0
dcl_input vThreadIDInGroupFlattened
dcl_temps 3
dcl_thread_group 32, 1, 1
mov r0.x, icb[vThreadIDInGroupFlattened.x].x
mov r1.x, cb0[r0.x + 0].x
mov r1.y, cb0[r0.x + 1].y
mov r1.z, cb0[r0.x + 2].z
mov r1.w, cb0[r0.x + 5].w
ishl r2.x, vThreadIDInGroupFlattened.x, l(5)
store_raw u0.xyzw, r2.x, r1.xyzw
ine r2.y, r0.x, l(3)
mov r1.xyzw, l(0,0,0,0)
if_nz r2.y
  mov r1.x, cb0[r0.x + 5].x
  iadd r0.y, r0.x, l(-1)
  mov r1.y, cb0[r0.y].y
  mov r1.z, cb0[r0.y + 1].z
endif
mov r1.w, cb0[r0.x + 4000].w
iadd r2.x, r2.x, l(16)
store_raw u0.xyzw, r2.x, r1.xyzw
ret

// TEST: run --scene near_rows.json --via ir,ptx,maxwell
// TEST: run --scene near_rows.json --via ir,dksh
// TEST: run --scene near_rows.json --via ir,vulkan
// TEST: run --scene near_rows.json --via ir,vulkan --robustness shader
