// Errors point at operands, including indices and registers within indices, and name the declaration.
ps_5_0
dcl_constantbuffer cb0[2], immediateIndexed
dcl_sampler s0, mode_comparison
dcl_resource_texture2d (float,float,float,float) t0
dcl_indexableTemp x0[4], 4
dcl_output o0.xyzw
dcl_temps 2
mov r0.xyzw, cb0[7].xyzw
sample_indexable(texture2d)(float,float,float,float) r0.xyzw, r1.xyxx, t0.xyzw, s0
mov r1.x, x0[r9.x + 1].y
ld_indexable(texture3d)(float,float,float,float) r0.xyzw, r1.xyzw, t0.xyzw
add r1.xyzw, t3.xyzw, v0.xyzw
ret

// TEST: error
// CHECK: operands.asm:9:14: error: cb0[7] is beyond the 2 rows of its dcl_constantbuffer
// CHECK: operands.asm:3:1: note: declared here
// CHECK: operands.asm:10:81: error: sample cannot use s0, a sampler of mode_comparison
// CHECK: operands.asm:4:1: note: declared here
// CHECK: operands.asm:11:14: error: r9 is beyond dcl_temps 2
// CHECK: operands.asm:8:1: note: declared here
// CHECK: operands.asm:12:68: error: ld is written for texture3d, but t0 is declared as texture2d
// CHECK: operands.asm:5:1: note: declared here
// CHECK: operands.asm:13:14: error: {{.*}}t3
// CHECK: operands.asm:13:23: error: v0 is not declared
