// State spaces, vectors, generic addresses, initializers, atomics, linear surfaces.
#include "tests/unit/sim_ptx/ptx_fixture.h"

namespace texlate::sim::ptx {
namespace {

TEST(PtxMemory, LoadsExtendAndStoresTruncate) {
  const KernelRun r = run(R"(
    mov.u32 %r1, 0x8081f0ff;
    st.global.u32 [%rd0+64], %r1;
    ld.global.s8 %r2, [%rd0+64];
    ld.global.u8 %r3, [%rd0+64];
    ld.global.s16 %r4, [%rd0+66];
    ld.global.u16 %r5, [%rd0+66];
    st.global.v4.u32 [%rd0], {%r2, %r3, %r4, %r5};
    mov.u32 %r6, 0x12345678;
    mov.u32 %r7, 0;
    st.global.u32 [%rd0+16], %r7;
    st.global.u8 [%rd0+17], %r6;
    ld.global.s32 %rd1, [%rd0+64];
    shr.u64 %rd2, %rd1, 32;
    cvt.u32.u64 %r8, %rd2;
    st.global.u32 [%rd0+20], %r8;)",
                          1);
  ASSERT_TRUE(r.report.ok()) << r.report.describe();
  EXPECT_EQ(r.out[0], 0xffffffffu);
  EXPECT_EQ(r.out[1], 0xffu);
  EXPECT_EQ(r.out[2], 0xffff8081u);
  EXPECT_EQ(r.out[3], 0x8081u);
  EXPECT_EQ(r.out[4], 0x7800u);
  EXPECT_EQ(r.out[5], 0xffffffffu);
}

TEST(PtxMemory, EverySpace) {
  const KernelRun r = run(R"(
    .local .align 4 .b8 stack[16];
    ld.const.u32 %r1, [table+4];
    mov.u64 %rd1, values;
    ld.global.f32 %f1, [%rd1+4];
    st.shared.u32 [scratch+4], %r1;
    mov.u64 %rd2, scratch;
    cvta.shared.u64 %rd3, %rd2;
    ld.u32 %r2, [%rd3+4];
    mov.u64 %rd4, stack;
    cvta.local.u64 %rd5, %rd4;
    st.u32 [%rd5], %r2;
    ld.local.u32 %r3, [stack];
    cvta.to.shared.u64 %rd6, %rd3;
    ld.shared.u32 %r4, [%rd6+4];
    st.global.v4.u32 [%rd0], {%r1, %f1, %r3, %r4};)",
                          1, 16, R"(
.const .align 4 .u32 table[3] = {1, 22, 333};
.global .align 4 .f32 values[2] = {0f3F800000, 0fC0000000};
.shared .align 4 .b8 scratch[16];)");
  ASSERT_TRUE(r.report.ok()) << r.report.describe();
  EXPECT_EQ(r.out[0], 22u);
  EXPECT_EQ(r.out[1], 0xc0000000u);
  EXPECT_EQ(r.out[2], 22u);
  EXPECT_EQ(r.out[3], 22u);
}

TEST(PtxMemory, ParameterBlockLayout) {
  const std::string text = std::string(kHeader) + R"(
.visible .entry k(.param .u32 a, .param .u64 out, .param .align 16 .b8 record[32], .param .f32 f) {
  .reg .b32 %r<8>;
  .reg .b64 %rd<4>;
  ld.param.u32 %r1, [a];
  ld.param.u64 %rd1, [out];
  ld.param.v4.u32 {%r2, %r3, %r4, %r5}, [record+16];
  ld.param.f32 %r6, [f];
  mov.u64 %rd2, record;
  ld.param.u32 %r7, [%rd2+4];
  st.global.v4.u32 [%rd1], {%r1, %r2, %r5, %r6};
  st.global.u32 [%rd1+16], %r7;
  ret;
})";
  expect_assembles(text);
  const auto module = compile(text);
  Machine machine(*module);
  std::vector<uint32_t> out(8);
  struct {
    uint32_t a = 11;
    uint32_t pad = 0;
    uint64_t out;
    uint32_t record[8] = {100, 101, 102, 103, 104, 105, 106, 107};
    uint32_t f = 0x3f800000;
  } block;
  block.out = machine.map_memory(std::as_writable_bytes(std::span(out)));
  ASSERT_EQ(module->find_entry("k")->parameter_bytes, 52u);
  const Report report = machine.launch("k", {}, {}, std::as_bytes(std::span(&block, 1)).subspan(0, 52));
  ASSERT_TRUE(report.ok()) << report.describe();
  EXPECT_EQ(out, (std::vector<uint32_t>{11, 104, 107, 0x3f800000, 101, 0, 0, 0}));
}

TEST(PtxMemory, OutOfRangeAndMisalignedAreErrorsWithLine) {
  const KernelRun far = run("mov.u32 %r1, 1;\nst.global.u32 [%rd0+256], %r1;", 1, 64);
  ASSERT_TRUE(has_fault(far.report, FaultKind::out_of_range));
  EXPECT_EQ(far.report.faults[0].line, 13u);
  EXPECT_EQ(far.report.faults[0].lane, 0u);
  EXPECT_TRUE(has_fault(run("ld.global.u32 %r1, [%rd0+-4];", 1).report, FaultKind::out_of_range));
  EXPECT_TRUE(has_fault(run("ld.global.u32 %r1, [%rd0+2];", 1).report, FaultKind::misaligned));
  EXPECT_TRUE(
      has_fault(run("ld.global.v4.u32 {%r1, %r2, %r3, %r4}, [%rd0+8];", 1).report, FaultKind::misaligned));
  EXPECT_TRUE(has_fault(run("mov.u32 %r1, 16;\nld.shared.u32 %r1, [%r1];", 1, 4, ".shared .b8 s[16];").report,
                        FaultKind::out_of_range));
  EXPECT_TRUE(
      has_fault(run("mov.u64 %rd1, t;\nst.u32 [%rd1], 1;", 1, 4, ".const .align 4 .u32 t = 5;").report,
                FaultKind::out_of_range));
}

