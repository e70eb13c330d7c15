// What a deko3d host learns of a sampler's registers, and of memory for an array.
ps_5_1
dcl_globalFlags refactoringAllowed
dcl_sampler S0[5:5], mode_default, space=3
dcl_resource_texture2d (float,float,float,float) T0[7:7], space=1
dcl_input_ps linear v0.xy
dcl_input_ps constant v1.x
dcl_output o0.xyzw
dcl_temps 2
dcl_indexableTemp x0[5], 1
sample_indexable(texture2d)(float,float,float,float) r0.xyzw, v0.xyxx, T0[7].xyzw, S0[5]
mov x0[0].x, r0.x
mov x0[1].x, r0.y
mov x0[2].x, r0.z
mov x0[3].x, r0.w
mov x0[4].x, l(0.5)
mov r1.x, v1.x
mov o0.xyzw, x0[r1.x + 0].xxxx
ret

// TEST: translate --to dksh --expect-reflection dksh_reflection.out.json
