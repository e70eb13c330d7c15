#include "tools/texlate/suggestion.h"

#include <gtest/gtest.h>

namespace texlate::cli {
namespace {

TEST(EditDistance, CountsLetters) {
  EXPECT_EQ(edit_distance("", ""), 0u);
  EXPECT_EQ(edit_distance("", "abc"), 3u);
  EXPECT_EQ(edit_distance("spirv", "spriv"), 1u) << "neighbors that swapped";
  EXPECT_EQ(edit_distance("ptx", "px"), 1u);
  EXPECT_EQ(edit_distance("kitten", "sitting"), 3u);
}

TEST(Suggestion, NamesTheNearest) {
  const std::string known[] = {"ptx", "spirv", "spirv-text", "maxwell"};
  EXPECT_EQ(suggestion("spriv", known), "; did you mean spirv?");
  EXPECT_EQ(suggestion("max", known), "; did you mean maxwell?");
  EXPECT_EQ(suggestion("ptc", known), "; did you mean ptx?");
  EXPECT_EQ(suggestion("dxil", known), "");
  EXPECT_EQ(suggestion("", known), "");
}

}  // namespace
}  // namespace texlate::cli
