// Adds guards for everything that Direct3D defines and a target does not promise, by the legalize_* passes in
// their order.
#pragma once

#include "ir/passes/legalize_arithmetic.h"
#include "ir/passes/legalize_memory.h"
#include "ir/passes/legalize_texture.h"
#include "ir/passes/observer.h"

namespace texlate::ir {

/// What a target promises.
struct Guarantees {
  GuaranteeTable texture;  // that of the target, with what the caller chose
  const MemoryTable& memory;
  const ArithmeticTable& arithmetic;
  /// The document that does not promise that the output merger clamps oDepth to the viewport's range, and
  /// limits oDepthGE and oDepthLE to the rasterizer's depth. Empty: the host's does (docs/launch_abi.md).
  std::string_view unlimited_depth = {};
};

/// Rewrites the module, which is in SSA form. Textures come first, because their replacements may have gaps
/// themselves; arithmetic comes last. The guards share their comparisons only after the module is optimized
/// again. `closed`, when given, gets one entry for each gap closed, in the order of the passes. `known`, when
/// given, answers what would be asked at run time otherwise. Returns false, with located errors, if the
/// target cannot express an operation.
bool legalize(Module& module, const Guarantees& guarantees, Diagnostics& diagnostics,
              std::pmr::vector<ClosedGap>* closed = nullptr, const PassObserver* observer = nullptr,
              KnownFacts* known = nullptr);

}  // namespace texlate::ir
