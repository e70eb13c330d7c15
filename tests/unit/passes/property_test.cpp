// Random modules: the text form is lossless, and no pass changes the behavior of a module.
#include <gtest/gtest.h>

#include <algorithm>

#include "ir/passes/construct_ssa.h"
#include "ir/passes/hoist_loads.h"
#include "ir/passes/optimize.h"
#include "tests/support/ir_evaluator.h"
#include "tests/support/ir_text.h"
#include "tests/support/random_ir.h"

namespace texlate::ir {
namespace {

constexpr uint32_t kModules = 400;
constexpr uint32_t kInputs = 3;

RandomIrOptions options(Form form, uint32_t seed) {
  RandomIrOptions options;
  options.form = form;
  options.size = 20 + seed % 100;
  return options;
}

std::vector<std::vector<uint64_t>> behavior(const Module& module) {
  std::vector<std::vector<uint64_t>> all;
  for (uint32_t input = 0; input < kInputs; ++input) {
    const auto trace = evaluate_module(module, input);
    EXPECT_TRUE(trace.has_value()) << "every generated loop ends";
    all.push_back(trace.value_or(std::vector<uint64_t>{}));
  }
  return all;
}

TEST(Property, TextFormLosesNothing) {
  for (uint32_t seed = 0; seed < kModules && !testing::Test::HasFailure(); ++seed) {
    const Form form = seed % 2 == 0 ? Form::ssa : Form::registers;
    Module module;
    make_random_module(seed, options(form, seed), module);
    verify_or_fail(module, form);
    const std::string text = to_text(module);
    Module copy;
    parse_or_fail(text, copy);
    verify_or_fail(copy, form);
    EXPECT_EQ(to_text(copy), text);
    EXPECT_EQ(copy.code.size(), module.code.size());
    EXPECT_TRUE(std::ranges::equal(copy.accesses, module.accesses));
    EXPECT_EQ(behavior(copy), behavior(module)) << text;
  }
}

TEST(Property, SsaConstructionKeepsTheMeaning) {
  size_t longest = 0;
  for (uint32_t seed = 0; seed < kModules && !testing::Test::HasFailure(); ++seed) {
    Module module;
    make_random_module(seed, options(Form::registers, seed), module);
    verify_or_fail(module, Form::registers);
    const Module before = module;
    const auto expected = behavior(module);
    construct_ssa(module);
    verify_or_fail(module);
    EXPECT_EQ(behavior(module), expected) << "seed " << seed << "\n" << to_text(before) << to_text(module);
    for (const auto& trace : expected) longest = std::max(longest, trace.size());
  }
  EXPECT_GT(longest, 100u) << "the modules do something";
}

TEST(Property, EveryPassKeepsTheMeaning) {
  for (uint32_t seed = 0; seed < kModules && !testing::Test::HasFailure(); ++seed) {
    const Form form = seed % 2 == 0 ? Form::ssa : Form::registers;
    Module module;
    make_random_module(seed, options(form, seed), module);
    if (form == Form::registers) construct_ssa(module);
    const auto expected = behavior(module);
    for (int round = 0; round < 2; ++round) {
      for (const Pass& pass : optimization_passes()) {
        const Module before = module;
        const bool changed = pass.run(module);
        verify_or_fail(module);
        EXPECT_EQ(behavior(module), expected) << pass.name << ", seed " << seed << "\n"
                                              << to_text(before) << to_text(module);
        if (!changed) {
          EXPECT_EQ(module.code.size(), before.code.size()) << pass.name << " says that it changed nothing";
        }
        if (testing::Test::HasFailure()) return;
      }
    }
  }
}

TEST(Property, HoistingLoadsKeepsTheMeaning) {
  uint32_t hoisted = 0;
  for (uint32_t seed = 0; seed < kModules && !testing::Test::HasFailure(); ++seed) {
    Module module;
    make_random_module(seed, options(Form::registers, seed), module);
    construct_ssa(module);
    const auto expected = behavior(module);
    const std::string before = to_text(module);
    const size_t size = module.code.size();
    const bool changed = hoist_loads(module);
    hoisted += changed ? 1 : 0;
    verify_or_fail(module);
    EXPECT_EQ(behavior(module), expected) << "seed " << seed << "\n" << before << to_text(module);
    EXPECT_EQ(changed, module.code.size() < size);
  }
  EXPECT_GT(hoisted, 10u);
}

TEST(Property, OptimizeComesToAnEndAndShrinks) {
  size_t before = 0;
  size_t after = 0;
  for (uint32_t seed = 0; seed < 200; ++seed) {
    Module module;
    make_random_module(seed, options(Form::registers, seed), module);
    construct_ssa(module);
    before += module.code.size();
    optimize(module);
    after += module.code.size();
    verify_or_fail(module);
  }
  EXPECT_LT(after * 10, before * 9);
}

}  // namespace
}  // namespace texlate::ir
