#include "tools/texlate/response_file.h"

#include <gmock/gmock.h>

namespace texlate::cli {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

std::vector<std::string> words_of(std::string_view text) {
  std::vector<std::string> words;
  size_t line = 0;
  EXPECT_TRUE(split_words(text, words, line)) << text;
  return words;
}

TEST(ResponseFile, SplitsAtBlanksAndLines) {
  EXPECT_THAT(words_of("a b\tc\r\nd\n\n e "), ElementsAre("a", "b", "c", "d", "e"));
  EXPECT_THAT(words_of(" \n"), IsEmpty());
  EXPECT_THAT(words_of(""), IsEmpty());
}

TEST(ResponseFile, KeepsQuotedWordsTogether) {
  EXPECT_THAT(words_of("\"a b\" 'c \"d' -o=\"x y\".ptx \"\" \"a\nb\""),
              ElementsAre("a b", "c \"d", "-o=x y.ptx", "", "a\nb"));
  EXPECT_THAT(words_of(R"("a \"b\" \\ \n" 'c\')"), ElementsAre(R"(a "b" \ \n)", R"(c\)"));
}

TEST(ResponseFile, LeavesPathsOfWindowsAlone) {
  EXPECT_THAT(words_of(R"(C:\shaders\a.asm "C:\Program Files\b.asm")"),
              ElementsAre(R"(C:\shaders\a.asm)", R"(C:\Program Files\b.asm)"));
}

TEST(ResponseFile, SkipsCommentsAndTheByteOrderMark) {
  EXPECT_THAT(words_of("\xef\xbb\xbf# all\na#b\n#c\n #d\ne\n#"), ElementsAre("a#b", "#d", "e"));
}

TEST(ResponseFile, NamesTheLineOfAnOpenQuote) {
  for (const std::string_view text : {"a\nb\n'c\n", "\n\nx\"\\\"\n"}) {
    std::vector<std::string> words;
    size_t line = 0;
    EXPECT_FALSE(split_words(text, words, line));
    EXPECT_EQ(line, 3u) << text;
  }
}

}  // namespace
}  // namespace texlate::cli