// .ptr .align: of the memory, not of the parameter.
TEST(PtxMemory, PointersAreParametersOfEightBytes) {
  const std::string text = std::string(kHeader) +
                           ".visible .entry k(.param .u32 value, .param .u64 .ptr .global .align 64 out) {\n"
                           ".reg .b32 %r<2>;\n.reg .b64 %rd<2>;\nld.param.u32 %r0, [value];\n"
                           "ld.param.u64 %rd0, [value+8];\nst.global.u32 [%rd0], %r0;\nret;\n}\n";
  expect_assembles(text);
  const auto module = compile(text);
  ASSERT_NE(module, nullptr);
  Machine machine(*module);
  uint32_t out = 0;
  const uint64_t parameters[] = {42, machine.map_memory(std::as_writable_bytes(std::span(&out, 1)))};
  const Report report = machine.launch("k", {}, {1}, std::as_bytes(std::span(parameters)));
  EXPECT_TRUE(report.ok()) << report.describe();
  EXPECT_EQ(out, 42u);
}

TEST(PtxMemory, Atomics) {
  const KernelRun r = run(R"(
    mov.u32 %r1, %laneid;
    atom.global.add.u32 %r2, [%rd0], 1;
    red.global.max.s32 [%rd0+4], %r1;
    red.global.min.u32 [%rd0+8], %r1;
    red.global.or.b32 [%rd0+12], %r1;
    red.global.and.b32 [%rd0+16], 15;
    red.global.xor.b32 [%rd0+20], %r1;
    atom.global.inc.u32 %r3, [%rd0+24], 9;
    atom.global.dec.u32 %r3, [%rd0+28], 9;
    atom.global.cas.b32 %r4, [%rd0+32], 0xcccccccc, %r1;
    atom.global.exch.b32 %r5, [%rd0+36], %r1;
    mov.f32 %f1, 0f3F800000;
    red.global.add.f32 [%rd0+40], %f1;
    mov.u64 %rd2, 1;
    atom.global.add.u64 %rd3, [%rd0+48], %rd2;)",
                          32, 64);
  ASSERT_TRUE(r.report.ok()) << r.report.describe();
  EXPECT_EQ(r.out[0], 0xccccccccu + 32);
  EXPECT_EQ(r.out[1], 31u);
  EXPECT_EQ(r.out[2], 0u);
  EXPECT_EQ(r.out[3], 0xccccccccu | 31u);
  EXPECT_EQ(r.out[4], 0xccu & 15u);
  EXPECT_EQ(r.out[5], 0xccccccccu);
  EXPECT_EQ(r.out[6], 1u) << "wraps to 0, then counts 0..9: 32 steps";
  EXPECT_EQ(r.out[7], 8u);
  EXPECT_EQ(r.out[8], 0u) << "only the first lane finds the old value";
  EXPECT_EQ(r.out[9], 31u);
  EXPECT_EQ(r.out[12], 0xccccccccu + 32);
}

TEST(PtxMemory, AtomicSumsFlushDenormalsInGlobalMemoryOnly) {
  const KernelRun r = run(R"(
    st.global.u32 [%rd0], 0x00400000;
    st.global.u32 [%rd0+4], 0x00800001;
    st.shared.u32 [sum], 0x00400000;
    st.shared.u32 [sum+4], 0x00200000;
    mov.b32 %f1, 0x00400000;
    mov.b32 %f2, 0x80400000;
    red.global.add.f32 [%rd0], %f1;
    atom.add.f32 %f3, [%rd0+4], %f2;
    red.shared.add.f32 [sum], %f1;
    cvta.shared.u64 %rd1, sum;
    red.add.f32 [%rd1+4], %f1;
    ld.shared.u32 %r1, [sum];
    ld.shared.u32 %r2, [sum+4];
    st.global.u32 [%rd0+8], %r1;
    st.global.u32 [%rd0+12], %r2;)",
                          1, 4, ".shared .align 4 .b32 sum[2];");
  ASSERT_TRUE(r.report.ok()) << r.report.describe();
  EXPECT_EQ(r.out[0], 0u) << "two denormals whose sum would be normal";
  EXPECT_EQ(r.out[1], 0x00800001u);
  EXPECT_EQ(r.out[2], 0x00800000u);
  EXPECT_EQ(r.out[3], 0x00600000u) << "a generic address";
}

TEST(PtxMemory, SharedAtomicsAndDynamicShared) {
  const std::string text = kernel(R"(
    mov.u32 %r1, %tid.x;
    setp.eq.u32 %p1, %r1, 0;
    @%p1 st.shared.u32 [pool], 5;
    bar.sync 0;
    atom.shared.add.u32 %r2, [pool], %r1;
    bar.sync 0;
    ld.shared.u32 %r3, [pool];
    st.global.u32 [%rd0], %r3;)",
                                  ".extern .shared .align 16 .b8 pool[];");
  expect_assembles(text);
  const auto module = compile(text);
  Machine machine(*module);
  uint32_t out = 0;
  const uint64_t address = machine.map_memory(std::as_writable_bytes(std::span(&out, 1)));
  const Report report = machine.launch("k", {}, {64}, std::as_bytes(std::span(&address, 1)), 16);
  EXPECT_TRUE(report.ok()) << report.describe();
  EXPECT_EQ(out, 2016u + 5);
}

}  // namespace
}  // namespace texlate::sim::ptx
