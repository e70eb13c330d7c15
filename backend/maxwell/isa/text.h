// The assembly text of one instruction, as nvdisasm prints it (differences: docs/maxwell-isa.md), and back.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "backend/maxwell/isa/code.h"
#include "backend/maxwell/isa/instruction.h"
#include "backend/maxwell/isa/short_text.h"

namespace texlate {
class Diagnostics;
}

namespace texlate::maxwell {

/// Names registers and predicates that have no numbers yet, a code generator's values: appends the name of
/// operand `index`. False: it has none, and the number is printed.
using RegisterNamer = std::function<bool(unsigned index, std::string& out)>;

/// Appends "@!P0 TEX.LL R0, R4, R8, 0x50, 2D, 0xf" without a semicolon. `address` is the instruction's byte
/// address, needed for branch targets; a non-empty `label` is printed instead of the target. The reuse bits
/// of `code.control` give the `.reuse` of operands and the phase (.T, .P) of texture instructions.
void print(const Code& code, uint32_t address, std::string& out, std::string_view label = {},
           const RegisterNamer& namer = {});

/// What an instruction takes at most, without its label: eight operands and eight modifiers of less than 64
/// characters each.
inline constexpr size_t kMostText = 64 * (kMaxOperands + kMaxModifiers + 1);
/// The mnemonics that were printed last, with their modifiers: most come again soon.
class LastMnemonics {
 public:
  /// Appends that of `code`, whose word has these `modifiers`; returns the new end.
  char* append(const Code& code, uint64_t modifiers, char* at) {
    Last& last = last_[(modifiers ^ code.form) * 0x9e3779b97f4a7c15ull >> 58];
    const bool is_known = last.form == code.form && last.modifiers == modifiers;
    return is_known ? write(last.text, at) : make(code, modifiers, last, at);
  }

 private:
  struct Last {
    FormId form = kNoForm;
    uint64_t modifiers = 0;
    TextOf<31> text;
  };
  static char* make(const Code& code, uint64_t modifiers, Last& last, char* at);

  std::array<Last, 64> last_;
};
/// The same, at the end of a text; returns its new end.
char* print(const Code& code, uint32_t address, std::string_view label, LastMnemonics& last, char* at);
/// "0x50", "-0x8"
char* append_hex(int64_t value, char* at);

/// The byte address that a branch at `address` goes to; -1 if the instruction has no such target.
int64_t branch_target(const Code& code, uint32_t address);

/// The parser calls this for a branch target that is a word, not a number; -1: unknown label.
using LabelResolver = std::function<int64_t(std::string_view label)>;

/// The location of the text, for diagnostics.
struct TextPlace {
  uint32_t line = 1;
  uint32_t column = 1;  // of the first character
};

/// The text of each operand; void where it is left out.
using OperandTexts = std::array<std::string_view, kMaxOperands>;

/// Parses one instruction; a trailing semicolon is allowed. Sets everything in `out` except the control
/// fields that the text does not contain (only `reuse` is set). Errors point at the operand and name the
/// rule. The result is encodable.
bool parse(std::string_view text, uint32_t address, Instruction& out, Diagnostics& diagnostics,
           TextPlace place = {}, const LabelResolver& labels = {}, OperandTexts* texts = nullptr);

}  // namespace texlate::maxwell
