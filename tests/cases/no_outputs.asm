// A pixel shader without outputs: a deko3d program enables target 0 all the same, so that its end reads four registers.
ps_5_0
dcl_resource_raw t0
dcl_uav_raw u1
dcl_temps 2
ld_raw r0.xyzw, l(0), t0.xyzw
ge r1.xyzw, r0.wwxw, r0.zyyw
store_raw u1.xyzw, l(0), r1.xyzw
ret

// TEST: run --scene no_outputs.json --via ir,dksh
