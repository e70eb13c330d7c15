// A published fix that uses a register beyond dcl_temps: an error, unless a case asks for --lenient (docs/frontend.md).
ps_5_0
dcl_output o0.xyzw
dcl_temps 1
mov r3.xyzw, l(1,2,3,4)
mov o0.xyzw, r3.xyzw
ret
// TEST: translate --to ptx --lenient
// CHECK: entry
// TEST: run --via ir,ptx --lenient
// TEST: error --to ptx --check ERR
// ERR: beyond dcl_temps
