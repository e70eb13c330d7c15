// Options that contradict themselves or the shader are refused. Those that have no meaning for one of many
// shaders are ignored: a driver has one set for all (docs/c_api.md).

#include <gmock/gmock.h>

#include "tests/api/translated.h"

namespace texlate {
namespace {

/// A compute shader that stores to u0 (floats), u1 (unsigned integers) and u2 (UNORM).
constexpr std::string_view kViews =
    "cs_5_0\ndcl_globalFlags refactoringAllowed\ndcl_uav_typed_texture2d (float,float,float,float) u0\n"
    "dcl_uav_typed_texture2d (uint,uint,uint,uint) u1\n"
    "dcl_uav_typed_texture2d (unorm,unorm,unorm,unorm) u2\ndcl_input vThreadID.xy\ndcl_temps 1\n"
    "dcl_thread_group 8, 8, 1\nstore_uav_typed u0.xyzw, vThreadID.xyyy, l(0,0,0,0)\n"
    "store_uav_typed u1.xyzw, vThreadID.xyyy, l(0,0,0,0)\n"
    "store_uav_typed u2.xyzw, vThreadID.xyyy, l(0,0,0,0)\nret \n";

constexpr std::string_view kPixel =
    "ps_5_0\ndcl_globalFlags refactoringAllowed\ndcl_output o0.xyzw\nmov o0.xyzw, l(0,0,0,0)\nret \n";

Translated translate_to(const char* target, std::string_view listing, texlate_translate_options options) {
  const api::Program program(listing);
  EXPECT_TRUE(program.ok());
  options.target = target;
  return translate(program, options);
}

Translated with_formats(const char* target, std::span<const texlate_uav_format> formats) {
  texlate_translate_options options = TEXLATE_TRANSLATE_OPTIONS_INIT;
  options.uav_formats = formats.data();
  options.uav_format_count = formats.size();
  return translate_to(target, kViews, options);
}

constexpr texlate_uav_format kBytes = {0, 4, 8, TEXLATE_TEXEL_UNORM, TEXLATE_FORMAT_UNKNOWN};
constexpr texlate_uav_format kFloats = {0, 4, 32, TEXLATE_TEXEL_FLOAT, TEXLATE_FORMAT_UNKNOWN};
constexpr texlate_uav_format kIntegers = {0, 4, 32, TEXLATE_TEXEL_UINT, TEXLATE_FORMAT_UNKNOWN};

texlate_uav_format of(uint32_t uav, texlate_uav_format format) {
  format.uav = uav;
  return format;
}

// The number of a format in DXGI_FORMAT says the same as components, bits and kind.
TEST(DriverViewFormats, AreNumbersToo) {
  struct Pair {
    texlate_uav_format number, members;
  };
  constexpr auto kNumber = [](texlate_format format) {
    return texlate_uav_format{0, 0, 0, TEXLATE_TEXEL_UNORM, format};
  };
  const auto text_of = [](const texlate_uav_format& format) {
    texlate_translate_options options = TEXLATE_TRANSLATE_OPTIONS_INIT;
    options.uav_formats = &format;
    options.uav_format_count = 1;
    options.reflect = 1;
    const api::Output output =
        api::Program(
            "cs_5_0\ndcl_uav_typed_texture2d (float,float,float,float) u0\ndcl_input vThreadID.xy\n"
            "dcl_thread_group 8, 8, 1\nstore_uav_typed u0.xyzw, vThreadID.xyyy, l(1.0, 0.5, 0.25, "
            "1.0)\nret\n")
            .translate(options);
    return std::string(output.data()) + std::string(output.reflection());
  };
  const texlate_format unknown = TEXLATE_FORMAT_UNKNOWN;
  for (const Pair& pair :
       {Pair{kNumber(TEXLATE_FORMAT_B5G6R5_UNORM), {0, 3, 5, TEXLATE_TEXEL_UNORM_BGRA, unknown}},
        {kNumber(TEXLATE_FORMAT_B8G8R8X8_UNORM), {0, 3, 8, TEXLATE_TEXEL_UNORM_BGRA, unknown}},
        {kNumber(TEXLATE_FORMAT_A8_UNORM), {0, 1, 8, TEXLATE_TEXEL_UNORM_ALPHA, unknown}},
        {kNumber(TEXLATE_FORMAT_R11G11B10_FLOAT), {0, 3, 11, TEXLATE_TEXEL_FLOAT, unknown}},
        {kNumber(TEXLATE_FORMAT_R16G16_SNORM), {0, 2, 16, TEXLATE_TEXEL_SNORM, unknown}}}) {
    EXPECT_EQ(text_of(pair.number), text_of(pair.members)) << pair.number.format;
    EXPECT_NE(text_of(pair.number), text_of(kNumber(TEXLATE_FORMAT_R32_FLOAT)));
  }
  const texlate_uav_format depth = kNumber(static_cast<texlate_format>(40));  // D32_FLOAT
  const Translated made = with_formats("ptx", {&depth, 1});
  EXPECT_EQ(made.status, TEXLATE_ERROR_ARGUMENT);
  EXPECT_EQ(made.messages, "options.uav_formats[0].format is 40, which is not an enumerator");
}

TEST(DriverViewFormats, AViewHasOne) {
  const texlate_uav_format twice[] = {of(2, kFloats), kBytes, of(2, kBytes)};
  for (const char* target : {"ptx", "cubin", "spirv", "asm"}) {
    const Translated made = with_formats(target, twice);
    EXPECT_EQ(made.status, TEXLATE_ERROR_ARGUMENT) << target;
    EXPECT_EQ(made.messages, "options.uav_formats[0] and [2] both give the format of u2");
  }
}

TEST(DriverViewFormats, AreOfTheDeclaredType) {
  struct Wrong {
    texlate_uav_format format;
    const char* text;
  };
  for (const Wrong& wrong :
       {Wrong{kIntegers, "format of integers, but the shader declares u0 with floats"},
        {of(1, kFloats), "format of floats, but the shader declares u1 with integers"},
        {of(1, kBytes), "format of floats, but the shader declares u1 with integers"},
        {of(2, kIntegers), "format of integers, but the shader declares u2 with floats"}}) {
    for (const char* target : {"ptx", "maxwell", "spirv"}) {
      const Translated made = with_formats(target, {&wrong.format, 1});
      EXPECT_EQ(made.status, TEXLATE_ERROR_ARGUMENT) << target;
      EXPECT_EQ(made.messages, std::string("options.uav_formats[0] is a ") + wrong.text);
    }
  }
  const texlate_uav_format good[] = {kBytes, of(1, {0, 4, 8, TEXLATE_TEXEL_SINT, TEXLATE_FORMAT_UNKNOWN}),
                                     of(2, kFloats)};
  for (const char* target : {"ptx", "maxwell", "spirv"})
    EXPECT_EQ(with_formats(target, good).status, TEXLATE_OK) << target;
}

TEST(DriverViewFormats, AreOfTheDeclaredTypeInIrText) {
  texlate_translate_options options = TEXLATE_TRANSLATE_OPTIONS_INIT;
  const std::string text = translate_to("ir", kViews, options).text;
  options.uav_formats = &kIntegers;
  options.uav_format_count = 1;
  EXPECT_EQ(translate_to("ptx", text, options).messages,
            "options.uav_formats[0] is a format of integers, but the shader declares u0 with floats");
}

TEST(DriverViewFormats, OfOtherShadersAreIgnored) {
  const texlate_uav_format other = of(7, kIntegers);
  const texlate_uav_format unused = kIntegers;
  for (const char* target : {"ptx", "maxwell", "spirv"})
    EXPECT_EQ(with_formats(target, {&other, 1}).text, with_formats(target, {}).text) << target;
  EXPECT_EQ(with_formats("ir", {&unused, 1}).status, TEXLATE_OK);  // a target without formats
}

Translated with_ptx(const char* target, std::string_view listing, const texlate_ptx_options& ptx) {
  texlate_translate_options options = TEXLATE_TRANSLATE_OPTIONS_INIT;
  options.ptx = &ptx;
  return translate_to(target, listing, options);
}

TEST(DriverFunctions, HaveNoLimitsOfTheirOwn) {
  texlate_ptx_options ptx = TEXLATE_PTX_OPTIONS_INIT;
  ptx.function = 1;
  EXPECT_EQ(with_ptx("ptx", kPixel, ptx).status, TEXLATE_OK);
  ptx.max_registers = 32;
  const Translated registers = with_ptx("ptx", kPixel, ptx);
  EXPECT_EQ(registers.status, TEXLATE_ERROR_ARGUMENT);
  EXPECT_EQ(registers.messages, "options.ptx.max_registers is 32, but a .func has no such limit");
  EXPECT_EQ(with_ptx("maxwell", kPixel, ptx).status, TEXLATE_OK);  // has no functions
  ptx.max_registers = 0;
  ptx.max_threads = 128;
  const Translated threads = with_ptx("ptx", kPixel, ptx);
  EXPECT_EQ(threads.status, TEXLATE_ERROR_ARGUMENT);
  EXPECT_EQ(threads.messages, "options.ptx.max_threads is 128, but a .func has no such limit");
}

// No kernel can have these, whatever the shader and the target.
TEST(DriverOptions, LimitsOfKernelsHaveRanges) {
  texlate_ptx_options ptx = TEXLATE_PTX_OPTIONS_INIT;
  texlate_kernel_options kernel = TEXLATE_KERNEL_OPTIONS_INIT;
  texlate_translate_options options = TEXLATE_TRANSLATE_OPTIONS_INIT;
  options.ptx = &ptx;
  const auto message = [&](const char* target) { return translate_to(target, kPixel, options).messages; };
  for (const uint32_t wrong : {31u, 1025u}) {
    ptx.max_threads = wrong;
    EXPECT_EQ(message("ptx"), "options.ptx.max_threads is " + std::to_string(wrong) + ": not 32 to 1024");
    EXPECT_EQ(translate_to("ptx", kPixel, options).status, TEXLATE_ERROR_ARGUMENT);
  }
  ptx.max_threads = 100;
  EXPECT_EQ(message("ptx"), "options.ptx.max_threads is 100: not a multiple of 32");
  ptx.max_threads = 0;
  ptx.max_registers = 15;
  EXPECT_EQ(message("maxwell"), "options.ptx.max_registers is 15: not 16 to 255");
  options.kernel = &kernel;
  kernel.max_registers = 256;
  EXPECT_EQ(message("dksh"), "options.kernel.max_registers is 256: not 16 to 255");
  kernel.max_registers = 16;
  EXPECT_EQ(message("ptx"), "");
  ptx.max_threads = 100;
  EXPECT_EQ(message("spirv"), "options.ptx.max_threads is 100: not a multiple of 32");
}

// The locations of messages are those of the translated program.
TEST(DriverOptions, MessagesAboutTheHullShaderSaySo) {
  const api::Program hull(
      "hs_5_0\nhs_decls \ndcl_input_control_point_count 3\ndcl_output_control_point_count 3\n"
      "dcl_tessellator_domain domain_tri\ndcl_tessellator_output_primitive output_triangle_cw\n"
      "hs_control_point_phase \ndcl_output o0.x\nmov o0.x, l(0)\nret \n");
  const api::Program domain(
      "ds_5_0\ndcl_input_control_point_count 3\ndcl_tessellator_domain domain_tri\n"
      "dcl_output_siv o0.xyzw, position\nmov o0.xyzw, l(0,0,0,1.0)\nret \n");
  ASSERT_TRUE(hull.ok() && domain.ok());
  texlate_translate_options options = TEXLATE_TRANSLATE_OPTIONS_INIT;
  options.target = "dksh";
  options.hull = hull.get();
  const api::Output output = domain.translate(options);
  EXPECT_EQ(output.status(), TEXLATE_ERROR_INPUT);
  ASSERT_FALSE(output.diagnostics().empty());
  EXPECT_THAT(std::string(output.diagnostics()[0].message), testing::StartsWith("options.hull"));
  EXPECT_EQ(output.diagnostics()[0].line, 0u);
}

// options.kernel is of 0.3. Until then PTX's structure was that of all kernels.
TEST(DriverOptions, KernelsHaveTheirOwn) {
  texlate_ptx_options old = TEXLATE_PTX_OPTIONS_INIT;
  old.max_registers = 24;
  texlate_kernel_options kernel = TEXLATE_KERNEL_OPTIONS_INIT;
  kernel.max_registers = 24;
  texlate_translate_options options = TEXLATE_TRANSLATE_OPTIONS_INIT;
  options.kernel = &kernel;
  for (const char* target : {"ptx", "maxwell", "dksh"}) {
    const Translated limited = translate_to(target, kPixel, options);
    ASSERT_EQ(limited.status, TEXLATE_OK) << limited.messages;
    EXPECT_EQ(limited.text, with_ptx(target, kPixel, old).text) << target;
  }
  EXPECT_THAT(translate_to("ptx", kPixel, options).text, testing::HasSubstr(".maxnreg 24\n"));
  // It says it all: the members of the same name are then not read.
  old.max_registers = 40;
  options.ptx = &old;
  EXPECT_THAT(translate_to("ptx", kPixel, options).text, testing::HasSubstr(".maxnreg 24\n"));
  old.function = 1;
  const Translated wrong = translate_to("ptx", kPixel, options);
  EXPECT_EQ(wrong.messages, "options.kernel.max_registers is 24, but a .func has no such limit");
}

TEST(DriverOptions, OneSetServesAllStagesAndTargets) {
  texlate_ptx_options ptx = TEXLATE_PTX_OPTIONS_INIT;
  const Translated usual = with_ptx("ptx", kViews, ptx);
  ptx.max_threads = 64;
  // The group has its own size.
  EXPECT_EQ(with_ptx("ptx", kViews, ptx).text, usual.text);
  EXPECT_NE(with_ptx("ptx", kPixel, ptx).text, with_ptx("ptx", kPixel, TEXLATE_PTX_OPTIONS_INIT).text);
  texlate_translate_options options = TEXLATE_TRANSLATE_OPTIONS_INIT;
  for (const char* target : {"dksh", "maxwell-bin"}) {
    options.entry = nullptr;
    const std::string unnamed = translate_to(target, kPixel, options).text;
    options.entry = "shade";
    const Translated named = translate_to(target, kPixel, options);
    ASSERT_EQ(named.status, TEXLATE_OK) << named.messages;
    EXPECT_EQ(named.text, unnamed) << target;
  }
}

TEST(DriverOptions, AnSmThatTheTargetLacksIsAnArgumentError) {
  const api::Program program{std::string_view(
      "ps_5_0\ndcl_globalFlags refactoringAllowed\ndcl_output o0.xyzw\nmov o0.xyzw, l(0,0,0,0)\nret \n")};
  texlate_translate_options options = TEXLATE_TRANSLATE_OPTIONS_INIT;
  options.target = "ptx";
  options.sm = 52;
  EXPECT_EQ(translate(program, options).status, TEXLATE_OK);
  options.sm = 42;
  EXPECT_EQ(translate(program, options).status, TEXLATE_ERROR_ARGUMENT);
}

}  // namespace
}  // namespace texlate
