// dp2, dp3 and dp4 with saturation and negation.
ps_5_0
dcl_globalFlags refactoringAllowed
dcl_input_ps linear v1.xyzw
dcl_output o0.xyzw
dcl_temps 1
dp2 r0.x, v1.xyxx, v1.zwzz
dp3_sat r0.y, v1.xyzx, v1.wzyw
dp4 r0.z, -v1.xyzw, |v1.wzyx|
mov o0.xyzw, r0.xyzx
ret

// TEST: golden
