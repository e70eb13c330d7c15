// What an operation gives for constants, under Direct3D's rules (facts: D3D11.3 3.1, 22.6, 22.9 to 22.13).
#pragma once

#include <optional>
#include <span>

#include "ir/op.h"

namespace texlate::ir {

/// Returns the only result of a pure operation for constant operands (bits as in ValueInfo), or nothing if it
/// is not evaluated here: msad (too rare), results that are NaN (any NaN pattern is legal, and targets
/// differ), and the few cases where Direct3D allows several answers (see the .cpp). Where it gives a
/// tolerance (exp, log, rsq, rcp, sin, cos, sqrt), the result is the float nearest to the exact one.
std::optional<uint64_t> evaluate(Op op, std::span<const uint64_t> operands);

/// The same float with a denormal replaced by zero of its sign.
uint32_t flush_denormal(uint32_t bits);

}  // namespace texlate::ir
