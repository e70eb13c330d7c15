// Conversions to and from half floats, denormals included.
ps_5_0
dcl_globalFlags refactoringAllowed
dcl_input_ps linear v1.xyzw
dcl_output o0.xyzw
dcl_temps 1
f32tof16 r0.xyzw, v1.xyzw
f16tof32 o0.xyzw, r0.xyzw
ret

// TEST: golden
