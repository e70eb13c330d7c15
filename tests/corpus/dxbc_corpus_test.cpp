// Every container of the corpus: decoded, encoded to the same bytes, printed, parsed back; cut, corrupted,
// and given to another tool. listing_corpus_test.cpp compares the text.
#include <gtest/gtest.h>

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <numeric>

#include "frontend/asm/parser.h"
#include "frontend/asm/printer.h"
#include "frontend/dxbc/features.h"
#include "frontend/dxbc/listing.h"
#include "frontend/dxbc/read.h"
#include "frontend/dxbc/tokens.h"
#include "frontend/sm4/compare.h"
#include "frontend/sm4/validate.h"
#include "tests/corpus/corpus.h"

namespace texlate {
namespace {

std::span<const std::byte> as_bytes(const std::string& text) {
  return std::as_bytes(std::span<const char>(text));
}

std::string all(const Diagnostics& diagnostics, const std::filesystem::path& path) {
  std::string text;
  for (const Diagnostic& diagnostic : diagnostics.list())
    text += render(diagnostic, path.filename().string(), {});
  return text;
}

const std::vector<std::string> kContainerFolders = {"pairs", "fxc_suite", "dxbc_suite", "hlsl_suite"};

TEST(DxbcCorpus, EncodesToTheSameBytes) {
  TEXLATE_NEEDS_CORPUS();
  size_t count = 0;
  size_t whole = 0;
  for (const std::string& folder : kContainerFolders) {
    for (const auto& path : corpus::files(folder, ".dxbc")) {
      ++count;
      const std::string file = corpus::read(path);
      dxbc::Container container;
      sm4::Program program;
      Diagnostics diagnostics;
      ASSERT_TRUE(dxbc::read(as_bytes(file), container, program, diagnostics)) << path << "\n"
                                                                               << all(diagnostics, path);
      std::pmr::vector<uint32_t> code;
      ASSERT_TRUE(dxbc::encode_tokens(program, code, diagnostics)) << path;
      const dxbc::Chunk* chunk = container.find(dxbc::kCodeTag5);
      if (chunk == nullptr) chunk = container.find(dxbc::kCodeTag4);
      const auto original = container.data(*chunk);
      size_t i = 0;
      while (i < code.size() && i * 4 + 4 <= original.size() &&
             std::memcmp(&code[i], original.data() + i * 4, 4) == 0)
        ++i;
      EXPECT_TRUE(code.size() * 4 == original.size() && i == code.size())
          << path << " dword " << i << " of " << original.size() / 4 << " offset 0x" << std::hex
          << chunk->offset + 4 * i;
      std::pmr::vector<std::byte> rewritten;
      ASSERT_TRUE(dxbc::write(program, &container, rewritten, diagnostics));
      whole +=
          rewritten.size() == file.size() && std::memcmp(rewritten.data(), file.data(), file.size()) == 0;
    }
  }
  std::printf("%zu containers, all with identical code; %zu identical as a whole\n", count, whole);
  EXPECT_GT(count, 1000u);
}

TEST(DxbcCorpus, DisassemblyParsesToAnEqualProgram) {
  TEXLATE_NEEDS_CORPUS();
  for (const std::string& folder : kContainerFolders) {
    for (const auto& path : corpus::files(folder, ".dxbc")) {
      const std::string file = corpus::read(path);
      dxbc::Container container;
      sm4::Program program;
      Diagnostics diagnostics;
      ASSERT_TRUE(dxbc::read(as_bytes(file), container, program, diagnostics)) << path;
      std::pmr::string text;
      assembly::print(program,
                      {.exact_literals = true,
                       .header = true,
                       .header_text = {},
                       .dialect = assembly::Dialect::windows_10},
                      text);
      sm4::Program parsed;
      Diagnostics errors;
      ASSERT_TRUE(assembly::parse(text, parsed, errors)) << path << "\n"
                                                         << render(errors.list()[0], "text", text);
      EXPECT_EQ(sm4::difference(program, parsed), "") << path;
    }
  }
}

TEST(DxbcCorpus, FeaturesAndSignatureFormsAreThoseOfTheCompiler) {
  TEXLATE_NEEDS_CORPUS();
  constexpr uint64_t kNotInTokens = 0x80 | 0x800;
  size_t with_features = 0;
  for (const std::string& folder : kContainerFolders) {
    for (const auto& path : corpus::files(folder, ".dxbc")) {
      const std::string file = corpus::read(path);
      dxbc::Container container;
      sm4::Program program;
      Diagnostics diagnostics;
      ASSERT_TRUE(dxbc::read(as_bytes(file), container, program, diagnostics)) << path;
      std::pmr::vector<std::byte> bytes;
      ASSERT_TRUE(dxbc::write(program, nullptr, bytes, diagnostics)) << path;
      dxbc::Container written;
      sm4::Program again;
      ASSERT_TRUE(dxbc::read(bytes, written, again, diagnostics)) << path;
      if (const uint64_t stored = dxbc::feature_flags(container); stored != 0) {
        ++with_features;
        EXPECT_EQ(dxbc::feature_flags(written) & ~kNotInTokens, stored & ~kNotInTokens) << path;
      }
      if (container.chunks[0].tag == dxbc::kCodeTag5) continue;  // from another assembler
      for (const char* tag : {"ISGN", "ISG1", "OSGN", "OSG5", "OSG1", "PCSG", "PSG1"}) {
        if (container.find(dxbc::fourcc(tag)) == nullptr) continue;
        EXPECT_NE(written.find(dxbc::fourcc(tag)), nullptr) << path << " " << tag;
      }
    }
  }
  EXPECT_GT(with_features, 50u);
}

TEST(DxbcCorpus, ContainersAreValid) {
  TEXLATE_NEEDS_CORPUS();
  for (const std::string& folder : kContainerFolders) {
    for (const auto& path : corpus::files(folder, ".dxbc")) {
      const std::string file = corpus::read(path);
      dxbc::Container container;
      sm4::Program program;
      Diagnostics diagnostics;
      ASSERT_TRUE(dxbc::read(as_bytes(file), container, program, diagnostics)) << path;
      EXPECT_TRUE(sm4::validate(program, diagnostics) || corpus::is_known_to_be_wrong(path))
          << all(diagnostics, path);
    }
  }
}

/// Ten small real containers of every suite.
std::vector<std::string> ten_containers() {
  std::vector<std::string> files;
  for (const std::string& folder : kContainerFolders) {
    size_t taken = 0;
    for (const auto& path : corpus::files(folder, ".dxbc")) {
      if (taken == 3 || files.size() == 10) break;
      const std::string file = corpus::read(path);
      if (file.size() > 3000 || file.size() < 600) continue;
      files.push_back(file);
      ++taken;
    }
  }
  return files;
}

void read_anything(std::span<const std::byte> bytes) {
  dxbc::Container container;
  sm4::Program program;
  Diagnostics diagnostics;
  const bool good = dxbc::read(bytes, container, program, diagnostics);
  ASSERT_EQ(good, !diagnostics.has_errors());
  sm4::validate(program, diagnostics);
  std::pmr::string text;
  dxbc::disassemble(container, program, {}, text);
}

TEST(DxbcCorpus, TruncationsAtEveryByteEndInADiagnostic) {
  TEXLATE_NEEDS_CORPUS();
  size_t count = 0;
  for (const std::string& folder : kContainerFolders) {
    size_t taken = 0;
    for (const auto& path : corpus::files(folder, ".dxbc")) {
      const std::string file = corpus::read(path);
      if (file.size() > 4000 || ++taken > 10) continue;
      for (size_t n = 0; n < file.size(); ++n, ++count) {
        dxbc::Container container;
        sm4::Program program;
        Diagnostics diagnostics;
        ASSERT_FALSE(dxbc::read(as_bytes(file).first(n), container, program, diagnostics))
            << path << " " << n;
        ASSERT_TRUE(diagnostics.has_errors());
      }
    }
  }
  std::printf("%zu truncations\n", count);
}

/// With TEXLATE_EXHAUSTIVE set (ctest's dxbc_every_corruption), all 255 other values of every byte; otherwise
/// three of them.
TEST(DxbcCorpus, SingleByteCorruptionsEndInAResultOrADiagnostic) {
  TEXLATE_NEEDS_CORPUS();
  std::vector<uint8_t> changes = {0x01, 0x80, 0xff};
  if (std::getenv("TEXLATE_EXHAUSTIVE") != nullptr) {
    changes.resize(255);
    std::iota(changes.begin(), changes.end(), uint8_t{1});
  }
  size_t count = 0;
  const auto files = ten_containers();
  ASSERT_EQ(files.size(), 10u);
  for (std::string file : files) {
    for (char& byte : file) {
      const char original = byte;
      for (const uint8_t change : changes) {
        byte = static_cast<char>(original ^ static_cast<char>(change));
        read_anything(as_bytes(file));
        ++count;
      }
      byte = original;
    }
  }
  std::printf("%zu corruptions of %zu containers\n", count, files.size());
}

/// What vkd3d-compiler 1.2 refuses, whichever program assembled it.
struct Refused {
  std::string_view name;
  std::string_view reason;
};
constexpr Refused kRefused[] = {
    {"call2", "does not know call"},
    {"cyclecounter", "does not know vCycleCounter"},
    {"hs3", "no message; the same for the original container"},
    {"test_dxilconv_asm__4_hs_5_0", "no message"},
    {"lib_vkd3d-proton__19_ps_5_0", "does not know dmovc"},
    {"lib_vkd3d-proton__20_ps_5_0", "does not know dmov"},
    {"vkd3d-proton_ps_dmax_code_ps_5_0_0c9a32", "does not know dmax"},
    {"test_3Dmigoto__2_gs_5_0", "does not know dcl_output_sgv"},
    {"vkd3d_ps_break_code_ps_4_0_21b3ac", "wrong: break outside of a loop"},
    {"patched__The_Park__12_ps_5_0", "wrong: registers that are not declared"},
    {"cbuffer__52_ps_5_1", "wrong: t0 is not declared"},
};

const Refused* find_refused(const std::filesystem::path& path) {
  for (const Refused& refused : kRefused) {
    if (refused.name == path.stem().string()) return &refused;
  }
  return nullptr;
}

/// Another tool reads containers assembled from every listing: vkd3d-compiler checks the digest, reads the
/// signatures and translates the code.
TEST(DxbcCorpus, AnotherToolReadsWhatIsAssembled) {
  TEXLATE_NEEDS_CORPUS();
  if (std::system("command -v vkd3d-compiler >/dev/null 2>&1") != 0)
    GTEST_SKIP() << "vkd3d-compiler is not installed";
  const auto file =
      std::filesystem::temp_directory_path() / fmt::format("texlate_assembled_{}.dxbc", getpid());
  const auto log = file.string() + ".log";
  const std::string command =
      "vkd3d-compiler -x dxbc-tpf -b spirv-binary -o /dev/null " + file.string() + " >" + log + " 2>&1";
  size_t count = 0;
  size_t accepted = 0;
  for (const char* folder : {"games", "pairs", "fxc_suite", "hlsl_suite"}) {
    for (const auto& path : corpus::files(folder, ".asm")) {
      sm4::Program program;
      Diagnostics diagnostics;
      ASSERT_TRUE(assembly::parse(corpus::read(path), program, diagnostics)) << path;
      std::pmr::vector<std::byte> bytes;
      ASSERT_TRUE(dxbc::write(program, nullptr, bytes, diagnostics)) << path;
      std::ofstream(file, std::ios::binary)
          .write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
      ++count;
      if (std::system(command.c_str()) == 0) {
        ++accepted;
        continue;
      }
      const std::string output = corpus::read(log);
      EXPECT_EQ(output.find("hecksum"), std::string::npos) << path << " has a wrong digest";
      if (const Refused* refused = find_refused(path)) {
        std::printf("%s: %s\n", path.filename().c_str(), std::string(refused->reason).c_str());
      } else {
        ADD_FAILURE() << path << ": " << output.substr(0, 200);
      }
    }
  }
  std::filesystem::remove(file);
  std::filesystem::remove(log);
  std::printf("%zu of %zu assembled containers translated by vkd3d-compiler\n", accepted, count);
  EXPECT_GT(accepted, 1000u);
}

}  // namespace
}  // namespace texlate
