ps_5_0
dcl_globalFlags refactoringAllowed | enableDoublePrecisionFloatOps
dcl_function_body fb0
dcl_function_body fb1
dcl_function_table ft0 = {fb0}
dcl_function_table ft1 = {fb1}
dcl_interface fp0[1][1] = {ft0, ft1}
dcl_constantbuffer cb0[2], immediateIndexed
dcl_input_ps linear noperspective centroid v0.xyzw
dcl_output o0.xyzw
dcl_output oDepthGE
dcl_temps 2
fcall fp0[0][0]
dadd r0.xy, cb0[0].xyxy, d(1.500000l, -2.000000l)
dtof r0.x, r0.xyxy
mov [precise(xw)] o0.xyzw, r0.xxxx
mov oDepthGE, l(0.500000)
ret 
label l0
mov r1.x, l(1.000000)
ret 
label l1
mov r1.x, v0.x
ret 
