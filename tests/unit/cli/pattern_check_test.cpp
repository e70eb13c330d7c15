#include "tools/texlate/pattern_check.h"

#include <gtest/gtest.h>

namespace texlate::cli {
namespace {

/// Applies checks, one per line, to a text: "" if they pass, otherwise the first message.
std::string outcome(std::string_view checks, std::string_view text) {
  std::vector<Check> list;
  Diagnostics diagnostics;
  uint32_t line = 0;
  while (!checks.empty()) {
    const size_t end = std::min(checks.find('\n'), checks.size());
    read_check(checks.substr(0, end), "CHECK", ++line, list, diagnostics);
    checks.remove_prefix(std::min(end + 1, checks.size()));
  }
  if (!diagnostics.has_errors()) check_text(list, text, diagnostics);
  return diagnostics.list().empty() ? std::string() : std::string(diagnostics.list()[0].message);
}

TEST(PatternCheck, FindsTextInOrder) {
  EXPECT_EQ(outcome("// CHECK: a\n// CHECK: b\n", "x\na\nb\n"), "");
  EXPECT_EQ(outcome("// CHECK: b\n// CHECK: a\n", "x\na\nb\n"), "CHECK: no match in the output");
  EXPECT_EQ(outcome("// CHECK: a b\n", "a  \t b\n"), "") << "runs of blanks are one";
  EXPECT_EQ(outcome("; CHECK: a.c\n", "abc\n"), "CHECK: no match in the output")
      << "a dot outside braces is a dot";
}

TEST(PatternCheck, AnEmptyTextHasNothing) {
  EXPECT_EQ(outcome("// CHECK: a\n", ""), "CHECK: no match in the output");
  EXPECT_EQ(outcome("// CHECK-NOT: a\n", ""), "");
}

TEST(PatternCheck, KnowsLines) {
  EXPECT_EQ(outcome("// CHECK: a\n// CHECK-NEXT: b\n", "a\nb\n"), "");
  EXPECT_EQ(outcome("// CHECK: a\n// CHECK-NEXT: b\n", "a\nx\nb\n"),
            "CHECK-NEXT: found on line 3, not on the line after line 1");
  EXPECT_EQ(outcome("// CHECK: a\n// CHECK-SAME: b\n", "a b\n"), "");
  EXPECT_EQ(outcome("// CHECK: a\n// CHECK-SAME: b\n", "a\nb\n"),
            "CHECK-SAME: found on line 2, not on line 1");
  EXPECT_EQ(outcome("// CHECK-NEXT: a\n", "a\n"), "CHECK-NEXT needs a check before it");
}

TEST(PatternCheck, RefusesBetweenNeighborsAlone) {
  EXPECT_EQ(outcome("// CHECK: a\n// CHECK-NOT: n\n// CHECK: b\n", "n\na\nb\nn\n"), "");
  EXPECT_EQ(outcome("// CHECK: a\n// CHECK-NOT: n\n// CHECK: b\n", "a\nn\nb\n"),
            "CHECK-NOT: the output has a match");
  EXPECT_EQ(outcome("// CHECK: a\n// CHECK-NOT: n\n", "a\nb\nn\n"), "CHECK-NOT: the output has a match");
}

TEST(PatternCheck, TakesNeighborsInAnyOrder) {
  EXPECT_EQ(outcome("// CHECK-DAG: b\n// CHECK-DAG: a\n// CHECK: c\n", "a\nb\nc\n"), "");
  EXPECT_EQ(outcome("// CHECK-DAG: a\n// CHECK-DAG: a\n", "a\n"), "CHECK-DAG: no match in the output")
      << "one place is for one check";
  EXPECT_EQ(outcome("// CHECK-DAG: a\n// CHECK-DAG: b\n// CHECK: c\n", "a\nc\nb\n"),
            "CHECK: no match in the output");
}

TEST(PatternCheck, StaysBetweenLabels) {
  EXPECT_EQ(outcome("// CHECK-LABEL: one\n// CHECK: x\n// CHECK-LABEL: two\n", "one\nx\ntwo\n"), "");
  EXPECT_EQ(outcome("// CHECK-LABEL: one\n// CHECK: x\n// CHECK-LABEL: two\n", "one\ntwo\nx\n"),
            "CHECK: no match in the output");
  EXPECT_EQ(outcome("// CHECK-LABEL: three\n", "one\n"), "CHECK-LABEL: no match in the output");
}

TEST(PatternCheck, KeepsWhatVariablesFound) {
  EXPECT_EQ(outcome("// CHECK: mov [[R:%r[0-9]+]]\n// CHECK: add [[R]],\n", "mov %r7\nadd %r7, 1\n"), "");
  EXPECT_EQ(outcome("// CHECK: mov [[R:%r[0-9]+]]\n// CHECK: add [[R]],\n", "mov %r7\nadd %r8, 1\n"),
            "CHECK: no match in the output");
  EXPECT_EQ(outcome("// CHECK: [[A:.]]-[[A]]\n", "x-y z-z\n"), "") << "in the same line too";
  EXPECT_EQ(outcome("// CHECK: [[B]]\n", "x\n"), "CHECK: no earlier pattern defines B");
  EXPECT_EQ(outcome("// CHECK: {{(a)(b)}}[[A:.]]\n// CHECK: <[[A]]>\n", "abc\n<c>\n"), "")
      << "groups of the pattern's own";
}

TEST(PatternCheck, RefusesWhatIsNoPatternAndNoKind) {
  EXPECT_EQ(outcome("// CHECK: {{(}}\n", "x\n"), "CHECK: '{{(}}' is not a valid pattern");
  EXPECT_EQ(outcome("// CHECK: {{a\n", "x\n"), "CHECK: '{{a' is not a valid pattern");
  EXPECT_EQ(outcome("// CHECK-NXT: a\n", "a\n"),
            "there is no check CHECK-NXT: the kinds are -NEXT, -SAME, -NOT, -DAG and -LABEL");
  EXPECT_EQ(outcome("// CHECK:\n", "a\n"), "CHECK has no pattern");
  EXPECT_EQ(outcome("// CHECKS: b\n", "a\n"), "") << "another word";
}

}  // namespace
}  // namespace texlate::cli
