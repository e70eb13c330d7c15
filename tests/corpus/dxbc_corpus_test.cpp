// Every container of the corpus: decoded, encoded to the same bytes, printed, parsed back; and compared with the listing
// beside it.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <map>

#include "frontend/asm/parser.h"
#include "frontend/asm/printer.h"
#include "frontend/dxbc/read.h"
#include "frontend/dxbc/tokens.h"
#include "frontend/sm4/compare.h"
#include "tests/corpus/corpus.h"

namespace texlate {
namespace {

std::span<const std::byte> as_bytes(const std::string& text) { return std::as_bytes(std::span<const char>(text)); }

std::string all(const Diagnostics& diagnostics, const std::filesystem::path& path) {
  std::string text;
  for (const Diagnostic& diagnostic : diagnostics.list()) text += render(diagnostic, path.filename().string(), {});
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
      ASSERT_TRUE(dxbc::read(as_bytes(file), container, program, diagnostics)) << path << "\n" << all(diagnostics, path);
      std::pmr::vector<uint32_t> code;
      ASSERT_TRUE(dxbc::encode_tokens(program, code, diagnostics)) << path;
      const dxbc::Chunk* chunk = container.find(dxbc::kCodeTag5);
      if (chunk == nullptr) chunk = container.find(dxbc::kCodeTag4);
      const auto original = container.data(*chunk);
      size_t i = 0;
      while (i < code.size() && i * 4 + 4 <= original.size() && std::memcmp(&code[i], original.data() + i * 4, 4) == 0) ++i;
      EXPECT_TRUE(code.size() * 4 == original.size() && i == code.size())
          << path << " dword " << i << " of " << original.size() / 4 << " offset 0x" << std::hex << chunk->offset + 4 * i;
      std::pmr::vector<std::byte> rewritten;
      ASSERT_TRUE(dxbc::write(program, &container, rewritten, diagnostics));
      whole += rewritten.size() == file.size() && std::memcmp(rewritten.data(), file.data(), file.size()) == 0;
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
      assembly::print(program, {.exact_literals = true, .header = true, .header_text = {}, .dialect = assembly::Dialect::d3dcompiler_47}, text);
      sm4::Program parsed;
      Diagnostics errors;
      ASSERT_TRUE(assembly::parse(text, parsed, errors)) << path << "\n" << render(errors.list()[0], "text", text);
      EXPECT_EQ(sm4::difference(program, parsed), "") << path;
    }
  }
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
    if (!in_code && line.size() == 6 && line[2] == '_' && (line[3] == '4' || line[3] == '5') && line[4] == '_') in_code = true;
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
    assembly::PrintOptions options;
    if (listing.find("dcl_constantbuffer CB") != std::string::npos) options.dialect = assembly::Dialect::d3dcompiler_47;
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
  std::printf("%zu of %zu lines equal (%.3f %%), %zu of %zu listings in full, %zu programs equal\n", equal, lines,
              100.0 * static_cast<double>(equal) / static_cast<double>(lines), equal_files, files, programs);
  EXPECT_GE(static_cast<double>(equal), 0.99 * static_cast<double>(lines));
  EXPECT_EQ(programs, files);
}

}  // namespace
}  // namespace texlate
