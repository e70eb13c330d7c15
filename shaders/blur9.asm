// A Gaussian blur of three by three texels: four corners, four edges and the centre, of the weights 1, 2 and 4
// sixteenths. Each fetch has an offset of its own; those that fall outside of the picture read 0.
//
// Resource Bindings:
//   t0: texture2d     the picture
//
ps_5_0
dcl_globalFlags refactoringAllowed
dcl_resource_texture2d (float,float,float,float) t0
dcl_input_ps_siv linear noperspective v0.xy, position
dcl_output o0.xyzw
dcl_temps 4
ftoi r0.xy, v0.xyxx
mov r0.zw, l(0,0,0,0)
ld_aoffimmi_indexable(-1,-1,0)(texture2d)(float,float,float,float) r1.xyzw, r0.xyzw, t0.xyzw
ld_aoffimmi_indexable(1,-1,0)(texture2d)(float,float,float,float) r2.xyzw, r0.xyzw, t0.xyzw
add r1.xyzw, r1.xyzw, r2.xyzw
ld_aoffimmi_indexable(-1,1,0)(texture2d)(float,float,float,float) r2.xyzw, r0.xyzw, t0.xyzw
add r1.xyzw, r1.xyzw, r2.xyzw
ld_aoffimmi_indexable(1,1,0)(texture2d)(float,float,float,float) r2.xyzw, r0.xyzw, t0.xyzw
add r1.xyzw, r1.xyzw, r2.xyzw
ld_aoffimmi_indexable(0,-1,0)(texture2d)(float,float,float,float) r2.xyzw, r0.xyzw, t0.xyzw
ld_aoffimmi_indexable(-1,0,0)(texture2d)(float,float,float,float) r3.xyzw, r0.xyzw, t0.xyzw
add r2.xyzw, r2.xyzw, r3.xyzw
ld_aoffimmi_indexable(1,0,0)(texture2d)(float,float,float,float) r3.xyzw, r0.xyzw, t0.xyzw
add r2.xyzw, r2.xyzw, r3.xyzw
ld_aoffimmi_indexable(0,1,0)(texture2d)(float,float,float,float) r3.xyzw, r0.xyzw, t0.xyzw
add r2.xyzw, r2.xyzw, r3.xyzw
ld_indexable(texture2d)(float,float,float,float) r0.xyzw, r0.xyzw, t0.xyzw
mul r0.xyzw, r0.xyzw, l(0.25, 0.25, 0.25, 0.25)
mad r0.xyzw, r2.xyzw, l(0.125, 0.125, 0.125, 0.125), r0.xyzw
mad o0.xyzw, r1.xyzw, l(0.0625, 0.0625, 0.0625, 0.0625), r0.xyzw
ret 
