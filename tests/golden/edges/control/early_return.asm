// A return inside a branch.
ps_5_0
dcl_globalFlags refactoringAllowed
dcl_input_ps linear v1.xyzw
dcl_output o0.xyzw
dcl_temps 1
lt r0.x, v1.x, l(0.000000)
if_nz r0.x
  mov o0.xyzw, l(0,0,0,0)
  ret
endif
mov o0.xyzw, v1.xyzw
ret

// TEST: golden
