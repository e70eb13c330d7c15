// Equality of Programs, for round-trip tests and their diagnostics.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "frontend/sm4/program.h"

namespace texlate::sm4 {

struct CompareOptions {
  /// Literals may differ: six decimals do not preserve all bits.
  bool ignore_literals = false;
};

struct Difference {
  size_t instruction;     // the index of the first that differs
  std::string_view what;  // "a control bit"
};
/// Absent if the instructions are the same as far as both programs have them.
std::optional<Difference> find_difference(const Program& a, const Program& b,
                                          const CompareOptions& options = {});

/// Describes the first difference in words, with both sides; empty if the programs are the same. Source
/// locations, pool layout, padding dwords after an instruction's operands, and signatures are not compared.
std::string difference(const Program& a, const Program& b, const CompareOptions& options = {});

}  // namespace texlate::sm4
