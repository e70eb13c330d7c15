// Every word that the Maxwell targets emit over the corpus, in kernels and programs of deko3d: nvdisasm of
// CUDA 12 must read each word and print the same text as this project. Skipped without the corpus or without
// NVIDIA's tools. Covers a part of the corpus; TEXLATE_EXHAUSTIVE=1: all of it.
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>

#include "backend/maxwell/graphics/program.h"
#include "backend/maxwell/isa/program.h"
#include "library/pipeline.h"
#include "tests/corpus/corpus.h"
#include "tests/support/nvidia_judges.h"

namespace texlate::maxwell {
namespace {

/// Translations by their words, one after the other.
struct Emitted {
  std::vector<uint64_t> words;
  uint32_t shaders = 0;
};

void translate(const std::string& source, const backend::Target& target, Emitted& emitted) {
  std::pmr::monotonic_buffer_resource arena;
  Diagnostics diagnostics;
  sm4::Program program(&arena);
  dxbc::Container container(&arena);
  ir::Module module(&arena);
  if (!library::read_program(source, dxbc::DigestCheck::ignore, program, container, diagnostics)) return;
  if (!library::prepare(program, &target, {}, module, diagnostics)) return;
  library::Emitted out(&arena);
  if (!library::emit(module, target, {}, out, diagnostics)) return;
  if (target.name == "dksh") {
    const DkshProgram& dksh = graphics::program_of(out.host).dksh;
    emitted.words.insert(emitted.words.end(), dksh.words.begin(), dksh.words.end());
  } else {
    const auto* first = reinterpret_cast<const char*>(out.data.data());
    const size_t before = emitted.words.size();
    emitted.words.resize(before + out.data.size() / 8);
    std::memcpy(emitted.words.data() + before, first, out.data.size() / 8 * 8);
  }
  ++emitted.shaders;
}

Emitted translate_corpus(const backend::Target& target) {
  const size_t stride = std::getenv("TEXLATE_EXHAUSTIVE") != nullptr ? 1 : 20;
  Emitted emitted;
  size_t number = 0;
  for (const char* folder : {"games", "pairs", "fxc_suite", "dxbc_suite"}) {
    for (const char* extension : {".asm", ".dxbc"}) {
      for (const fs::path& path : corpus::files(folder, extension)) {
        if (number++ % stride == 0) translate(corpus::read(path), target, emitted);
      }
    }
  }
  return emitted;
}

void judge(const std::vector<uint64_t>& words, const char* architecture) {
  const Folder folder;
  std::ofstream(folder / "code.bin", std::ios::binary)
      .write(reinterpret_cast<const char*>(words.data()), static_cast<std::streamsize>(words.size() * 8));
  const ToolRun judged = run((kJudges / "nvdisasm").string() + " -b " + architecture + " -hex " +
                             (folder / "code.bin").string());
  ASSERT_EQ(judged.status, 0) << judged.output.substr(0, 300);
  const std::map<uint32_t, Line> lines = parse_lines(judged.output);
  uint32_t different = 0;
  for (uint32_t i = 0; i < words.size() / 4 * 3 && different < 10; ++i) {
    const uint32_t address = instruction_address(i);
    const auto line = lines.find(address);
    ASSERT_NE(line, lines.end()) << address;
    const uint64_t word = words[address / 8];
    ASSERT_EQ(line->second.word, word);
    const Control control = decode_control(control_slot(words[i / 3 * 4], i % 3));
    const std::string text = print_with_reuse(word, address, shows_reuse(word) ? control.reuse : 0);
    const bool same = normalise(text) == normalise(line->second.text);
    EXPECT_TRUE(same) << std::hex << word << "\n  nvdisasm: " << line->second.text
                      << "\n  here:     " << text;
    different += same ? 0 : 1;
  }
}

class MaxwellJudge : public testing::TestWithParam<std::pair<const char*, const char*>> {};

TEST_P(MaxwellJudge, EveryWordOverTheCorpusReadsTheSame) {
  TEXLATE_NEEDS_CORPUS();
  if (!judges_present()) GTEST_SKIP() << "no build/judges/bin: run `make judges`";
  const backend::Target* target = library::find_target(GetParam().first);
  ASSERT_NE(target, nullptr);
  const Emitted emitted = translate_corpus(*target);
  ASSERT_GT(emitted.shaders, 50u);
  judge(emitted.words, GetParam().second);
  std::printf("%s: %u shaders, %zu instructions\n", GetParam().first, emitted.shaders,
              emitted.words.size() / 4 * 3);
}

INSTANTIATE_TEST_SUITE_P(Targets, MaxwellJudge,
                         testing::Values(std::pair("maxwell-bin", "SM52"), std::pair("dksh", "SM53")),
                         [](const auto& target) {
                           return std::string(target.param.first == std::string("dksh") ? "Dksh" : "Kernels");
                         });

}  // namespace
}  // namespace texlate::maxwell
