// Exact division by the scale of a UNORM format, by two instructions.
#pragma once

namespace texlate::ir {

/// The reciprocal of a number as the sum of two floats. For integers from 0 to 2^n - 1, n up to 24,
/// fma(steps, high, steps * low) is the correctly rounded steps / (2^n - 1) (N. Brisebarre, J.-M. Muller:
/// Correctly rounded multiplication by arbitrary precision constants, IEEE Transactions on Computers 57,
/// 2008). split_reciprocal_test divides all of them.
struct SplitReciprocal {
  float high, low;
};

constexpr SplitReciprocal split_reciprocal(float of) {
  const double whole = 1.0 / static_cast<double>(of);
  const auto high = static_cast<float>(whole);
  return {high, static_cast<float>(whole - static_cast<double>(high))};
}

}  // namespace texlate::ir
