// hoist_loads, tested on text.

#include "ir/passes/hoist_loads.h"

#include <gtest/gtest.h>

#include "tests/unit/passes/pass_text.h"

namespace texlate::ir {
namespace {

TEST(HoistLoads, WhatBothArmsLoadComesInFront) {
  EXPECT_EQ(after(hoist_loads, R"(
  %0 = bound t0.bound
  if %0
    %1..%4 = cb.load cb0[7]
    %5 = cb.rows cb0
    output o0.x, %1
  else
    %6..%9 = cb.load cb0[7]
    %10..%13 = cb.load cb0[8]
    output o0.x, %9
    output o0.y, %10
  endif
)"),
            body(R"(
  %0 = bound t0.bound
  %1..%4 = cb.load cb0[7]
  if %0
    %5 = cb.rows cb0
    output o0.x, %1
  else
    %10..%13 = cb.load cb0[8]
    output o0.x, %4
    output o0.y, %10
  endif
)"));
}

TEST(HoistLoads, GuardsComeWithTheirRows) {
  EXPECT_EQ(after(hoist_loads, R"(
  %0 = bound t0.bound
  %1 = input v0.x
  if %0
    %2 = cb.rows cb0
    %3 = ult.u32 %1, %2
    %4..%7 = cb.load cb0[%1] guard(%3)
    output o0.x, %4
  else
    %8 = cb.rows cb0
    %9 = ult.u32 %1, %8
    %10..%13 = cb.load cb0[%1] guard(%9)
    output o0.y, %11
  endif
)"),
            body(R"(
  %0 = bound t0.bound
  %1 = input v0.x
  %2 = cb.rows cb0
  %3 = ult.u32 %1, %2
  %4..%7 = cb.load cb0[%1] guard(%3)
  if %0
    output o0.x, %4
  else
    output o0.y, %5
  endif
)"));
}

// Several loads in the second arm may equal one in the first, which stays before its uses.
TEST(HoistLoads, WhatMovedOnceStaysInItsPlace) {
  EXPECT_EQ(after(hoist_loads, R"(
  %0 = bound t0.bound
  %1 = input v0.x
  if %0
    %2 = cb.rows cb0
    %3 = ult.u32 %1, %2
    %4..%7 = cb.load cb0[%1] guard(%3)
    output o0.x, %4
  else
    %8 = cb.rows cb0
    %9 = ult.u32 %1, %8
    %10..%13 = cb.load cb0[%1] guard(%9)
    %14 = cb.rows cb0
    %15 = ult.u32 5, %14
    %16..%19 = cb.load cb0[5] guard(%15)
    %20 = fadd.f32 %11, %17
    output o0.y, %20
  endif
)"),
            body(R"(
  %0 = bound t0.bound
  %1 = input v0.x
  %2 = cb.rows cb0
  %3 = ult.u32 %1, %2
  %4..%7 = cb.load cb0[%1] guard(%3)
  if %0
    output o0.x, %4
  else
    %8 = ult.u32 5, %2
    %9..%12 = cb.load cb0[5] guard(%8)
    %13 = fadd.f32 %5, %10
    output o0.y, %13
  endif
)"));
}

TEST(HoistLoads, NestedOnesComeOutAsFarAsTheyCan) {
  EXPECT_EQ(after(hoist_loads, R"(
  %0 = bound t0.bound
  if %0
    %1 = bound t1.bound
    if %1
      %2..%5 = cb.load cb0[3]
      output o0.x, %2
    else
      %6..%9 = cb.load cb0[3]
      output o0.y, %6
    endif
  else
    %10..%13 = cb.load cb0[3]
    output o0.x, %13
  endif
)"),
            body(R"(
  %0 = bound t0.bound
  %2..%5 = cb.load cb0[3]
  if %0
    %1 = bound t1.bound
    if %1
      output o0.x, %2
    else
      output o0.y, %2
    endif
  else
    output o0.x, %5
  endif
)"));
}

TEST(HoistLoads, WhatDependsOnItsArmStays) {
  const std::string_view text = R"(
  %0 = bound t0.bound
  %1 = input v0.x
  if %0
    %2 = iadd %1, 1
    %3..%6 = cb.load cb0[%2]
    output o0.x, %3
  else
    %7 = iadd %1, 1
    %8..%11 = cb.load cb0[%7]
    output o0.x, %8
  endif
)";
  EXPECT_EQ(after(hoist_loads, text), body(text));
}

// What an inner branch gives to its arm comes before what follows in that arm.
TEST(HoistLoads, OutOfAnInnerBranchFirst) {
  EXPECT_EQ(after(hoist_loads, R"(
  %0 = bound t0.bound
  %1 = input v0.x
  if %0
    %2 = cb.rows cb0
    %3 = ult.u32 %1, %2
    %4..%7 = cb.load cb0[%1] guard(%3)
    output o0.x, %4
  else
    %8 = bound t1.bound
    if %8
      %9 = cb.rows cb0
      output o0.x, %9
    else
      %10 = cb.rows cb0
      output o0.y, %10
    endif
    %11 = cb.rows cb0
    %12 = ult.u32 %1, %11
    %13..%16 = cb.load cb0[%1] guard(%12)
    output o0.y, %14
  endif
)"),
            body(R"(
  %0 = bound t0.bound
  %1 = input v0.x
  %2 = cb.rows cb0
  %3 = ult.u32 %1, %2
  %4..%7 = cb.load cb0[%1] guard(%3)
  if %0
    output o0.x, %4
  else
    %8 = bound t1.bound
    if %8
      output o0.x, %2
    else
      output o0.y, %2
    endif
    output o0.y, %5
  endif
)"));
}

// What memory holds may differ between the branch and the load.
TEST(HoistLoads, LoadsOfMemoryStay) {
  const std::string_view text = R"(
  %0 = bound t0.bound
  if %0
    buf.store u1 structured_buffer mixed coord(0) byte_offset(0) value(1) mask(1)
    %1..%4 = buf.load u1 structured_buffer mixed coord(0) byte_offset(0) mask(1)
    output o0.x, %1
  else
    %5..%8 = buf.load u1 structured_buffer mixed coord(0) byte_offset(0) mask(1)
    output o0.y, %5
  endif
)";
  EXPECT_EQ(after(hoist_loads, text), body(text));
}

TEST(HoistLoads, FlagsOfBothCopies) {
  EXPECT_EQ(after(hoist_loads, R"(
  %0 = bound t0.bound
  %1 = input v0.x
  if %0
    %2 = ult.u32 %1, 5
    output o0.x, %1
    discard %2
  else
    %3 = ult.u32 [precise] %1, 5
    discard %3
  endif
)"),
            body(R"(
  %0 = bound t0.bound
  %1 = input v0.x
  %2 = ult.u32 [precise] %1, 5
  if %0
    output o0.x, %1
    discard %2
  else
    discard %2
  endif
)"));
}

// The same number may be a vertex's, or be added to that of the register.
TEST(HoistLoads, WhatTheOperandMeans) {
  Module module;
  parse_or_fail(with_body(R"(
  %0 = bound t0.bound
  %1 = input v0.x
  if %0
    %2 = input v0.x vertex(%1)
    output o0.x, %2
  else
    %3 = input v0.x index(%1)
    output o0.x, %3
  endif
)"),
                module);
  EXPECT_FALSE(hoist_loads(module));
}

}  // namespace
}  // namespace texlate::ir
