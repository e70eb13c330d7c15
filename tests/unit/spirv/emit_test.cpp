#include "backend/spirv/emit.h"
#include "backend/spirv/guarantees.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "backend/spirv/spirv_tools.h"
#include "tests/support/ir_text.h"
#include "tests/support/spirv_text.h"

namespace texlate::spirv {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

/// The IR text as valid SPIR-V text.
std::string translated(std::string_view text, const Options& options = {}) {
  ir::Module module;
  ir::parse_or_fail(text, module);
  Diagnostics diagnostics;
  EXPECT_TRUE(ir::legalize(module, guarantees(options), diagnostics)) << ir::to_text(diagnostics);
  legalize_push_constants(module, options.bindings, memory_guarantees(options.robustness), nullptr);
  std::pmr::vector<uint32_t> words;
  EXPECT_TRUE(emit(module, options, words, diagnostics)) << ir::to_text(diagnostics);
  std::string message;
  EXPECT_TRUE(validate(words, message)) << message << '\n' << to_text(words);
  return to_text(words);
}

std::string body(std::string_view code, const Options& options = {}) {
  return translated(ir::with_body(code), options);
}

size_t count(const std::string& text, std::string_view what) {
  size_t n = 0;
  for (size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + 1)) ++n;
  return n;
}

Options shader_robust() {
  Options options;
  options.robustness = Robustness::shader;
  return options;
}

TEST(SpirvEmit, FloatChainsHaveNoBitcasts) {
  const std::string text = body(
      "  %0 = input v0.x\n"
      "  %1 = fmul.f32 %0, 2.0f\n"
      "  %2 = flt.f32 %1, %0\n"
      "  %3 = select.b32 %2, %1, %0\n"
      "  output o0.x, %3\n"
      "  return\n");
  EXPECT_THAT(text, Not(HasSubstr("OpBitcast")));
  EXPECT_EQ(count(text, "OpCapability"), 1u);
}

TEST(SpirvEmit, NaNRules) {
  const std::string text = body(
      "  %0 = input v0.x\n"
      "  %1 = fmin.f32 %0, 2.0f\n"
      "  %2 = fmax.f32 %1, 1.0f\n"
      "  %3 = fsat.f32 %2\n"
      "  %4 = fne.f32 %3, %0\n"
      "  %5 = select.b32 %4, %3, %0\n"
      "  output o0.x, %5\n"
      "  return\n");
  EXPECT_THAT(text, HasSubstr("NMin"));
  EXPECT_THAT(text, HasSubstr("NMax"));
  EXPECT_THAT(text, HasSubstr("NClamp"));
  EXPECT_THAT(text, HasSubstr("OpFUnordNotEqual"));
}

TEST(SpirvEmit, ShiftsAreMaskedUnlessConstant) {
  const std::string text = body(
      "  %0 = input v0.x\n"
      "  %1 = input v0.y\n"
      "  %2 = shl %0, %1\n"
      "  %3 = shr.u32 %2, 35\n"
      "  output o0.x, %3\n"
      "  return\n");
  EXPECT_EQ(count(text, "OpBitwiseAnd"), 1u);
  EXPECT_THAT(text, HasSubstr("%uint_31"));
  EXPECT_THAT(text, HasSubstr("%uint_3\n"));
}

TEST(SpirvEmit, NoLaneDividesByZero) {
  const std::string text = body(
      "  %0 = input v0.x\n"
      "  %1 = input v0.y\n"
      "  %2 = udiv.u32 %0, %1\n"
      "  %3 = urem.u32 %2, 7\n"
      "  output o0.x, %3\n"
      "  return\n");
  EXPECT_THAT(text, HasSubstr("UMax"));
  EXPECT_EQ(count(text, "OpSelect"), 1u);  // 7 needs none
  EXPECT_THAT(text, HasSubstr("%uint_4294967295"));
}

TEST(SpirvEmit, FloatToIntegerSaturates) {
  const std::string text = body(
      "  %0 = input v0.x\n"
      "  %1 = ftoi.s32 %0\n"
      "  %2 = itof.s32 %1\n"
      "  output o0.x, %2\n"
      "  return\n");
  EXPECT_THAT(text, HasSubstr("NClamp"));
  EXPECT_THAT(text, HasSubstr("%float_n2_14748365e_09"));
  EXPECT_EQ(count(text, "OpSelect"), 2u);
}

