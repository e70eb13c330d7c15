#include "ir/passes/construct_ssa.h"

#include <gtest/gtest.h>

#include "tests/unit/passes/pass_text.h"

namespace texlate::ir {
namespace {

std::string constructed(std::string_view text) {
  return after([](Module& module) { construct_ssa(module); }, text, Form::registers);
}

TEST(ConstructSsa, StraightLineCode) {
  EXPECT_EQ(constructed(R"(
  reg.store r0.x, 1
  %0 = reg.load r0.x
  %1 = reg.load r0.y
  %2 = iadd %0, %1
  reg.store r0.x, %2
  %3 = reg.load r0.x
  output o0.x, %3
)"),
            body(R"(
  %2 = iadd 1, 0
  output o0.x, %2
)"));
}

TEST(ConstructSsa, MergesTheArmsOfAnIf) {
  EXPECT_EQ(constructed(R"(
  %0 = bound t0.bound
  reg.store r1.x, 7
  if %0
    reg.store r0.x, 1
    reg.store r0.y, 2
    reg.store r1.x, 3
    %1 = reg.load r1.x
    output o0.y, %1
  else
    %2 = reg.load r1.x
    output o0.z, %2
  endif
  %3 = reg.load r0.x
  output o0.x, %3
)"),
            body(R"(
  %0 = bound t0.bound
  if %0
    output o0.y, 3
  else yields(1)
    output o0.z, 7
  %1 = endif yields(0)
  output o0.x, %1
)"));
}

// Kernels of geometry shaders: code in SSA form, and registers beside its values.
TEST(ConstructSsa, ConstructsThatPassValuesPassRegistersAfterThem) {
  Module module;
  parse_or_fail(with_body(R"(
  %0 = bound t0.bound
  if %0
    reg.store r0.x, 1
  else yields(5)
  %1 = endif yields(6)
  %2, %3: b1 = loop init(%1, true)
    %4 = reg.load r0.x
    %5 = iadd %4, %2
    reg.store r0.x, %5
    if %3
      break yields(%4)
    else
    endif
  %6 = endloop yields(7, false)
  %7 = reg.load r0.x
  output o0.x, %6
  output o0.y, %7
)"),
                module);
  construct_ssa(module);
  verify_or_fail(module);
  EXPECT_EQ(body_of(module), body(R"(
  %0 = bound t0.bound
  if %0
  else yields(5, 1)
  %1, %2 = endif yields(6, 0)
  %3, %4: b1, %5 = loop init(%1, true, %2)
    %6 = iadd %5, %3
    if %4
      break yields(%5, %6)
    else
    endif
  %7, %8 = endloop yields(7, false, %6)
  output o0.x, %7
  output o0.y, %8
)"));
}

TEST(ConstructSsa, AnArmThatDoesNotEndPassesNothing) {
  EXPECT_EQ(constructed(R"(
  %0 = bound t0.bound
  if %0
    reg.store r0.x, 1
    return
    reg.store r0.x, 9
  else
    %1 = input v0.x
    reg.store r0.x, %1
    reg.store r0.y, 5
  endif
  %2 = reg.load r0.x
  %3 = reg.load r0.y
  output o0.x, %2
  output o0.y, %3
)"),
            body(R"(
  %0 = bound t0.bound
  if %0
    return
  else
    %1 = input v0.x
  %2 = endif yields(%1)
  output o0.x, %2
  output o0.y, 5
)"));
}

TEST(ConstructSsa, CarriesWhatALoopReadsBeforeItWrites) {
  // r0.y is written before it is read: it is a result of the loop, but not carried around. r0.z is not read
  // after its loop.
  EXPECT_EQ(constructed(R"(
  reg.store r0.x, 3
  loop
    %0 = reg.load r0.x
    %1 = iadd %0, 1
    reg.store r0.x, %1
    reg.store r0.y, %1
    reg.store r0.z, %1
    %2 = uge.u32 %1, 9
    if %2
      break
    else
    endif
    %3 = reg.load r0.z
    output o0.z, %3
  endloop
  %4 = reg.load r0.y
  output o0.x, %4
)"),
            body(R"(
  %0 = loop init(3)
    %1 = iadd %0, 1
    %2 = uge.u32 %1, 9
    if %2
      break yields(%1)
    else
    endif
    output o0.z, %1
  %3 = endloop yields(%1)
  output o0.x, %3
)"));
}

TEST(ConstructSsa, BreaksAndContinuesInsideOfIfsAndSwitches) {
  EXPECT_EQ(constructed(R"(
  %0 = input v0.x
  loop
    %1 = reg.load r0.x
    switch %1
      case 0
        reg.store r0.x, 1
        reg.store r1.x, 10
        break
      case 1
        reg.store r0.x, 2
        continue
      default
        %2 = ieq %1, %0
        if %2
          reg.store r1.x, 20
          break
        else
        endif
        return
    endswitch
    %3 = reg.load r1.x
    %4 = ieq %3, 20
    if %4
      break
    else
    endif
  endloop
  %5 = reg.load r1.x
  output o0.x, %5
)"),
            body(R"(
  %0 = input v0.x
  %1 = loop init(0)
    switch %1
      case 0
        break yields(1, 10)
      case 1
        continue yields(2)
      default
        %2 = ieq %1, %0
        if %2
          break yields(%1, 20)
        else
        endif
        return
    %3, %4 = endswitch
    %5 = ieq %4, 20
    if %5
      break yields(%4)
    else
    endif
  %6 = endloop yields(%3)
  output o0.x, %6
)"));
}

TEST(ConstructSsa, InnerLoopsCarryWhatTheOuterLoopNeeds) {
  // r0.x is read only at the head of the outer loop, but written in the inner one.
  EXPECT_EQ(constructed(R"(
  loop
    %0 = reg.load r0.x
    output o0.x, %0
    %1 = ieq %0, 5
    if %1
      break
    else
    endif
    loop
      %2 = bound t0.bound
      if %2
        break
      else
      endif
      reg.store r0.x, 5
    endloop
  endloop
)"),
            body(R"(
  %0 = loop init(0)
    output o0.x, %0
    %1 = ieq %0, 5
    if %1
      break
    else
    endif
    %2 = loop init(%0)
      %3 = bound t0.bound
      if %3
        break yields(%2)
      else
      endif
    %4 = endloop yields(5)
  endloop yields(%4)
)"));
}

TEST(ConstructSsa, DropsWhatIsNotReached) {
  EXPECT_EQ(constructed(R"(
  loop
    output o0.x, 1
    loop
      continue
      output o0.y, 1
    endloop
    output o0.z, 1
    if true
    else
    endif
  endloop
  output o0.w, 1
)"),
            body(R"(
  loop
    output o0.x, 1
    loop
      continue
    endloop
  endloop
)"));
}

}  // namespace
}  // namespace texlate::ir
