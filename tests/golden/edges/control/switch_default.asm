// Cases that share code, and a default.
ps_5_0
dcl_globalFlags refactoringAllowed
dcl_input_ps linear v1.xyzw
dcl_output o0.xyzw
dcl_temps 2
ftou r0.x, v1.x
switch r0.x
  case l(0)
  case l(7)
  mov r1.x, v1.y
  break
  default
  mov r1.x, v1.z
  break
endswitch
mov o0.xyzw, r1.xxxx
ret

// TEST: golden
