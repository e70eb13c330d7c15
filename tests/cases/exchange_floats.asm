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
// TEST: run --scene exchange_floats.json --via ir,vulkan
// TEST: run --scene exchange_floats.json --via ir,vulkan --robustness shader
// TEST: translate --to spirv-text --validate --check SPIRV
// SPIRV-DAG: OpTypeImage %float 2D 0 0 0 2 R32f
// SPIRV-DAG: OpTypeImage %float Buffer 0 0 0 2 R32f
// SPIRV: OpAtomicExchange %float
// SPIRV: OpAtomicExchange %float
// TEST: error --to spirv --without shaderImageFloat32Atomics
// CHECK: exchange_floats.asm:9:1: error: imm_atomic_exch: an exchange of floats in a typed view needs shaderImageFloat32Atomics, which the device lacks: it cannot be expressed on spirv
