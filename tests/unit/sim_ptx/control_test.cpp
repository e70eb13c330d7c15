// Divergence, reconvergence, warps, barriers, calls.
#include <gmock/gmock.h>

#include "tests/unit/sim_ptx/ptx_fixture.h"

namespace texlate::sim::ptx {
namespace {

// Stores %r31 of each thread to the thread's word.
constexpr std::string_view kStore = R"(
    mov.u32 %r30, %tid.x;
    mul.wide.u32 %rd30, %r30, 4;
    add.u64 %rd30, %rd0, %rd30;
    st.global.u32 [%rd30], %r31;)";

KernelRun run_threads(std::string body, uint32_t threads = 32, std::string_view before = "",
                      bool assemble = true, const MachineOptions& options = {}) {
  body += kStore;
  return run(body, threads, 1024, before, options, assemble);
}

TEST(PtxControl, LoopWithDivergentTripCounts) {
  const KernelRun r = run_threads(R"(
    mov.u32 %r1, %tid.x;
    mov.u32 %r31, 0;
    mov.u32 %r2, 0;
LOOP:
    setp.ge.u32 %p1, %r2, %r1;
    @%p1 bra DONE;
    add.u32 %r31, %r31, %r2;
    add.u32 %r2, %r2, 1;
    bra LOOP;
DONE:)");
  ASSERT_TRUE(r.report.ok()) << r.report.describe();
  for (uint32_t t = 0; t < 32; ++t) EXPECT_EQ(r.out[t], t * (t - 1) / 2);
}

TEST(PtxControl, LanesMeetAgainForShuffle) {
  const KernelRun r = run_threads(R"(
    mov.u32 %r1, %tid.x;
    and.b32 %r2, %r1, 1;
    setp.eq.u32 %p1, %r2, 0;
    @%p1 bra EVEN;
    mul.lo.u32 %r3, %r1, 10;
    bra JOIN;
EVEN:
    mul.lo.u32 %r3, %r1, 100;
JOIN:
    shfl.sync.bfly.b32 %r31, %r3, 1, 31, 0xffffffff;)");
  ASSERT_TRUE(r.report.ok()) << r.report.describe();
  for (uint32_t t = 0; t < 32; ++t) EXPECT_EQ(r.out[t], (t ^ 1) * ((t & 1) == 0 ? 10u : 100u));
}

TEST(PtxControl, ShuffleWaitsForLanesThatComeFromBelow) {
  // The lower half waits at the shuffle while the upper half is further down and jumps back to it.
  const KernelRun r = run_threads(R"(
    mov.u32 %r1, %laneid;
    setp.lt.u32 %p1, %r1, 16;
    mov.u32 %r5, 0;
    @!%p1 bra LATER;
MEET:
    shfl.sync.idx.b32 %r31, %r5, 20, 31, 0xffffffff;
    bra END;
LATER:
    add.u32 %r5, %r1, 7;
    bra MEET;
END:)");
  ASSERT_TRUE(r.report.ok()) << r.report.describe();
  for (uint32_t t = 0; t < 32; ++t) EXPECT_EQ(r.out[t], 27u);
}

TEST(PtxControl, QuadMasksInDivergentFlow) {
  // Every second quad exchanges along x and y, with a mask of only its four lanes.
  const KernelRun r = run_threads(R"(
    mov.u32 %r1, %laneid;
    mov.u32 %r31, 0;
    and.b32 %r2, %r1, 4;
    setp.ne.u32 %p1, %r2, 0;
    @%p1 bra END;
    and.b32 %r3, %r1, 28;
    mov.u32 %r4, 15;
    shl.b32 %r4, %r4, %r3;
    mul.lo.u32 %r5, %r1, %r1;
    shfl.sync.bfly.b32 %r6, %r5, 1, 0x1c1f, %r4;
    shfl.sync.bfly.b32 %r7, %r5, 2, 0x1c1f, %r4;
    add.u32 %r31, %r6, %r7;
END:)");
  ASSERT_TRUE(r.report.ok()) << r.report.describe();
  for (uint32_t t = 0; t < 32; ++t)
    EXPECT_EQ(r.out[t], (t & 4) != 0 ? 0 : (t ^ 1) * (t ^ 1) + (t ^ 2) * (t ^ 2));
}

TEST(PtxControl, ShuffleModes) {
  // Segments of 8 lanes (c = 0x1800 | clamp).
  struct Mode {
    const char* text;
    uint32_t (*expected)(uint32_t);
  };
  const Mode modes[] = {
      {"up.b32 %r31|%p5, %r1, 1, 0x1800", [](uint32_t t) { return t % 8 == 0 ? t | 0x100 : t - 1; }},
      {"down.b32 %r31|%p5, %r1, 2, 0x181f", [](uint32_t t) { return t % 8 >= 6 ? t | 0x100 : t + 2; }},
      {"bfly.b32 %r31|%p5, %r1, 3, 0x181f", [](uint32_t t) { return t ^ 3; }},
      {"idx.b32 %r31|%p5, %r1, 5, 0x181f", [](uint32_t t) { return (t & ~7u) | 5; }},
      {"bfly.b32 %r31|%p5, %r1, 16, 0x181f",
       [](uint32_t t) { return (t ^ 16) > (t | 7) ? t | 0x100 : t ^ 16; }},
  };
  for (const Mode& mode : modes) {
    const KernelRun r = run_threads(fmt::format(
        "mov.u32 %r1, %laneid;\nshfl.sync.{}, 0xffffffff;\n@!%p5 or.b32 %r31, %r31, 0x100;", mode.text));
    ASSERT_TRUE(r.report.ok()) << r.report.describe();
    for (uint32_t t = 0; t < 32; ++t) EXPECT_EQ(r.out[t], mode.expected(t)) << mode.text << " lane " << t;
  }
}

TEST(PtxControl, VoteMatchActivemask) {
  const KernelRun r = run_threads(R"(
    mov.u32 %r1, %laneid;
    setp.lt.u32 %p1, %r1, 4;
    vote.sync.ballot.b32 %r31, %p1, 0xffffffff;
    vote.sync.any.pred %p2, %p1, 0xffffffff;
    vote.sync.all.pred %p3, !%p1, 0xffffffff;
    @%p2 add.u32 %r31, %r31, 16;
    @%p3 add.u32 %r31, %r31, 32;
    shr.u32 %r2, %r1, 4;
    match.any.sync.b32 %r3, %r2, 0xffffffff;
    xor.b32 %r31, %r31, %r3;)");
  ASSERT_TRUE(r.report.ok()) << r.report.describe();
  EXPECT_EQ(r.out[0], 0xffffu ^ 31u);
  EXPECT_EQ(r.out[31], 0xffff0000u ^ 31u);

  const KernelRun a = run_threads(R"(
    mov.u32 %r1, %laneid;
    setp.lt.u32 %p1, %r1, 4;
    mov.u32 %r31, 0;
    @%p1 bra LOW;
    bra END;
LOW:
    activemask.b32 %r31;
END:)");
  EXPECT_EQ(a.out[2], 0xfu);
}

TEST(PtxControl, VotesOfPartOfAWarp) {
  const KernelRun result = run(
      "setp.eq.u32 %p1, 1, 1;\nvote.sync.all.pred %p2, %p1, 0xffff;\nvote.sync.uni.pred %p3, %p1, 0xffff;\n"
      "vote.sync.any.pred %p4, !%p1, 0xffff;\nvote.sync.ballot.b32 %r4, %p1, 0xffff;\n"
      "selp.u32 %r1, 1, 0, %p2;\nselp.u32 %r2, 2, 0, %p3;\nselp.u32 %r3, 4, 0, %p4;\nor.b32 %r1, %r1, %r2;\n"
      "or.b32 %r1, %r1, %r3;\nshl.b32 %r4, %r4, 8;\nor.b32 %r1, %r1, %r4;\nst.global.u32 [%rd0], %r1;\n",
      16);
  EXPECT_TRUE(result.report.ok()) << result.report.describe();
  EXPECT_EQ(result.out[0], 0xffff03u);
}

TEST(PtxControl, ExitedLanesNeedNotArrive) {
  const KernelRun r = run_threads(R"(
    mov.u32 %r1, %laneid;
    setp.ge.u32 %p1, %r1, 8;
    @%p1 exit;
    shfl.sync.bfly.b32 %r31, %r1, 1, 31, 0xffffffff;)");
  EXPECT_TRUE(r.report.ok()) << r.report.describe();
  EXPECT_EQ(r.out[6], 7u);
  EXPECT_EQ(r.out[8], 0xccccccccu);
}

TEST(PtxControl, BarrierAndSharedMemoryAcrossWarps) {
  const KernelRun r = run_threads(R"(
    mov.u32 %r1, %tid.x;
    mov.u32 %r2, buffer;
    mad.lo.u32 %r3, %r1, 4, %r2;
    st.shared.u32 [%r3], %r1;
    bar.sync 0;
    sub.u32 %r4, 127, %r1;
    mad.lo.u32 %r5, %r4, 4, %r2;
    ld.shared.u32 %r31, [%r5];)",
                                  128, ".shared .align 4 .b8 buffer[512];");
  ASSERT_TRUE(r.report.ok()) << r.report.describe();
  for (uint32_t t = 0; t < 128; ++t) EXPECT_EQ(r.out[t], 127 - t);
}

