// What a deko3d host learns of the streams of a geometry shader's outputs.
gs_5_0
dcl_input v[1][0].xyzw
dcl_temps 1
dcl_inputprimitive point
dcl_stream m0
dcl_outputtopology pointlist
dcl_output_siv o0.xyzw, position
dcl_stream m2
dcl_outputtopology pointlist
dcl_output o1.xy
dcl_maxout 2
mov o0.xyzw, v[0][0].xyzw
emit_stream m0
mov o1.xy, v[0][0].xyxx
emit_stream m2
ret

// TEST: translate --to dksh --expect-reflection dksh_streams.out.json
