// Constructs that exceed the capacity of a target's instructions: split_switches, spill_exits, and the limits
// of construct_ssa.
#include <gtest/gtest.h>

#include "ir/builder.h"
#include "ir/passes/construct_ssa.h"
#include "ir/passes/spill_exits.h"
#include "ir/passes/split_switches.h"
#include "tests/support/ir_evaluator.h"
#include "tests/support/random_ir.h"
#include "tests/unit/passes/pass_text.h"

namespace texlate::ir {
namespace {

constexpr uint32_t kLargeModules = 400;

std::vector<std::vector<uint64_t>> large_behavior(const Module& module) {
  std::vector<std::vector<uint64_t>> all;
  for (uint32_t input = 0; input < 4; ++input)
    all.push_back(evaluate_module(module, input, 100000).value_or(std::vector<uint64_t>{}));
  return all;
}

/// The largest number of labels of a switch, and of breaks that pass values out of one construct.
struct Greatest {
  size_t labels = 0, exits = 0;
};
Greatest greatest(const Module& module) {
  struct Open {
    Op op;
    size_t labels = 0, exits = 0;
  };
  Greatest found;
  std::vector<Open> open;
  for (const Instruction& instruction : module.code) {
    switch (instruction.op) {
      case Op::if_:
      case Op::loop:
      case Op::switch_: open.push_back({instruction.op}); break;
      case Op::case_: found.labels = std::max(found.labels, ++open.back().labels); break;
      case Op::break_: {
        size_t at = open.size() - 1;
        while (open[at].op == Op::if_) --at;
        if (instruction.operand_count != 0) found.exits = std::max(found.exits, ++open[at].exits);
        break;
      }
      case Op::endif:
      case Op::endloop:
      case Op::endswitch: open.pop_back(); break;
      default: break;
    }
  }
  return found;
}

TEST(SplitSwitches, KeepsTheMeaning) {
  size_t changed = 0;
  for (uint32_t seed = 0; seed < kLargeModules && !testing::Test::HasFailure(); ++seed) {
    RandomIrOptions options;
    options.size = 40 + seed % 100;
    Module module;
    make_random_module(seed, options, module);
    const Module before = module;
    const auto expected = large_behavior(module);
    const uint32_t most = 2 + seed % 2;
    changed += split_switches(module, most) ? 1 : 0;
    verify_or_fail(module);
    EXPECT_EQ(large_behavior(module), expected) << "seed " << seed << "\n"
                                                << to_text(before) << to_text(module);
    EXPECT_LE(greatest(module).labels, most);
  }
  EXPECT_GT(changed, 10u) << "the modules have such switches";
}

TEST(SpillExits, KeepsTheMeaning) {
  size_t changed = 0;
  for (uint32_t seed = 0; seed < kLargeModules && !testing::Test::HasFailure(); ++seed) {
    RandomIrOptions options;
    options.size = 40 + seed % 100;
    Module module;
    make_random_module(seed, options, module);
    const Module before = module;
    const auto expected = large_behavior(module);
    const uint32_t most = seed % 3;
    changed += spill_exits(module, most) ? 1 : 0;
    verify_or_fail(module);
    EXPECT_EQ(large_behavior(module), expected) << "seed " << seed << "\n"
                                                << to_text(before) << to_text(module);
    EXPECT_LE(greatest(module).exits, most);
  }
  EXPECT_GT(changed, 50u) << "the modules have such exits";
}

/// A switch of `arms` arms with `labels` labels each. Each arm returns its number. `default` is in the
/// middle.
std::string wide_switch(uint32_t arms, uint32_t labels) {
  std::string text = "  %0 = input v0.x\n  switch %0\n";
  for (uint32_t arm = 0; arm < arms; ++arm) {
    for (uint32_t l = 0; l < labels; ++l) text += "  case " + std::to_string(arm * labels + l) + "\n";
    if (arm == arms / 2) text += "  default\n";
    text += arm % 3 == 2 ? "    return\n" : "    break yields(" + std::to_string(arm + 100) + ")\n";
  }
  return text + "  %1 = endswitch\n  output o0.x, %1\n  return\n";
}

TEST(SplitSwitches, EveryLabelLeadsToItsArm) {
  for (const auto& [arms, labels] : {std::pair{1u, 7u}, {2u, 4u}, {3u, 3u}, {7u, 1u}, {9u, 1u}, {6u, 5u}}) {
    for (uint32_t most = 2; most < 6; ++most) {
      Module module;
      parse_or_fail(with_body(wide_switch(arms, labels)), module);
      verify_or_fail(module);
      ASSERT_TRUE(split_switches(module, most));
      verify_or_fail(module);
      // Inputs may be any number: each label is tried as the input.
      for (uint32_t value = 0; value <= arms * labels; ++value) {
        Module chosen = module;
        for (Value& operand : chosen.operands) {
          if (operand == chosen.code[0].first_result) operand = chosen.constant(value);
        }
        Module original;
        parse_or_fail(with_body(wide_switch(arms, labels)), original);
        for (Value& operand : original.operands) {
          if (operand == original.code[0].first_result) operand = original.constant(value);
        }
        EXPECT_EQ(large_behavior(chosen), large_behavior(original)) << value << to_text(chosen);
      }
    }
  }
}

TEST(SplitSwitches, LeavesWhatFits) {
  Module module;
  parse_or_fail(with_body(wide_switch(3, 2)), module);
  const std::string before = to_text(module);
  EXPECT_FALSE(split_switches(module, 6));
  EXPECT_EQ(to_text(module), before);
}

TEST(SpillExits, LeavesWhatFits) {
  Module module;
  parse_or_fail(with_body(wide_switch(4, 1)), module);
  EXPECT_FALSE(spill_exits(module, 3));
  EXPECT_TRUE(spill_exits(module, 2));
}

/// A loop that writes this number of registers and has this number of exits; all registers are read after it.
std::string refusal(uint32_t registers, uint32_t exits) {
  Module module;
  module.register_count = registers / 4 + 1;
  Builder builder(module, module.code);
  const Value condition = builder.emit(Op::ine, {builder.emit(Op::input), module.constant(0)});
  builder.emit(Op::loop);
  for (uint32_t r = 0; r < registers; ++r) builder.emit(Op::reg_store, {module.constant(r)}, r);
  for (uint32_t e = 0; e < exits; ++e) {
    builder.set_location(SourceLocation::text(e + 1, 1));
    builder.emit(Op::if_, {condition});
    builder.emit(Op::break_);
    builder.emit(Op::else_);
    builder.emit(Op::endif);
  }
  builder.emit(Op::break_);
  builder.emit(Op::endloop);
  for (uint32_t r = 0; r < registers; ++r)
    builder.emit(Op::output, {builder.emit(Op::reg_load, {}, r)}, r % 4);
  builder.emit(Op::return_);
  Diagnostics diagnostics;
  return construct_ssa(module, diagnostics) ? "" : to_text(diagnostics);
}

TEST(ConstructSsa, RefusesMoreResultsThanAConstructHas) {
  EXPECT_EQ(refusal(65'535, 1), "");
  EXPECT_EQ(refusal(65'536, 1),
            "ir:1:1: error: 65536 temporaries are live after one construct (break): the limit is 65535\n");
}

TEST(ConstructSsa, RefusesMoreExitsTimesRegistersThanAreKept) {
  EXPECT_EQ(refusal(1024, 900), "");
  EXPECT_EQ(refusal(1024, 1100),
            "ir:1025:1: error: ifs, loops and switches pass on too many temporaries (break): the limit is "
            "1048576 in total\n");
}

}  // namespace
}  // namespace texlate::ir