TEST(PtxControl, ReductionInALoopOfBarriers) {
  const KernelRun r = run_threads(R"(
    mov.u32 %r1, %tid.x;
    mov.u32 %r2, buffer;
    mad.lo.u32 %r3, %r1, 4, %r2;
    st.shared.u32 [%r3], %r1;
    mov.u32 %r6, 32;
NEXT:
    barrier.sync 1;
    setp.ge.u32 %p1, %r1, %r6;
    @%p1 bra SKIP;
    mad.lo.u32 %r7, %r6, 4, %r3;
    ld.shared.u32 %r8, [%r7];
    ld.shared.u32 %r9, [%r3];
    add.u32 %r9, %r9, %r8;
    st.shared.u32 [%r3], %r9;
SKIP:
    shr.u32 %r6, %r6, 1;
    setp.ne.u32 %p2, %r6, 0;
    @%p2 bra NEXT;
    barrier.sync 1;
    ld.shared.u32 %r31, [buffer];)",
                                  64, ".shared .align 4 .b8 buffer[256];");
  ASSERT_TRUE(r.report.ok()) << r.report.describe();
  EXPECT_EQ(r.out[0], 2016u);
  EXPECT_EQ(r.out[63], 2016u);
}

// Two warps use barrier 1, and the other two barrier 2; then all four use barrier 0.
constexpr std::string_view kPairsOfWarps = R"(
    mov.u32 %r1, %tid.x;
    shr.u32 %r2, %r1, 6;
    mul.lo.u32 %r3, %r2, 4;
    mov.u32 %r4, pair;
    add.u32 %r4, %r4, %r3;
    and.b32 %r5, %r1, 63;
    setp.eq.u32 %p1, %r5, 63;
    setp.ne.u32 %p2, %r2, 0;
    @%p2 bra SECOND;
    @%p1 st.shared.u32 [%r4], 10;
    bar.sync 1, 64;
    bra READ;
