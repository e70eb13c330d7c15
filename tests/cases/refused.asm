// A shader that must be refused.
ps_5_0
dcl_output o0.xyzw
dcl_temps 1
mov o0.xyzw, r1.xyzw
ret

// TEST: error --to ptx
// CHECK: refused.asm:5:14: error: r1 is beyond dcl_temps 1
// CHECK-NEXT: mov o0.xyzw, r1.xyzw
// CHECK-NEXT: ^~~~~~~
// CHECK-NEXT: refused.asm:4:1: note: declared here
// CHECK-NEXT: dcl_temps 1
