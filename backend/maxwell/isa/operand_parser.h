// Parses one operand's text by its slot. Private to this folder.
#pragma once

#include <cstdint>
#include <string_view>

#include "backend/maxwell/isa/form.h"
#include "backend/maxwell/isa/text.h"

namespace texlate::maxwell {

struct OperandContext {
  uint32_t address = 0;  // of the instruction
  const LabelResolver& labels;
};

enum class OperandResult : uint8_t {
  ok,
  mismatch,    // the text is another kind of operand
  bad_number,  // a number that no field holds
  unknown_label,
};

/// Parses `text` as an operand of `slot` into operand `index` of `instruction`. Registers marked `.reuse` set
/// the bit in instruction.control.
OperandResult parse_operand(const Slot& slot, std::string_view text, const OperandContext& context,
                            Instruction& instruction, unsigned index);

}  // namespace texlate::maxwell
