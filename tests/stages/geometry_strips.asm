// Cuts of empty strips, strips that are too short, more emissions than declared, 32 instances, adjacent
// vertices by a relative index.
gs_5_0
dcl_input v[6][0].xy
dcl_input vGSInstanceID
dcl_input vPrim
dcl_temps 2
dcl_inputprimitive triangleadj
dcl_gs_instance_count 32
dcl_stream m0
dcl_outputtopology trianglestrip
dcl_output o0.xyz
dcl_maxout 6
cut_stream m0
cut_stream m0
udiv null, r0.x, vGSInstanceID, l(6)
mov r1.x, l(0)
loop
  uge r0.y, r1.x, l(9)
  breakc_nz r0.y
  mov o0.xy, v[r0.x + 0][0].xyxx
  mov o0.z, vGSInstanceID.x
  emit_stream m0
  ieq r0.y, r1.x, vGSInstanceID
  if_nz r0.y
    cut_stream m0
    cut_stream m0
  endif
  iadd r1.x, r1.x, l(1)
endloop
emit_then_cut_stream m0
ret

// TEST: run --scene geometry_strips.json --via ir,ptx,maxwell --buffers geometry_strips.out.json
// TEST: run --scene geometry_strips.json --via ir,vulkan
// TEST: run --scene geometry_strips.json --via ir,dksh