SECOND:
    @%p1 st.shared.u32 [%r4], 20;
    barrier.sync 2, {};
READ:
    ld.shared.u32 %r31, [%r4];
    bar.sync 0;)";

TEST(PtxControl, BarriersOfSomeOfTheWarps) {
  const KernelRun r =
      run_threads(fmt::format(fmt::runtime(kPairsOfWarps), 64), 128, ".shared .align 4 .b32 pair[2];");
  ASSERT_TRUE(r.report.ok()) << r.report.describe();
  for (uint32_t t = 0; t < 128; ++t) EXPECT_EQ(r.out[t], t < 64 ? 10u : 20u);
}

TEST(PtxControl, ABarrierThatNeverOpensIsNamed) {
  const KernelRun r =
      run_threads(fmt::format(fmt::runtime(kPairsOfWarps), 96), 128, ".shared .align 4 .b32 pair[2];");
  ASSERT_TRUE(has_fault(r.report, FaultKind::deadlock)) << r.report.describe();
  EXPECT_NE(r.report.faults[0].line, 0u);
}

TEST(PtxControl, ThereAreSixteenBarriers) {
  Diagnostics diagnostics;
  EXPECT_EQ(parse(kernel("bar.sync 16;"), diagnostics), nullptr);
  ASSERT_FALSE(diagnostics.list().empty());
  EXPECT_EQ(diagnostics.list()[0].message, "there is no barrier 16: they are 0 to 15");
  EXPECT_TRUE(run("mov.u32 %r1, 15;\nbar.sync %r1;\nbar.sync 15;", 64).report.ok());
  EXPECT_TRUE(has_fault(run("mov.u32 %r1, 20;\nbar.sync %r1;", 64).report, FaultKind::out_of_range));
}

