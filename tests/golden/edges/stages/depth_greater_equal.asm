// Conservative depth: Vulkan and deko3d programs limit it themselves, the host's output merger that of kernels.
ps_5_0
dcl_globalFlags refactoringAllowed
dcl_input_ps_siv linear noperspective v0.xy, position
dcl_input_ps linear v1.x
dcl_output o0.xyzw
dcl_output oDepthGE
mov o0.xyzw, v0.xyxy
mov oDepthGE, v1.x
ret
// TEST: golden
