// A typed buffer; elements beyond the view read 0.
ps_5_0
dcl_globalFlags refactoringAllowed
dcl_resource_buffer (float,float,float,float) t0
dcl_input_ps linear v1.xyzw
dcl_output o0.xyzw
dcl_temps 3
ftou r0.x, v1.x
ld_indexable(buffer)(float,float,float,float) o0.xyzw, r0.xxxx, t0.xyzw
ret

// TEST: golden
