// Names of the IR that code here uses without `ir::`.
#pragma once

#include "ir/module.h"

namespace texlate::spirv {

using ir::Dimension;
using ir::Instruction;
using ir::Op;
using ir::Parameter;
using ir::Slot;
using ir::Stage;
using ir::SystemValue;
using ir::Value;

}  // namespace texlate::spirv
