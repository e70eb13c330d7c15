// Words to instructions and back. Both directions read the table and are exact: a word with a value or a bit
// that the table lacks does not decode, and a decoded instruction encodes to the same word.
#pragma once

#include <cstdint>
#include <string_view>

#include "backend/maxwell/isa/instruction.h"

namespace texlate::maxwell {

/// What can be wrong with an instruction; rule_text() gives the message.
enum class Rule : uint8_t {
#define RULE(name, text) name,
#include "backend/maxwell/isa/rules.inc"
#undef RULE
};

/// "lower case, no full stop", as part of a diagnostic.
std::string_view rule_text(Rule rule);

struct Violation {
  Rule rule = Rule::none;
  int8_t operand = -1;  // index into Instruction::operands
  explicit operator bool() const { return rule != Rule::none; }
};

/// Registers between the compare value and the new value of a CAS.
uint8_t cas_step(const Instruction& instruction);

/// Returns false if no form of the table has this word; `out` is then undefined. `out.control` keeps its
/// default value.
bool decode(uint64_t word, Instruction& out);

/// The instruction of this form, for a word that the form has. Registers that have no field are as decode()
/// leaves them: the second of a pair follows the first.
void decode(FormId form, uint64_t word, Instruction& out);

/// Checks whether the instruction can be encoded at all.
Violation check_encodable(const Instruction& instruction);

/// Returns the word; the instruction must be encodable. Control is not part of it.
uint64_t encode_unchecked(const Instruction& instruction);

}  // namespace texlate::maxwell
