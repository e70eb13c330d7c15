// Every container of the corpus: decoded, encoded to the same bytes, printed, parsed back; and compared with
// the listing beside it.
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

/// Stripped containers do not say which disassembler printed them.
assembly::Dialect dialect_of(const dxbc::Container& container, const std::string& listing) {
  if (container.find(dxbc::kResourceTag) != nullptr) return dxbc::dialect_of(container);
  return listing.find("dcl_constantbuffer cb") != std::string::npos ? assembly::Dialect::windows_8
                                                                    : assembly::Dialect::windows_10;
}

/// The listing from its profile line on, without what only some compiler versions write.
std::vector<std::string> code_lines(const std::string& text) {
  std::vector<std::string> lines;
  bool in_code = false;
  size_t at = 0;
  while (at < text.size()) {
    size_t end = std::min(text.find('\n', at), text.size());
    std::string line = text.substr(at, end - at);
    at = end + 1;
    if (!line.empty() && line.back() == '\r') line.pop_back();
    if (!in_code && line.size() == 6 && line[2] == '_' && (line[3] == '4' || line[3] == '5') &&
        line[4] == '_')
      in_code = true;
    if (in_code) lines.push_back(line);
  }
  return lines;
}

TEST(DxbcCorpus, DisassemblyEqualsTheListingBesideIt) {
  TEXLATE_NEEDS_CORPUS();
  size_t lines = 0;
  size_t equal = 0;
  size_t files = 0;
  size_t equal_files = 0;
  size_t programs = 0;
  for (const auto& path : corpus::files("pairs", ".dxbc")) {
    ++files;
    const std::string file = corpus::read(path);
    auto listing_path = path;
    const std::string listing = corpus::read(listing_path.replace_extension(".asm"));
    dxbc::Container container;
    sm4::Program program;
    Diagnostics diagnostics;
    ASSERT_TRUE(dxbc::read(as_bytes(file), container, program, diagnostics)) << path;
    sm4::Program parsed;
    ASSERT_TRUE(assembly::parse(listing, parsed, diagnostics)) << path;
    const std::string difference = sm4::difference(parsed, program, {.ignore_literals = true});
    if (difference.empty()) {
      ++programs;
    } else {
      std::printf("%s: %s\n", path.filename().c_str(), difference.c_str());
    }
    const assembly::PrintOptions options{.header_text = {}, .dialect = dialect_of(container, listing)};
    std::pmr::string text;
    assembly::print(program, options, text);
    const auto expected = code_lines(listing);
    const auto printed = code_lines(std::string(text));
    size_t same = 0;
    for (size_t i = 0; i < expected.size(); ++i) {
      const bool match = i < printed.size() && expected[i] == printed[i];
      same += match;
      if (!match && std::getenv("TEXLATE_SHOW_DIFFERENCES") != nullptr) {
        std::printf("%s\n  - %s|\n  + %s|\n", path.filename().c_str(), expected[i].c_str(),
                    i < printed.size() ? printed[i].c_str() : "(nothing)");
      }
    }
    lines += expected.size();
    equal += same;
    equal_files += same == expected.size() && printed.size() == expected.size();
  }
  std::printf("%zu of %zu lines equal (%.3f %%), %zu of %zu listings in full, %zu programs equal\n", equal,
              lines, 100.0 * static_cast<double>(equal) / static_cast<double>(lines), equal_files, files,
              programs);
  EXPECT_GE(static_cast<double>(equal), 0.99 * static_cast<double>(lines));
  EXPECT_EQ(programs, files);
}

/// Header comments: how many of the listing's header lines are found in ours, in order. Level-9 tables and
/// listings, and buffer definitions of stripped containers, are not to be had from our chunks.
TEST(DxbcCorpus, HeaderCommentsResembleTheListings) {
  TEXLATE_NEEDS_CORPUS();
  size_t lines = 0;
  size_t found = 0;
  for (const auto& path : corpus::files("pairs", ".dxbc")) {
    const std::string file = corpus::read(path);
    auto listing_path = path;
    const std::string listing = corpus::read(listing_path.replace_extension(".asm"));
    if (listing.find("Level9") != std::string::npos) continue;
    dxbc::Container container;
    sm4::Program program;
    Diagnostics diagnostics;
    ASSERT_TRUE(dxbc::read(as_bytes(file), container, program, diagnostics));
    std::pmr::string header;
    dxbc::print_header(container, program, dialect_of(container, listing), header);
    size_t at = 0;
    size_t position = 0;
    while (at < listing.size()) {
      size_t end = std::min(listing.find('\n', at), listing.size());
      std::string line = listing.substr(at, end - at);
      at = end + 1;
      if (!line.empty() && line.back() == '\r') line.pop_back();
      if (!line.starts_with("//")) break;
      if (line == "//") continue;
      ++lines;
      const size_t place = header.find(line + "\n", position);
      if (place != std::pmr::string::npos) {
        ++found;
        position = place + line.size();
      } else if (std::getenv("TEXLATE_SHOW_DIFFERENCES") != nullptr) {
        std::printf("%s\n  h %s|\n", path.filename().c_str(), line.c_str());
      }
    }
  }
  std::printf("%zu of %zu header lines found (%.2f %%)\n", found, lines,
              100.0 * static_cast<double>(found) / static_cast<double>(lines));
  EXPECT_GE(static_cast<double>(found), 0.9 * static_cast<double>(lines));
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
