// Divergence: if, loop, switch, return, discard; barriers and group-shared memory in groups.
#include "tests/unit/sim_ir/run_text.h"

namespace texlate::sim {
namespace {

using Lanes = std::array<uint32_t, 4>;

TEST(Control, ArmsOfAnIfMerge) {
  TextRun run;
  run.set(0, {0, 1, 2, 3});
  run_text(run, R"(  %0 = input v0.x
  %1 = ult.u32 %0, 2
  if %1
    %2 = iadd %0, 100
  else yields(%2)
    %3 = imul %0, 10
  %4 = endif yields(%3)
  output o0.x, %4
)");
  EXPECT_EQ(run.out(0), (Lanes{100, 101, 20, 30}));
}

// The sum of 0..n-1 with a break, and a continue that skips 2. Both values are swapped on the way (parallel
// copies).
TEST(Control, LoopsRunAsOftenAsEachLaneWants) {
  TextRun run;
  run.set(0, {0, 1, 4, 6});
  run_text(run, R"(  %0 = input v0.x
  %1, %2 = loop init(0, 0)
    %3 = uge.u32 %1, %0
    if %3
      break yields(%2)
    else
    endif
    %4 = iadd %1, 1
    %5 = ieq %1, 2
    if %5
      continue yields(%4, %2)
    else
    endif
    %6 = iadd %2, %1
  %7 = endloop yields(%4, %6)
  output o0.x, %7
)");
  EXPECT_EQ(run.out(0), (Lanes{0, 0, 4, 13}));
}

TEST(Control, CarriedValuesMayBeExchanged) {
  TextRun run;
  run.set(0, {1, 2, 3, 4});
  run_text(run, R"(  %0 = input v0.x
  %1, %2, %3 = loop init(7, 9, 0)
    %4 = uge.u32 %3, %0
    if %4
      break yields(%1)
    else
    endif
    %5 = iadd %3, 1
  %6 = endloop yields(%2, %1, %5)
  output o0.x, %6
)");
  EXPECT_EQ(run.out(0), (Lanes{9, 7, 9, 7}));
}

TEST(Control, BreakLeavesTheInnermostLoopOnly) {
  TextRun run;
  run.set(0, {0, 1, 2, 3});
  run_text(run, R"(  %0 = input v0.x
  %1, %2 = loop init(0, 0)
    %3 = uge.u32 %1, 3
    if %3
      break yields(%2)
    else
    endif
    %4 = loop init(%2)
      %5 = and %4, 3
      %6 = uge.u32 %5, %0
      if %6
        break yields(%4)
      else
      endif
      %7 = iadd %4, 1
    %8 = endloop yields(%7)
    %9 = iadd %8, 16
    %10 = iadd %1, 1
  %11 = endloop yields(%10, %9)
  output o0.x, %11
)");
  EXPECT_EQ(run.out(0), (Lanes{48, 49, 50, 51}));
}

TEST(Control, SwitchFallsToItsLabels) {
  TextRun run;
  run.set(0, {1, 2, 7, 9});
  run_text(run, R"(  %0 = input v0.x
  switch %0
    case 1
    case 9
      break yields(10)
    case 2
      break yields(20)
    default
      break yields(30)
  %1 = endswitch
  output o0.x, %1
)");
  EXPECT_EQ(run.out(0), (Lanes{10, 20, 30, 10}));
}

TEST(Control, ReturnEndsALaneAndItsOutputsStay) {
  TextRun run;
  run.set(0, {0, 1, 2, 3});
  run_text(run, R"(  %0 = input v0.x
  output o0.x, 5
  %1 = ult.u32 %0, 2
  if %1
    return
  else
  endif
  output o0.x, 6
)");
  EXPECT_EQ(run.out(0), (Lanes{5, 5, 6, 6}));
  EXPECT_EQ(run.written, (std::vector<uint32_t>{1, 1, 1, 1}));
}

TEST(Control, DiscardedPixelsGoOnAsHelpers) {
  TextRun run;
  run.set(0, {f(0.0f), f(1.0f), f(4.0f), f(9.0f)});
  run.covered[3] = 0;
  run_text(run, R"(  %0 = input v0.x
  %1 = feq.f32 %0, 0x3f800000
  discard %1
  %2 = ddx.fine %0
  output o0.x, %2
)");
  EXPECT_EQ(run.written, (std::vector<uint32_t>{1, 0, 1, 0}));
  EXPECT_EQ(run.out(0), (Lanes{f(1.0f), 0, f(5.0f), 0}));
}

TEST(Control, DerivativeOfADividedQuadIsFlagged) {
  TextRun run;
  run.set(0, {0, 1, 2, 3});
  run_text(run, R"(  %0 = input v0.x
  %1 = ult.u32 %0, 2
  if %1
    %2 = ddx.fine %0
  else yields(%2)
  %3 = endif yields(0)
  output o0.x, %3
)");
  EXPECT_EQ(run.undefined[0], static_cast<uint32_t>(Undefined::divergent_quad));
  EXPECT_EQ(run.undefined[3], 0u);
}

TEST(Control, WhatIsUndefinedInAPixelIsInTheDifferencesOfItsQuad) {
  constexpr auto kUninitialized = static_cast<uint32_t>(Undefined::uninitialized);
  // Pixel 3 is a helper and reads what it has not written.
  const auto undefined = [](std::string_view body) {
    TextRun run;
    run.set(0, {0, 1, 2, 3});
    run.covered[3] = 0;
    run_text(run,
             "  %0 = input v0.x\n  local.store x0[0].x, %0\n  %1 = ieq %0, 3\n  %2 = select.b32 %1, 1, 0\n"
             "  %3 = local.load x0[%2].x\n" +
                 std::string(body),
             "resource t0 texture2d float\nsampler s0\nlocal x0 rows(2) components(4)\n");
    EXPECT_NE(run.undefined[3], 0u);
    return Lanes{run.undefined[0], run.undefined[1], run.undefined[2], 0};
  };
  const Lanes none{}, all{kUninitialized, kUninitialized, kUninitialized, 0};
  EXPECT_EQ(undefined("  output o0.x, %3\n"), none);
  EXPECT_EQ(undefined("  %4 = ddx.fine %3\n  output o0.x, %4\n"), all);
  EXPECT_EQ(undefined("  %4 = ddy.coarse %3\n  output o0.x, %4\n"), all);
  EXPECT_EQ(
      undefined("  %4..%7 = tex.sample t0 s0 texture2d float coord(%3, 0) implicit\n  output o0.x, %4\n"),
      all);
  EXPECT_EQ(
      undefined("  %4..%7 = tex.sample t0 s0 texture2d float coord(%3, 0) bias(0)\n  output o0.x, %4\n"),
      all);
  EXPECT_EQ(
      undefined("  %4..%7 = tex.sample t0 s0 texture2d float coord(%3, 0) level(0)\n  output o0.x, %4\n"),
      none);
  EXPECT_EQ(undefined("  %4, %5 = tex.lod t0 s0 texture2d float coord(%3, 0)\n  output o0.x, %4\n"), all);
}

// What another pixel stores later may have been stored before.
TEST(Control, AStoreAfterwardsDisturbsTheQuadOfItsReader) {
  const auto undefined = [](std::string_view difference) {
    ir::Module module;
    ir::parse_or_fail(pixel_text("  %0 = input v0.x\n  %1 = ieq %0, 3\n  %2 = select.b32 %1, 0, 4\n"
                                 "  %3, %4..%6 = buf.load u0 raw_buffer mixed coord(%2) mask(1)\n" +
                                     std::string(difference) +
                                     "  output o0.x, %7\n  %8 = ieq %0, 0\n  if %8\n"
                                     "    buf.store u0 raw_buffer mixed coord(0) value(9) mask(1)\n"
                                     "  else\n  endif\n",
                                 "uav u0 raw_buffer mixed\n"),
                      module);
    std::vector<uint32_t> memory(2, 0);
    Bindings bindings(module);
    bindings.resources(0)[0].buffer = {reinterpret_cast<std::byte*>(memory.data()), BufferKind::raw,
                                       Format::unknown, 8};
    TextRun run;
    run.set(0, {0, 1, 2, 3});
    run.run(module, bindings);
    return Lanes{run.undefined[0], run.undefined[1], run.undefined[2], run.undefined[3]};
  };
  constexpr auto race = static_cast<uint32_t>(Undefined::race);
  EXPECT_EQ(undefined("  %7 = iadd %3, 0\n"), (Lanes{0, 0, 0, race}));
  EXPECT_EQ(undefined("  %7 = ddx.coarse %3\n"), (Lanes{race, race, race, race}));
}

TEST(Control, EndlessLoopsAreCutOff) {
  TextRun run;
  InterpreterOptions options;
  options.max_lane_instructions = 10000;
  run_text(run, "  loop\n    %0 = iadd 1, 2\n  endloop\n", {}, options);
  EXPECT_TRUE(run.report.cut_off);
}

TEST(Control, GroupsShareMemoryOverBarriers) {
  // Every thread writes its number, then reads its neighbor's. Thread 0 of each group counts them
  // atomically.
  ir::Module module;
  ir::parse_or_fail(R"(module compute 5.0 "main"
thread_group 96 1 1
uav u0 raw_buffer mixed
shared g0 bytes(384) stride(0)
shared g1 bytes(4) stride(0)
code {
  %0 = sysval thread_id_in_group_flattened.x
  %1 = shl %0, 2
  shared.store g0[%1], %0
  shared.store g1[0], 0
  barrier threads shared
  %2 = shared.atomic add g1[0], %0
  barrier threads shared
  %3 = iadd %0, 1
  %4 = urem.u32 %3, 96
  %5 = shl %4, 2
  %6 = shared.load g0[%5]
  %7 = sysval thread_id.x
  %8 = shl %7, 2
  %9 = shared.load g1[0]
  %10 = imad %9, 1000, %6
  buf.store u0 raw_buffer mixed coord(%8) value(%10) mask(1)
}
)",
                    module);
  Diagnostics diagnostics;
  const auto interpreter = Interpreter::create(module, diagnostics);
  ASSERT_NE(interpreter, nullptr);
  std::vector<uint32_t> memory(192, 0);
  Bindings bindings(module);
  bindings.resources(0)[0].buffer = {reinterpret_cast<std::byte*>(memory.data()), BufferKind::raw,
                                     Format::unknown, 768};
  const RunReport report = interpreter->run(bindings, GroupLaunch{{2, 1, 1}});
  EXPECT_EQ(report.undefined, 0u);
  for (uint32_t i = 0; i < 192; ++i) EXPECT_EQ(memory[i], 4560u * 1000u + (i % 96 + 1) % 96) << i;
}

TEST(Control, StoresThatNothingOrdersAreFlagged) {
  // Thread n stores n to word n / 2. After a barrier, thread 0 may overwrite word 1.
  const auto undefined_of = [](std::string_view body) {
    ir::Module module;
    ir::parse_or_fail(
        "module compute 5.0 \"main\"\nthread_group 4 1 1\nuav u0 raw_buffer mixed\ncode {\n"
        "  %0 = sysval thread_id.x\n  %1 = shl %0, 2\n" +
            std::string(body) + "}\n",
        module);
    Diagnostics diagnostics;
    std::vector<uint32_t> memory(16, 0);
    Bindings bindings(module);
    bindings.resources(0)[0].buffer = {reinterpret_cast<std::byte*>(memory.data()), BufferKind::raw,
                                       Format::unknown, 64};
    return Interpreter::create(module, diagnostics)->run(bindings, GroupLaunch{{2, 1, 1}}).undefined;
  };
  const auto race = static_cast<uint32_t>(Undefined::race);
  EXPECT_EQ(undefined_of("  buf.store u0 raw_buffer mixed coord(%1) value(%0) mask(1)\n"), 0u);
  EXPECT_EQ(undefined_of("  buf.store u0 raw_buffer mixed coord(0) value(7) mask(1)\n"), 0u)
      << "the same value";
  EXPECT_EQ(undefined_of("  buf.store u0 raw_buffer mixed coord(0) value(%0) mask(1)\n"), race);
  EXPECT_EQ(undefined_of("  %2 = sysval thread_id_in_group.x\n  %3 = shl %2, 2\n"
                         "  buf.store u0 raw_buffer mixed coord(%3) value(%0) mask(1)\n"),
            race)
      << "groups are in no order";
  EXPECT_EQ(undefined_of(
                "  buf.store u0 raw_buffer mixed coord(%1) value(%0) mask(1)\n  barrier threads uav_group\n"
                "  %2 = and %1, 0xfffffff0\n  %3 = ieq %1, %2\n  if %3\n    %4 = iadd %2, 4\n"
                "    buf.store u0 raw_buffer mixed coord(%4) value(9) mask(1)\n  else\n  endif\n"),
            0u)
      << "a barrier between them";
}

TEST(Control, StoresToTheRegistersOfARangeAreInDifferentPlaces) {
  ir::Module module;
  ir::parse_or_fail(
      "module compute 5.1 \"main\"\nthread_group 4 1 1\nuav u0 raw_buffer mixed registers(0, 3) "
      "space(0)\ncode {\n"
      "  %0 = sysval thread_id.x\n"
      "  buf.store u0 raw_buffer mixed coord(0) value(%0) mask(1) resource_index(%0)\n}\n",
      module);
  Diagnostics diagnostics;
  std::array<uint32_t, 4> words{};
  Bindings bindings(module);
  for (uint32_t i = 0; i < 4; ++i) {
    bindings.resources(0)[i].buffer = {reinterpret_cast<std::byte*>(&words[i]), BufferKind::raw,
                                       Format::unknown, 4};
  }
  EXPECT_EQ(Interpreter::create(module, diagnostics)->run(bindings, GroupLaunch{{1, 1, 1}}).undefined, 0u);
  EXPECT_EQ(words, (std::array<uint32_t, 4>{0, 1, 2, 3}));
}

}  // namespace
}  // namespace texlate::sim
