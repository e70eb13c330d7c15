// Whole kernels: the instructions that selection uses, and the consistency of a kernel's forms.
#include "backend/maxwell/kernel.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "backend/launch/launch.h"
#include "backend/launch/lower_addresses.h"
#include "backend/launch/lower_streams.h"
#include "backend/maxwell/compare_routines.h"
#include "backend/maxwell/guarantees.h"
#include "backend/maxwell/isa/cubin.h"
#include "backend/maxwell/isa/listing.h"
#include "backend/maxwell/kept_routines.h"
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

/// Instructions, which are indented, come from their lines of the shader; labels and directives from none.
void expect_marks(const Kernel& kernel, std::string_view listing, std::span<const launch::LineMark> marks) {
  size_t next = 0;
  for (uint32_t number = 1; !listing.empty(); ++number) {
    const bool is_instruction = listing.front() == ' ' && next < kernel.lines.size();
    EXPECT_EQ(launch::location_of_line(marks, number).line, is_instruction ? kernel.lines[next++] : 0u)
        << number;
    listing.remove_prefix(listing.find('\n') + 1);
  }
  EXPECT_EQ(next, kernel.lines.size());
}

Made make(const std::string& text, KernelOptions options, const ir::Guarantees& promises) {
  ir::Module module;
  ir::parse_or_fail(text, module);
  Diagnostics diagnostics;
  launch::Layout layout(module.memory());
  Kernel kernel(module.memory());
  Made made;
  made.good = ir::legalize(module, promises, diagnostics);
  // Each instruction comes from a line of its own where the text gives none.
  for (uint32_t line = 0; ir::Instruction & instruction : module.code)
    if (++line; instruction.location == 0)
      instruction.location = module.add_location(SourceLocation::text(line, 1));
  if (made.good) {
    launch::make_layout(module, false, layout);
    const std::pmr::vector<uint16_t> rows = launch::add_rows(module, layout);
    launch::lower_addresses(module, {.rows = rows, .loads_addresses = layout.in_memory});
    made.good = (module.stage == ir::Stage::compute || launch::lower_streams(module, layout, diagnostics)) &&
                make_kernel(module, layout, options, kernel, diagnostics);
  }
  made.messages = ir::to_text(diagnostics, text);
  if (!made.good) return made;
  std::pmr::string out;
  std::pmr::vector<launch::LineMark> marks;
  write_text(kernel, out, marks);
  made.listing = out;
  expect_marks(kernel, made.listing, marks);
  out.clear();
  write_cubin(kernel, out);
  made.cubin = out;
  out.clear();
  write_words(kernel, out);
  made.words.resize(out.size() / 8);
  std::memcpy(made.words.data(), out.data(), out.size());
  made.registers = kernel.registers;
  made.parameter_bytes = kernel.parameter_bytes;
  return made;
}

Made make(const std::string& text, KernelOptions options = {}, bool all_mapped = false) {
  return make(text, options, guarantees(all_mapped));
}

std::string vertex(const std::string& body, const std::string& declarations = "") {
  return "module vertex 5.0 \"main\"\n" + declarations + "input v0.xyzw\noutput o0.xyzw\ncode {\n" +
         "  %0 = input v0.x\n  %1 = input v0.y\n  %2 = input v0.z\n  %3 = input v0.w\n" + body + "}\n";
}

bool has(const Made& made, std::string_view what) {
  return made.listing.find(what) != std::string::npos;
}

