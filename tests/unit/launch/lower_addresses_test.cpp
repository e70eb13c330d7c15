// lower_addresses, tested on text. What the addresses reach is tested by execution: memory_edges_test,
// unordered_access_test and tests/golden/edges.

#include "backend/launch/lower_addresses.h"

#include <gtest/gtest.h>

#include <array>

#include "ir/passes/eliminate_dead_code.h"
#include "tests/unit/passes/pass_text.h"

namespace texlate::launch {
namespace {

constexpr std::string_view kDeclarations =
    "resource t5 raw_buffer mixed\n"
    "resource t6 structured_buffer mixed stride(24)\n"
    "resource t7 raw_buffer mixed registers(7, 4) space(0)\n"
    "uav u0 texture2d uint\n"
    "uav u1 structured_buffer mixed stride(16)\n"
    "uav u2 buffer uint stride(2)\n"
    "uav u3 texture3d uint stride(8)\n"
    "uav u4 texture2darray uint stride(4)\n"
    "constant_buffer cb1 rows(4)\n"
    "constant_buffer cb2 rows(4) registers(2, 9)\n"
    "input v0.xyzw\n"
    "output o0.xyzw\n";
// All but u0 are memory.
constexpr std::array<BindingForm, 8> kForms = {BindingForm::memory,  BindingForm::memory, BindingForm::memory,
                                               BindingForm::surface, BindingForm::memory, BindingForm::memory,
                                               BindingForm::memory,  BindingForm::memory};

/// %0, %1, %2 are numbers, %3 is a guard.
constexpr std::string_view kNumbers =
    "  %0 = input v0.x\n  %1 = input v0.y\n  %2 = input v0.z\n  %3 = ine %0, %1\n";

/// The body without what is not used, lowered or as it is.
std::string print(std::string_view body, bool lowers, LinearMemory memory, Layout* layout = nullptr) {
  ir::Module module;
  const std::string text = "module pixel 5.1 \"main\"\n" + std::string(kDeclarations) + "code {\n" +
                           std::string(kNumbers) + std::string(body) + "}\n";
  ir::parse_or_fail(text, module);
  ir::verify_or_fail(module);
  std::pmr::vector<uint16_t> rows;
  if (layout != nullptr) memory.rows = rows = add_rows(module, *layout);
  if (lowers) lower_addresses(module, memory);
  ir::eliminate_dead_code(module);
  ir::verify_or_fail(module);
  return ir::body_of(module);
}

void expect(std::string_view before, std::string_view after, uint32_t alignment = 16) {
  const LinearMemory memory{.forms = kForms, .alignment = alignment};
  EXPECT_EQ(print(before, true, memory), print(after, false, memory));
}

TEST(LowerAddresses, AStructureIsANumberTimesItsSize) {
  expect(R"(
  %4..%7 = buf.load t6 structured_buffer mixed guard(%3) coord(%0) byte_offset(8) mask(3)
  output o0.x, %4
)",
         R"(
  %8 = address t6
  %9 = mad.wide.u32 %0, 24, %8
  %4..%7 = buf.load t6 structured_buffer mixed guard(%3) address(%9) byte_offset(8) mask(3) align(8)
  output o0.x, %4
)");
}

TEST(LowerAddresses, ADynamicOffsetIsAlignedToAWord) {
  expect(R"(
  buf.store u1 structured_buffer mixed guard(%3) coord(%0) byte_offset(%1) value(%2) mask(1)
)",
         R"(
  %8 = address u1
  %9 = mad.wide.u32 %0, 16, %8
  %10 = mad.wide.u32 %1, 1, %9
  buf.store u1 structured_buffer mixed guard(%3) address(%10) value(%2) mask(1) align(4)
)");
}

TEST(LowerAddresses, AHostMayAlignLess) {
  expect(R"(
  buf.store u1 structured_buffer mixed coord(%0) byte_offset(0) value(%2) mask(1)
)",
         R"(
  %8 = address u1
  %9 = mad.wide.u32 %0, 16, %8
  buf.store u1 structured_buffer mixed address(%9) value(%2) mask(1) align(4)
)",
         4);
}

