#include "backend/spirv/emit.h"

#include <gtest/gtest.h>

#include "backend/spirv/guarantees.h"
#include "tests/support/ir_text.h"

namespace texlate::spirv {
namespace {

struct Legalized {
  /// cb0 has this number of bytes.
  Legalized(uint32_t bytes, std::string_view body) {
    const BindingEntry entries[] = {
        {RegisterClass::constant_buffer, 0, 0, {0, 0, Passing::push_constants, bytes}}};
    BindingMap map;
    map.entries = entries;
    ir::Module module;
    ir::parse_or_fail(ir::with_body(body), module);
    legalize_push_constants(module, map, memory_guarantees(Robustness::driver), &gaps);
    ir::verify_or_fail(module);
    text = ir::body_of(module);
  }
  std::pmr::vector<ir::ClosedGap> gaps;
  std::string text;
};

TEST(PushConstants, RunTimeRowsAreComparedByComponent) {
  const Legalized made(24,
                       "  %0 = input v0.x\n"
                       "  %1..%4 = cb.load cb0[%0]\n"
                       "  output o0.x, %1\n"
                       "  output o0.w, %4\n"
                       "  return\n");
  EXPECT_EQ(made.text,
            "  %0 = input v0.x\n"
            "  %1 = ult.u32 %0, 2\n"
            "  %2 = umin.u32 %0, 1\n"
            "  %3..%6 = cb.load cb0[%2]\n"
            "  %7 = select.b32 %1, %3, 0\n"
            "  %8 = ult.u32 %0, 1\n"
            "  %9 = umin.u32 %0, 0\n"
            "  %10..%13 = cb.load cb0[%9]\n"
            "  %14 = select.b32 %8, %13, 0\n"
            "  output o0.x, %7\n"
            "  output o0.w, %14\n"
            "  return\n");
  ASSERT_EQ(made.gaps.size(), 1u);
  EXPECT_EQ(made.gaps[0].gap, ir::Gap::row_range);
  EXPECT_NE(made.gaps[0].source.find("Push Constant"), std::string_view::npos);
}

TEST(PushConstants, KnownRowsNeedNoComparison) {
  const Legalized made(64,
                       "  %0 = input v0.x\n"
                       "  %1 = and %0, 3\n"
                       "  %2..%5 = cb.load cb0[%1]\n"
                       "  output o0.x, %5\n"
                       "  return\n");
  EXPECT_EQ(made.text,
            "  %0 = input v0.x\n"
            "  %1 = and %0, 3\n"
            "  %2..%5 = cb.load cb0[%1]\n"
            "  output o0.x, %5\n"
            "  return\n");
  EXPECT_TRUE(made.gaps.empty());
}

TEST(PushConstants, WhatIsOutsideIsZero) {
  const Legalized made(24,
                       "  %0..%3 = cb.load cb0[1]\n"
                       "  %4..%7 = cb.load cb0[2]\n"
                       "  output o0.x, %1\n"
                       "  output o0.y, %2\n"
                       "  output o0.z, %4\n"
                       "  return\n");
  EXPECT_EQ(made.text,
            "  %0..%3 = cb.load cb0[1]\n"
            "  output o0.x, %1\n"
            "  output o0.y, 0\n"
            "  output o0.z, 0\n"
            "  return\n");
  EXPECT_TRUE(made.gaps.empty());
}

TEST(PushConstants, TheirSizeCountsAndNotWhatIsDeclared) {
  const Legalized made(128,
                       "  %0 = input v0.x\n"
                       "  %1 = ult.u32 %0, 4\n"
                       "  %2..%5 = cb.load cb0[%0] guard(%1)\n"
                       "  output o0.x, %2\n"
                       "  return\n");
  EXPECT_NE(made.text.find("ult.u32 %0, 8"), std::string::npos) << made.text;
  EXPECT_EQ(made.text.find("guard"), std::string::npos) << made.text;
}

}  // namespace
}  // namespace texlate::spirv
