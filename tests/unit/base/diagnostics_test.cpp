#include "ir/base/diagnostics.h"

#include <gtest/gtest.h>

namespace texlate {
namespace {

TEST(Diagnostics, RendersLineAndCaret) {
  Diagnostics diagnostics;
  diagnostics.error(SourceLocation::text(2, 5, 3), "no such register {}", "r9");
  EXPECT_EQ(render(diagnostics.list()[0], "a.asm", "ps_5_0\nmov r99, r1\r\n"),
            "a.asm:2:5: error: no such register r9\n"
            "    mov r99, r1\n"
            "        ^~~\n");
}

TEST(Diagnostics, ShowsTheFirstLineWithoutItsByteOrderMark) {
  Diagnostics diagnostics;
  diagnostics.error(SourceLocation::text(1, 1, 6), "old");
  EXPECT_EQ(render(diagnostics.list()[0], "a.asm", "\xef\xbb\xbfps_3_0\n"),
            "a.asm:1:1: error: old\n"
            "    ps_3_0\n"
            "    ^~~~~~\n");
}

TEST(Diagnostics, RendersByteOffset) {
  Diagnostics diagnostics;
  diagnostics.warning(SourceLocation::bytes(0x1f4), "wrong digest");
  EXPECT_EQ(render(diagnostics.list()[0], "a.dxbc", {}), "a.dxbc:0x1f4: warning: wrong digest\n");
  EXPECT_FALSE(diagnostics.has_errors());
}

TEST(Diagnostics, RendersWithoutLocation) {
  Diagnostics diagnostics;
  diagnostics.error({}, "empty input");
  EXPECT_EQ(render(diagnostics.list()[0], "a.asm", ""), "a.asm: error: empty input\n");
}

TEST(Diagnostics, ColumnOutsideTheLineGivesNoExcerpt) {
  Diagnostics diagnostics;
  diagnostics.error(SourceLocation::text(1, 50), "x");
  diagnostics.error(SourceLocation::text(7, 1), "y");
  EXPECT_EQ(render(diagnostics.list()[0], "f", "ps_5_0"), "f:1:50: error: x\n");
  EXPECT_EQ(render(diagnostics.list()[1], "f", "ps_5_0"), "f:7:1: error: y\n");
}

TEST(Diagnostics, CutsLongLinesAroundTheCaret) {
  const auto excerpt = [](size_t size, uint32_t column) {
    Diagnostics diagnostics;
    std::string line(size, 'a');
    line[column - 1] = 'X';
    diagnostics.error(SourceLocation::text(1, column, 2), "x");
    return render(diagnostics.list()[0], "f", line);
  };
  const auto expected = [](uint32_t column, std::string_view before, size_t left, size_t right,
                           std::string_view behind) {
    const std::string as(left, 'a');
    return fmt::format("f:1:{}: error: x\n    {}{}X{}{}\n    {}^{}\n", column, before, as,
                       std::string(right, 'a'), behind, std::string(before.size() + left, ' '),
                       right != 0 ? "~" : "");
  };
  EXPECT_EQ(excerpt(5000, 3001), expected(3001, "...", 60, 59, "..."));
  EXPECT_EQ(excerpt(5000, 1), expected(1, "", 0, 119, "..."));
  EXPECT_EQ(excerpt(5000, 61), expected(61, "", 60, 59, "..."));
  EXPECT_EQ(excerpt(5000, 5000), expected(5000, "...", 119, 0, ""));
  EXPECT_EQ(excerpt(121, 61), expected(61, "", 60, 59, "..."));
  EXPECT_EQ(excerpt(121, 62), expected(62, "...", 60, 59, ""));
  EXPECT_EQ(excerpt(120, 62), expected(62, "", 61, 58, ""));
}

// The input, which messages quote, neither commands a terminal nor fills it.
TEST(Diagnostics, QuotesNoControlCharactersAndNoLongWords) {
  const auto quoted = [](const std::string& word) {
    Diagnostics diagnostics;
    diagnostics.error({}, "{}", word);
    return std::string(diagnostics.list()[0].message);
  };
  EXPECT_EQ(quoted("a\x1b[31m\x07\x7f\xc3\xa4\n"), "a [31m  \xc3\xa4\n");
  const std::string most(2000, 'x'), one_less(1999, 'x');
  EXPECT_EQ(quoted(most), most);
  EXPECT_EQ(quoted(most + "x"), most + "...");
  EXPECT_EQ(quoted(one_less + "\xc3\xa4"), one_less + "...");
}

TEST(Diagnostics, StopsAtTheLimit) {
  Diagnostics diagnostics(std::pmr::get_default_resource(), 3);
  for (int i = 0; i < 10; ++i) diagnostics.error({}, "e{}", i);
  EXPECT_TRUE(diagnostics.full());
  EXPECT_EQ(diagnostics.error_count(), 3u);
  EXPECT_EQ(diagnostics.list().size(), 4u);
  EXPECT_EQ(diagnostics.list().back().message, "too many errors, giving up");
}

}  // namespace
}  // namespace texlate
