#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "ir/spelling.h"
#include "tests/support/ir_text.h"

namespace texlate::ir {
namespace {

/// Parses and prints again.
std::string reprinted(std::string_view text) {
  Module module;
  Diagnostics diagnostics;
  if (!parse(text, module, diagnostics)) return to_text(diagnostics, text);
  return to_text(module);
}

/// The text of a body in the smallest module.
std::string alone(std::string_view body) {
  return "module pixel 5.0 \"main\"\ncode {\n" + std::string(body) + "}\n";
}

std::string first_error(std::string_view text) {
  Module module;
  Diagnostics diagnostics;
  if (parse(text, module, diagnostics)) return "no error";
  return to_text(diagnostics, text);
}

TEST(Text, PrintsWhatItParsed) {
  const std::string text = R"(module compute 5.1 "main\x22\x5c"
registers 3
gs_instances 2
max_tessellation_factor 32.0f
thread_group 8 4 1
early_depth_stencil
refactoring_allowed
resource t0 texture2d float
resource t3 texture2darray unorm, unorm, float, none registers(4, unbounded) space(2)
resource t4 texture2dms uint samples(4)
resource t5 structured_buffer mixed stride(32)
uav u0 texture2d uint coherent ordered
uav u1 structured_buffer mixed counter ordered_counter stride(16)
sampler s0
sampler s1 comparison registers(1, 4)
constant_buffer cb0 rows(12)
constant_buffer cb1 rows(4) dynamic registers(1, 3) space(7)
input v0.xy semantic "TEXCOORD" semantic_index(3) linear component_type(3)
input v1.xyzw sv(position) linear_noperspective array(3)
input coverage.x
output o0.xyzw sv(99) stream(1)
patch_constant p2.w
local x0 rows(4) components(4)
shared g0 bytes(1024) stride(16)
table table0
  row 1.0f, 0, -1, 0x7fc00000
  row -0.0f, 1.5f, 65536, 3.0f
phase 0 fork instances(3)
code {
  %0 = reg.load r2.w
  reg.store r0.x, %0                                                    ; line 4
  %1 = input v1.y vertex(%0) index(2)
  %2 = input coverage.x                                                 ; line 5
  %3 = sysval thread_id.z
  %4 = sysval 77.x
  %5..%8 = cb.load cb0[%3]                                              ; no line
  %9..%12 = cb.load cb1[1] index(%3)
  %13..%16 = table.load table0[%4]                                      ; offset 0x1f4
  %17 = local.load x0[%4].y
  local.store x0[2].w, %17
  %18 = shared.load g0[%17]
  shared.store g0[%17], 5
  %19 = shared.atomic compare_exchange g0[4], 0, 1
  %20 = fadd.f32 [precise] %19, 1.0f
  %21 = pack.b64 %20, 0
  %22 = fadd.f64 %21, 1.5d
  %23 = fadd.f64 %22, 0x7ff8000000000000l
  %24 = fadd.f64 %23, 7l
  %25, %26 = unpack.b64 %24
  barrier threads shared
  message "50%% of \x22%d\x22\x5c\x0a", %26, 7
  message ""
  %27 = binding t3.width index(%26)
  %28 = bound t0.bound
  %29 = binding s1.compare_function
  %30 = select.b32 true, %27, %29
  output o0.x index(%30), %27
  emit 1
  phase 0
}
)";
  // `%25, %26` and `%25..%26` are the same.
  std::string expected = text;
  expected.replace(expected.find("%25, %26"), 8, "%25..%26");
  EXPECT_EQ(reprinted(text), expected);
  EXPECT_EQ(reprinted(expected), expected);
}

TEST(Text, AccessesHaveNamedSlots) {
  const std::string text = R"(module compute 5.0 "main"
resource t0 texture2darray float
resource t1 raw_buffer mixed
resource cb0 structured_buffer mixed registers(0, 3) stride(16)
uav u0 texture2d uint
uav u1 structured_buffer mixed stride(16)
sampler s0
sampler s1 comparison
code {
  %0..%3 = tex.fetch t0 texture2darray float coord(1, 2) layer(3) level(4) offset(-1, 7)
  %4..%7 = tex.fetch t0 texture2darray float guard(true) else(_, _, _, %3) coord(1, 2) layer(3) level(0) integer_layer
  %8..%11 = tex.sample t0 s0 texture2darray float coord(%0, %1) layer(%2) lod_clamp(0.5f) implicit
  %12..%15 = tex.sample t0 s0 texture2darray float coord(%0, %1) layer(%2) bias(-2.0f) offset(0, -8)
  %16..%19 = tex.sample t0 s0 texture2darray float coord(%0, %1) layer(%2) ddx(%3, %4) ddy(%5, %6) gradient
  %20..%23 = tex.sample t0 s1 texture2darray float coord(%0, %1) layer(%2) compare(%3) level_zero
  %24..%28 = tex.gather t0 s0 texture2darray float coord(%0, %1) layer(%2) offset_by(%3, 1) feedback component(3)
  %29 = mapped %28
  %30..%33 = tex.size t0 texture2darray float level(0)
  %34..%37 = buf.load t1 raw_buffer mixed coord(16) mask(3)
  %38 = surf.atomic u0 texture2d uint coord(1, 2) value(%34) expected(%35) atomic(compare_exchange)
  buf.store u1 structured_buffer mixed coord(%38) byte_offset(4) resource_index(2) value(1, 2) non_uniform mask(3)
  %39 = counter u1 structured_buffer mixed counter(alloc)
  %40 = counter u1 structured_buffer mixed counter(consume)
  %41 = binding cb0.width index(%39)
  %42 = address cb0 index(%39)
  %43..%46 = buf.load cb0 structured_buffer mixed address(%42) byte_offset(32) align(16)
}
)";
  EXPECT_EQ(reprinted(text), text);
}