TEST(SpirvEmit, PreciseIsNoContraction) {
  const std::string text = body(
      "  %0 = input v0.x\n"
      "  %1 = fmul.f32 [precise] %0, %0\n"
      "  %2 = fadd.f32 [precise] %1, %0\n"
      "  output o0.x, %2\n"
      "  return\n");
  EXPECT_THAT(text, HasSubstr("NoContraction"));
}

TEST(SpirvEmit, ValuesOfAnIfArePhis) {
  const std::string text = body(
      "  %0 = input v0.x\n"
      "  %1 = flt.f32 %0, 1.0f\n"
      "  if %1\n"
      "    %2 = fmul.f32 %0, 2.0f\n"
      "  else yields(%2)\n"
      "  %3 = endif yields(%0)\n"
      "  output o0.x, %3\n"
      "  return\n");
  EXPECT_EQ(count(text, "OpPhi %float"), 1u);
  EXPECT_EQ(count(text, "OpLabel"), 3u);  // no block for the empty else
}

TEST(SpirvEmit, LoopsCarryValues) {
  const std::string text = body(
      "  %0 = input v0.x\n"
      "  %1, %2 = loop init(0, 1.0f)\n"
      "    %3 = uge.u32 %1, 4\n"
      "    if %3\n"
      "      break yields(%2)\n"
      "    else\n"
      "    endif\n"
      "    %4 = fmul.f32 %2, %0\n"
      "    %5 = iadd %1, 1\n"
      "  %6 = endloop yields(%5, %4)\n"
      "  output o0.x, %6\n"
      "  return\n");
  EXPECT_EQ(count(text, "OpPhi %float"), 1u);
  EXPECT_EQ(count(text, "OpPhi %uint"), 1u);
  EXPECT_THAT(text, HasSubstr("OpLoopMerge"));
}

TEST(SpirvEmit, SwitchesShareBlocksOfLabelsThatStandTogether) {
  const std::string text = body(
      "  %0 = input v0.x\n"
      "  switch %0\n"
      "  case 1\n"
      "  case 2\n"
      "    break yields(7)\n"
      "  default\n"
      "    break yields(8)\n"
      "  %1 = endswitch\n"
      "  output o0.x, %1\n"
      "  return\n");
  EXPECT_THAT(text, HasSubstr("OpSwitch"));
  EXPECT_EQ(count(text, "OpLabel"), 4u);
  EXPECT_EQ(count(text, "OpPhi"), 1u);
}

TEST(SpirvEmit, DiscardDemotes) {
  const std::string text = body(
      "  %0 = input v0.x\n"
      "  %1 = flt.f32 %0, 0.5f\n"
      "  discard %1\n"
      "  output o0.x, %0\n"
      "  return\n");
  EXPECT_THAT(text, HasSubstr("OpDemoteToHelperInvocation"));
  EXPECT_THAT(text, Not(HasSubstr("OpKill")));
}

constexpr std::string_view kFetch =
    "  %0 = input v0.x\n"
    "  %1 = input v0.y\n"
    "  %2, %3, %4, %5 = tex.fetch t0 texture2d float coord(%0, %1) level(0) offset(1, -2)\n"
    "  output o0.x, %2\n"
    "  return\n";

TEST(SpirvEmit, DriverRobustnessAddsNoGuards) {
  const std::string text = body(kFetch);
  EXPECT_THAT(text, HasSubstr("OpImageFetch"));
  EXPECT_THAT(text, HasSubstr("Lod|ConstOffset"));
  EXPECT_THAT(text, Not(HasSubstr("OpBranchConditional")));
}

TEST(SpirvEmit, ShaderRobustnessGuards) {
  const std::string text = body(kFetch, shader_robust());
  EXPECT_THAT(text, HasSubstr("OpSpecConstantTrue"));
  EXPECT_THAT(text, HasSubstr("OpImageQuerySizeLod"));
  EXPECT_THAT(text, HasSubstr("OpBranchConditional"));
  EXPECT_THAT(text, Not(HasSubstr("ConstOffset")));
  EXPECT_THAT(text, HasSubstr("OpPhi %v4float"));
}