// Lane 0 sets a flag that the others wait for. The loop comes first in the text.
std::string waiting_lanes(std::string_view sm,
                          std::string_view threads_that_wait = "setp.ne.u32 %p1, %r1, 0;") {
  std::string text = kernel(fmt::format(R"(
    mov.u32 %r1, %tid.x;
    {}
    @!%p1 bra SET;
WAIT:
    ld.relaxed.gpu.global.u32 %r2, [%rd0];
    setp.ne.u32 %p2, %r2, 1;
    @%p2 bra WAIT;
    bra END;
SET:
    mov.u32 %r2, 1;
    st.relaxed.gpu.global.u32 [%rd0], %r2;
END:)",
                                        threads_that_wait));
  text.replace(text.find("sm_75"), 5, sm);
  return text;
}

Report run_waiting(const std::string& text, uint32_t threads, const Schedule& schedule = {}) {
  const auto module = compile(text);
  MachineOptions options;
  options.max_lane_instructions = 1u << 20;
  options.schedule = schedule;
  Machine machine(*module, options);
  std::array<uint32_t, 4> memory{};
  const uint64_t address = machine.map_memory(std::as_writable_bytes(std::span(memory)));
  return machine.launch("k", {}, {threads}, std::as_bytes(std::span(&address, 1)));
}

TEST(PtxControl, LanesMakeProgressWhileOthersOfTheWarpWait) {
  for (uint32_t n = 0; n < 5; ++n) {
    const Report report = run_waiting(waiting_lanes("sm_75"), 32, nth_schedule(n));
    EXPECT_TRUE(report.ok()) << "schedule " << n << ": " << report.describe();
  }
  EXPECT_TRUE(run_waiting(waiting_lanes("sm_75"), 96).ok()) << "other warps wait too";
}

TEST(PtxControl, BeforeSm70LanesMayWaitForEver) {
  const Report report = run_waiting(waiting_lanes("sm_60"), 32);
  ASSERT_TRUE(has_fault(report, FaultKind::deadlock)) << report.describe();
  EXPECT_NE(report.faults[0].message.find("before sm_70"), std::string::npos) << report.describe();
  // Another warp always makes progress: here the last one sets the flag.
  EXPECT_TRUE(run_waiting(waiting_lanes("sm_60", "setp.lt.u32 %p1, %r1, 64;"), 96).ok());
}

TEST(PtxControl, WaitingForAValueThatNobodyWritesNeverEnds) {
  const Report report = run_waiting(waiting_lanes("sm_75", "setp.ge.u32 %p1, %r1, 0;"), 32);
  ASSERT_TRUE(has_fault(report, FaultKind::limit)) << report.describe();
  EXPECT_NE(report.faults[0].message.find("no thread of the block changes"), std::string::npos);
}

// A lock by compare-and-swap: each lane adds to a counter.
TEST(PtxControl, LanesTakeTurnsAtALock) {
  const KernelRun r = run(R"(
    mov.u32 %r1, 0;
    st.global.u32 [%rd0], %r1;
    st.global.u32 [%rd0+4], %r1;
    bar.warp.sync 0xffffffff;
LOCK:
    atom.global.cas.b32 %r2, [%rd0], 0, 1;
    setp.ne.u32 %p1, %r2, 0;
    @%p1 bra LOCK;
    ld.volatile.global.u32 %r3, [%rd0+4];
    add.u32 %r3, %r3, 1;
    st.volatile.global.u32 [%rd0+4], %r3;
    membar.gl;
    atom.global.exch.b32 %r4, [%rd0], 0;)");
  ASSERT_TRUE(r.report.ok()) << r.report.describe();
  EXPECT_EQ(r.out[1], 32u);
}

TEST(PtxControl, DivergentBarrierIsReported) {
  const KernelRun r = run_threads(R"(
    mov.u32 %r1, %laneid;
    mov.u32 %r31, 0;
    setp.lt.u32 %p1, %r1, 4;
    @%p1 bar.sync 0;
    bar.sync 0;)");
  EXPECT_TRUE(has_fault(r.report, FaultKind::divergent_barrier)) << r.report.describe();
}

