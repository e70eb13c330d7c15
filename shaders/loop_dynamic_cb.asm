// A loop over a dynamically indexed constant buffer: up to cb0[0].x directional lights. Rows past the end of the bound buffer read 0.
//
ps_5_0
dcl_globalFlags refactoringAllowed
dcl_constantbuffer cb0[33], dynamicIndexed
dcl_input_ps linear v0.xyz
dcl_output o0.xyzw
dcl_temps 2
mov r0.xyz, l(0,0,0,0)
mov r0.w, l(0)
loop 
  ige r1.x, r0.w, cb0[0].x
  breakc_nz r1.x
  ishl r1.x, r0.w, l(1)
  dp3_sat r1.y, v0.xyzx, cb0[r1.x + 1].xyzx
  mad r0.xyz, cb0[r1.x + 2].xyzx, r1.yyyy, r0.xyzx
  iadd r0.w, r0.w, l(1)
endloop 
mov o0.xyz, r0.xyzx
mov o0.w, l(1.000000)
ret 

// Cases of `texlate test shaders`. The tolerances cover rounding that each device chooses: UNORM decoding, interpolation, filter weights
// in 8 bits, and mips blended in 4 bits.
// TEST: golden --folder golden
// TEST: translate --to ptx --expect-reflection golden/loop_dynamic_cb.json
// TEST: run --scene scenes/loop_dynamic_cb.json --via ir,ptx,maxwell,sass,dksh --picture golden/loop_dynamic_cb.png
// TEST: run --scene scenes/loop_dynamic_cb.json --known scenes/loop_dynamic_cb.json --via ir,ptx,maxwell
// TEST: run --scene scenes/loop_dynamic_cb.json --via ir,vulkan --absolute 0.000002
// TEST: run --scene scenes/loop_dynamic_cb.json --via ir,vulkan --robustness shader --absolute 0.000002
