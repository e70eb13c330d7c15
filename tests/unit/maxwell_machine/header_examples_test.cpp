// The examples in the headers of passes: what is under "After:" is what the pass makes of what is under
// "Before:". TEXLATE_UPDATE_DOCS=1 rewrites the former.
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <iterator>

#include "backend/maxwell/machine/pass_log.h"
#include "tests/unit/maxwell_machine/run_pass.h"

namespace texlate::maxwell::machine::test {
namespace {

/// A header as the parts around its two texts.
struct Header {
  std::string before_text, after_text;
  size_t after_begin = 0, after_end = 0;  // of the lines under "After:"
};

std::string read_file(const std::string& path) {
  std::ifstream stream(path);
  return {std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
}

/// Lines "//   text" from `at` on. Sets `at` to their end.
std::string take_text(const std::string& file, size_t& at) {
  constexpr std::string_view kPrefix = "//   ";
  std::string out;
  while (file.compare(at, kPrefix.size(), kPrefix) == 0) {
    const size_t end = file.find('\n', at);
    out += file.substr(at + kPrefix.size(), end - at - kPrefix.size()) + '\n';
    at = end + 1;
  }
  return out;
}

bool split(const std::string& file, Header& header) {
  constexpr std::string_view kBefore = "// Before:\n", kAfter = "//\n// After:\n";
  size_t at = file.find(kBefore);
  if (at == std::string::npos) return false;
  at += kBefore.size();
  header.before_text = take_text(file, at);
  if (file.compare(at, kAfter.size(), kAfter) != 0) return false;
  header.after_begin = header.after_end = at + kAfter.size();
  header.after_text = take_text(file, header.after_end);
  return true;
}

RunOptions options_of(std::string_view pass) {
  RunOptions options;
  if (pass == kSpill) options.registers = 3;
  return options;
}

void update(const std::string& path, const std::string& file, const Header& header, const std::string& text) {
  std::string lines;
  for (size_t at = 0; at < text.size();) {
    const size_t end = text.find('\n', at);
    lines += "//   " + text.substr(at, end - at) + '\n';
    at = end + 1;
  }
  std::ofstream(path) << file.substr(0, header.after_begin) << lines << file.substr(header.after_end);
}

TEST(HeaderExamples, AreWhatPassesDo) {
  for (const std::string_view pass : kPassNames) {
    if (pass == kSelect) continue;
    const std::string path = "backend/maxwell/machine/" + std::string(pass) + ".h";
    const std::string file = read_file(path);
    Header header;
    ASSERT_TRUE(split(file, header)) << path << " has no example";
    const std::string text = run_pass(pass, header.before_text, options_of(pass));
    EXPECT_NE(text, header.before_text) << path << ": the pass changes nothing";
    if (std::getenv("TEXLATE_UPDATE_DOCS") != nullptr) update(path, file, header, text);
    EXPECT_EQ(text, header.after_text) << path;
  }
}

}  // namespace
}  // namespace texlate::maxwell::machine::test
