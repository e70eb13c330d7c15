#include "library/register_ranges.h"

#include <gtest/gtest.h>

namespace texlate::library {

TEST(RegisterRanges, FindsWhatOverlaps) {
  RegisterRanges ranges;
  const RegisterRanges::Subject width{1, 0, 7};
  EXPECT_EQ(ranges.add(width, 4, 7, 10), std::nullopt);
  EXPECT_EQ(ranges.add(width, 0, 2, 11), std::nullopt);
  EXPECT_EQ(ranges.add(width, 9, 0xffffffffu, 12), std::nullopt);
  EXPECT_EQ(ranges.add(width, 3, 3, 13), std::nullopt);
  EXPECT_EQ(ranges.add(width, 7, 8), 10u);
  EXPECT_EQ(ranges.add(width, 8, 9), 12u);
  EXPECT_EQ(ranges.add(width, 2, 2), 11u);
  EXPECT_EQ(ranges.add(width, 0xffffffffu, 0xffffffffu), 12u);
  EXPECT_TRUE(ranges.add(width, 0, 0xffffffffu)) << "around all of them";
  EXPECT_EQ(ranges.add(width, 8, 8), std::nullopt) << "what overlapped was not added";
}

TEST(RegisterRanges, KeepSubjectsApart) {
  RegisterRanges ranges;
  EXPECT_EQ(ranges.add({1, 0, 7}, 0, 9), std::nullopt);
  EXPECT_EQ(ranges.add({2, 0, 7}, 0, 9), std::nullopt);
  EXPECT_EQ(ranges.add({1, 1, 7}, 0, 9), std::nullopt);
  EXPECT_EQ(ranges.add({1, 0, 8}, 0, 9), std::nullopt);
  EXPECT_TRUE(ranges.add({1, 1, 7}, 5, 5));
}

}  // namespace texlate::library
