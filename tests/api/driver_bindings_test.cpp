// What a driver can specify about descriptors and push constants.

#include "tests/api/translated.h"
#include "tests/support/has_match.h"

namespace texlate {
namespace {

using test::HasMatch;
using testing::HasSubstr;
using testing::Not;

constexpr std::string_view kConstants =
    "ps_5_0\ndcl_globalFlags refactoringAllowed\ndcl_constantbuffer cb0[2], immediateIndexed\n"
    "dcl_constantbuffer cb1[4], dynamicIndexed\ndcl_input_ps linear v0.x\ndcl_output o0.xyzw\ndcl_temps 1\n"
    "ftou r0.x, v0.x\nadd o0.xyzw, cb0[1].xyzw, cb1[r0.x + 0].xyzw\nret \n";

constexpr uint32_t kSharedId = 7;
constexpr std::string_view kTwoBuffers =
    "ps_5_0\ndcl_globalFlags refactoringAllowed\ndcl_constantbuffer cb0[1], immediateIndexed\n"
    "dcl_constantbuffer cb2[1], immediateIndexed\ndcl_output o0.xyzw\n"
    "add o0.xyzw, cb0[0].xxxx, cb2[0].xxxx\nret \n";

texlate_spirv_binding push(uint32_t reg, uint32_t offset, uint32_t size = 0) {
  texlate_spirv_binding binding{};
  binding.register_class = TEXLATE_REGISTER_CONSTANT_BUFFER;
  binding.first = reg;
  binding.count = 1;
  binding.binding = offset;
  binding.passing = TEXLATE_PASSING_PUSH_CONSTANTS;
  binding.size = size;
  return binding;
}

Translated with_bindings(std::string_view listing, std::span<const texlate_spirv_binding> bindings) {
  texlate_spirv_options options = spirv_options();
  options.bindings = bindings.data();
  options.binding_count = bindings.size();
  return translate(listing, options);
}

TEST(DriverPushConstants, StartAtAnyWordAndHaveASize) {
  // Of row 1 of cb0 the 20 bytes hold only x.
  const texlate_spirv_binding bindings[] = {push(0, 36, 20), push(1, 4, 32)};
  const Translated made = with_bindings(kConstants, bindings);
  ASSERT_EQ(made.status, TEXLATE_OK) << made.messages;
  EXPECT_THAT(made.text, HasSubstr("0 Offset 4\n"));
  EXPECT_THAT(made.text, HasSubstr("1 Offset 36\n"));
  EXPECT_THAT(made.text, HasSubstr("ArrayStride 4\n"));
  // cb0: one component; cb1: four.
  EXPECT_EQ(count(made.text, "= OpAccessChain %_ptr_PushConstant"), 5u) << made.text;
}

TEST(DriverPushConstants, OddPlacesAndOverlapsAreRefused) {
  const texlate_spirv_binding odd[] = {push(0, 2)};
  const Translated refused = with_bindings(kConstants, odd);
  EXPECT_EQ(refused.status, TEXLATE_ERROR_ARGUMENT);
  EXPECT_EQ(refused.messages, "options.spirv.bindings[0].binding is 2, which is not a multiple of 4");
  const texlate_spirv_binding overlapping[] = {push(0, 0, 20), push(1, 16)};
  const Translated overlap = with_bindings(kConstants, overlapping);
  EXPECT_EQ(overlap.status, TEXLATE_ERROR_INPUT);
  EXPECT_THAT(overlap.messages, HasSubstr("cb0 (bytes 0 to 19) and cb1 (bytes 16 to 79) overlap"));
  const texlate_spirv_binding apart[] = {push(0, 0, 16), push(1, 16)};
  EXPECT_EQ(with_bindings(kConstants, apart).status, TEXLATE_OK);
}

texlate_spirv_binding special(uint32_t reg, uint32_t id) {
  texlate_spirv_binding binding = push(reg, id);
  binding.passing = TEXLATE_PASSING_SPECIALIZATION;
  return binding;
}

TEST(DriverSpecialization, WordsOfAConstantBufferAreConstants) {
  const texlate_spirv_binding bindings[] = {special(0, 40)};
  const Translated made = with_bindings(kConstants, bindings);
  ASSERT_EQ(made.status, TEXLATE_OK) << made.messages;
  EXPECT_EQ(count(made.text, "SpecId"), 4u);  // row 1
  for (const char* const part : {"SpecId 44", "SpecId 45", "SpecId 46", "SpecId 47"})
    EXPECT_THAT(made.text, HasSubstr(part));
  EXPECT_THAT(made.text, Not(HasSubstr("%cb0")));
  texlate_spirv_options options = spirv_options();
  options.bindings = bindings;
  options.binding_count = 1;
  texlate_translate_options all = TEXLATE_TRANSLATE_OPTIONS_INIT;
  all.target = "spirv";
  all.spirv = &options;
  all.reflect = 1;
  const api::Output output = api::Program(kConstants).translate(all);
  EXPECT_THAT(std::string(output.reflection()),
              HasMatch("\"id\": 44,[^}]*\"register\": \"cb0\"[^}]*\"word\": 4"));
}

TEST(DriverSpecialization, WhatCannotBeConstantsIsRefused) {
  const texlate_spirv_binding indexed[] = {special(1, 40)};
  EXPECT_THAT(with_bindings(kConstants, indexed).messages,
              HasSubstr("a run-time index into a constant buffer of"));
  texlate_spirv_binding wrong[] = {special(0, 40)};
  wrong[0].register_class = TEXLATE_REGISTER_RESOURCE;
  EXPECT_THAT(with_bindings(kConstants, wrong).messages, HasSubstr("only possible for cb#"));
  wrong[0] = special(0, UINT32_MAX);
  EXPECT_THAT(with_bindings(kConstants, wrong).messages, HasSubstr("after which there are no ids"));
  // Two buffers at the same ids.
  const texlate_spirv_binding shared[] = {special(0, kSharedId), special(2, kSharedId)};
  EXPECT_EQ(with_bindings(kTwoBuffers, shared).status, TEXLATE_OK) << "one constant may have two names";
}

constexpr std::string_view kSampled =
    "ps_5_0\ndcl_globalFlags refactoringAllowed\ndcl_constantbuffer cb0[1], immediateIndexed\n"
    "dcl_sampler s0, mode_default\ndcl_resource_texture2d (float,float,float,float) t0\n"
    "dcl_resource_structured t1, 16\ndcl_input_ps linear v0.xy\ndcl_output o0.xyzw\ndcl_temps 2\n"
    "sample_indexable(texture2d)(float,float,float,float) r0.xyzw, v0.xyxx, t0.xyzw, s0\n"
    "ld_structured_indexable(structured_buffer, stride=16)(mixed,mixed,mixed,mixed) r1.xyzw, l(3), l(0), "
    "t1.xyzw\n"
    "add r0.xyzw, r0.xyzw, r1.xyzw\nadd o0.xyzw, r0.xyzw, cb0[0].xyzw\nret \n";

texlate_spirv_binding heap(texlate_register_class which, uint32_t set, uint32_t size, uint32_t element) {
  texlate_spirv_binding binding{};
  binding.register_class = which;
  binding.count = 2;
  binding.set = set;
  binding.binding = 7;
  binding.array_size = size;
  binding.element = element;
  return binding;
}

TEST(DriverHeaps, RegistersAreElementsOfAnArray) {
  const texlate_spirv_binding bindings[] = {heap(TEXLATE_REGISTER_CONSTANT_BUFFER, 0, 100, 11),
                                            heap(TEXLATE_REGISTER_SAMPLER, 1, 200, 22),
                                            heap(TEXLATE_REGISTER_RESOURCE, 2, TEXLATE_UNSIZED_ARRAY, 33)};
  const Translated made = with_bindings(kSampled, bindings);
  ASSERT_EQ(made.status, TEXLATE_OK) << made.messages;
  // t0 is element 33 and t1 is element 34 of the same binding.
  for (const char* element : {"%uint_11 ", "%uint_22\n", "%uint_33\n", "%uint_34 "})
    EXPECT_THAT(made.text, HasMatch(std::string("OpAccessChain %[a-zA-Z0-9_]+ %[a-z0-9]+ ") + element));
  EXPECT_THAT(made.text, HasSubstr("OpTypeRuntimeArray"));
  EXPECT_THAT(made.text, HasSubstr("%uint_100"));
  EXPECT_EQ(count(made.text, "Binding 7\n"), 4u);
}

TEST(DriverHeaps, APushConstantMovesTheElement) {
  texlate_spirv_binding bindings[] = {heap(TEXLATE_REGISTER_CONSTANT_BUFFER, 0, 100, 11),
                                      heap(TEXLATE_REGISTER_SAMPLER, 1, 200, 22),
                                      heap(TEXLATE_REGISTER_RESOURCE, 2, 300, 33)};
  for (texlate_spirv_binding& binding : bindings) {
    binding.has_element_offset = 1;
    binding.element_offset_at = 8;
  }
  bindings[0].element_offset_at = 20;
  const Translated made = with_bindings(kSampled, bindings);
  ASSERT_EQ(made.status, TEXLATE_OK) << made.messages;
  EXPECT_THAT(made.text, HasSubstr("0 Offset 8\n"));
  EXPECT_THAT(made.text, HasSubstr("1 Offset 20\n"));
  for (const char* capability : {"UniformBufferArrayDynamicIndexing", "SampledImageArrayDynamicIndexing",
                                 "StorageBufferArrayDynamicIndexing"})
    EXPECT_THAT(made.text, HasSubstr(capability));
  bindings[0].element_offset_at = 18;
  EXPECT_EQ(with_bindings(kSampled, bindings).messages,
            "options.spirv.bindings[0].element_offset_at is 18, which is not a multiple of 4");
  bindings[0].element_offset_at = 20;
  bindings[0].element = 99;
  EXPECT_EQ(with_bindings(kSampled, bindings).messages,
            "options.spirv.bindings[0] ends at element 100, beyond its array_size of 100");
}

texlate_spirv_binding place(texlate_register_class which, uint32_t reg, uint32_t set, uint32_t binding) {
  texlate_spirv_binding made{};
  made.register_class = which;
  made.first = reg;
  made.count = 1;
  made.set = set;
  made.binding = binding;
  return made;
}

TEST(DriverMap, StrictMeansThatNothingTakesADefaultPlace) {
  const texlate_spirv_binding bindings[] = {place(TEXLATE_REGISTER_CONSTANT_BUFFER, 0, 0, 0),
                                            place(TEXLATE_REGISTER_SAMPLER, 0, 0, 1),
                                            place(TEXLATE_REGISTER_RESOURCE, 0, 0, 2)};
  texlate_spirv_options options = spirv_options();
  options.bindings = bindings;
  options.binding_count = std::size(bindings);
  EXPECT_EQ(translate(kSampled, options).status, TEXLATE_OK);
  options.strict_bindings = 1;
  const Translated refused = translate(kSampled, options);
  EXPECT_EQ(refused.status, TEXLATE_ERROR_INPUT);
  EXPECT_EQ(refused.messages, "t1 of space 0 is not in the binding map, and the map is strict\n");
}

TEST(DriverMap, DuplicatesAndCollisionsAreRefused) {
  texlate_spirv_binding bindings[] = {place(TEXLATE_REGISTER_RESOURCE, 0, 0, 2),
                                      place(TEXLATE_REGISTER_RESOURCE, 1, 0, 9)};
  bindings[0].count = 2;
  const Translated twice = with_bindings(kSampled, bindings);
  EXPECT_EQ(twice.status, TEXLATE_ERROR_ARGUMENT);
  EXPECT_EQ(twice.messages, "options.spirv.bindings[0] and [1] both name register 1 of space 0");
  bindings[0].count = 1;
  bindings[1].binding = 2;
  const Translated same = with_bindings(kSampled, bindings);
  EXPECT_EQ(same.status, TEXLATE_ERROR_INPUT);
  EXPECT_EQ(same.messages, "t0 and t1 are both at set 0, binding 2 on spirv\n");
  // An entry of the map collides with a default place: cb0 is at binding 0.
  bindings[1].binding = 0;
  EXPECT_EQ(with_bindings(kSampled, bindings).messages, "t1 and cb0 are both at set 0, binding 0 on spirv\n");
}

TEST(DriverMap, NumbersDoNotWrapAround) {
  texlate_spirv_binding one[] = {place(TEXLATE_REGISTER_RESOURCE, 0, 0, UINT32_MAX)};
  one[0].count = 2;
  const Translated binding = with_bindings(kSampled, one);
  EXPECT_EQ(binding.status, TEXLATE_ERROR_ARGUMENT);
  EXPECT_EQ(binding.messages,
            "options.spirv.bindings[0] ends at binding 4294967296, beyond the last possible one, 4294967295");
  one[0].binding = UINT32_MAX - 1;
  EXPECT_EQ(with_bindings(kSampled, one).status, TEXLATE_OK);
  one[0] = place(TEXLATE_REGISTER_RESOURCE, 5, 0, 0);
  one[0].count = UINT32_MAX;  // t0 would be among them
  EXPECT_THAT(with_bindings(kSampled, one).messages, HasSubstr("ends at register 4294967299, beyond"));
  one[0] = heap(TEXLATE_REGISTER_RESOURCE, 2, TEXLATE_UNSIZED_ARRAY, UINT32_MAX);
  EXPECT_THAT(with_bindings(kSampled, one).messages, HasSubstr("ends at element 4294967296, beyond"));
  one[0].element = UINT32_MAX - 1;
  EXPECT_EQ(with_bindings(kSampled, one).status, TEXLATE_OK);
  one[0].has_element_offset = 1;
  one[0].element_offset_at = UINT32_MAX - 3;
  EXPECT_THAT(with_bindings(kSampled, one).messages, HasSubstr("element_offset_at is 4294967292, where no"));
  one[0] = push(0, UINT32_MAX - 3, 16);
  EXPECT_THAT(with_bindings(kSampled, one).messages,
              HasSubstr("bindings[0] ends 4294967308 bytes into the push constants"));
}

TEST(DriverMap, APairIsNamedOnce) {
  texlate_spirv_combined pairs[] = {{0, 0, 0, 0, 3, 1}, {0, 0, 0, 1, 3, 2}, {0, 0, 0, 0, 3, 3}};
  texlate_spirv_options options = spirv_options();
  options.combined = pairs;
  options.combined_count = 3;
  const Translated twice = translate(kSampled, options);
  EXPECT_EQ(twice.status, TEXLATE_ERROR_ARGUMENT);
  EXPECT_EQ(twice.messages, "options.spirv.combined[0] and [2] both name t0 of space 0 with s0 of space 0");
  pairs[2].texture_space = 1;
  EXPECT_EQ(translate(kSampled, options).status, TEXLATE_OK);
}

TEST(DriverHeaps, EntriesAgreeAboutTheArray) {
  texlate_spirv_binding bindings[] = {heap(TEXLATE_REGISTER_RESOURCE, 2, 16, 1),
                                      heap(TEXLATE_REGISTER_RESOURCE, 2, 16, 1)};
  bindings[0].count = bindings[1].count = 1;
  bindings[1].first = 1;
  // Both registers are element 1 of one array: ranges of a descriptor table may overlap.
  const Translated shared = with_bindings(kSampled, bindings);
  ASSERT_EQ(shared.status, TEXLATE_OK) << shared.messages;
  EXPECT_EQ(count(shared.text, "Binding 7\n"), 2u);
  const std::string disagree =
      "options.spirv.bindings[0] and options.spirv.bindings[1] disagree about the array at set 2, binding 7";
  for (const uint32_t size : {8u, 17u, TEXLATE_UNSIZED_ARRAY}) {
    bindings[1].array_size = size;
    const Translated refused = with_bindings(kSampled, bindings);
    EXPECT_EQ(refused.status, TEXLATE_ERROR_ARGUMENT) << size;
    EXPECT_EQ(refused.messages, disagree);
  }
  // One of them is no array, also if the binding is only one of several.
  bindings[1] = place(TEXLATE_REGISTER_RESOURCE, 1, 2, 7);
  EXPECT_EQ(with_bindings(kSampled, bindings).messages, disagree);
  bindings[1] = place(TEXLATE_REGISTER_RESOURCE, 1, 2, 4);
  bindings[1].count = 4;
  EXPECT_THAT(with_bindings(kSampled, bindings).messages, HasSubstr("disagree about the array at set 2"));
  bindings[1].count = 3;
  EXPECT_EQ(with_bindings(kSampled, bindings).status, TEXLATE_OK);
  bindings[1] = place(TEXLATE_REGISTER_RESOURCE, 1, 3, 7);
  EXPECT_EQ(with_bindings(kSampled, bindings).status, TEXLATE_OK);
}

// cb0 is at binding 0 of set 0, unless the map says otherwise.
TEST(DriverHeaps, AnArrayMeetsADefaultPlace) {
  texlate_spirv_binding array = heap(TEXLATE_REGISTER_RESOURCE, 0, 16, 1);
  array.binding = 0;
  const Translated refused = with_bindings(kSampled, {&array, 1});
  EXPECT_EQ(refused.status, TEXLATE_ERROR_INPUT);
  EXPECT_EQ(refused.messages, "cb0 and t0 are both at set 0, binding 0 on spirv\n");
  array.binding = 1;
  EXPECT_EQ(with_bindings(kSampled, {&array, 1}).status, TEXLATE_OK);
}

TEST(DriverHeaps, ARangeEndsWithinItsArray) {
  const auto listing = [](const char* range) {
    return "ps_5_1\ndcl_globalFlags refactoringAllowed\ndcl_resource_texture2d (float,float,float,float) "
           "T0[" +
           std::string(range) +
           "], space=0\ndcl_input_ps constant v0.x\ndcl_output o0.xyzw\ndcl_temps 1\nmov r0.x, v0.x\n"
           "ld_indexable(texture2d)(float,float,float,float) o0.xyzw, l(0,0,0,0), T0[r0.x + 4].xyzw\nret \n";
  };
  texlate_spirv_binding array = heap(TEXLATE_REGISTER_RESOURCE, 2, 16, 4);
  array.first = 4;
  array.count = 1;
  EXPECT_EQ(with_bindings(listing("4:15"), {&array, 1}).status, TEXLATE_OK);
  const Translated refused = with_bindings(listing("4:16"), {&array, 1});
  EXPECT_EQ(refused.status, TEXLATE_ERROR_INPUT);
  EXPECT_EQ(
      refused.messages,
      "t4 and the 12 registers after it end at element 16 of set 2, binding 7, an array of 16 on spirv\n");
  // The host knows the size of its heap.
  EXPECT_EQ(with_bindings(listing("4:*"), {&array, 1}).status, TEXLATE_OK);
  array.array_size = TEXLATE_UNSIZED_ARRAY;
  EXPECT_EQ(with_bindings(listing("4:16"), {&array, 1}).status, TEXLATE_OK);
}

TEST(DriverHeaps, APairIsNoArray) {
  const texlate_spirv_combined pair = {0, 0, 0, 0, 2, 7};
  texlate_spirv_binding array = heap(TEXLATE_REGISTER_RESOURCE, 2, 16, 1);
  array.first = 1;
  array.count = 1;
  texlate_spirv_options options = spirv_options();
  options.bindings = &array;
  options.binding_count = 1;
  options.combined = &pair;
  options.combined_count = 1;
  EXPECT_EQ(translate(kSampled, options).messages,
            "options.spirv.bindings[0] and options.spirv.combined[0] disagree about the array at set 2, "
            "binding 7");
}

// More entries than a quadratic check would finish.
TEST(DriverMap, MayBeLong) {
  std::vector<texlate_spirv_binding> bindings;
  for (uint32_t i = 0; i < 200000; ++i) bindings.push_back(place(TEXLATE_REGISTER_RESOURCE, i, 5, i));
  EXPECT_EQ(with_bindings(kSampled, bindings).status, TEXLATE_OK);
  bindings.push_back(place(TEXLATE_REGISTER_RESOURCE, 77, 6, 0));
  EXPECT_EQ(with_bindings(kSampled, bindings).messages,
            "options.spirv.bindings[77] and [200000] both name register 77 of space 0");
}

constexpr std::string_view kCounters =
    "cs_5_0\ndcl_globalFlags refactoringAllowed\ndcl_uav_structured u0, 4\ndcl_uav_structured u1, 4\n"
    "dcl_input vThreadID.x\ndcl_temps 1\ndcl_thread_group 8, 1, 1\nimm_atomic_alloc r0.x, u0\n"
    "store_structured u0.x, r0.x, l(0), vThreadID.x\nimm_atomic_consume r0.x, u1\n"
    "store_structured u1.x, r0.x, l(0), vThreadID.x\nret \n";

TEST(DriverCounters, AreTexelBuffersOnRequest) {
  texlate_spirv_binding binding = place(TEXLATE_REGISTER_COUNTER, 0, 3, 4);
  binding.passing = TEXLATE_PASSING_TEXEL_BUFFER;
  const Translated made = with_bindings(kCounters, {&binding, 1});
  ASSERT_EQ(made.status, TEXLATE_OK) << made.messages;
  EXPECT_EQ(count(made.text, "OpImageTexelPointer"), 1u);
  EXPECT_THAT(made.text, HasSubstr("DescriptorSet 3\n"));
  EXPECT_THAT(made.text, HasSubstr("OpTypeImage %uint Buffer 0 0 0 2 R32ui"));
  // The other counter stays a storage buffer.
  EXPECT_EQ(count(made.text, "OpAtomicISub"), 1u);
}

TEST(DriverCounters, ThoseOfARangeAreAnArray) {
  const std::string_view range =
      "cs_5_1\ndcl_globalFlags refactoringAllowed\ndcl_uav_structured U0[3:6], 4, space=1\n"
      "dcl_input vThreadID.x\ndcl_temps 1\ndcl_thread_group 8, 1, 1\niadd r0.y, vThreadID.x, l(3)\n"
      "imm_atomic_alloc r0.x, U0[r0.y + 3]\nimm_atomic_alloc r0.z, U0[4]\n"
      "store_structured U0[4].x, r0.x, l(0), r0.z\nret \n";
  texlate_spirv_binding binding = place(TEXLATE_REGISTER_COUNTER, 3, 2, 5);
  binding.space = 1;
  for (const texlate_passing passing : {TEXLATE_PASSING_DESCRIPTOR, TEXLATE_PASSING_TEXEL_BUFFER}) {
    binding.passing = passing;
    const Translated made = with_bindings(range, {&binding, 1});
    ASSERT_EQ(made.status, TEXLATE_OK) << made.messages;
    EXPECT_EQ(count(made.text, "OpAtomicIAdd"), 2u);
    EXPECT_THAT(made.text, HasSubstr("%u0_counter Binding 5"));
    EXPECT_THAT(made.text, HasMatch("OpTypeArray %[a-zA-Z0-9_]+ %uint_4"));
  }
}

constexpr std::string_view kMultisampled =
    "ps_5_0\ndcl_globalFlags refactoringAllowed\ndcl_resource_texture2dms(1) (float,float,float,float) t0\n"
    "dcl_resource_texture2dms(4) (float,float,float,float) t1\ndcl_output o0.xyzw\ndcl_temps 2\n"
    "ldms_indexable(texture2dms)(float,float,float,float) r0.xyzw, l(0,0,0,0), t0.xyzw, l(0)\n"
    "ldms_indexable(texture2dms)(float,float,float,float) r1.xyzw, l(0,0,0,0), t1.xyzw, l(2)\n"
    "add r0.xyzw, r0.xyzw, r1.xyzw\nresinfo_indexable(texture2dms)(float,float,float,float) r1.xyzw, l(0), "
    "t0.xyzw\nadd o0.xyzw, r0.xyzw, r1.xyzw\nret \n";

TEST(DriverImages, OneSampleIsNoMultisampledImageOnRequest) {
  texlate_spirv_options options = spirv_options();
  const Translated both = translate(kMultisampled, options);
  ASSERT_EQ(both.status, TEXLATE_OK) << both.messages;
  EXPECT_EQ(count(both.text, "OpTypeImage %float 2D 2 0 1 1"), 1u);
  EXPECT_THAT(both.text, Not(HasSubstr("OpTypeImage %float 2D 2 0 0 1")));
  options.single_sample_images = 1;
  const Translated plain = translate(kMultisampled, options);
  ASSERT_EQ(plain.status, TEXLATE_OK) << plain.messages;
  EXPECT_EQ(count(plain.text, "OpTypeImage %float 2D 2 0 1 1"), 1u);
  EXPECT_EQ(count(plain.text, "OpTypeImage %float 2D 2 0 0 1"), 1u);
  EXPECT_EQ(count(plain.text, " Sample %"), 1u);
  EXPECT_EQ(count(plain.text, "OpImageQuerySizeLod"), 1u);
}

TEST(DriverImages, AKnownFormatNeedsNoFeatureToRead) {
  const api::Program program(
      "cs_5_0\ndcl_globalFlags refactoringAllowed\ndcl_uav_typed_texture2d (float,float,float,float) u2\n"
      "dcl_input vThreadID.xy\ndcl_temps 1\ndcl_thread_group 8, 8, 1\n"
      "ld_uav_typed_indexable(texture2d)(float,float,float,float) r0.xyzw, vThreadID.xyyy, u2.xyzw\n"
      "store_uav_typed u2.xyzw, vThreadID.yxxx, r0.xyzw\nret \n");
  ASSERT_TRUE(program.ok());
  EXPECT_THAT(translate(program, spirv_options()).text, HasSubstr("StorageImageReadWithoutFormat"));
  const texlate_uav_format format = {2, 4, 8, TEXLATE_TEXEL_UNORM, TEXLATE_FORMAT_UNKNOWN};
  const Translated made = translate(program, spirv_options(), {&format, 1});
  ASSERT_EQ(made.status, TEXLATE_OK) << made.messages;
  EXPECT_THAT(made.text, HasSubstr("2 Rgba8\n"));
  EXPECT_THAT(made.text, Not(HasSubstr("WithoutFormat")));
}

// A view that is only written needs no format.
TEST(DriverImages, AFormatHasTheSignOfTheView) {
  const std::string_view load =
      "cs_5_0\ndcl_globalFlags refactoringAllowed\ndcl_uav_typed_texture2d (sint,sint,sint,sint) u2\n"
      "dcl_input vThreadID.xy\ndcl_temps 1\ndcl_thread_group 8, 8, 1\n"
      "ld_uav_typed_indexable(texture2d)(sint,sint,sint,sint) r0.xyzw, vThreadID.xyyy, u2.xyzw\n"
      "store_uav_typed u2.xyzw, vThreadID.yxxx, r0.xyzw\nret \n";
  const api::Program program(load);
  ASSERT_TRUE(program.ok());
  texlate_uav_format format = {2, 4, 8, TEXLATE_TEXEL_UINT, TEXLATE_FORMAT_UNKNOWN};
  const Translated refused = translate(program, spirv_options(), {&format, 1});
  EXPECT_EQ(refused.status, TEXLATE_ERROR_INPUT);
  EXPECT_THAT(refused.messages,
              HasSubstr("u2 is declared with signed integers and its format has unsigned ones"));
  format.kind = TEXLATE_TEXEL_SINT;
  EXPECT_EQ(translate(program, spirv_options(), {&format, 1}).status, TEXLATE_OK);
}

constexpr std::string_view kFacts =
    "ps_5_0\ndcl_globalFlags refactoringAllowed\ndcl_resource_texture2d (float,float,float,float) t3\n"
    "dcl_output o0.xyzw\ndcl_temps 2\nsampleinfo_uint r0.x, rasterizer.x\nutof r0.x, r0.x\n"
    "ld_indexable(texture2d)(float,float,float,float) r1.xyzw, l(0,0,0,0), t3.xyzw\n"
    "add o0.xyzw, r0.xxxx, r1.xyzw\nret \n";

TEST(DriverFacts, HaveTheIdsThatTheHostChooses) {
  texlate_spirv_options options = spirv_options();
  options.robustness = TEXLATE_ROBUSTNESS_SHADER;
  const Translated usual = translate(kFacts, options);
  ASSERT_EQ(usual.status, TEXLATE_OK) << usual.messages;
  EXPECT_THAT(usual.text, HasSubstr("SpecId 0\n"));
  EXPECT_THAT(usual.text, HasSubstr("SpecId 16\n"));
  const texlate_spirv_parameter parameters[] = {
      {TEXLATE_FACT_RASTER_SAMPLES, TEXLATE_REGISTER_CONSTANT_BUFFER, 0, 0, 0, 77},
      {TEXLATE_FACT_BOUND, TEXLATE_REGISTER_RESOURCE, 0, 3, 0, 78},
      {TEXLATE_FACT_MISSING_ALPHA, TEXLATE_REGISTER_RESOURCE, 0, 3, 1, 0x3f800000}};
  options.parameters = parameters;
  options.parameter_count = std::size(parameters);
  const Translated chosen = translate(kFacts, options);
  ASSERT_EQ(chosen.status, TEXLATE_OK) << chosen.messages;
  EXPECT_THAT(chosen.text, HasSubstr("SpecId 77\n"));
  EXPECT_THAT(chosen.text, HasSubstr("SpecId 78\n"));
  EXPECT_EQ(count(chosen.text, "SpecId"), 2u) << chosen.text;
}

TEST(DriverFacts, AreOfEachRegisterOfASmallRange) {
  const auto shader = [](const char* last) {
    return "ps_5_1\ndcl_globalFlags refactoringAllowed\ndcl_resource_texture2d (float,float,float,float) "
           "T0[3:" +
           std::string(last) +
           "], space=0\ndcl_input_ps constant v0.x\ndcl_output o0.xyzw\ndcl_temps 1\nmov r0.x, v0.x\n"
           "ld o0.xyzw, v0.xxxx, T0[r0.x + 3].xyzw\nret \n";
  };
  texlate_spirv_options options = spirv_options();
  options.robustness = TEXLATE_ROBUSTNESS_SHADER;
  const auto ids = [&](const char* last) {
    const Translated made = translate(shader(last).c_str(), options);
    EXPECT_EQ(made.status, TEXLATE_OK) << made.messages;
    std::vector<int> found;
    for (int n = 0; n < 200; ++n) {
      const int id = n < 100 ? n : 0x10000 + n - 100;
      if (made.text.find("SpecId " + std::to_string(id) + "\n") != std::string::npos) found.push_back(id);
    }
    return found;
  };
  using Ids = std::vector<int>;
  EXPECT_EQ(ids("5"), (Ids{16, 17, 0x10000, 0x10001, 0x10002, 0x10003}));
  EXPECT_EQ(ids("18").size(), 32u);
  EXPECT_EQ(ids("19"), (Ids{16, 17}));
  // What is said of the first register is said of those of which nothing else is.
  texlate_spirv_parameter parameters[] = {{TEXLATE_FACT_BOUND, TEXLATE_REGISTER_RESOURCE, 0, 3, 1, 1},
                                          {TEXLATE_FACT_BOUND, TEXLATE_REGISTER_RESOURCE, 0, 4, 0, 78}};
  options.parameters = parameters;
  options.parameter_count = 1;
  EXPECT_EQ(ids("5"), (Ids{17, 0x10001, 0x10003}));
  options.parameter_count = 2;
  EXPECT_EQ(ids("5"), (Ids{17, 78, 0x10001, 0x10003}));
}

TEST(DriverFacts, AnIdIsOfOneConstant) {
  texlate_spirv_options options = spirv_options();
  options.robustness = TEXLATE_ROBUSTNESS_SHADER;
  // 0 is the id of the number of samples, unless the host chooses another.
  texlate_spirv_parameter parameters[] = {
      {TEXLATE_FACT_BOUND, TEXLATE_REGISTER_RESOURCE, 0, 3, 0, 0},
      {TEXLATE_FACT_RASTER_SAMPLES, TEXLATE_REGISTER_CONSTANT_BUFFER, 0, 0, 0, 1}};
  options.parameters = parameters;
  options.parameter_count = 1;
  const Translated refused = translate(kFacts, options);
  EXPECT_EQ(refused.status, TEXLATE_ERROR_INPUT);
  EXPECT_EQ(refused.messages, "two specialization constants would have id 0 on spirv\n");
  options.parameter_count = 2;
  EXPECT_EQ(translate(kFacts, options).status, TEXLATE_OK);
  parameters[1].value = 0;
  EXPECT_EQ(translate(kFacts, options).status, TEXLATE_ERROR_INPUT) << "a number and a bool";
}

TEST(DriverFacts, CanBeNumbersOfTheTranslation) {
  texlate_spirv_options options = spirv_options();
  const texlate_spirv_parameter samples = {
      TEXLATE_FACT_RASTER_SAMPLES, TEXLATE_REGISTER_RESOURCE, 0, 0, 1, 8};
  options.parameters = &samples;
  options.parameter_count = 1;
  const Translated made = translate(kFacts, options);
  ASSERT_EQ(made.status, TEXLATE_OK) << made.messages;
  EXPECT_THAT(made.text, Not(HasSubstr("SpecId")));
  EXPECT_THAT(made.text, HasSubstr("%uint_8"));
}

}  // namespace
}  // namespace texlate
