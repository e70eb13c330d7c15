#include "ir/passes/split_reciprocal.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>

#include "ir/base/fused.h"

namespace texlate::ir {
namespace {

/// Every UNORM format that a comparison's reference can be rounded to.
TEST(SplitReciprocal, DividesExactly) {
  for (uint32_t bits = 1; bits <= 24; ++bits) {
    const auto scale = static_cast<float>((uint32_t{1} << bits) - 1);
    const SplitReciprocal reciprocal = split_reciprocal(scale);
    uint32_t wrong = 0;
    for (uint32_t n = 0; n < uint32_t{1} << bits; ++n) {
      const auto steps = static_cast<float>(n);
      const float quotient = fused(steps, reciprocal.high, steps * reciprocal.low);
      wrong += quotient == steps / scale ? 0 : 1;
    }
    EXPECT_EQ(wrong, 0u) << bits << " bits";
  }
}

}  // namespace
}  // namespace texlate::ir