TEST(SpirvEmit, SizesOfAMissingMipAreZero) {
  const std::string text = body(
      "  %0 = input v0.x\n"
      "  %1, %2, %3, %4 = tex.size t0 texture2d float level(%0)\n"
      "  output o0.x, %1\n"
      "  output o0.y, %4\n"
      "  return\n");
  EXPECT_THAT(text, HasSubstr("OpImageQueryLevels"));
  EXPECT_THAT(text, HasSubstr("OpULessThan"));
  EXPECT_EQ(count(text, "OpSelect"), 1u);
}

TEST(SpirvEmit, RunTimeGatherOffsetsAreSixBits) {
  const std::string text = body(
      "  %0 = input v0.x\n"
      "  %1 = input v0.y\n"
      "  %2, %3, %4, %5 = tex.gather t0 s0 texture2d float coord(%0, %1) offset_by(%0, %1)\n"
      "  output o0.x, %2\n"
      "  return\n");
  EXPECT_EQ(count(text, "OpBitFieldSExtract"), 2u);
  EXPECT_THAT(text, HasSubstr("ImageGatherExtended"));
}

// Each word of a raw load is guarded separately; the load is mapped if all of its words are.
TEST(SpirvEmit, GuardedLoadsKeepTheirResidency) {
  const std::string text = body(
      "  %0 = input v0.x\n"
      "  %1, %2, %3, %4, %5 = buf.load t5 raw_buffer mixed coord(%0) feedback\n"
      "  %6 = mapped %5\n"
      "  %7 = select.b32 %6, %1, %2\n"
      "  output o0.x, %7\n"
      "  return\n",
      shader_robust());
  EXPECT_THAT(text, HasSubstr("OpArrayLength"));
  EXPECT_THAT(text, HasSubstr("OpIEqual"));
}

TEST(SpirvEmit, CallerPlacesBindings) {
  const BindingEntry entries[] = {{RegisterClass::resource, 0, 0, {3, 17}}};
  Options options;
  options.bindings.entries = entries;
  const std::string text = body(kFetch, options);
  EXPECT_THAT(text, HasSubstr("OpDecorate %t0 DescriptorSet 3"));
  EXPECT_THAT(text, HasSubstr("OpDecorate %t0 Binding 17"));
}

TEST(BindingMap, AnEntryPlacesSeveralRegisters) {
  const BindingEntry entries[] = {{RegisterClass::view, 1, 2, {5, 10, Passing::texel_buffer}, 3}};
  const BindingMap map{entries, {}};
  EXPECT_EQ(map.find(RegisterClass::view, 1, 4), (Place{5, 12, Passing::texel_buffer}));
  EXPECT_EQ(map.find(RegisterClass::view, 1, 5), BindingMap::default_place(RegisterClass::view, 1, 5));
  EXPECT_EQ(map.find(RegisterClass::view, 1, 1), BindingMap::default_place(RegisterClass::view, 1, 1));
  EXPECT_EQ(map.find(RegisterClass::view, 0, 2), BindingMap::default_place(RegisterClass::view, 0, 2));
}

constexpr std::string_view kSampleAndFetch =
    "  %0 = input v0.x\n"
    "  %1 = input v0.y\n"
    "  %2..%5 = tex.sample t0 s0 texture2d float coord(%0, %1) level(0.0f)\n"
    "  %6..%9 = tex.fetch t0 texture2d float coord(%0, %1) level(0)\n"
    "  output o0.x, %2\n"
    "  output o0.y, %6\n"
    "  return\n";

TEST(SpirvEmit, CombinedDescriptorsHoldTextureAndSampler) {
  const CombinedEntry combined[] = {{0, 0, 0, 0, {1, 4}}};
  Options options;
  options.bindings.combined = combined;
  std::string text = body(kSampleAndFetch, options);
  EXPECT_EQ(count(text, "OpDecorate %t0_s0 DescriptorSet 1"), 1u);
  EXPECT_EQ(count(text, "OpDecorate %t0_s0 Binding 4"), 1u);
  EXPECT_EQ(count(text, "DescriptorSet"), 1u)
      << text;  // neither the texture nor the sampler has a separate place
  EXPECT_EQ(count(text, "= OpImage "), 1u) << text;
  EXPECT_THAT(text, Not(HasSubstr("= OpSampledImage ")));

  // With a separate place, `ld` reads the texture there.
  const BindingEntry own[] = {{RegisterClass::resource, 0, 0, {2, 0}}};
  options.bindings.entries = own;
  text = body(kSampleAndFetch, options);
  EXPECT_EQ(count(text, "OpDecorate %t0 DescriptorSet 2"), 1u);
  EXPECT_EQ(count(text, "= OpImage "), 0u) << text;
}

