// Derivatives of inputs are the same whichever way the pixels of a quad go (D3D11.3 16.8.2): in a branch, in a loop that
// some leave, and behind a return. v1 says which way. The color 1 + 2 + 4 of a mip is 4 in mip 3, and 3 in mip 4.
ps_5_0
dcl_globalFlags refactoringAllowed
dcl_sampler s0, mode_default
dcl_sampler s1, mode_comparison
dcl_resource_texture2d (float,float,float,float) t0
dcl_resource_texture2d (float,float,float,float) t1
dcl_input_ps linear v0.xy
dcl_input_ps constant v1.xy
dcl_output o0.xyzw
dcl_output o1.xyzw
dcl_temps 5
mov r1.xyzw, l(9.0, 9.0, 9.0, 9.0)
mov r2.xyzw, l(9.0, 9.0, 9.0, 9.0)
lt r0.x, l(0.5), v1.x
if_nz r0.x
  sample_indexable(texture2d)(float,float,float,float) r4.xyz, v0.xyxx, t0.xyzw, s0
  dp3 r1.x, r4.xyzx, l(1.0, 2.0, 4.0, 0)
  deriv_rtx_coarse r1.y, v0.x
  deriv_rty_fine r1.z, -v0.y
  lod r1.w, v0.xyxx, t0.y, s0
else
  sample_b_indexable(texture2d)(float,float,float,float) r4.xyz, v0.xyxx, t0.xyzw, s0, l(1.0)
  dp3 r2.x, r4.xyzx, l(1.0, 2.0, 4.0, 0)
  sample_c_indexable(texture2d)(float,float,float,float) r2.y, v0.xyxx, t1.xxxx, s1, l(0.5)
  mov r3.x, l(0)
  loop
    ige r3.y, r3.x, v1.y
    breakc_nz r3.y
    sample_indexable(texture2d)(float,float,float,float) r4.xyz, v0.xyxx, t0.xyzw, s0
    dp3 r2.z, r4.xyzx, l(1.0, 2.0, 4.0, 0)
    iadd r3.x, r3.x, l(1)
  endloop
endif
mov o0.xyzw, r1.xyzw
mov o1.xyzw, r2.xyzw
retc_nz r0.x
sample_indexable(texture2d)(float,float,float,float) r4.xyz, v0.xyxx, t0.xyzw, s0
dp3 o1.w, r4.xyzx, l(1.0, 2.0, 4.0, 0)
ret

// TEST: run --scene diverging_inputs.json --via ir,ptx,maxwell,dksh --buffers diverging_inputs.out.json
// TEST: run --scene diverging_inputs.json --via vulkan --buffers diverging_inputs.out.json
