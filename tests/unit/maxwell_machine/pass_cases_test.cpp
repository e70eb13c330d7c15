// The cases in passes/PASS.txt: a comment that says what is shown, a function, "=>", and the function after
// the pass; "=> the same" if it stays as it is. TEXLATE_UPDATE_DOCS=1 rewrites what is after the arrows. The
// comment may begin with options (RunOptions): "registers=3", "goal=0", "dual".
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <vector>

#include "backend/maxwell/machine/pass_log.h"
#include "tests/unit/maxwell_machine/run_pass.h"

namespace texlate::maxwell::machine::test {
namespace {

struct Case {
  std::string comment, before, after;
};

std::vector<std::string> lines_of(const std::string& path) {
  std::ifstream stream(path);
  std::vector<std::string> lines;
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

/// Cases are separated by empty lines.
std::vector<Case> read_cases(const std::string& path) {
  std::vector<Case> cases;
  bool is_after = false, is_open = false;
  for (const std::string& line : lines_of(path)) {
    if (line.empty()) {
      is_open = false;
      continue;
    }
    if (!is_open) cases.emplace_back();
    if (!is_open) is_after = false;
    is_open = true;
    Case& one = cases.back();
    if (line.starts_with("; ")) {
      one.comment += line.substr(2) + '\n';
    } else if (line.starts_with("=>")) {
      is_after = true;
      if (line == "=> the same") one.after = one.before;
    } else {
      (is_after ? one.after : one.before) += line + '\n';
    }
  }
  return cases;
}

RunOptions options_of(const Case& one) {
  RunOptions options;
  const auto number = [&](std::string_view name, unsigned otherwise) {
    if (!one.comment.starts_with(name)) return otherwise;
    return static_cast<unsigned>(std::stoul(one.comment.substr(name.size())));
  };
  options.registers = number("registers=", options.registers);
  options.register_goal = number("goal=", options.register_goal);
  options.dual_issue = one.comment.starts_with("dual");
  return options;
}

std::string text_of(const std::vector<Case>& cases) {
  std::string out;
  for (const Case& one : cases) {
    if (!out.empty()) out += '\n';
    for (size_t at = 0; at < one.comment.size();) {
      const size_t end = one.comment.find('\n', at);
      out += "; " + one.comment.substr(at, end - at) + '\n';
      at = end + 1;
    }
    out += one.before;
    out += one.after == one.before ? "=> the same\n" : "=>\n" + one.after;
  }
  return out;
}

TEST(PassCases, AreWhatPassesDo) {
  for (const std::string_view pass : kPassNames) {
    if (pass == kSelect) continue;
    const std::string path = "tests/unit/maxwell_machine/passes/" + std::string(pass) + ".txt";
    std::vector<Case> cases = read_cases(path);
    EXPECT_GE(cases.size(), 3u) << path;
    for (Case& one : cases) {
      const std::string text = run_pass(pass, one.before, options_of(one));
      if (std::getenv("TEXLATE_UPDATE_DOCS") != nullptr) one.after = text;
      EXPECT_EQ(text, one.after) << path << ": " << one.comment;
    }
    if (std::getenv("TEXLATE_UPDATE_DOCS") != nullptr) std::ofstream(path) << text_of(cases);
  }
}

}  // namespace
}  // namespace texlate::maxwell::machine::test
