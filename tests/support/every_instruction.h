// Every instruction of the front end's table in a small program, so that a test of all of them misses none.
#pragma once

#include <string>

#include "frontend/sm4/opcode.h"

namespace texlate::test {

/// A program of one stage around an instruction that is legal there and is not a declaration. Operands come
/// from a buffer and results go to one; control flow has its counterparts, and a call has its body. `fcall`
/// calls class ft0 through fp0. Without the instruction, only the rest.
std::string program_around(const sm4::OpcodeInfo& info, sm4::StageMask stage, bool with_it = true);

}  // namespace texlate::test
