// Constant buffers, tables, x#, system values, outputs, evaluated inputs, registers before SSA construction.
#include "ir/passes/construct_ssa.h"
#include "tests/unit/sim_ir/run_text.h"

namespace texlate::sim {
namespace {

using Lanes = std::array<uint32_t, 4>;

TEST(Memory, ConstantBuffersEndWhereTheBindingEnds) {
  ir::Module module;
  ir::parse_or_fail(pixel_text("  %0 = input v0.x\n  %1..%4 = cb.load cb0[%0]\n  output o0.x, %2\n",
                               "constant_buffer cb0 rows(1)\n"),
                    module);
  const std::vector<uint32_t> words = {0, 10, 0, 0,  0, 20,
                                       0, 0,  0, 30, 0};  // two whole rows; one is declared
  Bindings bindings(module);
  bindings.constant_buffers(0)[0] = words;
  TextRun run;
  run.set(0, {0, 1, 2, ~0u});
  run.run(module, bindings);
  EXPECT_EQ(run.out(0), (Lanes{10, 20, 0, 0}));
}

TEST(Memory, TablesReadZeroOutside) {
  TextRun run;
  run.set(0, {0, 1, 2, ~0u});
  run_text(run, "  %0 = input v0.x\n  %1..%4 = table.load table0[%0]\n  output o0.x, %4\n",
           "table table0\n  row 1, 2, 3, 4\n  row 5, 6, 7, 8\n");
  EXPECT_EQ(run.out(0), (Lanes{4, 8, 0, 0}));
}

TEST(Memory, LocalArraysAreTheLanesOwn) {
  TextRun run;
  run.set(0, {0, 1, 2, 1});
  run.set(1, {5, 6, 7, 8});
  run_text(run, R"(  %0 = input v0.x
  %1 = input v0.y
  local.store x0[1].y, 0
  local.store x0[%0].y, %1
  %2 = local.load x0[1].y
  output o0.x, %2
)",
           "local x0 rows(2) components(4)\n");
  EXPECT_EQ(run.out(0), (Lanes{0, 6, 0, 8}));
  EXPECT_EQ(run.undefined[2], static_cast<uint32_t>(Undefined::local_bounds));
  EXPECT_EQ(run.undefined[1], 0u);
}

TEST(Memory, ReadingALocalThatWasNotWrittenIsFlagged) {
  TextRun run;
  run.set(0, {0, 1, 0, 1});
  run_text(run, R"(  %0 = input v0.x
  local.store x0[%0].y, 5
  %1 = local.load x0[1].y
  %2 = local.load x0[%0].y
  output o0.x, %1
  output o0.y, %2
)",
           "local x0 rows(2) components(4)\n");
  EXPECT_EQ(run.out(0), (Lanes{0, 5, 0, 5}));
  EXPECT_EQ(run.out(1), (Lanes{5, 5, 5, 5}));
  const auto uninitialized = static_cast<uint32_t>(Undefined::uninitialized);
  EXPECT_EQ(run.undefined, (std::vector<uint32_t>{uninitialized, 0, uninitialized, 0}));
  EXPECT_EQ(undefined_names(uninitialized | static_cast<uint32_t>(Undefined::misaligned)),
            "misaligned, uninitialized");
}

TEST(Memory, RegistersBeforeSsaRunAlike) {
  const std::string text = pixel_text(R"(  reg.store r0.x, 3
  %0 = input v0.x
  %1 = ult.u32 %0, 2
  if %1
    reg.store r0.x, %0
  else
  endif
  %2 = reg.load r0.x
  output o0.x, %2
)",
                                      "registers 1\n");
  for (const bool ssa : {false, true}) {
    ir::Module module;
    ir::parse_or_fail(text, module);
    if (ssa) ir::construct_ssa(module);
    TextRun run;
    run.set(0, {0, 1, 2, 9});
    run.run(module, Bindings(module));
    EXPECT_EQ(run.out(0), (Lanes{0, 1, 3, 3})) << ssa;
  }
}

TEST(Memory, IndexedInputsAndOutputs) {
  TextRun run;
  run.set(0, {0, 1, 3, 4});
  run.set(4, {10, 11, 12, 13});   // v1.x
  run.set(12, {30, 31, 32, 33});  // v3.x
  run_text(run, "  %0 = input v0.x\n  %1 = input v0.x index(%0)\n  output o0.x, %1\n");
  EXPECT_EQ(run.out(0), (Lanes{0, 11, 32, 0}));
  EXPECT_EQ(run.undefined[3], static_cast<uint32_t>(Undefined::interpolant));
}

TEST(Memory, EvaluatedInputsMoveAlongTheDifferences) {
  TextRun run;
  run.set(0, {f(0.0f), f(16.0f), f(32.0f), f(48.0f)});
  run_text(
      run,
      "  %0 = eval.snapped v0.x, 8, 4\n  %1 = eval.centroid v0.x\n  output o0.x, %0\n  output o0.y, %1\n");
  EXPECT_EQ(run.out(0)[0], f(-8.0f + 8.0f));  // -8/16 * 16 + 4/16 * 32
  EXPECT_EQ(run.out(1)[3], f(48.0f));
}

TEST(Memory, SpecialOutputsFollowTheRegisters) {
  ir::Module module;
  ir::parse_or_fail(
      "module pixel 5.0 \"main\"\noutput o0.xyzw\noutput depth.x\ncode {\n  output depth.x, 7\n}\n", module);
  EXPECT_EQ(output_plane_count(module), 33u * 4);
  TextRun run;
  run.outputs.assign(33 * 4 * 4, 0);
  run.run(module, Bindings(module));
  EXPECT_EQ(run.out(32 * 4)[0], 7u);
}

}  // namespace
}  // namespace texlate::sim