TEST(Text, AccessesToMemoryHaveAnAddressAndItsAlignment) {
  const std::string text = R"(module compute 5.1 "main"
resource t0 raw_buffer mixed registers(4, 3)
uav u0 structured_buffer mixed stride(16)
uav u1 texture2d uint
code {
  %0 = sysval thread_id.x
  %1 = address u0
  %2 = address t0 index(%0) non_uniform
  %3 = mad.wide.u32 %0, 16, %1
  %4..%7 = buf.load t0 raw_buffer mixed guard(true) else(1) address(%2) mask(3) align(4)
  buf.store u0 structured_buffer mixed address(%3) byte_offset(4) value(%4, %5) mask(3) align(16)
  %8 = buf.atomic u0 structured_buffer mixed address(%3) value(%4) align(4) atomic(add)
  %9..%12 = surf.load u1 texture2d none address(%1) mask(1) align(2)
  %13 = address u0.counter
  %14 = bound u0.counter
}
)";
  EXPECT_EQ(reprinted(text), text);
}

TEST(Text, ControlFlowIsIndented) {
  const std::string text = alone(R"(  %0 = fadd.f32 1, 2
  %1, %2: b1 = loop init(%0, false)
    if %2
      break yields(%1)
    else
      switch %1
        case 0
        case -1
          break
        default
          continue yields(4, true)
      endswitch
    %3, %4: b64 = endif yields(5, 6l)
  %5 = endloop yields(%3, %2)
  return
)");
  EXPECT_EQ(reprinted(text), text);
}

// The text of deeply nested code does not grow with the square of its depth.
TEST(Text, IndentationIsLimited) {
  constexpr int kDepth = 1000;
  std::string text = "module pixel 5.0 \"main\"\ncode {\n";
  for (int i = 0; i < kDepth; ++i) text += "if true\n";
  for (int i = 0; i < kDepth; ++i) text += "else\nendif\n";
  text += "}\n";
  Module module;
  parse_or_fail(text, module);
  const std::string printed = to_text(module);
  EXPECT_LT(printed.size(), text.size() + size_t{3 * kDepth} * 300);
  Module copy;
  parse_or_fail(printed, copy);
  EXPECT_EQ(to_text(copy), printed);
}