// Two constants are a displacement, as far as an instruction reaches; further numbers have 64 bits.
TEST(LowerAddresses, ConstantsAreDisplacementsAsFarAsInstructionsReach) {
  expect(R"(
  buf.store u1 structured_buffer mixed coord(3) byte_offset(4) value(%2) mask(1)
  buf.store u1 structured_buffer mixed coord(524287) byte_offset(0) value(%2) mask(1)
  buf.store u1 structured_buffer mixed coord(0xffffffff) byte_offset(8) value(%2) mask(1)
  %4..%7 = buf.load t5 raw_buffer mixed coord(8388588) mask(1)
  %8..%11 = buf.load t5 raw_buffer mixed coord(8388592) mask(1)
  %12..%15 = buf.load t5 raw_buffer mixed coord(0xfffffffc) mask(1)
  output o0.x, %4
  output o0.y, %8
  output o0.z, %12
)",
         R"(
  %20 = address u1
  buf.store u1 structured_buffer mixed address(%20) byte_offset(52) value(%2) mask(1) align(16)
  %21 = mad.wide.u32 524287, 16, %20
  buf.store u1 structured_buffer mixed address(%21) value(%2) mask(1) align(16)
  %22 = mad.wide.u32 0xffffffff, 16, %20
  buf.store u1 structured_buffer mixed address(%22) byte_offset(8) value(%2) mask(1) align(16)
  %23 = address t5
  %4..%7 = buf.load t5 raw_buffer mixed address(%23) byte_offset(8388588) mask(1) align(4)
  %24 = mad.wide.u32 8388592, 1, %23
  %8..%11 = buf.load t5 raw_buffer mixed address(%24) mask(1) align(4)
  %25 = mad.wide.u32 0xfffffffc, 1, %23
  %12..%15 = buf.load t5 raw_buffer mixed address(%25) mask(1) align(4)
  output o0.x, %4
  output o0.y, %8
  output o0.z, %12
)");
}

TEST(LowerAddresses, AtomicsReachLessFar) {
  expect(R"(
  %4 = buf.atomic u1 structured_buffer mixed guard(%3) coord(32767) byte_offset(12) value(%0) atomic(add)
  %5 = buf.atomic u1 structured_buffer mixed guard(%3) coord(32768) byte_offset(0) value(%0) atomic(add)
)",
         R"(
  %8 = address u1
  %4 = buf.atomic u1 structured_buffer mixed guard(%3) address(%8) byte_offset(524284) value(%0) align(16) atomic(add)
  %9 = mad.wide.u32 32768, 16, %8
  %5 = buf.atomic u1 structured_buffer mixed guard(%3) address(%9) value(%0) align(16) atomic(add)
)");
}

TEST(LowerAddresses, ARangeIsAskedWithItsIndex) {
  expect(R"(
  %4..%7 = buf.load t7 raw_buffer mixed coord(%0) resource_index(%1) non_uniform mask(1)
  %8..%11 = buf.load t7 raw_buffer mixed coord(%0) resource_index(7) mask(1)
  output o0.x, %4
  output o0.y, %8
)",
         R"(
  %12 = address t7 index(%1) non_uniform
  %13 = mad.wide.u32 %0, 1, %12
  %4..%7 = buf.load t7 raw_buffer mixed address(%13) mask(1) align(4)
  %14 = address t7 index(7)
  %15 = mad.wide.u32 %0, 1, %14
  %8..%11 = buf.load t7 raw_buffer mixed address(%15) mask(1) align(4)
  output o0.x, %4
  output o0.y, %8
)");
}

TEST(LowerAddresses, TexelsOfLinearViewsHavePitches) {
  expect(R"(
  surf.store u2 buffer none coord(%0) value(%1) mask(1)
  surf.store u3 texture3d none coord(%0, %1, %2) value(%1, %2) mask(3)
  surf.store u3 texture3d none coord(0, 0, %2) value(%1, %2) mask(3)
  surf.store u4 texture2darray none coord(5, 0) layer(%1) value(%1) mask(1)
)",
         R"(
  %8 = address u2
  %9 = mad.wide.u32 %0, 2, %8
  surf.store u2 buffer none address(%9) value(%1) mask(1) align(2)
  %10 = address u3
  %11 = mad.wide.u32 %0, 8, %10
  %12 = binding u3.row_pitch
  %13 = mad.wide.u32 %1, %12, %11
  %14 = binding u3.slice_pitch
  %15 = mad.wide.u32 %2, %14, %13
  surf.store u3 texture3d none address(%15) value(%1, %2) mask(3) align(8)
  %16 = mad.wide.u32 %2, %14, %10
  surf.store u3 texture3d none address(%16) value(%1, %2) mask(3) align(8)
  %17 = address u4
  %18 = binding u4.slice_pitch
  %19 = mad.wide.u32 %1, %18, %17
  surf.store u4 texture2darray none address(%19) byte_offset(20) value(%1) mask(1) align(4)
)");
}

// alloc returns the count before, consume the count after. Where nothing is counted, both return 0.
TEST(LowerAddresses, ACounterIsASum) {
  constexpr std::string_view kCounts = R"(
  %4 = counter u1 structured_buffer mixed counter(alloc)
  %5 = counter u1 structured_buffer mixed guard(%3) counter(consume)
  output o0.x, %4
  output o0.y, %5
)";
  expect(kCounts, R"(
  %8 = address u1.counter
  %9 = bound u1.counter
  %4 = buf.atomic u1 structured_buffer mixed guard(%9) address(%8) value(1) align(4) atomic(add)
  %10 = and.b1 %3, %9
  %11 = buf.atomic u1 structured_buffer mixed guard(%10) else(1) address(%8) value(-1) align(4) atomic(add)
  %5 = iadd %11, -1
  output o0.x, %4
  output o0.y, %5
)");
  const std::string all = print(kCounts, true, {.may_lack_counters = false});
  EXPECT_EQ(all.find("bound"), std::string::npos) << all;
}

