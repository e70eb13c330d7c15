gs_5_0
dcl_globalFlags refactoringAllowed
dcl_constantbuffer cb0[8], dynamicIndexed
dcl_immediateConstantBuffer { { 1.000000, 0, 0, 0},
                              { 0, 1.000000, -0.000000, 0x7fc00000} }
dcl_input_siv v[1][0].xyzw, position
dcl_input v[1][1].xy
dcl_input vGSInstanceID
dcl_temps 2
dcl_indexableTemp x0[4], 4
dcl_inputprimitive point 
dcl_gs_instance_count 2
dcl_stream m0
dcl_outputtopology trianglestrip 
dcl_output_siv o0.xyzw, position
dcl_output o1.xy
dcl_maxout 4
mov r0.x, vGSInstanceID.x
mov x0[r0.x + 0].xyzw, cb0[r0.x + 4].xyzw
loop 
  ige r0.y, r0.x, l(4)
  breakc_nz r0.y
  switch r0.x
    case l(0)
    case l(1)
    mad o0.xyzw, v[0][0].xyzw, icb[r0.x + 0].xyzw, x0[r0.x + 0].xyzw
    break 
    default 
    mov o0.xyzw, -|v[0][0].xyzw|
    break 
  endswitch 
  mov o1.xy, v[0][1].xyxx
  emit_stream m0
  iadd r0.x, r0.x, l(1)
endloop 
cut_stream m0
ret 
