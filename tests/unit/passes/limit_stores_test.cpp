// limit_stores, tested on text. tests/cases/stored_range.asm compares its results with the interpreter's.

#include "ir/passes/limit_stores.h"

#include <gtest/gtest.h>

#include "tests/unit/passes/pass_text.h"

namespace texlate::ir {
namespace {

/// u0 is the third resource of the modules around these bodies, which declares no format.
std::string limited(std::string_view text, const StoredTexel& format, bool is_known = true) {
  return after(
      [&](Module& module) {
        const std::vector<StoredTexel> formats(is_known ? module.resources.size() : 0, format);
        if (has_limited_stores(module, formats)) limit_stores(module, formats);
      },
      text);
}

constexpr std::string_view kStore = R"(
  %0 = input v0.x
  surf.store u0 texture2d uint coord(1, 2) value(%0, 300, 5, 6)
)";

TEST(LimitStores, IntegersAreClamped) {
  EXPECT_EQ(limited(kStore, {TexelKind::uint, {2, {{{0, 8}, {8, 8}, {}, {}}}}}), body(R"(
  %0 = input v0.x
  %1 = umin.u32 [precise] %0, 255
  surf.store u0 texture2d uint coord(1, 2) value(%1, 255, 5, 6)
)"));
  EXPECT_EQ(limited(kStore, {TexelKind::sint, {1, {{{0, 8}, {}, {}, {}}}}}), body(R"(
  %0 = input v0.x
  %1 = imin.s32 [precise] %0, 127
  %2 = imax.s32 [precise] %1, 4294967168
  surf.store u0 texture2d uint coord(1, 2) value(%2, 300, 5, 6)
)"));
}

TEST(LimitStores, NanIsZeroInNormalizedFormats) {
  EXPECT_EQ(limited(kStore, {TexelKind::unorm, {1, {{{0, 8}, {}, {}, {}}}}}), body(R"(
  %0 = input v0.x
  %1 = fsat.f32 [precise] %0
  surf.store u0 texture2d uint coord(1, 2) value(%1, 300, 5, 6)
)"));
  EXPECT_EQ(limited(kStore, {TexelKind::snorm, {1, {{{0, 8}, {}, {}, {}}}}}), body(R"(
  %0 = input v0.x
  %1 = feq.f32 [precise] %0, %0
  %2 = select.b32 [precise] %1, %0, 0
  surf.store u0 texture2d uint coord(1, 2) value(%2, 300, 5, 6)
)"));
}

TEST(LimitStores, WhatHoldsEverythingIsNotTouched) {
  EXPECT_EQ(limited(kStore, {TexelKind::uint, {4, {{{0, 32}, {}, {}, {}}}}}), body(kStore));
  EXPECT_EQ(limited(kStore, {TexelKind::float_, {2, {{{0, 16}, {}, {}, {}}}}}), body(kStore));
  EXPECT_EQ(limited(kStore, {}, false), body(kStore)) << "no format is known, and none is declared";
}

}  // namespace
}  // namespace texlate::ir