TEST(SpirvEmit, APairWithoutASamplerHasTheNameOfItsTexture) {
  const CombinedEntry combined[] = {{0, 0, 0, CombinedEntry::kNoSampler, {1, 4}}};
  Options options;
  options.bindings.combined = combined;
  const std::string text = body(
      "  %0..%3 = tex.fetch t0 texture2d float coord(0, 0) level(0)\n"
      "  output o0.x, %0\n"
      "  return\n",
      options);
  EXPECT_EQ(count(text, "OpDecorate %t0 Binding 4"), 1u) << text;
  EXPECT_THAT(text, Not(HasSubstr("_s4294967295")));
}

TEST(SpirvEmit, RawBuffersAsTexelBuffers) {
  const BindingEntry entries[] = {{RegisterClass::resource, 0, 5, {0, 1, Passing::texel_buffer}},
                                  {RegisterClass::view, 0, 1, {0, 2, Passing::texel_buffer}}};
  for (const Robustness robustness : {Robustness::driver, Robustness::shader}) {
    Options options;
    options.robustness = robustness;
    options.bindings.entries = entries;
    const std::string text = body(
        "  %0 = input v0.x\n"
        "  %1..%4 = buf.load t5 raw_buffer mixed coord(%0) mask(1)\n"
        "  buf.store u1 structured_buffer mixed coord(%0) byte_offset(4) value(%1) mask(1)\n"
        "  %5 = buf.atomic u1 structured_buffer mixed coord(%0) byte_offset(0) value(%1) atomic(add)\n"
        "  %6 = buf.size u1 structured_buffer mixed\n"
        "  output o0.x, %5\n"
        "  output o0.y, %6\n"
        "  return\n",
        options);
    EXPECT_THAT(text, Not(HasSubstr("StorageBuffer")));
    EXPECT_EQ(count(text, "= OpImageFetch "), 1u) << text;
    EXPECT_EQ(count(text, "OpImageWrite "), 1u) << text;
    EXPECT_EQ(count(text, "= OpImageTexelPointer "), 1u) << text;
    EXPECT_THAT(text, HasSubstr("OpImageQuerySize"));
    EXPECT_THAT(text, HasSubstr("Buffer 0 0 0 2 R32ui"));
  }
}

constexpr std::string_view kConstantRows =
    "  %0 = input v0.x\n"
    "  %1..%4 = cb.load cb0[1]\n"
    "  %5..%8 = cb.load cb0[%0]\n"
    "  %9..%12 = cb.load cb0[4]\n"
    "  %13 = fadd.f32 %1, %6\n"
    "  %14 = fadd.f32 %13, %9\n"
    "  output o0.x, %14\n"
    "  return\n";

TEST(SpirvEmit, ConstantBuffersAsPushConstants) {
  const BindingEntry entries[] = {{RegisterClass::constant_buffer, 0, 0, {0, 32, Passing::push_constants}}};
  Options options;
  options.bindings.entries = entries;
  const std::string text = body(kConstantRows, options);
  EXPECT_THAT(text, HasSubstr("OpVariable %_ptr_PushConstant"));
  EXPECT_THAT(text, HasSubstr("0 Offset 32"));
  EXPECT_THAT(text, Not(HasSubstr("DescriptorSet")));
  // Row 4 of 4 is outside and zero; the run-time row is compared.
  EXPECT_EQ(count(text, "= OpAccessChain %_ptr_PushConstant"), 2u) << text;
  EXPECT_EQ(count(text, "= OpULessThan "), 1u) << text;
}

TEST(SpirvEmit, NewerVersionsListTheirVariables) {
  for (const Version version : {Version::v1_3, Version::v1_4, Version::v1_5, Version::v1_6}) {
    Options options;
    options.version = version;
    EXPECT_THAT(body(kSampleAndFetch, options),
                HasSubstr("; Version: 1." + std::to_string(static_cast<uint32_t>(version) >> 8 & 0xff)));
  }
}

