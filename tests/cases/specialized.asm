// Known state as specialization constants (docs/known_state.md): the defaults are in the module, and each scene has its own values.
ps_5_0
dcl_globalFlags refactoringAllowed
dcl_constantbuffer cb0[2], immediateIndexed
dcl_resource_texture2d (float,float,float,float) t0
dcl_input_ps linear v1.xy
dcl_output o0.xyzw
dcl_temps 2
resinfo_indexable(texture2d)(float,float,float,float)_uint r0.xyzw, l(0), t0.xyzw
utof r0.xyzw, r0.xyzw
if_nz cb0[1].x
  mul r0.xyzw, r0.xyzw, cb0[0].xyzw
else
  add r0.xyzw, r0.xyzw, cb0[0].wzyx
endif
mad o0.xyzw, v1.xyxy, cb0[0].xyzw, r0.xyzw
ret

// TEST: translate --to spirv-text --known specialized.known.json --validate --check SPV
// SPV-DAG: OpDecorate [[WIDTH:%[A-Za-z0-9_]+]] SpecId
// SPV-DAG: OpSpecConstant %uint 64
// SPV-DAG: OpSpecConstant %uint 1065353216
// SPV-NOT: OpImageQuerySizeLod

// TEST: run --scene specialized_defaults.json --known specialized.known.json --via ir,vulkan
// TEST: run --scene specialized_other.json --known specialized.known.json --via ir,vulkan
// TEST: run --scene specialized_other.json --known specialized.known.json --via ir,vulkan --robustness shader

// TEST: error --to ptx --known specialized.known.json --check PTX
// PTX: ptx has no specialization constants
