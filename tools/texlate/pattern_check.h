// Checks a text against patterns, in the manner of LLVM's FileCheck
// (https://llvm.org/docs/CommandGuide/FileCheck.html).
//
//   CHECK: ld.param.u64 [[ADDRESS:%rd[0-9]+]]     anywhere after the last match
//   CHECK-NEXT: add.s64 {{.*}}, [[ADDRESS]], 16   on the line after it
//   CHECK-SAME: ;                                 on the same line
//   CHECK-NOT: bar.sync                           nowhere between the neighboring matches
//   CHECK-DAG: mul.lo.s32                         neighboring DAGs in any order
//   CHECK-LABEL: .visible .entry                  matched first: the others stay between their labels
//
// A pattern is text with {{regular expressions}} (ECMAScript), [[NAME:regular expression]], which stores the
// text that it matched, and [[NAME]], which matches that text. It must match within one line; runs of blanks
// count as one blank.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "ir/base/diagnostics.h"

namespace texlate::cli {

enum class CheckKind : uint8_t { plain, next, same, not_, dag, label };

struct Check {
  CheckKind kind = CheckKind::plain;
  std::string pattern;
  std::string spelling;  // "CHECK-NEXT"
  SourceLocation location;
};

/// The checks in one line of a text. Empty unless a comment (`//`, `;`) starts with `prefix`, an optional
/// kind, and a colon. An unknown kind is an error.
void read_check(std::string_view line, std::string_view prefix, uint32_t line_number,
                std::vector<Check>& checks, Diagnostics& diagnostics);

/// If false, there is an error at the check that failed, and notes about the searched part of `text`.
bool check_text(const std::vector<Check>& checks, std::string_view text, Diagnostics& diagnostics);

}  // namespace texlate::cli
