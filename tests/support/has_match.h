// A matcher of regular expressions that is the same on every system.
#pragma once

#include <gmock/gmock.h>

#include <regex>
#include <string>

namespace texlate::test {

/// Like testing::ContainsRegex, which knows no sets of characters on Windows.
MATCHER_P(HasMatch, pattern, std::string("has a match of ") + pattern) {
  return std::regex_search(std::string(arg), std::regex(std::string(pattern)));
}

}  // namespace texlate::test
