// Reports for programs.

#include <fmt/format.h>

#include "tools/texlate/markup.h"
#include "tools/texlate/suite.h"

namespace texlate::cli {

namespace {

/// Text for XML 1.0: characters that it does not allow become question marks.
std::string xml(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (const std::string_view entity = entity_of(c); !entity.empty()) {
      out += entity;
    } else if (c == '\n') {
      out += "&#10;";
    } else {
      out += c == '\t' || is_printable(c) ? c : '?';
    }
  }
  return out;
}

/// `#` would start a directive.
std::string tap(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '#' || c == '\\') out += '\\';
    out += c == '\n' ? ' ' : c;
  }
  while (out.ends_with(' ')) out.pop_back();
  return out;
}

std::string indented(std::string_view text, std::string_view margin) {
  std::string out;
  for (size_t begin = 0; begin < text.size();) {
    const size_t end = std::min(text.find('\n', begin), text.size());
    out += fmt::format("{}{}\n", margin, text.substr(begin, end - begin));
    begin = end + 1;
  }
  return out;
}

}  // namespace

std::string tap_report(const std::vector<TestResult>& results) {
  std::string out = fmt::format("TAP version 14\n1..{}\n", results.size());
  for (size_t i = 0; i < results.size(); ++i) {
    const TestResult& result = results[i];
    const bool failed = result.outcome == Outcome::failed;
    out += fmt::format("{}ok {} - {}", failed ? "not " : "", i + 1, tap(result.file + ":" + result.name));
    if (result.outcome == Outcome::skipped) out += " # SKIP " + tap(result.message);
    out += '\n';
    if (failed) out += "  ---\n  message: |\n" + indented(result.message, "    ") + "  ...\n";
  }
  return out;
}

std::string junit_report(const std::vector<TestResult>& results) {
  size_t failed = 0, skipped = 0;
  double seconds = 0;
  std::string cases;
  for (const TestResult& result : results) {
    failed += result.outcome == Outcome::failed;
    skipped += result.outcome == Outcome::skipped;
    seconds += result.seconds;
    cases += fmt::format("    <testcase classname=\"{}\" name=\"{}\" time=\"{:.3f}\"", xml(result.file),
                         xml(result.name), result.seconds);
    if (result.outcome == Outcome::failed) {
      cases += fmt::format(">\n      <failure message=\"{}\">{}</failure>\n    </testcase>\n",
                           xml(result.message.substr(0, result.message.find('\n'))), xml(result.message));
    } else if (result.outcome == Outcome::skipped) {
      cases += fmt::format(">\n      <skipped message=\"{}\"/>\n    </testcase>\n", xml(result.message));
    } else {
      cases += "/>\n";
    }
  }
  return fmt::format(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n  <testsuite name=\"texlate\" tests=\"{}\" "
      "failures=\"{}\" skipped=\"{}\" "
      "time=\"{:.3f}\">\n{}  </testsuite>\n</testsuites>\n",
      results.size(), failed, skipped, seconds, cases);
}

}  // namespace texlate::cli
