// A shader that must be refused.
ps_5_0
dcl_output o0.xyzw
dcl_temps 1
mov o0.xyzw, r1.xyzw
ret

// TEST: error --to ptx
// CHECK: refused.asm:5:{{[0-9]+}}: error: {{.*}}r1
