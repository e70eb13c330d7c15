// What PTX promises about arithmetic.
#pragma once

#include "ir/passes/arithmetic_guarantees.h"

namespace texlate::ptx {

extern const ir::ArithmeticTable kArithmeticGuarantees;

}  // namespace texlate::ptx
