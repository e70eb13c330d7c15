// Coarse and fine derivatives.
ps_5_0
dcl_globalFlags refactoringAllowed
dcl_input_ps linear v1.xyzw
dcl_output o0.xyzw
dcl_temps 1
deriv_rtx_coarse r0.x, v1.x
deriv_rty_fine r0.y, v1.y
mov o0.xyzw, r0.xyxy
ret

// TEST: golden
