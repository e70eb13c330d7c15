#include "ir/base/json_location.h"

#include <gtest/gtest.h>

namespace texlate {
namespace {

constexpr std::string_view kText =
    "{ // \"b\": in a comment\n"
    "  \"a\": {\"text\": \"}, \\\"b\\\"\", \"list\": [1, [2], {\"x\": 3}, \"y\"]},\n"
    "  /* \"b\" */ \"b\": 7\n"
    "}\n";

SourceLocation at(std::vector<std::string> path) {
  return locate_in_json(kText, path);
}

TEST(JsonLocation, FindsMembersAndElements) {
  EXPECT_EQ(at({}), SourceLocation::text(1, 1, 1));
  EXPECT_EQ(at({"a"}), SourceLocation::text(2, 3, 3));
  EXPECT_EQ(at({"b"}), SourceLocation::text(3, 13, 3)) << "not the one in the string, nor those in comments";
  EXPECT_EQ(at({"a", "list"}), SourceLocation::text(2, 29, 6));
  EXPECT_EQ(at({"a", "list", "0"}), SourceLocation::text(2, 38, 1));
  EXPECT_EQ(at({"a", "list", "2", "x"}), SourceLocation::text(2, 47, 3));
  EXPECT_EQ(at({"a", "list", "3"}), SourceLocation::text(2, 56, 1));
}

TEST(JsonLocation, StopsAtTheLastPartThatIsThere) {
  EXPECT_EQ(at({"a", "nothing"}), at({"a"}));
  EXPECT_EQ(at({"a", "list", "9"}), at({"a", "list"}));
  EXPECT_EQ(at({"b", "c"}), at({"b"}));
  EXPECT_EQ(at({"c"}), at({}));
}

TEST(JsonLocation, EndsWhereTheTextDoes) {
  for (size_t size = 0; size <= kText.size(); ++size) {
    const std::vector<std::string> path = {"a", "list", "3"};
    EXPECT_LE(locate_in_json(kText.substr(0, size), path).line, 5u);
  }
}

TEST(JsonLocation, NumbersKeys) {
  EXPECT_EQ(locate_key_in_json(kText, 0), at({"a"}));
  EXPECT_EQ(locate_key_in_json(kText, 1), at({"a", "text"}));
  EXPECT_EQ(locate_key_in_json(kText, 2), at({"a", "list"}));
  EXPECT_EQ(locate_key_in_json(kText, 3), at({"a", "list", "2", "x"}));
  EXPECT_EQ(locate_key_in_json(kText, 4), at({"b"}));
  EXPECT_EQ(locate_key_in_json(kText, 5), SourceLocation());
}

TEST(JsonLocation, CountsLinesAndColumns) {
  EXPECT_EQ(location_of_byte("ab\ncd", 0), SourceLocation::text(1, 1, 1));
  EXPECT_EQ(location_of_byte("ab\ncd", 4), SourceLocation::text(2, 2, 1));
  EXPECT_EQ(location_of_byte("ab\n", 99), SourceLocation::text(2, 1, 1));
}

}  // namespace
}  // namespace texlate
