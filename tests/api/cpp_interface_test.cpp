#include <gtest/gtest.h>

#include <thread>

#include "texlate/texlate.hpp"

namespace texlate::api {
namespace {

constexpr std::string_view kShader =
    "cs_5_0\ndcl_globalFlags refactoringAllowed\ndcl_uav_raw u0\ndcl_input vThreadID.x\ndcl_temps 1\n"
    "dcl_thread_group 64, 1, 1\nishl r0.x, vThreadID.x, l(2)\nstore_raw u0.x, r0.x, vThreadID.x\nret \n";

TEST(CppInterface, Translates) {
  const Program program(kShader);
  ASSERT_TRUE(program.ok());
  EXPECT_EQ(program.info().stage, TEXLATE_STAGE_COMPUTE);
  EXPECT_EQ(program.info().thread_group[0], 64u);
  texlate_translate_options options = TEXLATE_TRANSLATE_OPTIONS_INIT;
  options.reflect = 1;
  const Output output = program.translate(options);
  ASSERT_TRUE(output.ok());
  EXPECT_NE(output.data().find(".reqntid 64, 1, 1"), std::string_view::npos);
  EXPECT_NE(output.reflection().find("\"thread_group\""), std::string_view::npos);
  EXPECT_TRUE(output.diagnostics().empty());
}

TEST(CppInterface, ReportsErrors) {
  const Program program("nothing");
  EXPECT_FALSE(program.ok());
  ASSERT_EQ(program.diagnostics().size(), 1u);
  EXPECT_EQ(program.diagnostics()[0].severity, TEXLATE_ERROR);
}

// Several threads translate one program, and get the same bytes each time.
TEST(CppInterface, TranslatesTheSameProgramFromSeveralThreads) {
  const Program program(kShader);
  constexpr const char* kTargets[] = {"ptx", "spirv", "dxbc", "asm"};
  auto translated = [&](const char* target) {
    texlate_translate_options options = TEXLATE_TRANSLATE_OPTIONS_INIT;
    options.target = target;
    return std::string(program.translate(options).data());
  };
  std::vector<std::string> expected;
  for (const char* target : kTargets) expected.push_back(translated(target));
  std::vector<std::thread> threads;
  std::vector<int> equal(4, 0);
  for (size_t i = 0; i < equal.size(); ++i) {
    threads.emplace_back([&, i] {
      bool same = true;
      for (size_t round = 0; round < 400; ++round) {
        const size_t which = (round + i) % std::size(kTargets);
        same = same && translated(kTargets[which]) == expected[which];
      }
      equal[i] = same;
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(equal, std::vector<int>({1, 1, 1, 1}));
}

}  // namespace
}  // namespace texlate::api
