#include "ir/base/platform/files.h"

#include <gtest/gtest.h>

namespace texlate::platform {
namespace {

TEST(PathIn, PutsAFolderBeforeANameThatIsNotAbsolute) {
  EXPECT_EQ(path_in("scenes", "grass.png"), "scenes/grass.png");
  EXPECT_EQ(path_in("scenes/", "../grass.png"), "scenes/../grass.png");
  EXPECT_EQ(path_in("", "grass.png"), "grass.png");
  EXPECT_EQ(path_in("/", "grass.png"), "/grass.png");
  EXPECT_EQ(path_in("scenes", "/dev/null"), "/dev/null");
}

#ifdef _WIN32
TEST(PathIn, KnowsDrivesAndBothSeparatorsOfWindows) {
  EXPECT_EQ(path_in("scenes\\", "grass.png"), "scenes\\grass.png");
  EXPECT_EQ(path_in("scenes", "C:\\grass.png"), "C:\\grass.png");
  EXPECT_EQ(path_in("scenes", "\\grass.png"), "\\grass.png");
}
#endif

}  // namespace
}  // namespace texlate::platform