TEST(SpirvTools, OptimizerKeepsModulesValid) {
  ir::Module module;
  ir::parse_or_fail(ir::with_body(kFetch), module);
  Diagnostics diagnostics;
  ASSERT_TRUE(ir::legalize(module, guarantees(Robustness::shader), diagnostics));
  std::pmr::vector<uint32_t> emitted;
  ASSERT_TRUE(emit(module, shader_robust(), emitted, diagnostics));
  std::pmr::vector<uint32_t> words = emitted;
  std::string message;
  ASSERT_TRUE(optimize(words, message)) << message;
  EXPECT_LT(words.size(), emitted.size());
  EXPECT_TRUE(validate(words, message)) << message;
  std::pmr::vector<uint32_t> nonsense = {1, 2, 3};
  EXPECT_FALSE(optimize(nonsense, message));
  EXPECT_EQ(nonsense.size(), 3u);
}

TEST(BindingMap, DefaultPlacesAreDisjoint) {
  std::vector<uint32_t> seen;
  for (uint32_t kind = 0; kind < 5; ++kind) {
    for (uint32_t reg = 0; reg < 300; ++reg) {
      seen.push_back(BindingMap::default_place(static_cast<RegisterClass>(kind), 0, reg).binding);
    }
  }
  std::sort(seen.begin(), seen.end());
  EXPECT_EQ(std::adjacent_find(seen.begin(), seen.end()), seen.end());
}

TEST(SpirvEmit, GeometryShaders) {
  const std::string text = translated(
      "module geometry 5.0 \"main\"\n"
      "input_primitive 3\n"
      "output_topology 5\n"
      "max_vertex_count 3\n"
      "gs_instances 2\n"
      "input v0.xyzw sv(position) array(3)\n"
      "output o0.xyzw sv(position)\n"
      "code {\n"
      "  %0 = sysval gs_instance_id.x\n"
      "  %1 = utof.u32 %0\n"
      "  output o0.x, %1\n"
      "  emit 0\n"
      "  cut 0\n"
      "  return\n"
      "}\n");
  EXPECT_THAT(text, HasSubstr("OpExecutionMode %main Triangles"));
  EXPECT_THAT(text, HasSubstr("OpExecutionMode %main Invocations 2"));
  EXPECT_THAT(text, HasSubstr("OpEmitVertex"));
  EXPECT_THAT(text, HasSubstr("OpEndPrimitive"));
}

// Direct3D drops emissions beyond the declared number, Vulkan leaves them undefined.
TEST(SpirvEmit, EmissionsAreCountedWhereTheyMayBeTooMany) {
  const auto count_in = [](std::string_view body) {
    const std::string text = translated(
        "module geometry 5.0 \"main\"\ninput_primitive 1\noutput_topology 5\nmax_vertex_count 2\n"
        "input v0.x array(1)\noutput o0.x\ncode {\n" +
        std::string(body) + "}\n");
    return text.find("OpVariable %_ptr_Private_uint Private %uint_0") != text.npos;
  };
  EXPECT_FALSE(count_in("  emit 0\n  emit 0\n"));
  EXPECT_TRUE(count_in("  emit 0\n  emit 0\n  emit 0\n"));
  EXPECT_TRUE(
      count_in("  %0 = loop init(0)\n    %1 = uge.u32 %0, 2\n    if %1\n      break\n    else\n    endif\n"
               "    emit 0\n    %2 = iadd %0, 1\n  endloop yields(%2)\n"));
  EXPECT_FALSE(
      count_in("  %0 = loop init(0)\n    %1 = uge.u32 %0, 2\n    if %1\n      break\n    else\n    endif\n"
               "    %2 = iadd %0, 1\n  endloop yields(%2)\n  emit 0\n"));
}

TEST(SpirvEmit, UnsupportedThingsAreLocatedErrors) {
  ir::Module module;
  ir::parse_or_fail(ir::with_body("  %0 = sysval is_front_face.x\n  output o0.x, %0\n  return\n"), module);
  module.code[0].location = module.add_location(SourceLocation::text(12, 1));
  Diagnostics diagnostics;
  std::pmr::vector<uint32_t> words;
  EXPECT_FALSE(emit(module, {}, words, diagnostics));
  ASSERT_FALSE(diagnostics.list().empty());
  EXPECT_EQ(diagnostics.list()[0].location.line, 12u);
  EXPECT_THAT(std::string(diagnostics.list()[0].message), HasSubstr("cannot be expressed on spirv"));
  EXPECT_TRUE(words.empty());
}

}  // namespace
}  // namespace texlate::spirv
