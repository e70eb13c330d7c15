// Whole kernels: which instructions selection takes, and that the forms of a kernel agree with each other.
#include "backend/maxwell/kernel.h"

#include <gtest/gtest.h>

#include "backend/maxwell/guarantees.h"
#include "backend/maxwell/isa/cubin.h"
#include "backend/maxwell/isa/listing.h"
#include "tests/support/ir_text.h"

namespace texlate::maxwell {
namespace {

struct Made {
  bool good = false;
  std::string listing, messages;
  std::vector<uint64_t> words;
  std::string cubin;
  uint32_t registers = 0, parameter_bytes = 0;
};

Made make(const std::string& text, KernelOptions options = {}, bool all_mapped = false) {
  ir::Module module;
  ir::parse_or_fail(text, module);
  Diagnostics diagnostics;
  launch::Layout layout(module.memory());
  Kernel kernel(module.memory());
  Made made;
  constexpr launch::LayoutForms kForms = {.tables = true, .in_memory = true, .packed = true};
  made.good = ir::legalize(module, guarantees(all_mapped), diagnostics) &&
              launch::make_layout(module, kForms, "maxwell", layout, diagnostics) &&
              make_kernel(module, layout, options, kernel, diagnostics);
  made.messages = ir::to_text(diagnostics, text);
  if (!made.good) return made;
  std::pmr::string out;
  write_text(kernel, out);
  made.listing = out;
  out.clear();
  write_cubin(kernel, out);
  made.cubin = out;
  made.words.assign(kernel.words.begin(), kernel.words.end());
  made.registers = kernel.register_count;
  made.parameter_bytes = kernel.parameter_bytes;
  return made;
}

std::string vertex(const std::string& body, const std::string& declarations = "") {
  return "module vertex 5.0 \"main\"\n" + declarations + "input v0.xyzw\noutput o0.xyzw\ncode {\n" +
         "  %0 = input v0.x\n  %1 = input v0.y\n  %2 = input v0.z\n  %3 = input v0.w\n" + body + "}\n";
}

bool has(const Made& made, std::string_view what) {
  return made.listing.find(what) != std::string::npos;
}

TEST(MaxwellKernel, ListingAssemblesBackToTheWords) {
  const Made made =
      make(vertex("  %4 = fdiv.f32 %0, %1\n  %5 = ult.u32 %2, %3\n  %6 = select.b32 %5, %4, %0\n"
                  "  output o0.x, %6\n"));
  ASSERT_TRUE(made.good) << made.messages;
  std::vector<uint8_t> bytes;
  Diagnostics diagnostics;
  ASSERT_TRUE(assemble(made.listing, bytes, diagnostics)) << ir::to_text(diagnostics, made.listing);
  ASSERT_EQ(bytes.size(), made.words.size() * 8);
  EXPECT_EQ(std::memcmp(bytes.data(), made.words.data(), bytes.size()), 0);
}

TEST(MaxwellKernel, CubinHoldsTheSameWords) {
  const Made made = make(vertex("  %4 = fadd.f32 %0, %1\n  output o0.x, %4\n"));
  ASSERT_TRUE(made.good) << made.messages;
  Cubin cubin;
  Diagnostics diagnostics;
  ASSERT_TRUE(read_cubin({reinterpret_cast<const uint8_t*>(made.cubin.data()), made.cubin.size()}, cubin,
                         diagnostics));
  ASSERT_EQ(cubin.kernels.size(), 1u);
  EXPECT_EQ(cubin.sm, 52u);
  EXPECT_EQ(cubin.kernels[0].name, "main");
  EXPECT_EQ(cubin.kernels[0].register_count, made.registers);
  ASSERT_EQ(cubin.kernels[0].code.size(), made.words.size() * 8);
  EXPECT_EQ(std::memcmp(cubin.kernels[0].code.data(), made.words.data(), made.words.size() * 8), 0);
}

TEST(MaxwellKernel, ModifiersFoldIntoOperandsAndResults) {
  const Made made =
      make(vertex("  %4 = fneg.f32 %1\n  %5 = fabs.f32 %0\n  %6 = fadd.f32 %5, %4\n"
                  "  %7 = fsat.f32 %6\n  output o0.x, %7\n"));
  ASSERT_TRUE(made.good) << made.messages;
  EXPECT_TRUE(has(made, "FADD.FTZ.SAT")) << made.listing;
  EXPECT_FALSE(has(made, "LOP32I")) << made.listing;
}

TEST(MaxwellKernel, ImmediatesTakeTheFormThatHoldsThem) {
  const Made made =
      make(vertex("  %4 = fmul.f32 %0, 0.1f\n  %5 = fmul.f32 %1, 0.5f\n  %6 = iadd %2, 0x12345678\n"
                  "  output o0.x, %4\n  output o0.y, %5\n  output o0.z, %6\n"));
  ASSERT_TRUE(made.good) << made.messages;
  EXPECT_TRUE(has(made, "FMUL32I.FTZ")) << made.listing;
  EXPECT_TRUE(has(made, ", 0.5")) << made.listing;
  EXPECT_TRUE(has(made, "IADD32I")) << made.listing;
}

TEST(MaxwellKernel, FetchOfLevelZeroIsShort) {
  const Made made =
      make(vertex("  %4..%7 = tex.fetch t0 texture2d float coord(%0, %1) level(0)\n"
                  "  output o0.x, %4\n  output o0.y, %5\n",
                  "resource t0 texture2d float\n"));
  ASSERT_TRUE(made.good) << made.messages;
  EXPECT_TRUE(has(made, "TLDS.LZ")) << made.listing;
  EXPECT_TRUE(has(made, ", 2D, RG")) << made.listing;
}

TEST(MaxwellKernel, MaskWithoutAShortCodeIsWidened) {
  const Made made =
      make(vertex("  %4..%7 = tex.sample t0 s0 texture2d float coord(%0, %1) level(%2)\n"
                  "  output o0.x, %4\n  output o0.y, %6\n",
                  "resource t0 texture2d float\nsampler s0\n"));
  ASSERT_TRUE(made.good) << made.messages;
  EXPECT_TRUE(has(made, "TEXS.LL")) << made.listing;
}

constexpr const char* kResident =
    "  %4..%8 = tex.fetch t0 texture2d float coord(%0, %1) level(0) feedback\n  %9 = mapped %8\n"
    "  %10 = mask %9\n  output o0.x, %4\n  output o0.y, %10\n";

TEST(MaxwellKernel, ResidencyIsThePredicateOfTheLongForm) {
  const std::string text = vertex(kResident, "resource t0 texture2d float\n");
  const Made made = make(text);
  ASSERT_TRUE(made.good) << made.messages;
  EXPECT_TRUE(has(made, "TLD.LZ")) << made.listing;
  EXPECT_TRUE(has(made, " P0, R")) << made.listing;
  KernelOptions before;
  before.sm = 50;
  EXPECT_NE(make(text, before).messages.find("residency feedback before sm_52"), std::string::npos);
  const Made vouched = make(text, before, true);
  ASSERT_TRUE(vouched.good) << vouched.messages;
  EXPECT_TRUE(has(vouched, "TLDS.LZ")) << vouched.listing;
}

// A status that nobody asks for costs nothing.
TEST(MaxwellKernel, AStatusThatIsNotReadLeavesTheShortForm) {
  const Made made =
      make(vertex("  %4..%8 = tex.fetch t0 texture2d float coord(%0, %1) level(0) feedback\n"
                  "  output o0.x, %4\n",
                  "resource t0 texture2d float\n"));
  ASSERT_TRUE(made.good) << made.messages;
  EXPECT_TRUE(has(made, "TLDS.LZ")) << made.listing;
}

TEST(MaxwellKernel, LongRangesAreReadFromTheirTable) {
  const Made made =
      make(vertex("  %4..%7 = tex.fetch t0 texture2d float coord(%0, %1) level(0) resource_index(%2)\n"
                  "  output o0.x, %4\n",
                  "resource t0 texture2d float registers(0, 4294967295) space(0)\n"));
  ASSERT_TRUE(made.good) << made.messages;
  EXPECT_TRUE(has(made, "TLD.B.LZ")) << made.listing;
  EXPECT_TRUE(has(made, "LDG.E.CI")) << made.listing;
}

// Each fact is loaded once; the kernel's parameter is an address.
TEST(MaxwellKernel, ABlockThatIsTooLargeLiesInMemory) {
  std::string declarations;
  for (int i = 0; i < 80; ++i) declarations += "resource t" + std::to_string(i) + " texture2d float\n";
  const Made made =
      make(vertex("  %4..%7 = tex.fetch t79 texture2d float coord(%0, %1) level(0)\n"
                  "  output o0.x, %4\n",
                  declarations));
  ASSERT_TRUE(made.good) << made.messages;
  EXPECT_EQ(made.parameter_bytes, 8u);
  EXPECT_TRUE(has(made, "c[0x0][0x144]")) << made.listing;
  EXPECT_FALSE(has(made, "c[0x0][0x148]")) << made.listing;
}

TEST(MaxwellKernel, RefusesWhatItCannotDoAtItsLine) {
  const Made made = make(vertex("  %4 = ddx.fine %0 ; line 12\n  output o0.x, %4\n"));
  EXPECT_FALSE(made.good);
  EXPECT_NE(made.messages.find("12"), std::string::npos) << made.messages;
  EXPECT_NE(made.messages.find("a derivative outside of a pixel shader"), std::string::npos) << made.messages;
}

TEST(MaxwellKernel, RefusesUnknownTargets) {
  KernelOptions options;
  options.sm = 60;
  const Made made = make(vertex("  output o0.x, %0\n"), options);
  EXPECT_FALSE(made.good);
  EXPECT_NE(made.messages.find("sm_60"), std::string::npos) << made.messages;
}

}  // namespace
}  // namespace texlate::maxwell
