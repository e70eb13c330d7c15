// Expected patterns in a text, in the manner of LLVM's FileCheck
// (https://llvm.org/docs/CommandGuide/FileCheck.html).
//
//   CHECK: ld.param.u64 [[ADDRESS:%rd[0-9]+]]     somewhere after what was found last
//   CHECK-NEXT: add.s64 {{.*}}, [[ADDRESS]], 16   on the line after it
//   CHECK-SAME: ;                                 on the same line
//   CHECK-NOT: bar.sync                           nowhere between the neighbours' finds
//   CHECK-DAG: mul.lo.s32                         neighbouring ones in any order
//   CHECK-LABEL: .visible .entry                  first of all: the others stay between their labels
//
// A pattern is text, with {{regular expressions}} (ECMAScript), [[NAME:regular expression]], which keeps what
// it found, and [[NAME]], which matches that. It is found within one line; runs of blanks count as one.
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

/// The checks in one line of a text: nothing, unless a comment (`//`, `;`) starts with `prefix` and a colon,
/// or a kind between them. An unknown kind is an error.
void read_check(std::string_view line, std::string_view prefix, uint32_t line_number,
                std::vector<Check>& checks, Diagnostics& diagnostics);

/// False: an error at the check that was not met, and notes that say where in `text` it was looked for.
bool check_text(const std::vector<Check>& checks, std::string_view text, Diagnostics& diagnostics);

}  // namespace texlate::cli