TEST(Text, ConstantsLoseNoBits) {
  const uint32_t words[] = {0,          1,          0xffffffff, 0x10000,    0x10001,    0xffff0000,
                            0xfffeffff, 0x3f800000, 0x80000000, 0x80000001, 0x7f800000, 0xff800000,
                            0x7fc00001, 0x3dcccccd, 0x00000001, 0x007fffff, 0x4b7fffff, 0x53800000,
                            0x2b800000, 0x7f7fffff, 0x12345678};
  for (const uint32_t word : words) {
    Module module;
    module.tables.push_back({0, 1});
    module.table_words.assign(4, word);
    Module copy;
    Diagnostics diagnostics;
    ASSERT_TRUE(parse(to_text(module), copy, diagnostics)) << to_text(module);
    EXPECT_EQ(copy.table_words, module.table_words) << to_text(module);
  }
  std::pmr::string text;
  print_constant({0x3dcccccd, Type::b32, true}, text);
  EXPECT_EQ(text, "0.1f");
}

TEST(Text, ErrorsPointAtTheirPlace) {
  EXPECT_EQ(first_error(alone("  %0 = fadd.f32 1, %7\n")),
            "ir:3:20: error: %7 is used before it is defined\n"
            "      %0 = fadd.f32 1, %7\n"
            "                       ^~\n");
  EXPECT_THAT(first_error(alone("  %0 = fadd.f64x 1, 2\n")),
              testing::HasSubstr("ir:3:8: error: unknown operation 'fadd.f64x'"));
  EXPECT_THAT(first_error(alone("  %0..%1 = iadd 1, 2\n")), testing::HasSubstr("iadd has 1 results, not 2"));
  EXPECT_THAT(first_error(alone("  %0 = iadd 1, 2\n  %0 = iadd 1, 2\n")),
              testing::HasSubstr("ir:4:3: error: %0 is defined twice"));
  EXPECT_THAT(first_error(alone("  %0 = iadd 1 2\n")), testing::HasSubstr("unexpected text after the end"));
  // Neither as an escape nor directly: the printed text could not be read back.
  using namespace std::string_view_literals;
  EXPECT_THAT(first_error("module compute 5.0 \"a\\x00\""), testing::HasSubstr("not \\x00"));
  EXPECT_THAT(first_error("module compute 5.0 \"a\0\""sv),
              testing::HasSubstr("a name cannot contain a byte of value 0"));
  EXPECT_THAT(first_error(alone("  %0 = iadd 1, 99999999999\n")), testing::HasSubstr("expected a value"));
  EXPECT_THAT(first_error(alone("  %0..%3 = tex.fetch t4 texture2d float\n")),
              testing::HasSubstr("t4 is not declared"));
  EXPECT_THAT(first_error(alone("  %0 = sysval nonsense.x\n")),
              testing::HasSubstr("'nonsense' is not a system value"));
  EXPECT_THAT(first_error(alone("  %4000000000 = iadd 1, 2\n")),
              testing::HasSubstr("expected the number of a value"));
  EXPECT_THAT(
      first_error(
          "module pixel 5.0 \"a\"\nresource t0 texture2d float\nresource t0 texture2d float\ncode {\n}\n"),
      testing::HasSubstr("ir:3:10: error: t0 is declared twice"));
  EXPECT_THAT(first_error("code {\n"),
              testing::AllOf(testing::HasSubstr("not closed"), testing::HasSubstr("no 'module' line")));
  EXPECT_THAT(first_error("module pixel 5.0 \"a\nlocal x1 rows(1) components(1)\n"),
              testing::AllOf(testing::HasSubstr("string in quotes"), testing::HasSubstr("expected x0")));
}

TEST(Text, GoesOnAfterAnErrorWithoutEchoes) {
  Module module;
  Diagnostics diagnostics;
  // %0 counts as defined although there is an error in its line.
  EXPECT_FALSE(
      parse(alone("  %0 = nonsense 1\n  %1 = iadd %0, 1\n  %2 = iadd %0, oops\n"), module, diagnostics));
  EXPECT_EQ(diagnostics.error_count(), 2u);
}

TEST(Text, EverySpellingReadsBack) {
  for (uint32_t i = 0; i < kOpCount; ++i)
    EXPECT_EQ(parse_op(info(static_cast<Op>(i)).text), static_cast<Op>(i));
  EXPECT_FALSE(parse_op("fadd").has_value());
  EXPECT_FALSE(parse_op("").has_value());
  for (uint32_t i = 0; i < kDimensionCount; ++i) {
    EXPECT_EQ(parse_spelling<Dimension>(spelling(static_cast<Dimension>(i))), static_cast<Dimension>(i));
  }
}

}  // namespace
}  // namespace texlate::ir
