// Run-time indices that are the same for all pixels, on devices that take none: derivatives are taken in the arms of the switch.
ps_5_1
dcl_globalFlags refactoringAllowed
dcl_constantbuffer CB0[0:0][2], immediateIndexed, space=0
dcl_constantbuffer CB1[2:5][2], immediateIndexed, space=0
dcl_sampler S0[0:1], mode_default, space=0
dcl_resource_texture2d (float,float,float,float) T0[0:3], space=0
dcl_resource_raw T1[4:6], space=0
dcl_resource_buffer (float,float,float,float) T2[8:9], space=0
dcl_uav_raw U1[3:5], space=0
dcl_input_ps linear v1.xy
dcl_output o0.xyzw
dcl_output o1.xyzw
dcl_temps 4
mov r1.xyzw, CB0[0][0].xyzw
sample o0.xyzw, v1.xyxx, T0[r1.x + 0].xyzw, S0[r1.y + 0]
lod r3.x, v1.xyxx, T0[r1.x + 1].xyzw, S0[r1.y + 0]
ld_raw r3.y, l(4), T1[r1.z + 4].xxxx
utof r3.y, r3.y
ld r3.zw, l(1), T2[r1.w + 8].xxxy
add o1.xyzw, r3.xyzw, CB1[r1.z + 3][1].xyzw
store_raw U1[r1.z + 3].x, l(0), r1.z
ret

// TEST: run --scene chosen_by_constant.json --via ir,vulkan --absolute 0.05 --without shaderUniformBufferArrayDynamicIndexing,shaderSampledImageArrayDynamicIndexing,shaderStorageBufferArrayDynamicIndexing,shaderUniformTexelBufferArrayDynamicIndexing
// TEST: run --scene chosen_by_constant.json --via ir,vulkan --robustness shader --absolute 0.05 --without shaderUniformBufferArrayDynamicIndexing,shaderSampledImageArrayDynamicIndexing,shaderStorageBufferArrayDynamicIndexing,shaderUniformTexelBufferArrayDynamicIndexing
