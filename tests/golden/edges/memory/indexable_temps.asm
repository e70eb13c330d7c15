// x# by run-time indices.
ps_5_0
dcl_globalFlags refactoringAllowed
dcl_indexableTemp x0[4], 4
dcl_input_ps linear v1.xyzw
dcl_output o0.xyzw
dcl_temps 1
mov x0[0].xyzw, v1.xyzw
mov x0[1].xyzw, v1.wzyx
mov x0[2].xyzw, l(0,0,0,0)
mov x0[3].xyzw, l(1.0,1.0,1.0,1.0)
ftou r0.x, v1.x
mov o0.xyzw, x0[r0.x + 0].xyzw
ret

// TEST: golden
