// Instruction selection: the program's operations as instructions of the machine, with virtual registers.
#pragma once

#include "backend/launch/launch_abi.h"
#include "backend/maxwell/graphics/layout.h"
#include "backend/maxwell/machine/function.h"
#include "ir/module.h"

namespace texlate::maxwell {
class CompareRoutines;
}

namespace texlate::maxwell::select {

/// Kernel parameters begin here in bank 0: what ptxas uses for sm_50 to sm_62 (docs/maxwell.md, "Interface").
inline constexpr uint32_t kParameterBase = 0x140;

struct Options {
  uint32_t sm = 52;
  /// For programs of deko3d: where their data is. Null: a kernel of the launch ABI.
  const graphics::Layout* graphics = nullptr;
  /// Routines for the comparisons that legalization left. Null: there are none.
  CompareRoutines* routines = nullptr;
  /// For a routine (machine::Function::is_routine): inputs are its arguments, output 0 is what it returns.
  uint32_t argument_count = 0;
};

/// Returns false, with errors, for what Maxwell or its kernels cannot express.
bool select(const ir::Module& module, const launch::Layout& layout, const Options& options,
            machine::Function& function, Diagnostics& diagnostics);

}  // namespace texlate::maxwell::select
