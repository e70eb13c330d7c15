// The branch stack: divergence, loops, calls, and unbalanced stacks.
#include <gtest/gtest.h>

#include "tests/unit/sim_maxwell/words.h"

namespace texlate::sim::maxwell {
namespace {

constexpr uint64_t kSync = 0xf0f800000007000f, kBreak = 0xe34000000007000f, kReturn = 0xe32000000007000f;

uint32_t address(size_t index) {
  return address_of(static_cast<uint32_t>(index));
}
uint64_t jump(uint64_t word, size_t from, size_t to) {
  const uint32_t offset = address(to) - (address(from) + 8);
  return word | uint64_t{offset & 0xffffffu} << 20;
}
uint64_t guard(uint64_t word, uint32_t predicate, bool negated = false) {
  return (word & ~uint64_t{0xf0000}) | uint64_t{predicate | (negated ? 8u : 0u)} << 16;
}
constexpr uint64_t kSsy = 0xe290000000000000, kPbk = 0xe2a0000000000000, kBra = 0xe24000000007000f,
                   kCal = 0xe260000000000040;

// R2:R3 = address of the thread's word, R0 = thread, P1 = thread < 2.
std::vector<Word> head() {
  return {{word::kThread, 2, 0, 0},
          {word::kTimes4, 6, 1},
          {word::kAddLow, 6},
          {kAddHighZero, 6},
          {word::kThreadBelow2, 13, 0}};
}
void finish(std::vector<Word>& code) {
  code.push_back({word::kStore, 2, 0, 7, 0});
  code.push_back({word::kExit});
}
void expect(Bench& bench, uint32_t below2, uint32_t others) {
  const Report report = bench.run();
  EXPECT_TRUE(report.ok()) << report.describe();
  for (uint32_t lane = 0; lane < 32; ++lane)
    EXPECT_EQ(bench.memory[lane], lane < 2 ? below2 : others) << lane;
}

TEST(Control, LanesOfBothSidesMeet) {
  std::vector<Word> code = head();
  const size_t ssy = code.size(), meet = ssy + 6;
  code.push_back({jump(kSsy, ssy, meet)});
  code.push_back({jump(guard(kBra, 1), ssy + 1, ssy + 4)});
  code.push_back({word::kZeroR0});
  code.push_back({kSync});
  code.push_back({word::kOneR0});
  code.push_back({kSync});
  finish(code);
  Bench bench(code);
  expect(bench, 1, 0);
}

// Lanes that SYNC early wait for the others.
TEST(Control, AGuardedSyncWaits) {
  std::vector<Word> code = head();
  const size_t ssy = code.size();
  code.push_back({jump(kSsy, ssy, ssy + 4)});
  code.push_back({guard(kSync, 1)});
  code.push_back({word::kZeroR0});
  code.push_back({kSync});
  code.push_back({0x1c00000000170000});  // IADD32I R0, R0, 0x1
  finish(code);
  Bench bench(code);
  const Report report = bench.run();
  EXPECT_TRUE(report.ok()) << report.describe();
  for (uint32_t lane = 0; lane < 32; ++lane) EXPECT_EQ(bench.memory[lane], lane < 2 ? lane + 1 : 1u) << lane;
}

// R0 counts up until 2; lanes leave at different times.
TEST(Control, LanesBreakAtDifferentTimes) {
  std::vector<Word> code = head();
  const size_t pbk = code.size(), loop = pbk + 1;
  code.push_back({jump(kPbk, pbk, pbk + 5)});
  code.push_back({guard(kBreak, 1, true)});  // @!P1 BRK
  code.push_back({0x1c00000000170000});      // IADD32I R0, R0, 0x1
  code.push_back({word::kThreadBelow2});     // P1 = R0 < 2
  code.push_back({jump(kBra, pbk + 4, loop)});
  finish(code);
  Bench bench(code);
  const Report report = bench.run();
  EXPECT_TRUE(report.ok()) << report.describe();
  for (uint32_t lane = 0; lane < 32; ++lane) EXPECT_EQ(bench.memory[lane], std::max(lane, 2u)) << lane;
}

TEST(Control, ACallReturns) {
  std::vector<Word> code = head();
  const size_t call = code.size(), function = call + 3;
  code.push_back({jump(kCal, call, function)});
  finish(code);
  code.push_back({guard(kReturn, 1)});
  code.push_back({word::kOneR0});
  code.push_back({kReturn});
  Bench bench(code);
  const Report report = bench.run();
  EXPECT_TRUE(report.ok()) << report.describe();
  for (uint32_t lane = 0; lane < 32; ++lane) EXPECT_EQ(bench.memory[lane], lane < 2 ? lane : 1u) << lane;
}

TEST(Control, AnUnbalancedStackIsReported) {
  for (const uint64_t lonely : {kSync, kBreak, kReturn, uint64_t{0xe35000000007000f}}) {
    const Report report = Bench(std::vector<Word>{{lonely}, {word::kExit}}).run();
    EXPECT_TRUE(has(report, FaultKind::branch_stack)) << std::hex << lonely;
  }
  // SYNC although the innermost open token is a loop's.
  EXPECT_TRUE(has(Bench(std::vector<Word>{{jump(kPbk, 0, 2)}, {kSync}, {word::kExit}}).run(),
                  FaultKind::branch_stack));
}

TEST(Control, RunningOffTheEndIsReported) {
  EXPECT_TRUE(has(Bench(std::vector<Word>{{word::kZeroR0}}).run(), FaultKind::unknown_word));
  EXPECT_TRUE(has(Bench(std::vector<Word>{{0}}).run(), FaultKind::unknown_word));
}

TEST(Control, AnEndlessLoopIsCutOff) {
  MachineOptions options;
  options.max_lane_instructions = 10000;
  EXPECT_TRUE(has(Bench(std::vector<Word>{{jump(kBra, 0, 0)}}).run(options), FaultKind::limit));
}

TEST(Control, ABarrierNeedsAllLanes) {
  EXPECT_TRUE(Bench(std::vector<Word>{{word::kBarrier}, {word::kExit}}).run().ok());
  std::vector<Word> code = head();
  code.push_back({guard(word::kBarrier, 1)});
  code.push_back({word::kExit});
  EXPECT_TRUE(has(Bench(code).run(), FaultKind::divergent_barrier));
}

}  // namespace
}  // namespace texlate::sim::maxwell
