// Compares the disassembly of every container of ../shared/corpus/pairs with its listing.
#include <gtest/gtest.h>

#include <cstdlib>

#include "frontend/asm/parser.h"
#include "frontend/asm/printer.h"
#include "frontend/dxbc/listing.h"
#include "frontend/dxbc/read.h"
#include "frontend/sm4/compare.h"
#include "tests/corpus/corpus.h"

namespace texlate {
namespace {

std::span<const std::byte> as_bytes(const std::string& text) {
  return std::as_bytes(std::span<const char>(text));
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  for (size_t at = 0; at < text.size();) {
    const size_t end = std::min(text.find('\n', at), text.size());
    lines.push_back(text.substr(at, end - at));
    if (!lines.back().empty() && lines.back().back() == '\r') lines.back().pop_back();
    at = end + 1;
  }
  return lines;
}

/// Stripped containers do not show which disassembler printed them.
assembly::Dialect dialect_of(const dxbc::Container& container, const std::string& listing) {
  if (container.find(dxbc::kResourceTag) != nullptr) return dxbc::dialect_of(container);
  return listing.find("dcl_constantbuffer cb") != std::string::npos ? assembly::Dialect::windows_8
                                                                    : assembly::Dialect::windows_10;
}

/// The listing from its profile line on.
std::vector<std::string> code_lines(const std::string& text) {
  std::vector<std::string> lines = lines_of(text);
  const auto is_profile = [](const std::string& line) {
    return line.size() == 6 && line[2] == '_' && (line[3] == '4' || line[3] == '5') && line[4] == '_';
  };
  lines.erase(lines.begin(), std::find_if(lines.begin(), lines.end(), is_profile));
  return lines;
}

TEST(ListingCorpus, DisassemblyEqualsTheListingBesideIt) {
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

/// What a listing has that no chunk of its container contains, or that its owners changed, by class.
struct Explained {
  size_t command_lines = 0;    // `//   fxc /nologo ...`, which fxc writes into the header files that it
                               // creates
  size_t slashes = 0;          // `///`, an edit
  size_t trailing_blanks = 0;  // removed by editors
  size_t direct3d9_debug = 0;  // lines and names in the Direct3D 9 listing, out of its debugging comments
  size_t c_library = 0;  // huge floats with digits that are not zeros: a disassembler with another C library
};

bool is_blank_or_line_mark(const std::string& line) {
  return line.empty() || line.starts_with("#line");
}

/// The listing without the explained parts.
std::vector<std::string> comparable(const std::string& listing, Explained& explained) {
  const std::vector<std::string> all = lines_of(listing);
  std::vector<std::string> kept;
  bool direct3d9 = false;
  const bool direct3d9_debug = listing.find("\n#line") != std::string::npos;
  for (size_t i = 0; i < all.size(); ++i) {
    std::string line = all[i];
    if (line.starts_with("//   fxc ")) {  // up to the next two empty comments
      while (i < all.size() && all[i] != "//") ++i, ++explained.command_lines;
      i += 1;
      continue;
    }
    if (line == "///") {
      ++explained.slashes;
      continue;
    }
    direct3d9 |= line == "// Level9 shader bytecode:";
    direct3d9 &= !line.starts_with("// approximately");
    if (direct3d9 && direct3d9_debug && is_blank_or_line_mark(line)) {
      ++explained.direct3d9_debug;
      continue;
    }
    const size_t comment = direct3d9 && line.starts_with("    ") ? line.find("  // ") : std::string::npos;
    if (comment != std::string::npos) {
      line.resize(comment);
      ++explained.direct3d9_debug;
    }
    kept.push_back(line);
  }
  return kept;
}

std::string without_trailing_blanks(const std::string& line) {
  return line.substr(0, line.find_last_not_of(' ') + 1);
}

bool has_huge_float(const std::string& line) {
  const size_t point = line.find(".000000");
  return point != std::string::npos && point >= 22;
}

/// Every line of a listing that fxc or its disassembler wrote, from the first comment to the slot count, must
/// equal ours, except for the explained parts.
TEST(ListingCorpus, WholeListingsEqualTheDisassembly) {
  TEXLATE_NEEDS_CORPUS();
  size_t files = 0;
  size_t lines = 0;
  size_t without_header = 0;
  size_t level9 = 0;
  size_t different = 0;
  Explained explained;
  for (const auto& path : corpus::files("pairs", ".dxbc")) {
    const std::string file = corpus::read(path);
    auto listing_path = path;
    const std::string listing = corpus::read(listing_path.replace_extension(".asm"));
    if (!listing.starts_with("//")) {  // copied into a source file by people
      ++without_header;
      continue;
    }
    ++files;
    dxbc::Container container;
    sm4::Program program;
    Diagnostics diagnostics;
    ASSERT_TRUE(dxbc::read(as_bytes(file), container, program, diagnostics)) << path;
    level9 += container.find(dxbc::kLevel9Tag) != nullptr;
    std::pmr::string text;
    const assembly::PrintOptions options{.header_text = {}, .dialect = dialect_of(container, listing)};
    dxbc::disassemble(container, program, options, text);
    const auto expected = comparable(listing, explained);
    // In a listing with #line, the blank line before the Direct3D 9 listing's slot count is removed with the
    // others.
    auto printed = lines_of(std::string(text));
    if (listing.find("\n#line") != std::string::npos) std::erase(printed, "");
    ASSERT_EQ(expected.size(), printed.size()) << path;
    for (size_t i = 0; i < expected.size(); ++i) {
      ++lines;
      if (expected[i] == printed[i]) continue;
      if (expected[i] == without_trailing_blanks(printed[i])) {
        ++explained.trailing_blanks;
      } else if (has_huge_float(expected[i])) {
        ++explained.c_library;
      } else {
        ++different;
        ADD_FAILURE() << path << "\n- " << expected[i] << "\n+ " << printed[i];
      }
    }
  }
  std::printf(
      "%zu listings (%zu of level 9), %zu lines: %zu differ. Not in the chunks or changed by their owners: "
      "%zu lines "
      "of fxc's command line, %zu of '///', %zu trailing blanks, %zu lines and names of Direct3D 9 debugging "
      "comments, %zu huge floats of another C library; %zu listings without a header\n",
      files, level9, lines, different, explained.command_lines, explained.slashes, explained.trailing_blanks,
      explained.direct3d9_debug, explained.c_library, without_header);
  EXPECT_EQ(different, 0u);
  EXPECT_GT(files, 300u);
}

}  // namespace
}  // namespace texlate
