// What every pass leaves true. Run after each one by tests and by builds with assertions (pass_log.h).
#pragma once

#include <string>
#include <string_view>

#include "backend/maxwell/machine/layout.h"

namespace texlate::maxwell::machine {

enum class FunctionRule : uint8_t {
#define RULE(name, text) name,
#include "backend/maxwell/machine/rules.inc"
#undef RULE
};
std::string_view function_rule_text(FunctionRule rule);

struct FunctionViolation {
  FunctionRule rule = FunctionRule::none;
  BlockId block = kNoBlock;
  uint32_t instruction = kNoIndex;  // or line
};

/// A rule, and the pass that broke it.
struct PassViolation {
  std::string_view pass;
  FunctionViolation violation;
};
/// "schedule: a value is defined twice (block 2, instruction 7)".
std::string violation_text(const PassViolation& broken);

/// The first rule that the function breaks: of values, or with registers of what is left then. Linear.
FunctionViolation verify(Function& function);
/// The same for lines. With control words, each block is checked on its own: what is pending at its start is
/// not known.
FunctionViolation verify(const Layout& layout);

}  // namespace texlate::maxwell::machine