TEST(PtxControl, WaitingForNobodyIsADeadlock) {
  const KernelRun r = run_threads(R"(
    mov.u32 %r1, %laneid;
    mov.u32 %r31, 0;
    setp.lt.u32 %p1, %r1, 4;
    @%p1 bra LOW;
    bar.sync 0;
    bra END;
LOW:
    shfl.sync.bfly.b32 %r31, %r1, 1, 31, 0xffffffff;
END:)");
  EXPECT_TRUE(has_fault(r.report, FaultKind::deadlock)) << r.report.describe();
}

// The order of lanes is visible: a lane reads what another one writes.
constexpr std::string_view kLastWriter = R"(
    mov.u32 %r1, %laneid;
    and.b32 %r2, %r1, 1;
    setp.eq.u32 %p1, %r2, 0;
    @%p1 bra EVEN;
    st.shared.u32 [buffer], 1;
    bra END;
EVEN:
    st.shared.u32 [buffer], 2;
END:
    bar.warp.sync 0xffffffff;
    ld.shared.u32 %r31, [buffer];)";

TEST(PtxControl, SchedulesTakeBranchesInAnyOrder) {
  std::vector<uint32_t> seen;
  for (uint32_t n = 0; n < 12; ++n) {
    MachineOptions options;
    options.schedule = nth_schedule(n);
    const KernelRun r =
        run_threads(std::string(kLastWriter), 32, ".shared .align 4 .b8 buffer[256];", n == 0, options);
    ASSERT_TRUE(r.report.ok()) << r.report.describe();
    for (uint32_t lane = 1; lane < 32; ++lane)
      EXPECT_EQ(r.out[lane], r.out[0]) << "all read after the barrier";
    seen.push_back(r.out[0]);
  }
  EXPECT_THAT(seen, testing::Contains(1u));
  EXPECT_THAT(seen, testing::Contains(2u));
  EXPECT_NE(seen[0], seen[1]);
}

TEST(PtxControl, ATreeSeesEveryOrderOnce) {
  ScheduleTree tree;
  std::vector<uint32_t> seen;
  do {
    MachineOptions options;
    options.schedule = {Schedule::Policy::tree, 0, &tree};
    const KernelRun r =
        run_threads(std::string(kLastWriter), 2, ".shared .align 4 .b8 buffer[256];", false, options);
    seen.push_back(r.out[0]);
    ASSERT_LT(seen.size(), 1000u);
  } while (tree.advance());
  EXPECT_THAT(seen, testing::Contains(1u));
  EXPECT_THAT(seen, testing::Contains(2u));
}

TEST(PtxControl, ADeadlockIsSeenUnderEverySchedule) {
  for (uint32_t n = 0; n < 12; ++n) {
    MachineOptions options;
    options.schedule = nth_schedule(n);
    const KernelRun r = run_threads(R"(
    mov.u32 %r1, %laneid;
    mov.u32 %r31, 0;
    setp.lt.u32 %p1, %r1, 4;
    @%p1 bra END;
    shfl.sync.bfly.b32 %r31, %r1, 1, 31, 0xffffffff;
    bra END;
END:
    bar.sync 0;)",
                                    32, {}, n == 0, options);
    EXPECT_TRUE(has_fault(r.report, FaultKind::deadlock)) << n << r.report.describe();
  }
}

TEST(PtxControl, MaskMustHoldTheLaneItself) {
  const KernelRun r = run_threads("mov.u32 %r1, %laneid;\nshfl.sync.bfly.b32 %r31, %r1, 1, 31, 1;");
  EXPECT_TRUE(has_fault(r.report, FaultKind::warp_mask));
}

constexpr std::string_view kFunctions = R"(
.func (.param .b32 result) twice(.param .b32 value) {
  .reg .b32 %a<3>;
  ld.param.u32 %a0, [value];
  add.u32 %a1, %a0, %a0;
  st.param.b32 [result], %a1;
  ret;
}
.func (.param .align 16 .b8 result[16]) pack(.param .b32 x, .param .b64 y) {
  .reg .b32 %a<6>;
  .reg .b64 %b;
  ld.param.u32 %a0, [x];
  ld.param.u64 %b, [y];
  cvt.u32.u64 %a1, %b;
  {
    .param .b32 p;
    .param .b32 q;
    st.param.b32 [p], %a1;
    call.uni (q), twice, (p);
    ld.param.b32 %a2, [q];
  }
  st.param.v4.b32 [result], {%a0, %a1, %a2, %a0};
  ret;
}
)";

