// lower_streams, tested on text. What the code does is tested by execution: PtxMeaning, maxwell_kernel_test
// and tests/differential compare it with the interpreter, which reads inputs and evaluates them itself.

#include "backend/launch/lower_streams.h"

#include <gtest/gtest.h>

#include "tests/support/ir_text.h"

namespace texlate::launch {
namespace {

struct Shader {
  std::string_view stage = "vertex";
  std::string_view outputs = "output o0.x\n";
  uint32_t elements = 0;  // known ones
  bool has_helpers = true;
};

/// The body after the pass. Places of the head are named after their offsets: t0 the inputs, u8 the outputs,
/// u24 where pixels report that they are written; their number of elements is u24.width.
std::string lowered(const Shader& shader, std::string_view body) {
  ir::Module module;
  ir::parse_or_fail("module " + std::string(shader.stage) + " 5.0 \"main\"\ninput v0.xyzw\ninput v1.xyzw\n" +
                        std::string(shader.outputs) + "code {\n" + std::string(body) + "}\n",
                    module);
  ir::verify_or_fail(module);
  module.relied.launch.elements = shader.elements;
  if (!shader.has_helpers) module.relied.launch.helper_lanes = false;
  Layout layout(module.memory());
  Diagnostics diagnostics;
  EXPECT_TRUE(lower_streams(module, layout, diagnostics)) << ir::to_text(diagnostics);
  ir::verify_or_fail(module);
  EXPECT_EQ(layout.resources.size(), module.resources.size());
  for (size_t i = 0; i < module.resources.size(); ++i) module.resources[i].id = layout.resources[i];
  return "\n" + ir::body_of(module);
}

size_t count(std::string_view text, std::string_view part) {
  size_t found = 0;
  for (size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++found;
  return found;
}

constexpr Shader kNothingReported{.stage = "pixel", .has_helpers = false};

// Every step is a power of two planes, from the nearest plane whose address is known.
TEST(LowerStreams, InputsAreWordsOfPlanes) {
  EXPECT_EQ(lowered({}, R"(
  %0 = input v0.x
  %1 = input v0.w
  %2 = input v1.x
  %3 = fadd.f32 %0, %1
  %4 = fadd.f32 %3, %2
  output o0.x, %4
  return
)"),
            R"(
  %0 = sysval thread_id.x
  %1 = binding u24.width
  %2 = address t0
  %3 = mad.wide.u32 %0, 4, %2
  %4..%7 = buf.load t0 structured_buffer float address(%3) mask(1) align(4)
  %8 = mad.wide.u32 %1, 4, %3
  %9 = mad.wide.u32 %1, 8, %8
  %10..%13 = buf.load t0 structured_buffer float address(%9) mask(1) align(4)
  %14 = mad.wide.u32 %1, 4, %9
  %15..%18 = buf.load t0 structured_buffer float address(%14) mask(1) align(4)
  %19 = fadd.f32 %4, %10
  %20 = fadd.f32 %19, %15
  %21 = address u8
  %22 = mad.wide.u32 %0, 4, %21
  buf.store u8 structured_buffer float address(%22) value(%20) mask(1) align(4)
  return
)");
}

// Also where another one that is nearby became known later.
TEST(LowerStreams, AnAddressIsComputedOnce) {
  const std::string text = lowered({}, R"(
  %0 = input v0.y
  %1 = input v0.w
  %2 = input v0.z
  %3 = input v0.w
  %4 = fadd.f32 %0, %1
  %5 = fadd.f32 %2, %3
  %6 = fadd.f32 %4, %5
  output o0.x, %6
  return
)");
  EXPECT_EQ(count(text, "buf.load"), 4u) << text;
  EXPECT_EQ(count(text, "mad.wide.u32 %1, "), 3u) << text;
}

TEST(LowerStreams, RegistersOfARunTimeNumber) {
  EXPECT_EQ(lowered({}, R"(
  %0 = input v0.x
  %1 = input v0.z index(%0)
  output o0.x, %1
  return
)"),
            R"(
  %0 = sysval thread_id.x
  %1 = binding u24.width
  %2 = address t0
  %3 = mad.wide.u32 %0, 4, %2
  %4..%7 = buf.load t0 structured_buffer float address(%3) mask(1) align(4)
  %8 = shl %4, 4
  %9 = iadd %8, 8
  %10 = mad.wide.u32 %9, %1, %3
  %11..%14 = buf.load t0 structured_buffer float address(%10) mask(1) align(4)
  %15 = address u8
  %16 = mad.wide.u32 %0, 4, %15
  buf.store u8 structured_buffer float address(%16) value(%11) mask(1) align(4)
  return
)");
}

TEST(LowerStreams, AKnownNumberOfElementsGivesDisplacements) {
  EXPECT_EQ(lowered({.outputs = "output o0.xy\n", .elements = 64}, R"(
  %0 = input v0.x
  %1 = input v0.w
  output o0.x, %0
  output o0.y, %1
  return
)"),
            R"(
  %0 = sysval thread_id.x
  %1 = address t0
  %2 = mad.wide.u32 %0, 4, %1
  %3..%6 = buf.load t0 structured_buffer float address(%2) mask(1) align(4)
  %7..%10 = buf.load t0 structured_buffer float address(%2) byte_offset(768) mask(1) align(4)
  %11 = address u8
  %12 = mad.wide.u32 %0, 4, %11
  buf.store u8 structured_buffer float address(%12) value(%3) mask(1) align(4)
  buf.store u8 structured_buffer float address(%12) byte_offset(256) value(%7) mask(1) align(4)
  return
)");
}

// What a branch has computed is not there after it.
TEST(LowerStreams, AddressesOfABranchStayThere) {
  EXPECT_EQ(lowered({}, R"(
  %0 = input v0.x
  %1 = ine %0, 0
  if %1
    %2 = input v0.y
  else yields(%2)
    %3 = input v0.y
  %4 = endif yields(%3)
  %5 = input v0.y
  %6 = fadd.f32 %4, %5
  output o0.x, %6
  return
)"),
            R"(
  %0 = sysval thread_id.x
  %1 = binding u24.width
  %2 = address t0
  %3 = mad.wide.u32 %0, 4, %2
  %4..%7 = buf.load t0 structured_buffer float address(%3) mask(1) align(4)
  %8 = ine %4, 0
  if %8
    %9 = mad.wide.u32 %1, 4, %3
    %10..%13 = buf.load t0 structured_buffer float address(%9) mask(1) align(4)
  else yields(%10)
    %14 = mad.wide.u32 %1, 4, %3
    %15..%18 = buf.load t0 structured_buffer float address(%14) mask(1) align(4)
  %19 = endif yields(%15)
  %20 = mad.wide.u32 %1, 4, %3
  %21..%24 = buf.load t0 structured_buffer float address(%20) mask(1) align(4)
  %25 = fadd.f32 %19, %21
  %26 = address u8
  %27 = mad.wide.u32 %0, 4, %26
  buf.store u8 structured_buffer float address(%27) value(%25) mask(1) align(4)
  return
)");
}

// An output that nothing writes is 0. A later declaration may add components.
TEST(LowerStreams, OutputsAreStoredAtTheEnd) {
  EXPECT_EQ(lowered({.outputs = "output o0.xw\noutput o2.y\n"}, R"(
  output o0.w, 5
  output o2.y, 6
  output o2.y, 7
  return
)"),
            R"(
  %0 = sysval thread_id.x
  %1 = binding u24.width
  %2 = address u8
  %3 = mad.wide.u32 %0, 4, %2
  %4 = mad.wide.u32 %1, 4, %3
  %5 = mad.wide.u32 %1, 8, %4
  %6 = mad.wide.u32 %1, 8, %5
  %7 = mad.wide.u32 %1, 16, %6
  buf.store u8 structured_buffer float address(%3) value(0) mask(1) align(4)
  buf.store u8 structured_buffer float address(%5) value(5) mask(1) align(4)
  buf.store u8 structured_buffer float address(%7) value(7) mask(1) align(4)
  return
)");
}

TEST(LowerStreams, OutputsOfABranchMeetAfterIt) {
  EXPECT_EQ(lowered({}, R"(
  %0 = input v0.x
  %1 = ine %0, 0
  output o0.x, 3
  if %1
    output o0.x, 4
  else
  endif
  return
)"),
            R"(
  %0 = sysval thread_id.x
  %1 = binding u24.width
  %2 = address t0
  %3 = mad.wide.u32 %0, 4, %2
  %4..%7 = buf.load t0 structured_buffer float address(%3) mask(1) align(4)
  %8 = ine %4, 0
  if %8
  else yields(4)
  %9 = endif yields(3)
  %10 = address u8
  %11 = mad.wide.u32 %0, 4, %10
  buf.store u8 structured_buffer float address(%11) value(%9) mask(1) align(4)
  return
)");
}

TEST(LowerStreams, OutputsOfARunTimeNumberAreChosen) {
  EXPECT_EQ(lowered({.outputs = "output o0.x\noutput o1.x\noutput o1.y\n"}, R"(
  %0 = input v0.x
  output o0.x index(%0), 9
  return
)"),
            R"(
  %0 = sysval thread_id.x
  %1 = binding u24.width
  %2 = address t0
  %3 = mad.wide.u32 %0, 4, %2
  %4..%7 = buf.load t0 structured_buffer float address(%3) mask(1) align(4)
  %8 = ieq %4, 0
  %9 = select.b32 %8, 9, 0
  %10 = ieq %4, 1
  %11 = select.b32 %10, 9, 0
  %12 = address u8
  %13 = mad.wide.u32 %0, 4, %12
  %14 = mad.wide.u32 %1, 16, %13
  %15 = mad.wide.u32 %1, 4, %14
  buf.store u8 structured_buffer float address(%13) value(%9) mask(1) align(4)
  buf.store u8 structured_buffer float address(%14) value(%11) mask(1) align(4)
  buf.store u8 structured_buffer float address(%15) value(0) mask(1) align(4)
  return
)");
}

TEST(LowerStreams, RunTimeNumbersCountFromTheRegisterThatIsNamed) {
  const std::string text = lowered({.outputs = "output o0.x\noutput o1.x\noutput o2.x\n"},
                                   "  %0 = input v0.x\n  output o1.x index(%0), 9\n  return\n");
  EXPECT_EQ(count(text, "select.b32"), 2u) << text;
  EXPECT_EQ(count(text, "ieq %4, 0\n"), 1u) << text;
  EXPECT_EQ(count(text, "ieq %4, 1\n"), 1u) << text;
}

// Their addresses are computed once.
TEST(LowerStreams, EachReturnStoresTheOutputs) {
  EXPECT_EQ(lowered({.stage = "pixel"}, R"(
  %0 = input v0.x
  %1 = ine %0, 0
  output o0.x, 3
  if %1
    output o0.x, 4
    return
  else
  endif
  return
)"),
            R"(
  %0 = sysval thread_id.x
  %1 = binding u24.width
  %2 = bound u24.bound
  %3 = address u24
  %4 = mad.wide.u32 %0, 4, %3
  %5 = address u8
  %6 = mad.wide.u32 %0, 4, %5
  %7 = address t0
  %8 = mad.wide.u32 %0, 4, %7
  %9..%12 = buf.load t0 structured_buffer float address(%8) mask(1) align(4)
  %13 = ine %9, 0
  if %13
    buf.store u8 structured_buffer float address(%6) value(4) mask(1) align(4)
    buf.store u24 structured_buffer float guard(%2) address(%4) value(1) mask(1) align(4)
    return
  else
  endif
  buf.store u8 structured_buffer float address(%6) value(3) mask(1) align(4)
  buf.store u24 structured_buffer float guard(%2) address(%4) value(1) mask(1) align(4)
  return
)");
}

// docs/limits.md: 65,536 words. The last return is one of them.
TEST(LowerStreams, ReturnsAreLimited) {
  const auto run = [](uint32_t returns) {
    std::string text =
        "module vertex 5.0 \"main\"\ninput v0.x\noutput o0.xyzw\ncode {\n  %0 = input v0.x\n"
        "  %1 = ine %0, 0\n";
    for (uint32_t i = 1; i < returns; ++i) text += "  if %1\n    return\n  else\n  endif\n";
    ir::Module module;
    ir::parse_or_fail(text + "  return\n}\n", module);
    Layout layout(module.memory());
    Diagnostics diagnostics;
    return lower_streams(module, layout, diagnostics) ? "" : ir::to_text(diagnostics);
  };
  EXPECT_EQ(run((1u << 16) / 4), "");
  EXPECT_NE(run((1u << 16) / 4 + 1).find("the returns store more than 65536 output words"),
            std::string::npos);
}

TEST(LowerStreams, PixelsReportThatTheyAreWritten) {
  EXPECT_EQ(lowered({.stage = "pixel", .outputs = ""}, "  return\n"), R"(
  %0 = sysval thread_id.x
  %1 = binding u24.width
  %2 = bound u24.bound
  %3 = address u24
  %4 = mad.wide.u32 %0, 4, %3
  buf.store u24 structured_buffer float guard(%2) address(%4) value(1) mask(1) align(4)
  return
)");
  EXPECT_EQ(lowered({.stage = "pixel", .outputs = "", .has_helpers = false}, "  return\n"),
            R"(
  %0 = sysval thread_id.x
  %1 = binding u24.width
  return
)");
  EXPECT_EQ(count(lowered(kNothingReported, R"(
  %0 = input v0.x
  %1 = ine %0, 0
  discard %1
  return
)"),
                  "bound u24"),
            1u);
  EXPECT_EQ(count(lowered({}, "  return\n"), "bound u24"), 0u);
}

// By now they are kernels with an element for each thread (lower_primitives.h).
TEST(LowerStreams, DomainAndGeometryShaders) {
  for (const std::string_view stage : {"domain", "geometry"})
    EXPECT_EQ(lowered({.stage = stage}, "  %0 = input v0.x\n  output o0.x, %0\n  return\n"),
              R"(
  %0 = sysval thread_id.x
  %1 = binding u24.width
  %2 = address t0
  %3 = mad.wide.u32 %0, 4, %2
  %4..%7 = buf.load t0 structured_buffer float address(%3) mask(1) align(4)
  %8 = address u8
  %9 = mad.wide.u32 %0, 4, %8
  buf.store u8 structured_buffer float address(%9) value(%4) mask(1) align(4)
  return
)") << stage;
}

// The number of a left pixel's neighbor is greater by one, that of a right pixel's less by one.
TEST(LowerStreams, DifferencesComeFromTheOtherPixelsOfTheQuad) {
  EXPECT_EQ(lowered(kNothingReported, R"(
  %0 = input v0.x
  %1 = eval.snapped v0.x, %0, 0
  output o0.x, %1
  return
)"),
            R"(
  %0 = sysval thread_id.x
  %1 = address t0
  %2 = mad.wide.u32 %0, 4, %1
  %3 = xor %0, 1
  %4 = mad.wide.u32 %3, 4, %1
  %5 = xor %0, 2
  %6 = mad.wide.u32 %5, 4, %1
  %7..%10 = buf.load t0 structured_buffer float address(%2) mask(1) align(4)
  %11 = bfe.s32 4, 0, %7
  %12 = itof.s32 %11
  %13 = fmul.f32 [precise] %12, 0.0625f
  %14..%17 = buf.load t0 structured_buffer float address(%4) mask(1) align(4)
  %18 = and %0, 1
  %19 = ine %18, 0
  %20 = select.b32 %19, %7, %14
  %21 = select.b32 %19, %14, %7
  %22 = fneg.f32 %21
  %23 = fadd.f32 [precise] %20, %22
  %24 = fmul.f32 [precise] %13, %23
  %25 = fadd.f32 [precise] %7, %24
  %26..%29 = buf.load t0 structured_buffer float address(%6) mask(1) align(4)
  %30 = and %0, 2
  %31 = ine %30, 0
  %32 = select.b32 %31, %7, %26
  %33 = select.b32 %31, %26, %7
  %34 = fneg.f32 %33
  %35 = fadd.f32 [precise] %32, %34
  %36 = fmul.f32 [precise] %35, 0
  %37 = fadd.f32 [precise] %25, %36
  %38 = and %7, 15
  %39 = ine %38, 0
  %40 = select.b32 %39, %37, %7
  %41 = address u8
  %42 = mad.wide.u32 %0, 4, %41
  buf.store u8 structured_buffer float address(%42) value(%40) mask(1) align(4)
  return
)");
}

// Both read the same pixels, whose addresses are computed once.
TEST(LowerStreams, ComponentsShareTheirNeighbors) {
  const std::string text = lowered({.stage = "pixel", .outputs = "output o0.xy\n", .has_helpers = false}, R"(
  %0 = eval.snapped v0.x, 4, -4
  %1 = eval.snapped v0.y, 4, -4
  output o0.x, %0
  output o0.y, %1
  return
)");
  EXPECT_EQ(count(text, "sysval"), 1u) << text;
  EXPECT_EQ(count(text, "xor"), 2u) << text;
  EXPECT_EQ(count(text, "buf.load"), 6u) << text;
  EXPECT_EQ(count(text, "bfe."), 0u) << text;  // of constants
}

}  // namespace
}  // namespace texlate::launch