TEST(LowerAddresses, SurfacesAndTexturesStayAsTheyAre) {
  constexpr std::string_view kSurface = "  surf.store u0 texture2d none coord(%0, %1) value(%2) mask(1)\n";
  expect(kSurface, kSurface);
}

/// Of a kernel. `in_memory`: the addresses are.
std::string print_kernel(std::string_view body, bool in_memory = false) {
  Layout layout(std::pmr::get_default_resource());
  layout.constant_buffers = {16, 32};
  const std::string text = print(body, true, {.loads_addresses = in_memory}, &layout);
  EXPECT_EQ(layout.resources.size(), 2U) << "the places of what was added";
  EXPECT_EQ(layout.resources, layout.constant_buffers);
  return text;
}

constexpr std::string_view kRows = R"(
  %4 = cb.rows cb1
  %5 = ult.u32 3, %4
  %6..%9 = cb.load cb1[3] guard(%5)
  %10..%13 = cb.load cb1[%0]
  %14..%17 = cb.load cb2[0] index(%1) non_uniform
  %18 = cb.rows cb2 index(7)
  %19 = ult.u32 %0, %18
  %20..%23 = cb.load cb2[%0] index(7) guard(%19)
  output o0.x, %6
  output o0.y, %11
  output o0.z, %14
  output o0.w, %20
)";

TEST(LowerAddresses, ARowIsAStructureOf16Bytes) {
  EXPECT_EQ(print_kernel(kRows), R"(  %0 = address cb1
  %1 = input v0.x
  %2 = input v0.y
  %3 = binding cb1.width
  %4 = ult.u32 3, %3
  %5..%8 = buf.load cb1 structured_buffer mixed guard(%4) address(%0) byte_offset(48) align(16)
  %9 = mad.wide.u32 %1, 16, %0
  %10..%13 = buf.load cb1 structured_buffer mixed address(%9) align(16)
  %14 = address cb2 index(%2) non_uniform
  %15..%18 = buf.load cb2 structured_buffer mixed address(%14) align(16)
  %19 = binding cb2.width index(7)
  %20 = ult.u32 %1, %19
  %21 = address cb2 index(7)
  %22 = mad.wide.u32 %1, 16, %21
  %23..%26 = buf.load cb2 structured_buffer mixed guard(%20) address(%22) align(16)
  output o0.x, %5
  output o0.y, %11
  output o0.z, %15
  output o0.w, %23
)");
}

// Two registers for the whole program cost more than a second load.
TEST(LowerAddresses, AnAddressInMemoryIsLoadedWhereItIsUsed) {
  const std::string text = print_kernel(kRows, true);
  EXPECT_GT(text.find("address cb1"), text.find("binding cb1.width")) << text;
}

TEST(LowerAddresses, WithoutRowsConstantBuffersStay) {
  constexpr std::string_view kLoad = "  %4..%7 = cb.load cb1[%0]\n  output o0.x, %4\n";
  expect(kLoad, kLoad);
}

TEST(LowerAddresses, AnAddressIsSharedNearby) {
  constexpr std::string_view kStore =
      "  buf.store u1 structured_buffer mixed coord(%0) byte_offset(0) value(%2) mask(1)\n";
  const auto products = [&](int between) {
    std::string body(kStore);
    for (int i = 0; i < between; ++i) body += "  output o0.x, %1\n";
    const std::string text = print(body + std::string(kStore), true, {});
    EXPECT_EQ(text.find("address u1"), text.rfind("address u1")) << "which costs no instruction of its own";
    return text.find("mad.wide") == text.rfind("mad.wide") ? 1 : 2;
  };
  EXPECT_EQ(products(0), 1);
  EXPECT_EQ(products(60), 1);
  EXPECT_EQ(products(70), 2) << "two registers for the whole program cost more";
}

TEST(LowerAddresses, FindsWhatMayBeMemory) {
  const auto may = [](std::string_view declaration) {
    ir::Module module;
    ir::parse_or_fail("module pixel 5.0 \"main\"\n" + std::string(declaration) + "\ncode {\n}\n", module);
    return may_access_memory(module);
  };
  EXPECT_TRUE(may("resource t0 raw_buffer mixed"));
  EXPECT_TRUE(may("resource t0 structured_buffer mixed stride(4)"));
  EXPECT_TRUE(may("uav u0 texture2d uint"));
  EXPECT_FALSE(may("resource t0 texture2d float"));
}

}  // namespace
}  // namespace texlate::launch
