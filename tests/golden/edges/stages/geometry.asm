// A geometry shader: a triangle in two strips of two streams.
gs_5_0
dcl_input_siv v[3][0].xyzw, position
dcl_input vPrim
dcl_temps 1
dcl_inputprimitive triangle
dcl_stream m0
dcl_outputtopology pointlist
dcl_output_siv o0.xyzw, position
dcl_stream m1
dcl_outputtopology pointlist
dcl_output o0.x
dcl_maxout 6
mov r0.x, l(0)
loop
  uge r0.y, r0.x, l(3)
  breakc_nz r0.y
  mov o0.xyzw, v[r0.x + 0][0].xyzw
  emit_stream m0
  mov o0.x, vPrim.x
  emit_stream m1
  iadd r0.x, r0.x, l(1)
endloop
ret

// TEST: golden
