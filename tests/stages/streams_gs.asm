// Only stream 0 is drawn: the distances of stream 1, in the same register, clip nothing. The number of the primitive is in y.
gs_5_0
dcl_input_siv v[3][0].xyzw, position
dcl_inputprimitive triangle
dcl_temps 1
dcl_stream m0
dcl_outputtopology trianglestrip
dcl_output_siv o0.xyzw, position
dcl_output o1.x
dcl_output_sgv o1.y, primitive_id
dcl_stream m1
dcl_outputtopology trianglestrip
dcl_output_siv o0.xyzw, position
dcl_output_siv o1.x, clip_distance
dcl_output_siv o1.y, cull_distance
dcl_maxout 3
mov r0.x, l(0)
loop
uge r0.y, r0.x, l(3)
breakc_nz r0.y
mov o0.xyzw, v[r0.x + 0][0].xyzw
mov o1.x, l(-0.5)
mov o1.y, l(200)
emit_stream m0
iadd r0.x, r0.x, l(1)
endloop
ret
