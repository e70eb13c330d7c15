// One ld, eight texels up and to the left: in a viewport sixteen pixels larger than the texture it leaves the texture on all four
// sides. Direct3D: outside reads 0. The address is unsigned, so that 0 - 8 is far outside as well.
//
// Resource Bindings:
//   t0: texture2d    the picture, 80 x 80
//
ps_5_0
dcl_globalFlags refactoringAllowed
dcl_resource_texture2d (float,float,float,float) t0
dcl_input_ps_siv linear noperspective v0.xy, position
dcl_output o0.xyzw
dcl_temps 1
ftoi r0.xy, v0.xyxx
mov r0.zw, l(0,0,0,0)
ld_aoffimmi_indexable(-8,-8,0)(texture2d)(float,float,float,float) r0.xyz, r0.xyzw, t0.xyzw
mov o0.xyz, r0.xyzx
mov o0.w, l(1.000000)
ret 
