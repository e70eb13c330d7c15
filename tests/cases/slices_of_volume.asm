// A view of some slices of a 3D texture: resinfo and bounds are the view's.
cs_5_0
dcl_globalFlags refactoringAllowed
dcl_uav_typed_texture3d (uint,uint,uint,uint) u1
dcl_uav_raw u0
dcl_input vThreadID.xyz
dcl_temps 3
dcl_thread_group 1, 1, 5
iadd r0.x, vThreadID.z, l(100)
mov r1.xyzw, l(0,0,0,0)
mov r1.z, vThreadID.z
store_uav_typed u1.xyzw, r1.xyzw, r0.xxxx
resinfo_indexable(texture3d)(uint,uint,uint,uint)_uint r2.xyzw, l(0), u1.xyzw
ishl r0.y, vThreadID.z, l(4)
store_raw u0.xyzw, r0.y, r2.xyzw
ret

// TEST: run --scene slices_of_volume.json --via ir,ptx,maxwell,dksh
