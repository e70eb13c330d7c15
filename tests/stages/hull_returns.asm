// Returns from inside loops and switches; instances that take turns (40 for at most 32 threads); patch
// constants that several phases write, by number and by a relative index; a join phase that reads them.
hs_5_0
hs_decls
dcl_input_control_point_count 3
dcl_output_control_point_count 5
dcl_tessellator_domain domain_quad
dcl_tessellator_partitioning partitioning_pow2
dcl_tessellator_output_primitive output_line
hs_control_point_phase
dcl_input vOutputControlPointID
dcl_input vPrim
dcl_input v[3][0].xy
dcl_output o0.xyz
dcl_temps 2
iadd r0.x, vPrim.x, vOutputControlPointID.x
mov o0.xyz, l(0, 0, 0, 0)
mov r0.y, l(0)
loop
  mov r1.x, l(0)
  loop
    iadd r1.x, r1.x, l(1)
    switch r1.x
    case l(2)
      uge r1.y, r0.y, r0.x
      retc_nz r1.y
      break
    case l(4)
      break
    default
      mov o0.z, r1.x
      break
    endswitch
    uge r1.y, r1.x, l(4)
    breakc_nz r1.y
  endloop
  utof r1.z, r0.y
  add o0.y, r1.z, v[2][0].y
  iadd r0.y, r0.y, l(1)
  uge r1.y, r0.y, l(6)
  if_nz r1.y
    mov o0.x, l(7)
    ret
  endif
endloop
ret
hs_fork_phase
dcl_hs_fork_phase_instance_count 40
dcl_input vForkInstanceID
dcl_output o6.xyzw
dcl_output o7.xyzw
dcl_output o8.xyzw
dcl_output o9.xyzw
dcl_output o10.xyzw
dcl_output o11.xyzw
dcl_output o12.xyzw
dcl_output o13.xyzw
dcl_output o14.xyzw
dcl_output o15.xyzw
dcl_indexrange o6.x 10
dcl_indexrange o6.y 10
dcl_indexrange o6.z 10
dcl_indexrange o6.w 10
dcl_temps 1
and r0.x, vForkInstanceID, l(3)
ushr r0.y, vForkInstanceID, l(2)
if_z r0.x
  mov o[r0.y + 6].x, vForkInstanceID.x
  ret
endif
switch r0.x
case l(1)
  mov o[r0.y + 6].y, vForkInstanceID.x
  ret
case l(2)
  mov o[r0.y + 6].z, vForkInstanceID.x
  break
default
  mov o[r0.y + 6].w, vForkInstanceID.x
  ret
endswitch
ret
hs_fork_phase
dcl_hs_fork_phase_instance_count 4
dcl_input vForkInstanceID
dcl_input vocp[5][0].xyz
dcl_output_siv o0.x, finalQuadUeq0EdgeTessFactor
dcl_output_siv o1.x, finalQuadVeq0EdgeTessFactor
dcl_output_siv o2.x, finalQuadUeq1EdgeTessFactor
dcl_output_siv o3.x, finalQuadVeq1EdgeTessFactor
dcl_indexrange o0.x 4
dcl_temps 1
mov r0.x, vForkInstanceID.x
add r0.y, vocp[r0.x + 1][0].y, l(2.000000)
mov o[r0.x + 0].x, r0.y
ret
hs_join_phase
dcl_input vpc0.x
dcl_input vpc1.x
dcl_input vpc15.w
dcl_output_siv o4.x, finalQuadUInsideTessFactor
dcl_output o5.y
dcl_temps 1
max o4.x, vpc0.x, vpc1.x
mov o5.y, vpc15.w
ret
hs_join_phase
dcl_hs_join_phase_instance_count 2
dcl_input vJoinInstanceID
dcl_input vpc4.x
dcl_input vpc8.xyzw
dcl_output_siv o5.x, finalQuadVInsideTessFactor
dcl_output o8.x
dcl_temps 1
ieq r0.x, vJoinInstanceID, l(1)
if_nz r0.x
  mov o5.x, vpc4.x
  iadd r0.y, vpc8.x, vpc8.w
  mov o8.x, r0.y
endif
ret

// TEST: run --scene hull_returns.json --via ir,ptx,maxwell --buffers hull_returns.out.json
// TEST: run --scene hull_returns.json --via ir,dksh
// The device numbers primitives itself.
// TEST: run --scene hull_returns_counted.json --via ir,vulkan
