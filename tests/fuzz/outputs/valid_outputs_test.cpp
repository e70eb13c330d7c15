// Programs with a few changed token words, to every target by the library's own path. What passes the
// validator is either refused with an error or becomes output that the target's own judge accepts:
// SPIRV-Tools' validator, NVIDIA's ptxas (skipped if it is missing), for Maxwell the reader of its machine
// code.
//
// TEXLATE_CHANGED_PROGRAMS=100000 takes that many instead of some thousands, TEXLATE_CHANGED_FIRST=5029
// begins with that one, TEXLATE_CHANGED_OUTPUT=FILE keeps the current container: the one that failed or
// crashed.
#include <gtest/gtest.h>

#include <cstdlib>

#include "backend/spirv/spirv_tools.h"
#include "backend/spirv/target.h"
#include "sim/maxwell/cubin.h"
#include "sim/maxwell/instruction.h"
#include "tests/fuzz/changed_tokens.h"
#include "tests/support/paths.h"
#include "tests/support/support.h"

namespace texlate {
namespace {

uint32_t setting(const char* name, uint32_t usual) {
  const char* text = std::getenv(name);
  return text == nullptr ? usual : static_cast<uint32_t>(std::strtoul(text, nullptr, 10));
}
uint32_t programs(uint32_t usual) {
  return setting("TEXLATE_CHANGED_PROGRAMS", usual);
}

/// The result of a changed program.
struct Made {
  bool read = false;  // the container has a program
  bool translated = false;
  std::string output, messages, listing;
};

Made make(const std::string& container, const library::TranslateOptions& options) {
  Made made;
  Diagnostics diagnostics;
  sm4::Program program;
  dxbc::Container chunks;
  made.read = library::read_program(container, dxbc::DigestCheck::ignore, program, chunks, diagnostics);
  if (!made.read) return made;
  library::Translation translation(std::pmr::get_default_resource());
  made.translated = library::translate(program, &chunks, options, translation, diagnostics);
  made.output = translation.data;
  for (const Diagnostic& diagnostic : diagnostics.list()) {
    if (diagnostic.severity == Severity::error) made.messages += diagnostic.message;
  }
  library::TranslateOptions listing;
  listing.to = "asm";
  library::Translation text(std::pmr::get_default_resource());
  library::translate(program, &chunks, listing, text, diagnostics);
  made.listing = text.data;
  return made;
}

/// Gives `judge` each output; a program that is refused has an error message.
template <typename Judge>
void judge_changed_programs(uint32_t count, const library::TranslateOptions& options, Judge judge) {
  const std::string corpus = test::shared_dir() + "/corpus";
  const std::vector<std::string> seeds =
      test::containers_in({test::source_dir() + "/tests/fuzz/frontend/container_seeds",
                           corpus + "/dxbc_suite", corpus + "/fxc_suite", corpus + "/hlsl_suite"});
  ASSERT_FALSE(seeds.empty());
  uint32_t translated = 0;
  const uint32_t first = setting("TEXLATE_CHANGED_FIRST", 0);
  for (uint32_t number = first; number < first + count && !testing::Test::HasFailure(); ++number) {
    const std::string container = test::changed_container(seeds, number);
    if (const char* path = std::getenv("TEXLATE_CHANGED_OUTPUT")) test::write_file(path, container);
    const Made made = make(container, options);
    if (!made.read) continue;
    if (!made.translated) {
      EXPECT_NE(made.messages, "") << "program " << number << "\n" << made.listing;
      EXPECT_EQ(made.messages.find("internal"), std::string::npos) << number << ": " << made.messages;
      continue;
    }
    ++translated;
    EXPECT_EQ(judge(made.output), "") << "program " << number << "\n" << made.listing;
  }
  EXPECT_GT(translated, count / 20) << "most changes would be refused";
  std::printf("%u of %u changed programs translate\n", translated, count);
}

class ValidSpirv : public testing::TestWithParam<spirv::Robustness> {};

TEST_P(ValidSpirv, WhatBecomesOfChangedTokensIsValidOrRefused) {
  spirv::TargetOptions own;
  own.emit.robustness = GetParam();
  library::TranslateOptions options;
  options.to = "spirv";
  options.backend.own = &own;
  judge_changed_programs(programs(10000), options, [](const std::string& output) {
    std::vector<uint32_t> words(output.size() / 4);
    std::memcpy(words.data(), output.data(), 4 * words.size());
    std::string message;
    return spirv::validate(words, message) ? std::string() : message;
  });
}

INSTANTIATE_TEST_SUITE_P(Robustness, ValidSpirv,
                         testing::Values(spirv::Robustness::driver, spirv::Robustness::shader),
                         [](const auto& one) {
                           return std::string(one.param == spirv::Robustness::driver ? "driver" : "shader");
                         });

TEST(ValidPtx, WhatBecomesOfChangedTokensIsTakenByPtxasOrRefused) {
  const std::string ptxas = test::find_ptxas();
  if (ptxas.empty()) GTEST_SKIP() << "no ptxas: make judges";
  judge_changed_programs(programs(1000), {},
                         [&](const std::string& output) { return test::ptxas_complaint(ptxas, output); });
}

TEST(ValidMaxwell, WhatBecomesOfChangedTokensIsMachineCodeOrRefused) {
  library::TranslateOptions options;
  options.to = "cubin";
  judge_changed_programs(programs(10000), options, [](const std::string& output) {
    sim::maxwell::Cubin cubin;
    std::string error;
    if (!sim::maxwell::read_cubin(std::as_bytes(std::span(output)), {}, cubin, error)) return error;
    for (const auto& instruction : sim::maxwell::decode_program(cubin.program.words)) {
      if (instruction.opcode == sim::maxwell::Opcode::unknown)
        return std::string("a word that means nothing");
    }
    return std::string();
  });
}

}  // namespace
}  // namespace texlate
