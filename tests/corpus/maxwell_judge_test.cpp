// Every word that the Maxwell targets emit over the corpus, in kernels and programs of deko3d: nvdisasm of
// CUDA 12 must read each word and print the same text as this project. Skipped without the corpus or without
// NVIDIA's tools. Covers a part of the corpus; TEXLATE_EXHAUSTIVE=1: all of it.
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>

#include "backend/maxwell/graphics/program.h"
#include "backend/maxwell/isa/program.h"
#include "backend/maxwell/target.h"
#include "library/pipeline.h"
#include "tests/corpus/corpus.h"
#include "tests/support/examples.h"
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
  // Domain shaders come without their hull shaders.
  const graphics::HullFacts hull{module.tessellator_domain, 1, 2, {}};
  TargetOptions own;
  own.hull = &hull;
  backend::Options options;
  options.own = &own;
  if (!library::emit(module, target, options, out, diagnostics)) return;
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
    const bool same = normalize(text) == normalize(line->second.text);
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

/// The cubin of a kernel; empty if the target refuses the shader.
std::string cubin_of(const std::string& source) {
  std::pmr::monotonic_buffer_resource arena;
  Diagnostics diagnostics;
  sm4::Program program(&arena);
  dxbc::Container container(&arena);
  ir::Module module(&arena);
  const backend::Target* target = library::find_target("cubin");
  library::Emitted out(&arena);
  if (!library::read_program(source, dxbc::DigestCheck::ignore, program, container, diagnostics) ||
      !library::prepare(program, target, {}, module, diagnostics) ||
      !library::emit(module, *target, {}, out, diagnostics)) {
    return {};
  }
  return std::string(out.data);
}

/// nvdisasm rebuilds the control flow and checks the schedule ("Wrong Anti dependency order"); cuobjdump
/// reads the container. Neither may say anything but the listing.
void expect_accepted(const std::string& cubin, const std::string& name) {
  const Folder folder;
  const std::string file = folder / "kernel.cubin";
  std::ofstream(file, std::ios::binary) << cubin;
  for (const char* tool : {"nvdisasm -c", "cuobjdump -sass"}) {
    const ToolRun judged = run("( " + (kJudges / tool).string() + " " + file + " > /dev/null )");
    EXPECT_EQ(judged.status, 0) << name << ": " << tool;
    EXPECT_EQ(judged.output, "") << name << ": " << tool;
  }
}

TEST(MaxwellCubins, NvidiasToolsAcceptTheExamples) {
  if (!judges_present()) GTEST_SKIP() << "no build/judges/bin: run `make judges`";
  uint32_t accepted = 0;
  for (const std::string& name : test::example_names()) {
    const std::string cubin = cubin_of(corpus::read(test::kShaders + "/" + name + ".asm"));
    ASSERT_NE(cubin, "") << name;
    expect_accepted(cubin, name);
    ++accepted;
  }
  EXPECT_GT(accepted, 8u);
}

// Every operation that is computed by several instructions of different units.
TEST(MaxwellCubins, NvidiasToolsAcceptSpecialFunctions) {
  if (!judges_present()) GTEST_SKIP() << "no build/judges/bin: run `make judges`";
  const std::string cubin = cubin_of(
      "ps_5_0\ndcl_input_ps linear v0.xyzw\ndcl_output o0.xyzw\ndcl_temps 2\nexp r0.x, v0.x\n"
      "sincos r0.y, r0.z, v0.y\nadd r1.x, r0.x, l(-0.5)\ndiscard_nz r1.x\ndiv r1.xy, l(1,1,1,1), v0.zwzz\n"
      "add r0.yz, r0.yyzy, r1.xxyx\nsqrt r0.w, v0.w\nmov o0.xyzw, r0.xyzw\nret\n");
  ASSERT_NE(cubin, "");
  expect_accepted(cubin, "special functions");
}

// One shader in twenty; TEXLATE_EXHAUSTIVE=1: all.
TEST(MaxwellCubins, NvidiasToolsAcceptTheCorpus) {
  TEXLATE_NEEDS_CORPUS();
  if (!judges_present()) GTEST_SKIP() << "no build/judges/bin: run `make judges`";
  const size_t stride = std::getenv("TEXLATE_EXHAUSTIVE") != nullptr ? 1 : 20;
  uint32_t accepted = 0;
  const auto files = corpus::files("games", ".asm");
  for (size_t i = 0; i < files.size(); i += stride) {
    const std::string cubin = cubin_of(corpus::read(files[i]));
    if (cubin.empty()) continue;
    expect_accepted(cubin, files[i].filename().string());
    ++accepted;
  }
  EXPECT_GE(accepted, 290 / stride);
  std::printf("%u cubins\n", accepted);
}

INSTANTIATE_TEST_SUITE_P(Targets, MaxwellJudge,
                         testing::Values(std::pair("maxwell-bin", "SM52"), std::pair("dksh", "SM53")),
                         [](const auto& target) {
                           return std::string(target.param.first == std::string("dksh") ? "Dksh" : "Kernels");
                         });

}  // namespace
}  // namespace texlate::maxwell
