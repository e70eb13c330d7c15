// What the format of a typed view cannot hold: NaN is 0 in normalized formats, and integers are clamped.
cs_5_0
dcl_globalFlags refactoringAllowed
dcl_constantbuffer cb0[3], immediateIndexed
dcl_uav_typed_texture2d (uint,uint,uint,uint) u0
dcl_uav_typed_texture2d (sint,sint,sint,sint) u1
dcl_uav_typed_texture2d (unorm,unorm,unorm,unorm) u2
dcl_uav_typed_buffer (snorm,snorm,snorm,snorm) u3
dcl_uav_typed_buffer (float,float,float,float) u4
dcl_uav_typed_buffer (float,float,float,float) u5
dcl_uav_typed_buffer (float,float,float,float) u6
dcl_uav_typed_texture2d (uint,uint,uint,uint) u7
dcl_thread_group 1, 1, 1
store_uav_typed u0.xyzw, l(0,0,0,0), cb0[1].xyzw
store_uav_typed u1.xyzw, l(0,0,0,0), cb0[1].xyzw
store_uav_typed u2.xyzw, l(0,0,0,0), cb0[0].xyzw
store_uav_typed u3.xyzw, l(0,0,0,0), cb0[0].xyzw
store_uav_typed u4.xyzw, l(0,0,0,0), cb0[0].xyzw
store_uav_typed u4.xyzw, l(1,1,1,1), l(0x7fc00000, 2.0, -2.0, 0.5)
store_uav_typed u5.xyzw, l(0,0,0,0), cb0[0].xyzw
store_uav_typed u6.xyzw, l(0,0,0,0), cb0[2].xyzw
store_uav_typed u7.xyzw, l(0,0,0,0), cb0[1].xyzw
ret

// TEST: run --scene stored_range.json --via ir,ptx,maxwell
// TEST: run --scene stored_range.json --via ir,vulkan