size_t count(const Made& made, std::string_view what) {
  size_t found = 0;
  for (size_t at = 0; (at = made.listing.find(what, at)) != std::string::npos; ++at) ++found;
  return found;
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

TEST(MaxwellKernel, DivisionsAreShortUnlessTheyArePrecise) {
  const std::string body =
      "  %4 = fdiv.f32 %0, %3\n  %5 = fdiv.f32 %1, %3\n  output o0.x, %4\n  output o0.y, %5\n";
  const std::string refactors = "refactoring_allowed\n";
  const std::string precise = "  %4 = fdiv.f32 [precise] %0, %3\n  output o0.x, %4\n";
  const Made shared = make(vertex(body, refactors));
  ASSERT_TRUE(shared.good) << shared.messages;
  EXPECT_EQ(count(shared, "FCMP.NE"), 2u) << shared.listing;
  for (const std::string& text : {vertex(body, refactors), vertex(body), vertex(precise, refactors)}) {
    const Made made = make(text);
    ASSERT_TRUE(made.good) << made.messages;
    // Emulators refuse FCHK.
    EXPECT_FALSE(has(made, "FCHK") || has(made, "BRA")) << made.listing;
  }
  // One for each precise quotient: the significand of its dividend.
  EXPECT_EQ(count(make(vertex(body)), "BFI"), 2u);
  EXPECT_EQ(count(make(vertex(precise, refactors)), "BFI"), 1u);
}

TEST(MaxwellKernel, ComparisonsGiveOneInAnInstruction) {
  const Made made =
      make(vertex("  %4 = flt.f32 %0, %1\n  %5 = select.b32 %4, 1.0f, 0\n  output o0.x, %5\n"
                  "  %6 = ige.s32 %2, %3\n  %7 = select.b32 %6, 1.0f, 0\n  output o0.y, %7\n"));
  ASSERT_TRUE(made.good) << made.messages;
  EXPECT_TRUE(has(made, "FSET.BF.LT") || has(made, "FSET.BF.GT")) << made.listing;
  EXPECT_TRUE(has(made, "ISET.BF.GE") || has(made, "ISET.BF.LE")) << made.listing;
  EXPECT_FALSE(has(made, "SEL")) << made.listing;
}

// As ptxas of CUDA 12.4 writes them (docs/reference/maxwell.md 8).
TEST(MaxwellKernel, FencesFollowBarriers) {
  const auto fences = [](const std::string& flags) {
    const Made made =
        make("module compute 5.0 \"main\"\nthread_group 64 1 1\ncode {\n  barrier " + flags + "\n}\n");
    EXPECT_TRUE(made.good) << made.messages;
    std::string found;
    for (size_t at = 0, end; (end = made.listing.find('\n', at)) != std::string::npos; at = end + 1) {
      const std::string_view line = std::string_view(made.listing).substr(at, end - at);
      for (const std::string_view name : {"BAR.SYNC 0x0", "MEMBAR.CTA", "MEMBAR.GL.IVALLD", "MEMBAR.GL"}) {
        if (line.find(name) == std::string_view::npos) continue;
        found += found.empty() ? "" : "; ";
        found += name;
        break;
      }
    }
    return found;
  };
  EXPECT_EQ(fences("threads"), "BAR.SYNC 0x0; MEMBAR.CTA");
  EXPECT_EQ(fences("threads shared"), "BAR.SYNC 0x0; MEMBAR.CTA");
  EXPECT_EQ(fences("threads uav_group"), "MEMBAR.CTA; BAR.SYNC 0x0; MEMBAR.CTA");
  EXPECT_EQ(fences("threads uav_global"), "MEMBAR.GL.IVALLD; BAR.SYNC 0x0; MEMBAR.CTA");
  EXPECT_EQ(fences("threads shared uav_global"), "MEMBAR.GL.IVALLD; BAR.SYNC 0x0; MEMBAR.CTA");
  EXPECT_EQ(fences("shared"), "MEMBAR.CTA");
  EXPECT_EQ(fences("uav_group"), "MEMBAR.CTA");
  EXPECT_EQ(fences("uav_global"), "MEMBAR.GL.IVALLD");
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

// A status that is not used adds no code.
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

/// A structure's words at a known offset, loaded and stored.
std::string structures(uint32_t stride, uint32_t offset, const std::string& at = "") {
  const std::string place = "coord(%0) byte_offset(" + (at.empty() ? std::to_string(offset) : at) + ") ";
  return vertex("  %4..%7 = buf.load t0 structured_buffer mixed " + place +
                    "mask(15)\n  buf.store u1 structured_buffer mixed " + place +
                    "value(%4, %5, %6, %7) mask(15)\n  output o0.x, %4\n",
                "resource t0 structured_buffer mixed stride(" + std::to_string(stride) +
                    ")\nuav u1 structured_buffer mixed stride(" + std::to_string(stride) + ")\n");
}

// As wide as the offset and the host's guarantee of the view's alignment allow (docs/launch_abi.md).
TEST(MaxwellKernel, FieldsOfStructuresAreWide) {
  const Made sixteen = make(structures(32, 16));
  ASSERT_TRUE(sixteen.good) << sixteen.messages;
  EXPECT_EQ(count(sixteen, "LDG.E.CI.U.128"), 1u) << sixteen.listing;
  EXPECT_EQ(count(sixteen, "STG.E.128"), 1u) << sixteen.listing;
  const Made eight = make(structures(24, 8));
  ASSERT_TRUE(eight.good) << eight.messages;
  EXPECT_EQ(count(eight, "LDG.E.CI.64"), 2u) << eight.listing;
  EXPECT_EQ(count(eight, "STG.E.64"), 2u) << eight.listing;
  // Two words of each of two units.
  const Made across = make(structures(32, 8));
  ASSERT_TRUE(across.good) << across.messages;
  EXPECT_EQ(count(across, "LDG.E.CI.64"), 2u) << across.listing;
  EXPECT_EQ(count(across, "STG.E.64"), 2u) << across.listing;
}

TEST(MaxwellKernel, WordByWordWhereNothingIsPromised) {
  // The stride, the offset and a view of bytes; then a target without guarantees by its host.
  const std::string raw = vertex(
      "  %4..%7 = buf.load t0 raw_buffer mixed coord(%0) mask(15)\n"
      "  output o0.x, %4\n  output o0.y, %5\n  output o0.z, %6\n  output o0.w, %7\n",
      "resource t0 raw_buffer mixed\n");
  for (const std::string& text : {structures(20, 0), structures(32, 0, "%1"), structures(32, 20), raw}) {
    const Made made = make(text);
    ASSERT_TRUE(made.good) << made.messages;
    EXPECT_FALSE(has(made, "LDG.E.CI.64")) << made.listing;
    EXPECT_FALSE(has(made, "LDG.E.CI.U.128")) << made.listing;
    EXPECT_FALSE(has(made, "STG.E.64")) << made.listing;
    EXPECT_FALSE(has(made, "STG.E.128")) << made.listing;
  }
  ir::GuaranteeTable table = kTextureGuarantees;
  table.wide_buffers = false;
  const ir::Guarantees promises = guarantees();
  const Made made = make(structures(32, 16), {}, {table, promises.memory, promises.arithmetic});
  ASSERT_TRUE(made.good) << made.messages;
  EXPECT_EQ(count(made, "LDG.E.CI R"), 1 + 4u) << made.listing;  // the input and the words
  EXPECT_EQ(count(made, "STG.E ["), 4 + 4u) << made.listing;
}

// Bytes and halves are converted directly in their register.
TEST(MaxwellKernel, ConversionsReadTheirField) {
  const Made made =
      make(vertex("  %4 = bfe.u32 8, 16, %0\n  %5 = utof.u32 %4\n  %6 = shr.u32 %1, 16\n  %7 = f16tof32 %6\n"
                  "  %8 = shr.s32 %2, 24\n  %9 = itof.s32 %8\n  %10 = and %3, 0xffff\n  %11 = utof.u32 %10\n"
                  "  output o0.x, %5\n  output o0.y, %7\n  output o0.z, %9\n  output o0.w, %11\n"));
  ASSERT_TRUE(made.good) << made.messages;
  EXPECT_TRUE(has(made, "I2F.F32.U8")) << made.listing;
  EXPECT_TRUE(has(made, "I2F.F32.S8")) << made.listing;
  EXPECT_TRUE(has(made, "I2F.F32.U16")) << made.listing;
  EXPECT_TRUE(has(made, ".H1")) << made.listing;
  for (const char* cut : {"BFE", "SHR", "LOP"}) EXPECT_FALSE(has(made, cut)) << made.listing;
}

/// Many comparisons of one texture. `offset`: of every other one.
std::string comparisons(unsigned count, std::string_view dimension = "texture2d",
                        std::string_view more_coordinates = ", %1)",
                        std::string_view offset = " offset(1, 2, 0)", const std::string& declarations = {}) {
  std::string body;
  unsigned next = 4;
  for (unsigned i = 0; i < count; ++i) {
    const std::string sum = i == 0 ? "%0" : "%" + std::to_string(next - 1);
    body += fmt::format("  %{}..%{} = tex.sample t1 s1 {} float coord({}{}{} level_zero compare(%2)\n", next,
                        next + 3, dimension, sum, more_coordinates, i % 2 == 0 ? "" : offset);
    body += fmt::format("  %{} = fadd.f32 %{}, %3\n", next + 4, next);
    next += 5;
  }
  return vertex(fmt::format("{}  output o0.x, %{}\n", body, next - 1),
                fmt::format("{}resource t1 {} float\nsampler s1 comparison\n", declarations, dimension));
}

TEST(MaxwellKernel, ManyComparisonsAreCalls) {
  const Made few = make(comparisons(16));
  ASSERT_TRUE(few.good) << few.messages;
  EXPECT_FALSE(has(few, "CAL"));
  const Made many = make(comparisons(17));
  ASSERT_TRUE(many.good) << many.messages;
  EXPECT_EQ(count(many, "CAL"), 17u);
  EXPECT_EQ(count(many, "RET"), 2u);  // with the offset and without
  EXPECT_LT(many.words.size(), few.words.size() / 3);
  KernelOptions tight;
  tight.finish.register_limit = CompareRoutines::kLeastLimit;
  EXPECT_TRUE(make(comparisons(17), tight).good);
  const Made in_place = make(comparisons(17), {}, guarantees(false, false));
  ASSERT_TRUE(in_place.good) << in_place.messages;
  EXPECT_FALSE(has(in_place, "CAL"));
}

// Wherever the records are.
TEST(MaxwellKernel, KeptRoutinesAreWhatIsMade) {
  constexpr struct {
    std::string_view dimension, more_coordinates;
  } kForms[] = {{"texture1d", ")"},           {"texture1darray", ") layer(%3)"},
                {"texture2d", ", %1)"},       {"texture2darray", ", %1) layer(%3)"},
                {"texturecube", ", %1, %3)"}, {"texturecubearray", ", %1, %3) layer(%2)"}};
  KeptRoutines routines(std::pmr::get_default_resource());
  KernelOptions keeping;
  keeping.kept = &routines;
  for (const auto& [dimension, more_coordinates] : kForms) {
    for (const char* declarations : {"", "resource t0 texture2d float\nsampler s0 comparison\n"}) {
      const std::string text = comparisons(17, dimension, more_coordinates, "", declarations);
      const Made kept = make(text, keeping);
      ASSERT_TRUE(kept.good) << kept.messages;
      EXPECT_EQ(count(kept, "RET"), 1u);
      EXPECT_EQ(kept.listing, make(text).listing) << dimension << declarations;
    }
  }
}

TEST(MaxwellKernel, AccessesOfUnpackedTexelsAreRefused) {
  const Made made = make(vertex("  %4..%7 = surf.load u0 texture2d float coord(%0, %1)\n  output o0.x, %4\n",
                                "uav u0 texture2d float\n"));
  EXPECT_NE(made.messages.find("an access whose texels are not packed"), std::string::npos) << made.messages;
}

// Atomics access 32 bits, whatever texel format the caller gives (docs/launch_abi.md).
TEST(MaxwellKernel, ViewsWithAtomicsHaveOneWord) {
  ir::Module module;
  ir::parse_or_fail(vertex("  %4 = surf.atomic u0 texture2d uint coord(%0, %1) value(%2) atomic(add)\n"
                           "  output o0.x, %4\n",
                           "uav u0 texture2d uint\n"),
                    module);
  Diagnostics diagnostics;
  const backend::ViewFormat named{0, 4, 8, backend::TexelKind::uint};
  backend::Options options;
  options.view_formats = {&named, 1};
  launch::Launch launch(module.memory());
  EXPECT_FALSE(launch::prepare_launch(module, options, "maxwell", false, launch, diagnostics));
  ASSERT_EQ(diagnostics.list().size(), 1u);
  EXPECT_EQ(diagnostics.list()[0].message,
            "u0 has atomics: on maxwell its format must have one 32-bit component, not 4 of 8 bits");
  launch::Launch plain(module.memory());
  EXPECT_TRUE(launch::prepare_launch(module, {}, "maxwell", false, plain, diagnostics));
  EXPECT_EQ(plain.surface_formats[0].layout().bytes, 4u);
}

TEST(MaxwellKernel, RefusesWhatItCannotDoAtItsLine) {
  const Made made = make(vertex("  %4 = ddx.fine %0 ; line 12\n  output o0.x, %4\n"));
  EXPECT_FALSE(made.good);
  EXPECT_NE(made.messages.find("12"), std::string::npos) << made.messages;
  EXPECT_NE(made.messages.find("a derivative outside a pixel shader"), std::string::npos) << made.messages;
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
