// Run-time indices on devices that take none: a switch over the registers of each range.
ps_5_1
dcl_globalFlags refactoringAllowed
dcl_constantbuffer CB0[0:3][2], immediateIndexed, space=0
dcl_sampler S0[0:1], mode_default, space=0
dcl_resource_texture2d (float,float,float,float) T0[0:3], space=0
dcl_resource_raw T1[4:6], space=0
dcl_resource_buffer (float,float,float,float) T2[8:9], space=0
dcl_uav_typed_texture2d (float,float,float,float) U0[1:2], space=0
dcl_uav_raw U1[3:5], space=0
dcl_uav_typed_buffer (uint,uint,uint,uint) U2[6:7], space=0
dcl_input_ps_siv linear noperspective v0.xy, position
dcl_input_ps linear v1.xy
dcl_output o0.xyzw
dcl_output o1.xyzw
dcl_output o2.xyzw
dcl_output o3.xyzw
dcl_temps 4
ftou r0.xy, v0.xyxx
and r1.x, r0.x, l(3)
and r1.y, r0.y, l(1)
ubfe r1.z, l(1), l(2), r0.x
udiv r2.x, r2.y, r0.x, l(3)
iadd r2.z, r2.y, l(4)
iadd r2.w, r2.y, l(3)
iadd r1.w, r1.y, l(8)
sample o0.xyzw, v1.xyxx, T0[r1.x + 0].xyzw { nonuniform }, S0[r1.y + 0] { nonuniform }
sample_l o1.xyzw, v1.xyxx, T0[r1.x + 0].xyzw { nonuniform }, S0[r1.y + 0] { nonuniform }, l(1.0)
ld_raw r3.x, l(4), T1[r2.z + 0].xxxx { nonuniform }
ld r3.yzw, l(1), T2[r1.w + 0].xxyz { nonuniform }
utof r3.x, r3.x
add o2.xyzw, r3.xyzw, CB0[r1.x + 0][1].xyzw { nonuniform }
iadd r1.w, r1.z, l(1)
store_uav_typed U0[r1.w + 0].xyzw { nonuniform }, r0.xyyy, l(0.25, 0.5, 0.75, 1.0)
atomic_iadd U1[r2.w + 0] { nonuniform }, l(0), l(1)
iadd r1.w, r1.y, l(6)
store_uav_typed U2[r1.w + 0].xyzw { nonuniform }, r0.xxxx, l(7, 8, 9, 10)
bufinfo r3.x, T1[r2.z + 0].x { nonuniform }
resinfo_uint r3.y, l(0), T0[r1.x + 0].zxyw { nonuniform }
utof o3.xyzw, r3.xyxy
ret

// TEST: run --scene chosen_registers.json --via ir,vulkan --absolute 0.004 --without shaderUniformBufferArrayNonUniformIndexing,shaderSampledImageArrayNonUniformIndexing,shaderStorageBufferArrayNonUniformIndexing,shaderStorageImageArrayNonUniformIndexing,shaderUniformTexelBufferArrayNonUniformIndexing,shaderStorageTexelBufferArrayNonUniformIndexing
