// imm_atomic_exch is the only atomic operation that Direct3D has for R32_FLOAT.
cs_5_0
dcl_globalFlags refactoringAllowed
dcl_uav_typed_texture2d (float,float,float,float) u0
dcl_uav_typed_buffer (float,float,float,float) u1
dcl_uav_raw u2
dcl_temps 2
dcl_thread_group 1, 1, 1
imm_atomic_exch r0.x, u0, l(1,0,0,0), l(2.0)
imm_atomic_exch r0.y, u1, l(1,0,0,0), l(3.0)
store_raw u2.xy, l(0), r0.xyxx
ret

// TEST: run --scene exchange_floats.json --via ir,ptx,maxwell --buffers exchange_floats.out.json
// TEST: run --scene exchange_floats.json --via ir,dksh
// TEST: error --to spirv
// CHECK: exchange_floats.asm:9:1: error: imm_atomic_exch: an atomic on a view of floats cannot be expressed on spirv
