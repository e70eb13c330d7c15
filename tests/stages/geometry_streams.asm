// Four streams of points; 1,024 words of output, as many as Direct3D allows.
gs_5_0
dcl_input v[1][0].x
dcl_input vPrim
dcl_temps 1
dcl_inputprimitive point
dcl_stream m0
dcl_outputtopology pointlist
dcl_output o0.xyzw
dcl_stream m3
dcl_outputtopology pointlist
dcl_output o0.xy
dcl_output o1.xyzw
dcl_maxout 128
mov r0.x, l(0)
loop
  uge r0.y, r0.x, l(70)
  breakc_nz r0.y
  mov o0.xyzw, v[0][0].xxxx
  mov o0.y, r0.x
  emit_stream m0
  mov o0.x, r0.x
  mov o0.y, vPrim.x
  mov o1.xyzw, l(1.000000, 2.000000, 3.000000, 4.000000)
  emit_stream m3
  iadd r0.x, r0.x, l(1)
endloop
ret

// TEST: run --scene geometry_streams.json --via ir,ptx,maxwell --buffers geometry_streams.out.json
// The device numbers primitives itself.
// TEST: run --scene geometry_streams_counted.json --via ir,vulkan
// TEST: run --scene geometry_streams.json --via ir,dksh
