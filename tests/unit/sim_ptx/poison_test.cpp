// What the ISA leaves undefined becomes poison. Poison propagates exactly as far as values do, and is
// reported if it reaches memory, an address, a branch or a texture unit.
#include "tests/unit/sim_ptx/ptx_fixture.h"

namespace texlate::sim::ptx {
namespace {

uint32_t count(const Report& report, FaultKind kind) {
  uint32_t n = 0;
  for (const Fault& fault : report.faults) n += fault.kind == kind ? 1 : 0;
  return n;
}

// Runs `body`, which leaves its result in %r1, and stores the result: poison becomes a poison_store.
bool is_poison(std::string_view body, std::string_view before = "") {
  const KernelRun r = run(fmt::format("{}\nst.global.u32 [%rd0], %r1;", body), 1, 16, before);
  EXPECT_EQ(r.report.fault_count, count(r.report, FaultKind::poison_store)) << r.report.describe();
  return r.report.fault_count != 0;
}

TEST(Poison, Sources) {
  EXPECT_TRUE(is_poison("")) << "an uninitialized register";
  EXPECT_FALSE(is_poison("mov.u32 %r1, 5;"));
  EXPECT_TRUE(is_poison("mov.u32 %r2, 0;\ndiv.u32 %r1, 5, %r2;"));
  EXPECT_TRUE(is_poison("mov.u32 %r2, 0;\nrem.s32 %r1, 5, %r2;"));
  EXPECT_TRUE(is_poison("mov.u32 %r1, %clock;"));
  EXPECT_TRUE(is_poison("ld.shared.u32 %r1, [s];", ".shared .align 4 .b8 s[8];"))
      << "shared memory starts undefined";
  EXPECT_FALSE(is_poison("mov.u32 %r2, 1;\nshl.b32 %r1, %r2, 99;")) << "shifts are clamped";
  EXPECT_FALSE(is_poison("mov.f32 %f1, 0f7FC00000;\ncvt.rzi.s32.f32 %r1, %f1;")) << "conversions saturate";
}

/// The first block writes a word by `store`; the second reads it by `load`. True if the value read is poison.
bool is_raced(std::string_view store, std::string_view load) {
  const std::string text = kernel(fmt::format(R"(
    mov.u32 %r1, %ctaid.x;
    setp.ne.u32 %p1, %r1, 0;
    mov.u32 %r2, 7;
    @%p1 bra SECOND;
    {}
    ret;
SECOND:
    {}
    st.global.u32 [%rd0+16], %r3;)",
                                              store, load));
  expect_assembles(text);
  std::array<uint32_t, 8> out{};
  const auto module = compile(text);
  Machine machine(*module);
  const uint64_t address = machine.map_memory(std::as_writable_bytes(std::span(out)));
  return !machine.launch("k", {2, 1, 1}, {1}, std::as_bytes(std::span(&address, 1))).ok();
}

TEST(Poison, BlocksDoNotSeeEachOthersWeakWrites) {
  EXPECT_TRUE(is_raced("st.global.u32 [%rd0], %r2;", "ld.global.u32 %r3, [%rd0];"));
  EXPECT_TRUE(is_raced("st.volatile.global.u32 [%rd0], %r2;", "ld.global.u32 %r3, [%rd0];"));
  EXPECT_TRUE(is_raced("st.global.u32 [%rd0], %r2;", "ld.volatile.global.u32 %r3, [%rd0];"));
  EXPECT_FALSE(is_raced("st.global.u32 [%rd0+4], %r2;", "ld.global.u32 %r3, [%rd0];")) << "another word";
  EXPECT_FALSE(is_raced("st.volatile.global.u32 [%rd0], %r2;", "ld.volatile.global.u32 %r3, [%rd0];"));
  EXPECT_FALSE(is_raced("red.global.add.u32 [%rd0], %r2;", "ld.volatile.global.u32 %r3, [%rd0];"));
  EXPECT_FALSE(is_raced("st.global.u32 [%rd0], %r2;\nmembar.gl;", "membar.gl;\nld.global.u32 %r3, [%rd0];"));
  EXPECT_FALSE(is_raced("mov.u32 %r2, 0;\nst.global.u32 [%rd0], %r2;", "ld.global.u32 %r3, [%rd0];"))
      << "the value that was there";
  EXPECT_TRUE(is_raced("st.global.u32 [%rd0], %r2;\nmembar.cta;", "membar.cta;\nld.global.u32 %r3, [%rd0];"));
}

// PTX ISA 9.7.9.9 and 9.7.9.10: memory that nobody writes while the kernel runs.
TEST(Poison, LoadsOfConstantMemoryDoNotSeeWrites) {
  const auto after_store = [](std::string_view load) {
    return is_poison(fmt::format("mov.u32 %r2, 7;\nst.global.u32 [%rd0], %r2;\n{}", load));
  };
  EXPECT_TRUE(after_store("ld.global.nc.u32 %r1, [%rd0];"));
  EXPECT_TRUE(after_store("ldu.global.u32 %r1, [%rd0];"));
  EXPECT_TRUE(after_store("ld.global.nc.u8 %r1, [%rd0+3];"));
  EXPECT_FALSE(after_store("ld.global.nc.u32 %r1, [%rd0+4];")) << "another word";
  EXPECT_FALSE(after_store("ld.global.u32 %r1, [%rd0];"));
  EXPECT_TRUE(is_poison("mov.u32 %r2, 7;\nred.global.add.u32 [%rd0], %r2;\nld.global.nc.u32 %r1, [%rd0];"));
}

TEST(Poison, ShuffleFromALaneThatDoesNotTakePart) {
  const KernelRun r = run(R"(
    mov.u32 %r1, %laneid;
    setp.ge.u32 %p1, %r1, 2;
    @%p1 exit;
    shfl.sync.idx.b32 %r2, %r1, 7, 31, 0xffffffff;
    st.global.u32 [%rd0], %r2;)");
  EXPECT_EQ(count(r.report, FaultKind::poison_store), 2u) << r.report.describe();
}

TEST(Poison, TravelsThroughArithmeticAndMemory) {
  EXPECT_TRUE(is_poison("add.u32 %r1, %r2, 1;"));
  EXPECT_TRUE(is_poison("mov.f32 %f1, 0f00000000;\nfma.rn.f32 %r1, %f1, %f1, %f9;"));
  EXPECT_TRUE(is_poison("cvt.rn.f32.u32 %r1, %r9;"));
  EXPECT_TRUE(is_poison("setp.eq.u32 %p1, %r9, 0;\nselp.u32 %r1, 1, 0, %p1;"));
  EXPECT_TRUE(is_poison("mov.b64 %rd2, {%r8, %r9};\nmov.b64 {%r1, %r2}, %rd2;"));
  EXPECT_TRUE(is_poison("st.shared.u32 [s], %r9;\nld.shared.u32 %r1, [s];", ".shared .align 4 .b8 s[8];"));
  EXPECT_TRUE(
      is_poison("atom.shared.add.u32 %r1, [s], 1;\nld.shared.u32 %r1, [s];", ".shared .align 4 .b8 s[8];"));
  EXPECT_TRUE(is_poison("atom.shared.exch.b32 %r1, [s], 1;", ".shared .align 4 .b8 s[8];"));
  EXPECT_FALSE(
      is_poison("atom.shared.exch.b32 %r1, [s], 1;\nld.shared.u32 %r1, [s];", ".shared .align 4 .b8 s[8];"));
  EXPECT_FALSE(is_poison("st.shared.u32 [s], %r9;\nst.shared.u32 [s], 1;\nld.shared.u32 %r1, [s];",
                         ".shared .align 4 .b8 s[8];"));
}

TEST(Poison, SelectionTakesOnlyTheChosenValue) {
  EXPECT_FALSE(is_poison("setp.eq.u32 %p1, 0, 0;\nselp.u32 %r1, 1, %r9, %p1;"));
  EXPECT_TRUE(is_poison("setp.eq.u32 %p1, 0, 0;\nselp.u32 %r1, %r9, 1, %p1;"));
  EXPECT_TRUE(is_poison("selp.u32 %r1, 1, 1, %p9;")) << "a poisoned choice";
  EXPECT_FALSE(is_poison("slct.u32.s32 %r1, %r9, 7, -1;"));
  EXPECT_FALSE(is_poison("mov.u32 %r1, 1;\nsetp.ne.u32 %p1, 0, 0;\n@%p1 mov.u32 %r1, %r9;"));
  EXPECT_TRUE(is_poison("mov.u32 %r1, 1;\nsetp.eq.u32 %p1, 0, 0;\n@%p1 mov.u32 %r1, %r9;"));
  EXPECT_TRUE(is_poison("mov.u32 %r1, 1;\n@%p9 mov.u32 %r1, 2;")) << "a poisoned guard";
}

// An unspecified value is still a value: if it is masked off, nothing remains of it.
TEST(Poison, LogicThatDecidesAlone) {
  EXPECT_TRUE(run("mov.b32 %r2, 0;\nand.b32 %r3, %r1, %r2;\nst.global.b32 [%rd0], %r3;\n", 1).report.ok());
  EXPECT_TRUE(run("mov.b32 %r2, -1;\nor.b32 %r1, %r2, %r1;\nst.global.b32 [%rd0], %r1;\n", 1).report.ok());
  EXPECT_FALSE(run("mov.b32 %r2, 1;\nand.b32 %r3, %r1, %r2;\nst.global.b32 [%rd0], %r3;\n", 1).report.ok());
  EXPECT_FALSE(run("mov.b32 %r2, 0;\nor.b32 %r3, %r1, %r2;\nst.global.b32 [%rd0], %r3;\n", 1).report.ok());
  EXPECT_FALSE(run("mov.b32 %r2, 0;\nxor.b32 %r3, %r1, %r2;\nst.global.b32 [%rd0], %r3;\n", 1).report.ok());
}

TEST(Poison, IsPerLane) {
  const KernelRun r = run(R"(
    mov.u32 %r1, %laneid;
    setp.ne.u32 %p1, %r1, 5;
    @%p1 mov.u32 %r2, 1;
    mul.wide.u32 %rd1, %r1, 4;
    add.u64 %rd1, %rd0, %rd1;
    st.global.u32 [%rd1], %r2;)");
  ASSERT_EQ(r.report.fault_count, 1u) << r.report.describe();
  EXPECT_EQ(r.report.faults[0].lane, 5u);
  EXPECT_EQ(r.report.faults[0].line, 18u);
  EXPECT_NE(r.report.describe().find("lane 5"), std::string::npos);
}

TEST(Poison, ReachesAddressesBranchesAtomics) {
  EXPECT_EQ(count(run("ld.global.u32 %r1, [%rd9];", 1).report, FaultKind::poison_address), 1u);
  EXPECT_EQ(count(run("st.global.u32 [%rd9], 1;", 1).report, FaultKind::poison_address), 1u);
  EXPECT_EQ(count(run("@%p9 bra END;\nEND:", 1).report, FaultKind::poison_branch), 1u);
  EXPECT_EQ(count(run("@%p9 st.global.u32 [%rd0], 1;", 1).report, FaultKind::poison_branch), 1u);
  EXPECT_EQ(count(run("red.global.add.u32 [%rd0], %r9;", 1).report, FaultKind::poison_store), 1u);
}

TEST(Poison, OptionsTurnItOff) {
  MachineOptions options;
  options.report_poison = false;
  EXPECT_TRUE(run("st.global.u32 [%rd0], %r9;", 1, 16, "", options).report.ok());
  MachineOptions zeroed;
  zeroed.check_uninitialized = false;
  const KernelRun r = run("st.global.u32 [%rd0], %r9;", 1, 16, "", zeroed);
  EXPECT_TRUE(r.report.ok());
  EXPECT_EQ(r.out[0], 0u);
}

TEST(Poison, CountsAllAndKeepsTheFirst) {
  MachineOptions options;
  options.max_faults = 3;
  const KernelRun r = run("st.global.u32 [%rd0], %r9;", 32, 16, "", options);
  EXPECT_EQ(r.report.fault_count, 32u);
  EXPECT_EQ(r.report.faults.size(), 3u);
  EXPECT_NE(r.report.describe().find("and 29 more"), std::string::npos);
}

}  // namespace
}  // namespace texlate::sim::ptx
