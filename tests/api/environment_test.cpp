// The output depends on the input and the options alone: not on the caller's rounding mode, on flushed
// denormals, unmasked exceptions, the precision of the x87, or locales. The caller's environment is the same
// afterwards.
#include <gtest/gtest.h>

#include <cfenv>
#include <clocale>
#include <functional>
#include <locale>
#include <string>
#include <vector>

#include "texlate/texlate.h"

#if defined(__x86_64__)
#include <pmmintrin.h>
#include <xmmintrin.h>
#endif

namespace texlate {
namespace {

// Constants that fold: inexact sums, products, quotients, roots, conversions.
constexpr std::string_view kFloats =
    "ps_5_0\ndcl_globalFlags refactoringAllowed\ndcl_resource_texture2d (float,float,float,float) t0\n"
    "dcl_sampler s0, mode_default\ndcl_input_ps linear v0.xy\ndcl_output o0.xyzw\ndcl_output o1.xyzw\n"
    "dcl_output o2.xyzw\ndcl_temps 3\n"
    "mov r0.xyzw, l(0.1, 3.0, 0.333333343, -7.000001)\nmov r1.xyzw, l(1.1, 3.0, -0.7, 1.7)\n"
    "add r2.xyzw, r0.xyzw, r1.xyzw\nmad o0.xyzw, r0.xyzw, r1.wzyx, r2.xyzw\ndiv r2.xyzw, r0.xyzw, r1.wzyx\n"
    "mul r2.xyzw, r2.xyzw, r1.yzwx\nsqrt r2.xyzw, |r2.xyzw|\n"
    "sample_indexable(texture2d)(float,float,float,float) r0.x, v0.xyxx, t0.xyzw, s0\n"
    "add o1.xyzw, r0.xxxx, r2.xyzw\nrsq r2.x, r1.y\nitof r2.y, l(16777217)\nf32tof16 r2.z, l(1.2345)\n"
    "round_ne r2.w, l(2.5)\nmul o2.xyzw, r2.xyzw, l(1.00000012, 1.00000012, 1.00000012, 0.1)\nret\n";
// Denormal doubles; halves and thirds of them.
constexpr std::string_view kDoubles =
    "cs_5_0\ndcl_globalFlags refactoringAllowed | enableDoublePrecisionFloatOps | "
    "enable11_1DoubleExtensions\n"
    "dcl_uav_raw u0\ndcl_temps 4\ndcl_thread_group 1, 1, 1\n"
    "mov r0.xyzw, l(0x00000005, 0x00000000, 0x00000003, 0x3fe00000)\n"
    "dmul r1.xy, r0.xyxy, r0.zwzw\ndadd r1.zw, r0.xyxy, r0.xyxy\nddiv r2.xyzw, r0.zwxy, d(3.0l, 7.0l)\n"
    "dmin r3.xy, r0.xyxy, r0.zwzw\ndlt r3.zw, r0.xyxy, r0.zwzw\nstore_raw u0.xyzw, l(0), r1.xyzw\n"
    "store_raw u0.xyzw, l(16), r2.xyzw\nstore_raw u0.xyzw, l(2000), r3.xyzw\nret\n";

void append(std::string& all, const char* data, size_t size) {
  if (data != nullptr) all.append(data, size);
  all += '|';
}

/// Everything that the interface says about one program.
std::string answers(std::string_view source) {
  std::string all;
  texlate_program* program = nullptr;
  all += std::to_string(texlate_parse(source.data(), source.size(), nullptr, &program));
  texlate_target_info info{};
  info.struct_size = sizeof info;
  for (uint32_t i = 0; i < texlate_target_count(); ++i) {
    texlate_target_get_info(i, &info);
    texlate_translate_options options = TEXLATE_TRANSLATE_OPTIONS_INIT;
    texlate_spirv_options spirv = TEXLATE_SPIRV_OPTIONS_INIT;
    spirv.validate = TEXLATE_HAS_SPIRV_TOOLS;
    options.target = info.name;
    options.explain = options.reflect = 1;
    options.spirv = &spirv;
    texlate_output* output = nullptr;
    all += std::to_string(texlate_translate(program, &options, &output));
    size_t size = 0;
    for (const auto part :
         {texlate_output_data, texlate_output_reflection, texlate_output_explanation_json}) {
      const char* const data = part(output, &size);
      append(all, data, size);
    }
    texlate_output_free(output);
  }
  for (const int json : {0, 1}) {
    texlate_output* output = nullptr;
    size_t size = 0;
    all += std::to_string(texlate_info(program, json, &output));
    const char* const data = texlate_output_data(output, &size);
    append(all, data, size);
    texlate_output_free(output);
  }
  texlate_program_free(program);
  // Immediates of Maxwell assembly are floats, too.
  constexpr std::string_view kText = "FADD R0, R1, 0.100000001490116;\nDADD R0, R2, 2.5;\nEXIT;\n";
  texlate_output* words = nullptr;
  texlate_output* listing = nullptr;
  size_t size = 0;
  all += std::to_string(texlate_maxwell_assemble(kText.data(), kText.size(), nullptr, &words));
  const char* const data = texlate_output_data(words, &size);
  append(all, data, size);
  all += std::to_string(texlate_maxwell_disassemble(data, size, nullptr, &listing));
  const char* const text = texlate_output_data(listing, &size);
  append(all, text, size);
  texlate_output_free(listing);
  texlate_output_free(words);
  return all;
}

class Environment : public testing::Test {
 protected:
  void expect_same(const std::string& what) {
    EXPECT_EQ(answers(kFloats), floats_) << what;
    EXPECT_EQ(answers(kDoubles), doubles_) << what;
  }
  const std::string floats_ = answers(kFloats), doubles_ = answers(kDoubles);
};

TEST_F(Environment, RoundingModes) {
  for (const int mode : {FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO, FE_TONEAREST}) {
    ASSERT_EQ(std::fesetround(mode), 0);
    const std::string floats = answers(kFloats), doubles = answers(kDoubles);
    const int after = std::fegetround();
    std::fesetround(FE_TONEAREST);
    EXPECT_EQ(after, mode);
    EXPECT_EQ(floats, floats_) << mode;
    EXPECT_EQ(doubles, doubles_) << mode;
  }
}

TEST_F(Environment, FlagsOfExceptions) {
  std::feclearexcept(FE_ALL_EXCEPT);
  answers(kFloats);
  EXPECT_EQ(std::fetestexcept(FE_ALL_EXCEPT), 0) << "a call leaves a trace";
  std::feraiseexcept(FE_OVERFLOW);
  answers(kFloats);
  EXPECT_NE(std::fetestexcept(FE_OVERFLOW), 0) << "a call clears a flag of its caller";
  std::feclearexcept(FE_ALL_EXCEPT);
}

#if defined(__x86_64__)
TEST_F(Environment, FlushedDenormalsAndUnmaskedExceptions) {
  constexpr unsigned kFlushToZero = 0x8000, kDenormalsAreZero = 0x0040, kMasks = 0x1f80;
  const unsigned before = _mm_getcsr();
  for (const unsigned changed : {before | kFlushToZero, before | kDenormalsAreZero,
                                 before | kFlushToZero | kDenormalsAreZero, before & ~kMasks}) {
    _mm_setcsr(changed);
    const std::string floats = answers(kFloats), doubles = answers(kDoubles);
    const unsigned after = _mm_getcsr();
    _mm_setcsr(before);
    EXPECT_EQ(after, changed);
    EXPECT_EQ(floats, floats_) << std::hex << changed;
    EXPECT_EQ(doubles, doubles_) << std::hex << changed;
  }
}

TEST_F(Environment, PrecisionOfTheX87) {
  uint16_t before = 0;
  asm volatile("fnstcw %0" : "=m"(before));
  const uint16_t changed = static_cast<uint16_t>((before & ~0x0f00) | 0x0c00);  // 24 bits, toward zero
  asm volatile("fldcw %0" : : "m"(changed));
  const std::string floats = answers(kFloats), doubles = answers(kDoubles);
  uint16_t after = 0;
  asm volatile("fnstcw %0" : "=m"(after));
  asm volatile("fldcw %0" : : "m"(before));
  EXPECT_EQ(after, changed);
  EXPECT_EQ(floats, floats_);
  EXPECT_EQ(doubles, doubles_);
}
#endif

/// As no locale has it: each character that a number could contain is another one.
struct HostilePunctuation : std::numpunct<char> {
  char do_decimal_point() const override { return ','; }
  char do_thousands_sep() const override { return '7'; }
  std::string do_grouping() const override { return "\1"; }
  std::string do_truename() const override { return "false"; }
  std::string do_falsename() const override { return "true"; }
};

TEST_F(Environment, TheGlobalLocaleOfCpp) {
  const std::locale before = std::locale::global(std::locale(std::locale::classic(), new HostilePunctuation));
  const std::string floats = answers(kFloats), doubles = answers(kDoubles);
  std::locale::global(before);
  EXPECT_EQ(floats, floats_);
  EXPECT_EQ(doubles, doubles_);
}

TEST_F(Environment, TheLocaleOfC) {
  const std::string before = std::setlocale(LC_ALL, nullptr);
  // What is not installed is left out; "" is the locale of the user.
  for (const char* name : {"", "C.UTF-8", "de_DE.UTF-8", "tr_TR.UTF-8", "fr_FR", "de_DE"}) {
    if (std::setlocale(LC_ALL, name) == nullptr) continue;
    expect_same(name);
  }
  std::setlocale(LC_ALL, before.c_str());
}

TEST_F(Environment, CallbacksAndErrorsRestoreItToo) {
  std::fesetround(FE_UPWARD);
  texlate_program* program = nullptr;
  const texlate_status input = texlate_parse("nonsense", 8, nullptr, &program);
  texlate_program_free(program);
  const texlate_status argument = texlate_parse(nullptr, 8, nullptr, &program);
  const int after = std::fegetround();
  std::fesetround(FE_TONEAREST);
  EXPECT_EQ(input, TEXLATE_ERROR_INPUT);
  EXPECT_EQ(argument, TEXLATE_ERROR_ARGUMENT);
  EXPECT_EQ(after, FE_UPWARD);
}

}  // namespace
}  // namespace texlate
