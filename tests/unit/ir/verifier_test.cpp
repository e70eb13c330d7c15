#include "ir/verifier.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/ir_text.h"

namespace texlate::ir {
namespace {

using testing::HasSubstr;

std::string verdict(std::string_view body, Form form = Form::ssa) {
  Module module;
  parse_or_fail(with_body(body), module);
  Diagnostics diagnostics;
  if (verify(module, diagnostics, form)) return "good";
  return to_text(diagnostics);
}

TEST(Verifier, AcceptsWellFormedModules) {
  EXPECT_EQ(verdict(""), "good");
  EXPECT_EQ(verdict(R"(  %0 = input v0.x
  %1 = ftoi.s32 %0
  %2, %3: b1 = loop init(0, true)
    if %3
      %4 = iadd %2, %1
    else yields(%4)
      switch %2
        case 1
        case 2
          if %3
            continue yields(5, false)
          else
          endif
          break
        default
          return
      endswitch
    %5 = endif yields(2)
    %6 = uge.u32 %5, 9
    if %6
      break yields(%5)
    else
    endif
  %7 = endloop yields(%5, %6)
  output o0.x, %7
)"),
            "good");
}

TEST(Verifier, NamesRuleOperationAndLine) {
  EXPECT_EQ(verdict("  %0 = iadd 1, 2\n  %1 = iadd %0, true   ; line 12\n"),
            "ir:12:0: error: [types] iadd (instruction 1): operand 1 is b1, not b32\n");
}

TEST(Verifier, CountsAndTypes) {
  EXPECT_THAT(verdict("  %0 = iadd 1\n"),
              HasSubstr("[operands] iadd (instruction 0): has 1 operands, needs 2"));
  EXPECT_THAT(verdict("  %0 = iadd 1, 2, 3\n"), HasSubstr("has 3 operands, needs 2"));
  EXPECT_THAT(verdict("  %0 = fadd.f64 1l, 2\n"), HasSubstr("operand 1 is b32, not b64"));
  EXPECT_THAT(verdict("  %0..%3 = cb.load cb0[true]\n"), HasSubstr("operand 0 is b1, not b32"));
  EXPECT_THAT(verdict("  output o0.x\n"), HasSubstr("has 0 operands, needs 1"));
  EXPECT_THAT(verdict("  output o0.x, 1, 2\n"), HasSubstr("has 2 operands, needs 1"));
  EXPECT_THAT(verdict("  %0 = input v0.x, 1\n"), HasSubstr("has 1 operands, needs 0"));
  EXPECT_EQ(verdict("  %0 = input v0.x vertex(1) index(2)\n"), "good");
}

TEST(Verifier, Structure) {
  EXPECT_THAT(verdict("  if true\n  endif\n"),
              HasSubstr("[structure] endif (instruction 1): every if must have an else"));
  EXPECT_THAT(verdict("  if true\n"), HasSubstr("1 constructs are not closed"));
  EXPECT_THAT(verdict("  if true\n  else\n  else\n  endif\n"), HasSubstr("the second else"));
  EXPECT_THAT(verdict("  else\n"), HasSubstr("is outside an if"));
  EXPECT_THAT(verdict("  loop\n  endif\n"), HasSubstr("is outside an if"));
  EXPECT_THAT(verdict("  endloop\n"), HasSubstr("is outside a loop"));
  EXPECT_THAT(verdict("  break\n"), HasSubstr("is outside a loop or switch"));
  EXPECT_THAT(verdict("  switch 1\n  default\n  continue\n  endswitch\n"), HasSubstr("is outside a loop"));
  EXPECT_THAT(verdict("  switch 1\n  case 1\n  break\n  endswitch\n"),
              HasSubstr("every switch must have a default"));
  EXPECT_THAT(verdict("  switch 1\n  case 1\n  break\n  case 1\n  default\n  break\n  endswitch\n"),
              HasSubstr("two cases with the same value"));
  EXPECT_THAT(verdict("  switch 1\n  case 1\n  %0 = iadd 1, 2\n  default\n  break\n  endswitch\n"),
              HasSubstr("falls through"));
  EXPECT_THAT(verdict("  switch 1\n  default\n  break\n  default\n  break\n  endswitch\n"),
              HasSubstr("the second default"));
  EXPECT_THAT(verdict("  return\n  %0 = iadd 1, 2\n"), HasSubstr("[unreachable] iadd"));
  EXPECT_EQ(verdict("  return\n  %0 = iadd 1, 2\n", Form::registers), "good");
}

TEST(Verifier, Yields) {
  EXPECT_EQ(verdict("  if true\n  else yields(1)\n  %0 = endif yields(2)\n"), "good");
  EXPECT_THAT(verdict("  if true\n  else\n  %0 = endif yields(2)\n"),
              HasSubstr("[yields] else (instruction 1): 0 values are passed, but endif has 1 results"));
  EXPECT_THAT(verdict("  if true\n  else yields(1)\n  %0 = endif\n"),
              HasSubstr("[yields] endif (instruction 2)"));
  EXPECT_THAT(verdict("  if true\n  else yields(1)\n  %0 = endif yields(true)\n"),
              HasSubstr("passed value 0 is b1, not b32"));
  EXPECT_THAT(verdict("  if true\n  return\n  else yields(1)\n  %0 = endif yields(2)\n"),
              HasSubstr("an end that is not reached"));
  EXPECT_THAT(verdict("  if true\n  return\n  else\n  return\n  %0 = endif\n"),
              HasSubstr("never left has results"));
  EXPECT_THAT(verdict("  if true\n  else yields(1)\n  return\n  %0 = endif yields(2)\n"),
              HasSubstr("[yields] endif (instruction 3): an end that is not reached"));
  EXPECT_THAT(verdict("  %0 = loop init(1)\n  break\n  endloop yields(1)\n"),
              HasSubstr("[yields] endloop (instruction 2): an end that is not reached"));
  EXPECT_THAT(verdict("  %0 = loop\n  endloop yields(1)\n"),
              HasSubstr("0 values are passed, but the loop has 1 results"));
  EXPECT_THAT(verdict("  %0 = loop init(1)\n  continue\n  endloop\n"), HasSubstr("[yields] continue"));
  EXPECT_THAT(verdict("  %0 = loop init(1)\n  endloop\n"), HasSubstr("[yields] endloop"));
  EXPECT_THAT(verdict("  loop\n  break yields(1)\n  endloop\n"), HasSubstr("[yields] break"));
  EXPECT_THAT(
      verdict(
          "  loop\n  if true\n  break yields(1)\n  else\n  endif\n  break yields(1, 2)\n  %0 = endloop\n"),
      HasSubstr("2 values are passed, but the first break passes 1"));
  EXPECT_THAT(verdict("  loop\n  %0 = endloop\n"), HasSubstr("never left has results"));
}

TEST(Verifier, HullPhases) {
  auto hull = [](std::string_view body) {
    Module module;
    parse_or_fail(
        "module hull 5.0 \"main\"\ninput v0.x array(3)\noutput o0.x\npatch_constant p0.x\n"
        "phase 0 control_point instances(1)\nphase 1 fork instances(2)\ncode {\n" +
            std::string(body) + "}\n",
        module);
    Diagnostics diagnostics;
    return verify(module, diagnostics) ? std::string("good") : to_text(diagnostics);
  };
  EXPECT_EQ(hull("  phase 0\n  output o0.x, 1\n  return\n  phase 1\n  patch.output p0.x, 1\n  return\n"),
            "good");
  EXPECT_THAT(hull("  output o0.x, 1\n  return\n"), HasSubstr("must be in phases"));
  EXPECT_THAT(hull("  phase 0\n  patch.output p0.x, 1\n  return\n"), HasSubstr("[phase] patch.output"));
  EXPECT_THAT(hull("  phase 1\n  output o0.x, 1\n  return\n"), HasSubstr("[phase] output"));
  EXPECT_THAT(hull("  phase 0\n  %0 = iadd 1, 2\n  return\n  phase 1\n  patch.output p0.x, %0\n  return\n"),
              HasSubstr("region that was left"));
  EXPECT_THAT(verdict("  patch.output p0.x, 1\n"), HasSubstr("only hull shaders"));
}

TEST(Verifier, Dominance) {
  EXPECT_THAT(verdict("  if true\n  %0 = iadd 1, 2\n  else\n  endif\n  %1 = iadd %0, 1\n"),
              HasSubstr("[dominance] iadd (instruction 4): operand 0 is defined in a region that was left"));
  EXPECT_THAT(verdict("  if true\n  %0 = iadd 1, 2\n  else\n  %1 = iadd %0, 1\n  endif\n"),
              HasSubstr("was left"));
  EXPECT_THAT(verdict("  %0 = loop init(1)\n  break\n  endloop\n  %1 = iadd %0, 1\n"), HasSubstr("was left"));
  EXPECT_THAT(verdict("  switch 1\n  case 1\n  %0 = iadd 1, 2\n  break\n  default\n  %1 = iadd %0, 1\n  "
                      "break\n  endswitch\n"),
              HasSubstr("was left"));
  EXPECT_EQ(
      verdict("  if true\n  %0 = iadd 1, 2\n  else yields(%0)\n  %1 = endif yields(3)\n  %2 = iadd %1, 1\n"),
      "good");
  Module module;
  parse_or_fail(with_body("  %0 = iadd 1, 2\n  %1 = iadd %0, 3\n"), module);
  std::swap(module.code[0], module.code[1]);
  Diagnostics diagnostics;
  EXPECT_FALSE(verify(module, diagnostics));
  EXPECT_THAT(to_text(diagnostics), HasSubstr("used before it is defined"));
  module.code[0] = module.code[1];
  EXPECT_FALSE(verify(module, diagnostics));
  EXPECT_THAT(to_text(diagnostics), HasSubstr("[single definition]"));
}

TEST(Verifier, Payloads) {
  EXPECT_EQ(verdict("  %0 = reg.load r7.x\n", Form::registers), "good");
  EXPECT_THAT(verdict("  %0 = reg.load r7.x\n"), HasSubstr("[ssa] reg.load"));
  EXPECT_THAT(verdict("  loop\n  break yields(1)\n  %0 = endloop\n", Form::registers),
              HasSubstr("[registers] break"));
  EXPECT_THAT(verdict("  %0 = reg.load r8.x\n", Form::registers),
              HasSubstr("register 8 does not exist: there are 8"));
  EXPECT_THAT(verdict("  phase 0\n"), HasSubstr("phase 0 does not exist: there are 0"));
  EXPECT_THAT(verdict("  %0 = binding t0.bound\n"), HasSubstr("are for what has an address"));
  EXPECT_THAT(verdict("  %0 = bound t0.width\n"), HasSubstr("are for what has an address"));
  Module module;
  parse_or_fail(with_body("  %0..%3 = cb.load cb0[0]\n"), module);
  module.code[0].payload = 9;
  Diagnostics diagnostics;
  EXPECT_FALSE(verify(module, diagnostics));
  EXPECT_THAT(to_text(diagnostics),
              HasSubstr("[payload] cb.load (instruction 0): constant buffer 9 does not exist: there are 1"));
}

std::string fetch(std::string_view access) {
  return verdict("  %0..%3 = tex.fetch " + std::string(access) + "\n");
}
std::string sample(std::string_view access) {
  return verdict("  %0..%3 = tex.sample " + std::string(access) + "\n");
}
std::string gather(std::string_view access) {
  return verdict("  %0..%3 = tex.gather " + std::string(access) + "\n");
}

TEST(Verifier, AddressesFollowTheDimension) {
  EXPECT_EQ(fetch("t0 texture2d float coord(1, 2) level(0)"), "good");
  EXPECT_THAT(fetch("t0 texture2d float coord(1) level(0)"),
              HasSubstr("[slots] tex.fetch (instruction 0): lacks the operand coordinate1"));
  EXPECT_THAT(fetch("t0 texture2d float coord(1, 2, 3) level(0)"),
              HasSubstr("cannot have the operand coordinate2"));
  EXPECT_THAT(fetch("t0 texture2d float coord(1, 2) layer(3) level(0)"),
              HasSubstr("cannot have the operand layer"));
  EXPECT_THAT(fetch("t1 texture2darray float coord(1, 2) level(0)"), HasSubstr("lacks the operand layer"));
  EXPECT_EQ(fetch("t3 texture2dms float coord(1, 2) sample(0)"), "good");
  EXPECT_THAT(fetch("t3 texture2dms float coord(1, 2)"), HasSubstr("lacks the operand sample"));
  EXPECT_EQ(fetch("t4 buffer float coord(1)"), "good");
  EXPECT_EQ(fetch("t2 texturecube float coord(1, 2, 3) level(0)"), "good") << "a direction";
  EXPECT_THAT(fetch("t2 texturecube float coord(1, 2) level(0)"), HasSubstr("lacks the operand coordinate2"));
  EXPECT_THAT(fetch("t2 raw_buffer float coord(1)"), HasSubstr("[dimension]"));
  EXPECT_THAT(fetch("t0 buffer float coord(1)"), HasSubstr("but the resource is a texture2d"));
  EXPECT_THAT(fetch("u0 texture2d float coord(1, 2) level(0)"), HasSubstr("[resource]"));
  EXPECT_THAT(fetch("t0 texture2d float coord(1, 2) level(0) resource_index(1)"),
              HasSubstr("an index into a single register"));
}

TEST(Verifier, LevelsFollowTheOperation) {
  EXPECT_THAT(fetch("t0 texture2d float coord(1, 2) implicit"), HasSubstr("[level]"));
  EXPECT_EQ(sample("t0 s0 texture2d float coord(1, 2) implicit lod_clamp(0)"), "good");
  EXPECT_EQ(sample("t0 s0 texture2d float coord(1, 2) bias(0)"), "good");
  EXPECT_EQ(sample("t0 s0 texture2d float coord(1, 2) ddx(1, 2) ddy(3, 4) gradient"), "good");
  EXPECT_THAT(sample("t0 s0 texture2d float coord(1, 2)"), HasSubstr("[level]"));
  EXPECT_THAT(sample("t0 s0 texture2d float coord(1, 2) bias"), HasSubstr("lacks the operand lod"));
  EXPECT_THAT(sample("t0 s0 texture2d float coord(1, 2) implicit lod(1)"),
              HasSubstr("cannot have the operand lod"));
  EXPECT_THAT(sample("t0 s0 texture2d float coord(1, 2) ddx(1, 2) gradient"),
              HasSubstr("lacks the operand ddy0"));
  EXPECT_THAT(sample("t0 s0 texture2d float coord(1, 2) level(1) lod_clamp(0)"),
              HasSubstr("cannot have the operand lod_clamp"));
  EXPECT_THAT(gather("t0 s0 texture2d float coord(1, 2) level(1)"), HasSubstr("[level]"));
}

TEST(Verifier, SamplersComparisonsOffsets) {
  EXPECT_THAT(sample("t0 texture2d float coord(1, 2) implicit"), HasSubstr("[sampler]"));
  EXPECT_THAT(fetch("t0 s0 texture2d float coord(1, 2) level(0)"), HasSubstr("cannot have a sampler"));
  EXPECT_EQ(sample("t0 s1 texture2d float coord(1, 2) compare(1) level_zero"), "good");
  EXPECT_THAT(sample("t0 s1 texture2d float coord(1, 2) compare level_zero"),
              HasSubstr("lacks the operand reference"));
  EXPECT_THAT(sample("t0 s1 texture2d float coord(1, 2) reference(1) level_zero"),
              HasSubstr("cannot have the operand reference"));
  EXPECT_EQ(fetch("t0 texture2d float coord(1, 2) level(0) offset(-8, 7)"), "good");
  EXPECT_THAT(fetch("t0 texture2d float coord(1, 2) level(0) offset(-9, 0)"),
              HasSubstr("offset -9 is outside -8..7"));
  EXPECT_THAT(fetch("t0 texture2d float coord(1, 2) level(0) offset(0, 8)"),
              HasSubstr("offset 8 is outside -8..7"));
  EXPECT_THAT(fetch("t0 texture2d float coord(1, 2) level(0) offset(0, 0, 1)"),
              HasSubstr("on axis 2, which the dimension does not have"));
  EXPECT_THAT(sample("t2 s0 texturecube float coord(1, 2, 3) implicit offset(1)"),
              HasSubstr("cannot have an offset"));
  EXPECT_THAT(fetch("t4 buffer float coord(1) offset(1)"), HasSubstr("cannot have an offset"));
  EXPECT_EQ(gather("t0 s0 texture2d float coord(1, 2) offset_by(1, 2) component(3)"), "good");
  EXPECT_THAT(gather("t0 s0 texture2d float coord(1, 2) offset_by(1)"),
              HasSubstr("lacks the operand offset1"));
  EXPECT_THAT(gather("t0 s0 texture2d float coord(1, 2) offset_by(1, 2) offset(1, 1)"),
              HasSubstr("both an immediate and a run-time offset"));
  EXPECT_THAT(gather("t0 s0 texture2d float coord(1, 2) component(4)"), HasSubstr("[component]"));
  EXPECT_THAT(gather("t3 s0 texture2dms float coord(1, 2)"), HasSubstr("[dimension]"));
}

TEST(Verifier, StoresAndGuards) {
  EXPECT_EQ(verdict("  surf.store u0 texture2d uint coord(1, 2) value(1, 2, 3, 4)\n"), "good");
  EXPECT_THAT(verdict("  surf.store u0 texture2d uint coord(1, 2) value(1, 2, 3)\n"),
              HasSubstr("lacks the operand value3"));
  EXPECT_THAT(verdict("  surf.store t0 texture2d uint coord(1, 2) value(1, 2, 3, 4)\n"),
              HasSubstr("needs a u#"));
  EXPECT_EQ(verdict("  buf.store u1 structured_buffer mixed coord(1) byte_offset(4) value(1) mask(1)\n"),
            "good");
  EXPECT_THAT(verdict("  buf.store u1 structured_buffer mixed coord(1) byte_offset(4) value(1) mask(0)\n"),
              HasSubstr("[mask]"));
  EXPECT_THAT(verdict("  buf.store u1 structured_buffer mixed coord(1) byte_offset(4) value(1, 2) mask(5)\n"),
              HasSubstr("[mask] buf.store (instruction 0): mask 0x5"));
  EXPECT_EQ(verdict("  %0..%3 = buf.load u1 structured_buffer mixed coord(1) byte_offset(4) mask(5)\n"),
            "good");
  EXPECT_THAT(verdict("  %0 = surf.atomic u0 texture2d uint coord(1, 2) value(1) atomic(compare_exchange)\n"),
              HasSubstr("lacks the operand compare"));
  EXPECT_EQ(fetch("t0 texture2d float guard(true) else(_, _, _, 1.0f) coord(1, 2) level(0)"), "good");
  EXPECT_THAT(fetch("t0 texture2d float else(_, _, _, 1.0f) coord(1, 2) level(0)"),
              HasSubstr("fallbacks without a guard"));
  EXPECT_THAT(fetch("t0 texture2d float guard(1) coord(1, 2) level(0)"),
              HasSubstr("operand 0 is b32, not b1"));
  EXPECT_THAT(verdict("  %0..%4 = surf.load u0 texture2d uint coord(1, 2) feedback\n  %5 = mapped %4\n"),
              "good");
}

TEST(Verifier, AnAddressReplacesCoordinates) {
  const auto load = [](std::string_view access) {
    return verdict("  %0 = address u1\n  %1..%4 = buf.load u1 structured_buffer mixed " +
                   std::string(access) + "\n");
  };
  EXPECT_EQ(load("address(%0) align(4)"), "good");
  EXPECT_EQ(load("guard(true) address(%0) byte_offset(8) align(16)"), "good");
  EXPECT_THAT(load("address(%0) coord(1) align(4)"), HasSubstr("cannot have the operand coordinate0"));
  EXPECT_THAT(load("address(%0) resource_index(1) align(4)"),
              HasSubstr("cannot have the operand resource_index"));
  EXPECT_THAT(load("address(1) align(4)"), HasSubstr("operand 0 is b32, not b64"));
  EXPECT_THAT(load("address(%0)"), HasSubstr("[address] buf.load (instruction 1): alignment 0"));
  EXPECT_THAT(load("address(%0) align(12)"), HasSubstr("alignment 12"));
  EXPECT_THAT(load("coord(1) byte_offset(0) align(4)"), HasSubstr("an alignment without an address"));
  EXPECT_THAT(verdict("  %0 = address u1\n  %1 = input v0.x\n  %2..%5 = buf.load u1 structured_buffer mixed "
                      "address(%0) byte_offset(%1) align(4)\n"),
              HasSubstr("the byte offset is not a constant"));
  EXPECT_EQ(
      verdict("  %0 = address u0\n  %1 = surf.atomic u0 texture2d uint address(%0) value(1) align(4)\n"),
      "good");
  EXPECT_THAT(verdict("  %0 = address t0\n  %1..%4 = tex.fetch t0 texture2d float address(%0) level(0)\n"),
              HasSubstr("cannot have the operand address"));
  EXPECT_EQ(verdict("  %0 = address u1.counter\n  %1 = bound u1.counter\n"), "good");
  EXPECT_THAT(verdict("  %0 = binding u1.counter\n"), HasSubstr("`binding` for numbers"));
  EXPECT_THAT(verdict("  %0 = address u1.width\n"), HasSubstr("are for what has an address"));
  EXPECT_THAT(verdict("  %0 = mad.wide.u32 1, 2, 3\n"), HasSubstr("operand 2 is b32, not b64"));
  EXPECT_THAT(verdict("  %0 = address u0 index(1)\n"), HasSubstr("good")) << "verify_contract judges indices";
}

TEST(Verifier, SurvivesNonsense) {
  for (uint32_t seed = 0; seed < 20; ++seed) {
    Module module;
    parse_or_fail(
        with_body("  %0 = iadd 1, 2\n  %1..%4 = tex.fetch t0 texture2d float coord(1, 2) level(0)\n"),
        module);
    Instruction& instruction = module.code[seed % 2];
    switch (seed / 2) {
      case 0: instruction.op = static_cast<Op>(255); break;
      case 1: instruction.first_operand = 0xffffffff; break;
      case 2: instruction.operand_count = 0xffffffff; break;
      case 3: instruction.first_result = Value(0xfffffffe); break;
      case 4:
        instruction.payload = 0xffffffff;
        instruction.op = Op::tex_fetch;
        break;
      case 5:
        module.operands[0] = kNoValue;
        module.operands[2] = Value(12345);
        break;
      case 6:
        module.accesses[0].dimension = static_cast<Dimension>(200);
        instruction.op = Op::endif;
        break;
      case 7:
        module.accesses[0].slots = 0xffffffff;
        instruction.op = Op::phase;
        break;
      case 8:
        module.accesses[0].resource = 999;
        instruction.op = Op::endswitch;
        break;
      default:
        instruction.op = Op::binding;
        instruction.payload = 0x00ff0000;
        break;
    }
    Diagnostics diagnostics;
    EXPECT_FALSE(verify(module, diagnostics)) << seed;
    to_text(module);
  }
}

}  // namespace
}  // namespace texlate::ir
