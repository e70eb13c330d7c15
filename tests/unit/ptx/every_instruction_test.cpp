// Every instruction of the front end's table on PTX:
// translated in each of these stages, accepted by ptxas, and listed in docs/ptx.md with its translation.

#include <gmock/gmock.h>

#include <algorithm>
#include <cstdlib>
#include <set>

#include "tests/support/every_instruction.h"
#include "tests/support/paths.h"
#include "tests/support/support.h"

namespace texlate::test {
namespace {

using sm4::OpcodeInfo;

struct Stage {
  sm4::StageMask mask;
  std::string_view name;
};
constexpr Stage kStages[] = {{sm4::kVertex, "VS"},   {sm4::kHull, "HS"},  {sm4::kDomain, "DS"},
                             {sm4::kGeometry, "GS"}, {sm4::kPixel, "PS"}, {sm4::kCompute, "CS"}};

/// Instructions that a GPU cannot execute, with the reason. At most five; none so far.
struct Refusal {
  std::string_view mnemonic, reason;
};
constexpr std::array<Refusal, 0> kRefused = {};

Outcome translated(const OpcodeInfo& info, sm4::StageMask stage, bool with_it = true) {
  library::TranslateOptions options;
  static constexpr lower::ClassInstance kInstance[] = {{0, 0, 0, 0, 0, 0}};
  if (info.opcode == sm4::Opcode::fcall && with_it) options.classes = kInstance;
  return translate(program_around(info, stage, with_it), options);
}

/// The mnemonics in a kernel: the first word of each line that ends with a semicolon, after its predicate.
std::set<std::string> mnemonics(std::string_view text) {
  std::set<std::string> found;
  for (size_t at = 0; at < text.size();) {
    const size_t end = std::min(text.find('\n', at), text.size());
    std::string_view line = text.substr(at, end - at);
    at = end + 1;
    if (!line.starts_with('\t') || !line.ends_with(';')) continue;
    line.remove_prefix(1);
    if (line.starts_with('@')) line.remove_prefix(std::min(line.find(' ') + 1, line.size()));
    const std::string_view word = line.substr(0, line.find_first_of(" ;"));
    const bool is_table_data = word.empty() || (word[0] >= '0' && word[0] <= '9');
    if (!word.starts_with('.') && !is_table_data) found.emplace(word);
  }
  return found;
}

/// The mnemonics that the instruction adds to a kernel.
std::string forms_of(const OpcodeInfo& info, sm4::StageMask stage) {
  std::set<std::string> with = mnemonics(translated(info, stage).text);
  for (const std::string& word : mnemonics(translated(info, stage, false).text)) with.erase(word);
  std::string text;
  size_t listed = 0;
  for (const std::string& word : with) {
    if (++listed > 6) {
      text += " ...";
      break;
    }
    text += (text.empty() ? "`" : " `") + word + "`";
  }
  return text;
}

template <typename Visit>
void for_each_instruction(Visit visit) {
  for (const OpcodeInfo& info : sm4::kOpcodeTable) {
    const bool here =
        std::ranges::any_of(kStages, [&](const Stage& stage) { return (info.stages & stage.mask) != 0; });
    if (!info.mnemonic.empty() && !info.has(sm4::kDeclaration) && here) visit(info);
  }
}

std::string table_of_instructions() {
  std::string table = "\n| instruction | stages | PTX instructions |\n|---|---|---|\n";
  for_each_instruction([&](const OpcodeInfo& info) {
    std::string stages;
    sm4::StageMask shown{};
    for (const Stage& stage : kStages) {
      if ((info.stages & stage.mask) == 0) continue;
      stages += (stages.empty() ? "" : " ") + std::string(stage.name);
      if (shown == sm4::StageMask{} || stage.mask == sm4::kCompute) shown = stage.mask;
    }
    table += "| `" + std::string(info.mnemonic) + "` | " + stages + " | " + forms_of(info, shown) + " |\n";
  });
  return table + "\n";
}

TEST(PtxInstructions, AreTranslatedInEveryStage) {
  static_assert(kRefused.size() <= 5);
  uint32_t instructions = 0, kernels = 0;
  for_each_instruction([&](const OpcodeInfo& info) {
    ++instructions;
    for (const Stage& stage : kStages) {
      if ((info.stages & stage.mask) == 0) continue;
      const Outcome outcome = translated(info, stage.mask);
      const bool refused =
          std::ranges::any_of(kRefused, [&](const Refusal& each) { return each.mnemonic == info.mnemonic; });
      EXPECT_NE(outcome.ok, refused) << info.mnemonic << ", " << stage.name << ": " << outcome.diagnostics;
      ++kernels;
    }
  });
  EXPECT_GT(instructions, 160u);
  EXPECT_GT(kernels, 900u);
}

TEST(PtxInstructions, AreAcceptedByPtxas) {
  const std::string ptxas = find_ptxas();
  if (ptxas.empty()) GTEST_SKIP() << "no ptxas on this machine";
  for_each_instruction([&](const OpcodeInfo& info) {
    // One stage each: the others differ only in the code around the instruction.
    const auto stage = std::ranges::find_if(std::rbegin(kStages), std::rend(kStages), [&](const Stage& each) {
      return (info.stages & each.mask) != 0;
    });
    const Outcome outcome = translated(info, stage->mask);
    if (outcome.ok) {
      EXPECT_EQ(ptxas_complaint(ptxas, outcome.text), "") << info.mnemonic << '\n' << outcome.text;
    }
  });
}

TEST(PtxInstructions, AreThoseOfTheDocument) {
  constexpr std::string_view kStart = "<!-- instructions -->\n", kEnd = "<!-- end of instructions -->";
  const std::string path = source_dir() + "/docs/ptx.md";
  const std::string text = read_file(path);
  const size_t start = text.find(kStart), end = text.find(kEnd);
  ASSERT_NE(start, std::string::npos);
  ASSERT_NE(end, std::string::npos);
  const std::string expected =
      text.substr(0, start + kStart.size()) + table_of_instructions() + text.substr(end);
  if (std::getenv("TEXLATE_UPDATE_DOCS") != nullptr) write_file(path, expected);
  EXPECT_EQ(read_file(path), expected) << "run once with TEXLATE_UPDATE_DOCS=1";
}

}  // namespace
}  // namespace texlate::test
