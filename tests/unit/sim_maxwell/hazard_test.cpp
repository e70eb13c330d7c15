// A correct schedule, and each single error that it can have.
#include <gtest/gtest.h>

#include "tests/unit/sim_maxwell/words.h"

namespace texlate::sim::maxwell {
namespace {

constexpr uint64_t kHalfR0 = 0x0103f0000007f000;  // MOV32I R0, 0x3f000000

// memory[thread] = 1 / 0.5
enum At : size_t { thread, times4, add_low, add_high, half, reciprocal, store, clear, end };
std::vector<Word> good() {
  return {{word::kThread, 2, 0, 0},   {word::kTimes4, 6, 1}, {word::kAddLow, 6},
          {kAddHighZero, 2},          {kHalfR0, 2},          {word::kReciprocal, 2, 0, 1},
          {word::kStore, 2, 2, 7, 0}, {word::kZeroR0, 1, 1}, {word::kExit, 15}};
}

Report run(const std::vector<Word>& code) {
  return Bench(code).run();
}

TEST(Hazards, AGoodScheduleHasNone) {
  Bench bench(good());
  const Report report = bench.run();
  EXPECT_TRUE(report.ok()) << report.describe();
  for (size_t lane = 0; lane < 32; ++lane) EXPECT_EQ(bench.memory[lane], 0x40000000u) << lane;
  EXPECT_GT(report.issue_cycles, 0u);
}

struct Mutation {
  const char* name;
  At at;
  void (*change)(Word&);
  FaultKind expected;
};

TEST(Hazards, EachMutationIsReported) {
  const Mutation mutations[] = {
      {"a result of variable latency is not waited for", times4, [](Word& w) { w.wait = 0; },
       FaultKind::unwaited_read},
      {"another barrier is waited for", times4, [](Word& w) { w.wait = 2; }, FaultKind::unwaited_read},
      {"no barrier announces the result", thread, [](Word& w) { w.write_barrier = 7; },
       FaultKind::unwaited_read},
      {"the wait comes before the barrier counts", thread, [](Word& w) { w.stall = 1; },
       FaultKind::early_wait},
      {"a register is read a cycle early", times4, [](Word& w) { w.stall = 5; }, FaultKind::early_read},
      {"the carry is read a cycle early", add_low, [](Word& w) { w.stall = 5; }, FaultKind::early_read},
      {"a late reader is a cycle early", half, [](Word& w) { w.stall = 1; }, FaultKind::early_read},
      {"a store does not wait for its value", store, [](Word& w) { w.wait = 0; }, FaultKind::unwaited_read},
      {"a source is overwritten", clear, [](Word& w) { w.wait = 0; }, FaultKind::overwritten_source},
      {"no barrier announces that the sources are read", store, [](Word& w) { w.read_barrier = 7; },
       FaultKind::overwritten_source},
  };
  for (const Mutation& mutation : mutations) {
    std::vector<Word> code = good();
    mutation.change(code[mutation.at]);
    const Report report = run(code);
    EXPECT_TRUE(has(report, mutation.expected)) << mutation.name << "\n" << report.describe();
  }
}

TEST(Hazards, ASecondWriteOvertakesTheFirst) {
  std::vector<Word> code = good();
  code.insert(code.begin() + store, {word::kZeroR0, 6});
  EXPECT_TRUE(has(run(code), FaultKind::unwaited_write));
}

TEST(Hazards, ASecondPredicateOvertakesTheFirst) {
  constexpr uint64_t kOneR4 = 0x0103f8000007f004, kTwoR5 = 0x010400000007f005;  // MOV32I R4, 0x3f800000 ...
  constexpr uint64_t kHalfEqual = 0x5d2103f020570427;     // HSETP2.GEU.AND P4, PT, R4.H0_H0, R5.H0_H0, PT
  constexpr uint64_t kThreadBelow2 = 0x3662038000270027;  // ISETP.LT.U32.AND P4, PT, R0, 0x2, PT
  constexpr uint64_t kUseP4 = 0x010000000014f001;         // @P4 MOV32I R1, 0x1
  for (const uint32_t wait : {0u, 1u}) {
    const Report report = run({{kOneR4},
                               {kTwoR5},
                               {word::kThread, 2, 0, 1},
                               {kHalfEqual, 15, 2, 0},
                               {kThreadBelow2, 13, wait},
                               {kUseP4, 6},
                               {word::kExit}});
    EXPECT_EQ(has(report, FaultKind::unwaited_write), wait == 0) << report.describe();
    EXPECT_EQ(report.ok(), wait != 0) << report.describe();
  }
}

// A result can arrive only after an earlier result of the same operation: a load needs no barrier if a later
// load has one.
TEST(Hazards, LoadsComeBackInOrder) {
  constexpr uint64_t kLoadR4 = 0xeed4200000070204, kLoadR5 = 0xeed4200000470205;  // LDG.E R4, [R2] and [R2+4]
  constexpr uint64_t kSum = 0x5c10000000570400;                                   // IADD R0, R4, R5
  const auto program = [&](uint32_t first, uint32_t second) {
    return std::vector<Word>{{word::kBaseLow, 1},        {word::kBaseHigh, 2}, {kLoadR4, 1, 0, first},
                             {kLoadR5, 2, 0, second, 1}, {kSum, 2, 1},         {word::kStore, 1},
                             {word::kExit, 15}};
  };
  EXPECT_TRUE(run(program(7, 0)).ok()) << run(program(7, 0)).describe();
  EXPECT_TRUE(has(run(program(0, 7)), FaultKind::unwaited_read));
}

TEST(Hazards, DepbarLeavesTheLastInFlight) {
  constexpr uint64_t kLoadR4 = 0xeed4200000070204, kLoadR5 = 0xeed4200000470205;
  constexpr uint64_t kLeOne = 0xf0f0000020170000;      // DEPBAR.LE SB0, 0x1
  constexpr uint64_t kUseFirst = 0x5c1000000ff70400;   // IADD R0, R4, RZ
  constexpr uint64_t kUseSecond = 0x5c1000000ff70500;  // IADD R0, R5, RZ
  const auto program = [&](uint64_t use) {
    return std::vector<Word>{{word::kBaseLow, 1}, {word::kBaseHigh, 2}, {kLoadR4, 1, 0, 0},
                             {kLoadR5, 2, 0, 0},  {kLeOne, 3},          {use, 6},
                             {word::kExit, 15}};
  };
  EXPECT_TRUE(run(program(kUseFirst)).ok()) << run(program(kUseFirst)).describe();
  EXPECT_TRUE(has(run(program(kUseSecond)), FaultKind::unwaited_read));
}

// As in ptxas's code: an atomic operation on global memory is done before a load that follows it, and the
// other way around, but not one on shared memory (docs/reference/maxwell.md 8).
TEST(Hazards, DepbarCountsAtomicsAndLoadsOfGlobalMemory) {
  constexpr uint64_t kLoadR4 = 0xeed4200000070204, kLoadR5 = 0xeed4200000470205;  // LDG.E R4, [R2] and [R2+4]
  constexpr uint64_t kAddR4 = 0xed01000000770204;                                 // ATOM.E.ADD R4, [R2], R7
  constexpr uint64_t kAddR5 = 0xed01000000770205;                                 // ATOM.E.ADD R5, [R2], R7
  constexpr uint64_t kSharedR4 = 0xef4c100000470004;                              // LDS.U.32 R4, [R0+0x4]
  constexpr uint64_t kZeroR7 = 0x010000000007f007;                                // MOV32I R7, 0x0
  constexpr uint64_t kLeOne = 0xf0f0000020170000;                                 // DEPBAR.LE SB0, 0x1
  constexpr uint64_t kUseFirst = 0x5c1000000ff70401;                              // IADD R1, R4, RZ
  const auto is_ordered = [&](uint64_t first, uint64_t second) {
    const Report report = run({{word::kZeroR0, 6},
                               {kZeroR7, 6},
                               {word::kBaseLow, 1},
                               {word::kBaseHigh, 6},
                               {first, 1, 0, 0},
                               {second, 2, 0, 0},
                               {kLeOne, 3},
                               {kUseFirst, 6},
                               {word::kExit, 15}});
    EXPECT_FALSE(has(report, FaultKind::unwaited_read)) << report.describe();
    return !has(report, FaultKind::barrier_order);
  };
  EXPECT_TRUE(is_ordered(kAddR4, kLoadR5));
  EXPECT_TRUE(is_ordered(kLoadR4, kAddR5));
  EXPECT_FALSE(is_ordered(kSharedR4, kLoadR5));
  EXPECT_FALSE(is_ordered(kSharedR4, kAddR5));
}

// ptxas guards results and sources of half precision with barriers, so no number of cycles is enough.
TEST(Hazards, HalfPrecisionHasVariableLatency) {
  constexpr uint64_t kOneR4 = 0x0103f8000007f004, kTwoR5 = 0x010400000007f005;  // MOV32I R4, 0x3f800000 ...
  constexpr uint64_t kHalfSum = 0x5d10000000570400;                             // HADD2 R0, R4, R5
  constexpr uint64_t kHalfEqual = 0x5d2103f020570427;  // HSETP2.GEU.AND P4, PT, R4.H0_H0, R5.H0_H0, PT
  constexpr uint64_t kUse = 0x5c1000000ff70001;        // IADD R1, R0, RZ
  constexpr uint64_t kUseP4 = 0x010000000014f001;      // @P4 MOV32I R1, 0x1
  const auto program = [&](uint64_t operation, uint64_t use, uint32_t wait) {
    return std::vector<Word>{{kOneR4}, {kTwoR5}, {operation, 15, 0, 0}, {use, 6, wait}, {word::kExit}};
  };
  for (const auto& [operation, use] : {std::pair{kHalfSum, kUse}, std::pair{kHalfEqual, kUseP4}}) {
    EXPECT_TRUE(run(program(operation, use, 1)).ok()) << run(program(operation, use, 1)).describe();
    EXPECT_TRUE(has(run(program(operation, use, 0)), FaultKind::unwaited_read));
  }
  // Sources of half precision, too.
  std::vector<Word> code = program(kHalfSum, kUse, 1);
  code.insert(code.begin() + 3, {kOneR4, 6});
  EXPECT_TRUE(has(run(code), FaultKind::overwritten_source));
}

TEST(Hazards, APredicateTakesThirteenCycles) {
  constexpr uint64_t kGuardedOne = 0x010000000011f000;  // @P1 MOV32I R0, 0x1
  for (const uint32_t stall : {12u, 13u}) {
    const Report report =
        run({{word::kThread, 2, 0, 0}, {word::kThreadBelow2, stall, 1}, {kGuardedOne, 6}, {word::kExit, 15}});
    EXPECT_EQ(has(report, FaultKind::early_read), stall < 13) << report.describe();
  }
}

TEST(Hazards, OperandsThatNoWordMayHave) {
  constexpr uint64_t kLoadPairOdd = 0xeed5200000070205;     // LDG.E.64 R5, [R2]
  constexpr uint64_t kFetchWithoutRb = 0xda8000050ff7ff00;  // TLDS with RZ for a coordinate
  EXPECT_TRUE(has(run({{word::kBaseLow, 1}, {word::kBaseHigh, 2}, {kLoadPairOdd, 2, 0, 0}, {word::kExit}}),
                  FaultKind::bad_operand));
  EXPECT_TRUE(has(run({{kFetchWithoutRb, 2, 0, 0}, {word::kExit}}), FaultKind::bad_operand));
  constexpr uint64_t kLoadPastTheLast = 0xeed62000000702fe;  // LDG.E.128 R254, [R2]
  EXPECT_TRUE(
      has(run({{word::kBaseLow, 1}, {word::kBaseHigh, 2}, {kLoadPastTheLast, 2, 0, 0}, {word::kExit}}),
          FaultKind::bad_operand));
  // A register that the thread does not have.
  EXPECT_TRUE(
      has(Bench(std::vector<Word>{{word::kBaseLow}, {word::kExit}}, 2).run(), FaultKind::bad_operand));
}

TEST(Hazards, WhatNobodyWroteIsReported) {
  EXPECT_TRUE(has(run({{word::kTimes4}, {word::kExit}}), FaultKind::uninitialized));
  constexpr uint64_t kGuardedOne = 0x010000000011f000;  // @P1 MOV32I R0, 0x1
  EXPECT_TRUE(has(run({{kGuardedOne}, {word::kExit}}), FaultKind::uninitialized));
  MachineOptions trusting;
  trusting.check_uninitialized = false;
  EXPECT_TRUE(Bench(std::vector<Word>{{word::kTimes4}, {word::kExit}}).run(trusting).ok());
}

TEST(Hazards, ASelectionReadsWhatItSelects) {
  constexpr uint64_t kFirst = 0x010000000011f005;        // @P1 MOV32I R5, 0x1
  constexpr uint64_t kSecond = 0x010000000019f006;       // @!P1 MOV32I R6, 0x1
  constexpr uint64_t kSelect = 0x5ca0008000670504;       // SEL R4, R5, R6, P1
  constexpr uint64_t kSelectOther = 0x5ca0048000670504;  // SEL R4, R5, R6, !P1
  for (const uint64_t select : {kSelect, kSelectOther}) {
    const Report report = run({{word::kThread, 2, 0, 0},
                               {word::kThreadBelow2, 15, 1},
                               {kFirst},
                               {kSecond},
                               {select},
                               {word::kExit}});
    EXPECT_EQ(has(report, FaultKind::uninitialized), select == kSelectOther) << report.describe();
  }
}

// R4 and R5 are exchanged; only R4 was written.
TEST(Hazards, AnExchangeCopiesWhatNobodyWrote) {
  constexpr uint64_t kOne = 0x010000000017f004;       // MOV32I R4, 0x1
  constexpr uint64_t kFirst = 0x5c47040000570404;     // LOP.XOR R4, R4, R5
  constexpr uint64_t kSecond = 0x5c47040000570405;    // LOP.XOR R5, R4, R5
  constexpr uint64_t kUseFirst = 0x3848000000270402;  // SHL R2, R4, 0x2
  constexpr uint64_t kUseSecond = 0x3848000000270502;
  for (const uint64_t use : {kUseFirst, kUseSecond}) {
    const Report report = run({{kOne}, {kFirst}, {kSecond}, {kFirst}, {use}, {word::kExit}});
    EXPECT_EQ(has(report, FaultKind::uninitialized), use == kUseFirst) << report.describe();
    const Report within = run({{kOne}, {kFirst}, {use}, {kSecond}, {kFirst}, {word::kExit}});
    EXPECT_TRUE(has(within, FaultKind::uninitialized));
  }
}

// One message for each read, however many operations are pending, so that no program takes quadratic time.
TEST(Hazards, TheOldestPendingOperationIsReported) {
  constexpr uint64_t kUse = 0x3848000000270004;  // SHL R4, R0, 0x2
  constexpr size_t kReads = 2000;
  std::vector<Word> code = {{word::kBaseLow, 1}, {word::kBaseHigh, 6}};
  for (size_t n = 0; n < kReads; ++n) code.insert(code.end(), {{word::kLoad, 2}, {kUse, 6}});
  code.push_back({word::kExit});
  const Report report = run(code);
  EXPECT_EQ(report.fault_count, kReads);
  ASSERT_FALSE(report.faults.empty());
  EXPECT_EQ(report.faults.front().kind, FaultKind::unwaited_read);
  EXPECT_EQ(report.faults.front().message, "R0 is still pending from 0x0018");
}

TEST(Hazards, ResultsBelongToLanes) {
  constexpr uint64_t kFirst = 0x010000000011f000;     // @P1 MOV32I R0, 0x1
  constexpr uint64_t kSecond = 0x010000000019f000;    // @!P1 MOV32I R0, 0x1
  constexpr uint64_t kUseFirst = 0x3848000000210002;  // @P1 SHL R2, R0, 0x2: six cycles after kFirst
  for (const uint64_t use : {kUseFirst, word::kTimes4}) {
    const Report report = run({{word::kThread, 2, 0, 0},
                               {word::kThreadBelow2, 15, 1},
                               {kFirst, 1},
                               {kSecond, 5},
                               {use, 6},
                               {word::kExit}});
    EXPECT_EQ(has(report, FaultKind::early_read), use == word::kTimes4) << report.describe();
  }
}

TEST(Hazards, ExponentsNeedTheirRangeReduction) {
  constexpr uint64_t kExponent = 0x5080000000270000;  // MUFU.EX2 R0, R0
  constexpr uint64_t kReduce = 0x5c90008000070000;    // RRO.EX2 R0, R0
  EXPECT_TRUE(has(run({{kHalfR0}, {kExponent, 2, 0, 0}, {word::kExit}}), FaultKind::range_reduction));
  const Report report = run({{kHalfR0}, {kReduce, 2}, {kExponent, 2, 0, 0}, {word::kExit}});
  EXPECT_TRUE(report.ok()) << report.describe();
}

// MUFU reads its source late, but not in the cycle in which RRO issues, and not in the next one.
TEST(Hazards, ARangeReductionTakesTwoCycles) {
  constexpr uint64_t kExponent = 0x5080000000270000;  // MUFU.EX2 R0, R0
  constexpr uint64_t kReduce = 0x5c90008000070000;    // RRO.EX2 R0, R0
  for (const uint32_t stall : {0u, 1u, 2u}) {
    const Report report = run({{kHalfR0, 6}, {kReduce, stall}, {kExponent, 2, 0, 0}, {word::kExit}});
    EXPECT_EQ(has(report, FaultKind::early_read), stall < 2) << report.describe();
  }
}

// Shared memory reads its sources two cycles earlier than global memory.
TEST(Hazards, SharedMemoryReadsEarlierThanGlobalMemory) {
  constexpr uint64_t kStoreShared = 0xef5c000000070200;  // STS [R2], R0
  for (const uint32_t stall : {3u, 4u}) {
    Bench bench(
        {{word::kZeroR2, 6}, {word::kOneR0, stall}, {kStoreShared, 2, 0, 7, 0}, {word::kExit, 15, 1}});
    bench.program().shared_bytes = 64;
    const Report report = bench.run();
    EXPECT_EQ(has(report, FaultKind::early_read), stall < 4) << report.describe();
  }
}

TEST(Hazards, WhatIssuesTogether) {
  constexpr uint64_t kOneR4 = 0x0103f8000007f004;    // MOV32I R4, 0x3f800000
  constexpr uint64_t kGuarded = 0x010000000011f004;  // @P1 MOV32I R4, 0x1
  constexpr uint64_t kLoadR4 = 0xeed4200000070204;   // LDG.E R4, [R2]
  const std::vector<Word> address = {{word::kBaseLow, 1}, {word::kBaseHigh, 6}};
  const auto with = [&](std::vector<Word> rest) {
    rest.insert(rest.begin(), address.begin(), address.end());
    return run(rest);
  };
  // A load may issue together with the instruction that clears its register.
  const Report load = with({{kOneR4, 0}, {kLoadR4, 2, 0, 0}, {word::kExit, 15, 1}});
  EXPECT_TRUE(load.ok()) << load.describe();
  // It may not read what the first writes.
  const Report read = with({{word::kZeroR3, 0}, {kLoadR4, 2, 0, 0}, {word::kExit, 15, 1}});
  EXPECT_TRUE(has(read, FaultKind::early_read)) << read.describe();
  // Two operations of the arithmetic unit never issue together, and do not write one register.
  const Report same = with({{kOneR4, 0}, {word::kOneR0, 6}, {word::kExit, 15}});
  EXPECT_TRUE(has(same, FaultKind::pair)) << same.describe();
  EXPECT_FALSE(has(same, FaultKind::unwaited_write)) << same.describe();
  const Report twice = with({{kOneR4, 0}, {kOneR4, 6}, {word::kExit, 15}});
  EXPECT_TRUE(has(twice, FaultKind::unwaited_write)) << twice.describe();
  const Report guarded = run({{word::kThread, 2, 0, 0},
                              {word::kThreadBelow2, 15, 1},
                              {kOneR4, 0},
                              {kGuarded, 6},
                              {word::kExit, 15}});
  EXPECT_TRUE(has(guarded, FaultKind::unwaited_write)) << guarded.describe();
}

TEST(Hazards, WhatIsWrittenIsNotKeptForReuse) {
  constexpr uint64_t kDouble = 0x5c10000000070000;  // IADD R0, R0, R0
  constexpr uint64_t kOther = 0x5c10000000070004;   // IADD R4, R0, R0
  for (const uint32_t reuse : {1u, 2u}) {
    EXPECT_TRUE(has(run({{word::kOneR0, 6}, {kDouble, 6, 0, 7, 7, reuse}, {word::kExit}}),
                    FaultKind::overwritten_source));
    const Report other = run({{word::kOneR0, 6}, {kOther, 6, 0, 7, 7, reuse}, {word::kExit}});
    EXPECT_TRUE(other.ok()) << other.describe();
  }
}

// Words as ptxas writes them: the first of two that read R0 through one port. It never lets such a pair
// yield.
TEST(Hazards, NothingIsKeptForReuseWhileAnotherWarpRuns) {
  constexpr uint64_t kSum = 0x5c10000000070004;  // IADD R4, R0, R0
  for (const bool yields : {false, true}) {
    const Report report =
        run({{word::kOneR0, 6}, {kSum, 6, 0, 7, 7, 1, yields}, {kSum, 6}, {word::kExit, 15}});
    EXPECT_EQ(has(report, FaultKind::overwritten_source), yields) << report.describe();
  }
}

TEST(Hazards, AccessesAfterABarrierNeedAFenceAfterIt) {
  const auto program = [](std::vector<Word> middle) {
    std::vector<Word> code = {
        {word::kOneR0, 1}, {word::kBaseLow, 1}, {word::kBaseHigh, 6}, {word::kStore, 2, 0, 7, 0}};
    code.insert(code.end(), middle.begin(), middle.end());
    code.insert(code.end(), {{word::kLoad, 2, 1, 0}, {word::kExit, 15, 1}});
    return run(code);
  };
  const auto is_unfenced = [&](std::vector<Word> middle) {
    const Report report = program(std::move(middle));
    EXPECT_EQ(report.fault_count, has(report, FaultKind::unfenced) ? 1 : 0) << report.describe();
    return has(report, FaultKind::unfenced);
  };
  EXPECT_TRUE(is_unfenced({{word::kBarrier}}));
  EXPECT_TRUE(is_unfenced({{word::kFence}, {word::kBarrier}}));
  EXPECT_FALSE(is_unfenced({{word::kBarrier}, {word::kFence, 5}}));
  // A barrier after which nothing is accessed needs none.
  EXPECT_TRUE(run({{word::kBarrier}, {word::kExit}}).ok());
}

TEST(Hazards, AFenceOfTheDeviceInvalidatesCaches) {
  constexpr uint64_t kDevice = 0xef98000000070100, kSystem = 0xef98000000070200;  // MEMBAR.GL and .SYS
  constexpr uint64_t kInvalidating = 1;                                           // .IVALLD
  constexpr uint64_t kInvalidateAll = 0xef6000000007ff06;                         // CCTL.IVALL [RZ]
  const auto is_unfenced = [](uint64_t fence, std::vector<Word> then) {
    std::vector<Word> code = {{word::kBaseLow, 1}, {word::kBaseHigh, 6}, {fence}};
    code.insert(code.end(), then.begin(), then.end());
    code.push_back({word::kExit, 15, 1});
    return has(run(code), FaultKind::unfenced);
  };
  const Word load{word::kLoad, 2, 0, 0}, store{word::kStore + 2, 2, 0, 7, 0};  // STG.E [R2], R2
  EXPECT_TRUE(is_unfenced(kDevice, {load}));
  EXPECT_TRUE(is_unfenced(kSystem, {load}));
  EXPECT_FALSE(is_unfenced(word::kFence, {load}));
  EXPECT_FALSE(is_unfenced(kDevice | kInvalidating, {load}));
  EXPECT_FALSE(is_unfenced(kSystem | kInvalidating, {load}));
  EXPECT_FALSE(is_unfenced(kDevice, {{kInvalidateAll}, load}));
  EXPECT_FALSE(is_unfenced(kDevice, {store}));
}

// As ptxas 12.4 does for `st.shared; bar.sync` (no barrier of its own) and for `st.shared; bar.arrive`,
// `st.shared; membar` and `st.global; bar.sync` (a read barrier, and a wait).
TEST(Hazards, ABarrierWaitsUntilSharedMemoryHasReadItsSources) {
  constexpr uint64_t kStoreShared = 0xef5c000000070200;  // STS [R2], R0
  const auto overwrites = [](uint64_t store, uint64_t middle) {
    Bench bench({{word::kBaseLow, 1},
                 {word::kBaseHigh, 2},
                 {store == kStoreShared ? word::kZeroR2 : word::kBaseLow, 1},
                 {word::kOneR0, 6},
                 {store, 2},
                 {middle},
                 {word::kZeroR0, 6},
                 {word::kExit}});
    bench.program().shared_bytes = 64;
    const Report report = bench.run();
    EXPECT_EQ(report.fault_count, has(report, FaultKind::overwritten_source) ? 1 : 0) << report.describe();
    return has(report, FaultKind::overwritten_source);
  };
  EXPECT_FALSE(overwrites(kStoreShared, word::kBarrier));
  EXPECT_TRUE(overwrites(kStoreShared, word::kFence));
  EXPECT_TRUE(overwrites(word::kStore, word::kBarrier));
}

}  // namespace
}  // namespace texlate::sim::maxwell
