#include "backend/maxwell/isa/code.h"

namespace texlate::maxwell {

bool Code::holds(const Instruction& code) const {
  Instruction mine = decode();
  for (unsigned k = 0; k < facts(*this).operand_count; ++k) {
    // Has no field.
    if ((facts(*this).pair_seconds >> k & 1) != 0) mine.operands[k].reg = code.operands[k].reg;
  }
  return mine == code;
}

}  // namespace texlate::maxwell
