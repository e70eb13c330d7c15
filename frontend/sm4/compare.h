// Equality of Programs, for round-trip tests and diagnostics of them.
#pragma once

#include <string>

#include "frontend/sm4/program.h"

namespace texlate::sm4 {

struct CompareOptions {
  /// Literals may differ: six decimals do not carry all bits.
  bool ignore_literals = false;
};

/// What differs first, in words with both sides; empty when the two are the same program. Source locations,
/// pool layout, padding dwords after an instruction's operands and signatures do not count.
std::string difference(const Program& a, const Program& b, const CompareOptions& options = {});

}  // namespace texlate::sm4
