ps_5_0
dcl_globalFlags refactoringAllowed
dcl_constantbuffer cb0[8], dynamicIndexed
dcl_sampler s0, mode_default
dcl_resource_texture2d (float,float,float,float) t0
dcl_input_ps_siv linear noperspective v0.xy, position
dcl_output o0.xyzw
dcl_temps 2
dcl_indexableTemp x0[4], 4
ftoi r0.xy, v0.xyxx
mov r0.zw, l(0,0,0,0)
ld_aoffimmi_indexable(-1,2,0)(texture2d)(float,float,float,float) r1.xyzw, r0.xyzw, t0.xyzw
mov x0[1].x, cb0[r0.x + 3].y
sample_l_indexable [precise](texture2d)(float,float,float,float) r0.xyzw, r0.xyxx, t0.xyzw, s0, l(0.500000)
if_nz r0.x
  mad_sat o0.xyzw, r0.xyzw, -|r1.xyzw|, l(1.000000, 0.500000, -1.000000, 0.000000)
else 
  mov o0.xyzw, x0[r0.x + 1].xyzw
endif 
ret 
// Approximately 9 instruction slots used
