// pack_texels, tested on text. tests/exhaustive/unordered_access_test.cpp runs its results for all formats
// and numbers.

#include "ir/passes/pack_texels.h"

#include <gtest/gtest.h>

#include "tests/unit/passes/pass_text.h"

namespace texlate::ir {
namespace {

/// u0 is the third resource of the modules around these bodies.
std::string packed(std::string_view text, const StoredTexel& format) {
  return after(
      [&](Module& module) {
        const std::vector<StoredTexel> formats(module.resources.size(), format);
        EXPECT_TRUE(pack_texels(module, formats));
      },
      text);
}

constexpr StoredTexel kHalves = {TexelKind::uint, {4, {{{0, 16}, {16, 16}, {}, {}}}}};
constexpr StoredTexel kWords = {TexelKind::float_, {16, {{{0, 32}, {32, 32}, {64, 32}, {96, 32}}}}};

TEST(PackTexels, LoadsTakeComponentsOutOfWords) {
  EXPECT_EQ(packed(R"(
  %0..%3 = surf.load u0 texture2d uint coord(1, 2)
  output o0.x, %0
  output o0.y, %1
  output o0.z, %2
)",
                   kHalves),
            body(R"(
  %0..%3 = surf.load u0 texture2d none coord(1, 2) mask(1)
  %4 = bfe.u32 [precise] 16, 0, %0
  %5 = bfe.u32 [precise] 16, 16, %0
  output o0.x, %4
  output o0.y, %5
  output o0.z, 0
)"));
}

TEST(PackTexels, StoresPutThemThere) {
  EXPECT_EQ(packed(R"(
  %0 = input v0.x
  surf.store u0 texture2d uint coord(1, 2) value(%0, %0, 5, 6)
)",
                   kHalves),
            body(R"(
  %0 = input v0.x
  %1 = umin.u32 [precise] %0, 65535
  %2 = umin.u32 [precise] %0, 65535
  %3 = bfi [precise] 16, 16, %2, %1
  surf.store u0 texture2d none coord(1, 2) value(%3) mask(1)
)"));
}

TEST(PackTexels, WholeWordsAreNotTouched) {
  EXPECT_EQ(packed(R"(
  %0..%3 = surf.load u0 texture2d float coord(1, 2)
  surf.store u0 texture2d float coord(2, 1) value(%3, %2, %1, %0)
)",
                   kWords),
            body(R"(
  %0..%3 = surf.load u0 texture2d none coord(1, 2)
  surf.store u0 texture2d none coord(2, 1) value(%3, %2, %1, %0)
)"));
}

TEST(PackTexels, WhatTheFormatHasIsKnown) {
  EXPECT_EQ(packed(R"(
  %0 = binding u0.keep1
  %1 = binding u0.keep2
  %2 = binding u0.missing_alpha
  output o0.x, %0
  output o0.y, %1
  output o0.z, %2
  surf.store u0 texture2d uint coord(2, 1) value(1, 2, 3, 4)
)",
                   kWords),
            body(R"(
  output o0.x, -1
  output o0.y, -1
  output o0.z, 0
  surf.store u0 texture2d none coord(2, 1) value(1, 2, 3, 4)
)"));
}

}  // namespace
}  // namespace texlate::ir
