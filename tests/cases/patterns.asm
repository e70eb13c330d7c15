// One case for each statement that texlate test can make about a translation. The command's own test runs them.
ps_5_0
dcl_globalFlags refactoringAllowed
dcl_resource_texture2d (float,float,float,float) t0
dcl_input_ps constant v0.xy
dcl_output o0.xyzw
dcl_temps 1
mov r0.xy, v0.xyxx
mov r0.zw, l(0,0,0,0)
ld_aoffimmi_indexable(1,2,0)(texture2d)(float,float,float,float) o0.xyzw, r0.xyzw, t0.xyzw
ret

// TEST: translate --to ptx --sm 80 --entry shade
// CHECK: .target sm_80
// CHECK-LABEL: .visible .entry shade(
// CHECK-DAG: add.s32 [[X:%r[0-9]+]], {{%r[0-9]+}}, 1;
// CHECK-DAG: add.s32 [[Y:%r[0-9]+]], {{%r[0-9]+}}, 2;
// CHECK-NOT: bar.sync
// CHECK: tex.level.2d.v4.f32.s32
// CHECK-SAME: {[[X]], [[Y]]}

// TEST: translate --to ir --check IR
// IR-LABEL: module pixel 5.0
// IR: %[[X:[0-9]+]] = input v0.x
// IR-NEXT: %[[Y:[0-9]+]] = input v0.y
// IR-NEXT: tex.fetch t0 texture2d float coord(%[[X]], %[[Y]]) level(0) offset(1, 2)
// IR-NOT: reg.load

// TEST: translate --to ir --print-after lower --check LOWERED
// LOWERED: ; after lower
// LOWERED-NOT: registers

// TEST: translate --to spirv-text --robustness shader --validate --check SPV
// SPV: OpEntryPoint Fragment
// SPV: OpImageFetch

// TEST: translate --to ptx --explain --check WHY
// WHY: patterns.asm:10: ld_aoffimmi_indexable(1,2,0)
// WHY-NEXT: offset added to the coordinates

// TEST: run --via ir,ptx,maxwell
