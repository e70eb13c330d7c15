// Every container of the corpus: decoded, encoded to the same bytes, printed, parsed back; cut, corrupted,
// and given to another tool. listing_corpus_test.cpp compares the text.
#include <gtest/gtest.h>

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>

#include "frontend/asm/parser.h"
#include "frontend/asm/printer.h"
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

/// Ten small real containers of all suites.
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

/// All 255 other values of every byte with TEXLATE_EXHAUSTIVE set, three of them otherwise.
TEST(DxbcCorpus, SingleByteCorruptionsEndInAResultOrADiagnostic) {
  TEXLATE_NEEDS_CORPUS();
  const bool exhaustive = std::getenv("TEXLATE_EXHAUSTIVE") != nullptr;
  size_t count = 0;
  const auto files = ten_containers();
  ASSERT_EQ(files.size(), 10u);
  for (std::string file : files) {
    for (size_t i = 0; i < file.size(); ++i) {
      const char original = file[i];
      for (uint32_t flip = 1; flip < 256; flip = exhaustive ? flip + 1
                                                            : (flip == 1      ? 0x80
                                                               : flip == 0x80 ? 0xff
                                                                              : 256)) {
        file[i] = static_cast<char>(original ^ static_cast<char>(flip));
        read_anything(as_bytes(file));
        ++count;
      }
      file[i] = original;
    }
  }
  std::printf("%zu corruptions of %zu containers\n", count, files.size());
}

/// Assembled containers are read by another tool: vkd3d-compiler checks the digest and translates the code.
TEST(DxbcCorpus, AnotherToolReadsWhatIsAssembled) {
  TEXLATE_NEEDS_CORPUS();
  if (std::system("command -v vkd3d-compiler >/dev/null 2>&1") != 0)
    GTEST_SKIP() << "vkd3d-compiler is not installed";
  const auto folder = std::filesystem::temp_directory_path();
  size_t count = 0;
  size_t accepted = 0;
  size_t digest = 0;
  for (const auto& path : corpus::files("pairs", ".asm")) {
    const std::string text = corpus::read(path);
    const bool plain = text.find("hs_5") == std::string::npos && text.find("ds_5") == std::string::npos &&
                       text.find("gs_") == std::string::npos && text.find("_5_1") == std::string::npos;
    if (!plain || count == 60) continue;
    sm4::Program program;
    Diagnostics diagnostics;
    ASSERT_TRUE(assembly::parse(text, program, diagnostics)) << path;
    std::pmr::vector<std::byte> bytes;
    ASSERT_TRUE(dxbc::write(program, nullptr, bytes, diagnostics)) << path;
    const auto file = folder / ("texlate_assembled_" + std::to_string(getpid()) + ".dxbc");
    std::ofstream(file, std::ios::binary)
        .write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
    const auto log = file.string() + ".log";
    const bool good = std::system(("vkd3d-compiler -x dxbc-tpf -b spirv-binary -o /dev/null " +
                                   file.string() + " >" + log + " 2>&1")
                                      .c_str()) == 0;
    const std::string output = corpus::read(log);
    digest += output.find("hecksum") == std::string::npos;
    ++count;
    accepted += good;
    if (!good) std::printf("%s: %s\n", path.filename().c_str(), output.substr(0, 200).c_str());
    std::filesystem::remove(file);
    std::filesystem::remove(log);
  }
  std::printf("%zu assembled containers, %zu translated by vkd3d-compiler, %zu with a digest it accepts\n",
              count, accepted, digest);
  EXPECT_EQ(digest, count);
  EXPECT_GE(accepted, count * 9 / 10);
}

}  // namespace
}  // namespace texlate