TEST(PtxControl, CallsWithParametersAndDivergence) {
  const KernelRun r = run_threads(R"(
    mov.u32 %r1, %tid.x;
    and.b32 %r2, %r1, 3;
    setp.eq.u32 %p1, %r2, 0;
    mov.u32 %r31, %r1;
    @%p1 bra SKIP;
    {
      .param .b32 p;
      .param .b64 y;
      .param .align 16 .b8 q[16];
      st.param.b32 [p], %r1;
      cvt.u64.u32 %rd1, %r2;
      st.param.b64 [y], %rd1;
      call (q), pack, (p, y);
      ld.param.v4.b32 {%r3, %r4, %r5, %r6}, [q];
    }
    mad.lo.u32 %r31, %r5, 1000, %r3;
SKIP:)",
                                  32, kFunctions);
  ASSERT_TRUE(r.report.ok()) << r.report.describe();
  for (uint32_t t = 0; t < 32; ++t) EXPECT_EQ(r.out[t], t % 4 == 0 ? t : 2 * (t % 4) * 1000 + t);
}

TEST(PtxControl, RecursionIsReported) {
  const KernelRun r =
      run_threads("mov.u32 %r31, 0;\ncall again;", 1, ".func again() {\ncall again;\nret;\n}\n", false);
  EXPECT_TRUE(has_fault(r.report, FaultKind::recursion));
}

TEST(PtxControl, IndexedBranch) {
  const KernelRun r = run_threads(R"(
    mov.u32 %r1, %tid.x;
    and.b32 %r2, %r1, 1;
table: .branchtargets A, B;
    brx.idx %r2, table;
A:
    mov.u32 %r31, 10;
    bra END;
B:
    mov.u32 %r31, 20;
END:)");
  ASSERT_TRUE(r.report.ok()) << r.report.describe();
  EXPECT_EQ(r.out[4], 10u);
  EXPECT_EQ(r.out[5], 20u);
}

TEST(PtxControl, TrapAndEndlessLoop) {
  EXPECT_TRUE(has_fault(run_threads("mov.u32 %r31, 0;\ntrap;").report, FaultKind::trap));
  MachineOptions options;
  options.max_lane_instructions = 10000;
  const KernelRun r = run("L: bra L;", 32, 4, "", options);
  EXPECT_TRUE(has_fault(r.report, FaultKind::limit));
}

TEST(PtxControl, SpecialRegistersAndGrids) {
  const std::string text = kernel(R"(
    mov.u32 %r1, %tid.x;
    mov.u32 %r2, %tid.y;
    mov.u32 %r3, %ctaid.x;
    mov.u32 %r4, %ctaid.y;
    mov.u32 %r5, %ntid.x;
    mov.u32 %r6, %ntid.y;
    mov.u32 %r7, %nctaid.x;
    mad.lo.u32 %r8, %r4, %r7, %r3;
    mul.lo.u32 %r9, %r5, %r6;
    mad.lo.u32 %r10, %r2, %r5, %r1;
    mad.lo.u32 %r11, %r8, %r9, %r10;
    mul.wide.u32 %rd1, %r11, 4;
    add.u64 %rd1, %rd0, %rd1;
    st.global.u32 [%rd1], %r11;)");
  expect_assembles(text);
  const auto module = compile(text);
  Machine machine(*module);
  std::vector<uint32_t> out(3 * 2 * 5 * 9);
  const uint64_t address = machine.map_memory(std::as_writable_bytes(std::span(out)));
  const Report report = machine.launch("k", {3, 2}, {5, 9}, std::as_bytes(std::span(&address, 1)));
  EXPECT_TRUE(report.ok()) << report.describe();
  for (uint32_t i = 0; i < out.size(); ++i) EXPECT_EQ(out[i], i);
}

TEST(PtxControl, ImpossibleLaunches) {
  const auto module = compile(kernel(""));
  Machine machine(*module);
  EXPECT_EQ(machine.launch("nothing", {}, {}, {}).faults[0].message, "the module has no entry nothing");
  EXPECT_EQ(machine.launch("k", {}, {}, {}).faults[0].message, "k takes 8 parameter bytes, not 0");
  const uint64_t zero = 0;
  EXPECT_FALSE(machine.launch("k", {}, {2048}, std::as_bytes(std::span(&zero, 1))).ok());
}

}  // namespace
}  // namespace texlate::sim::ptx
