// A loop with a run-time count.
ps_5_0
dcl_globalFlags refactoringAllowed
dcl_input_ps linear v1.xyzw
dcl_output o0.xyzw
dcl_temps 1
ftoi r0.x, v1.w
mov r0.yz, l(0,0,0,0)
loop
  ige r0.w, r0.y, r0.x
  breakc_nz r0.w
  mad r0.z, r0.z, v1.y, v1.x
  iadd r0.y, r0.y, l(1)
endloop
mov o0.xyzw, r0.zzzz
ret

// TEST: golden
