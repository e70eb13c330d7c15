// Writes root signatures and reads them back. Where libvkd3d-shader is installed, tests/vkd3d also reads them
// with vkd3d.

#include <cstring>

#include "tests/api/translated.h"

namespace texlate {
namespace {

struct Made {
  std::string bytes;
  texlate_status status;
};

constexpr texlate_root_range kRanges[] = {{0, 4, 1, 2, 1, 0}, {1, UINT32_MAX, 7, 0, 2, UINT32_MAX}};
constexpr texlate_static_sampler kSampler = {0x15, 1, 2, 3, 0.5f, 16, 4, 2, -1.0f, 8.0f, 3, 1, 5};

texlate_root_parameter parameter(uint32_t type, uint32_t visibility, uint32_t reg) {
  texlate_root_parameter made{};
  made.type = type;
  made.visibility = visibility;
  made.shader_register = reg;
  made.space = 9;
  return made;
}

Made write(uint32_t version, std::span<const texlate_root_parameter> parameters) {
  texlate_root_signature_description description{};
  description.struct_size = sizeof description;
  description.version = version;
  description.flags = 0x41;
  description.parameter_stride = sizeof(texlate_root_parameter);
  description.range_stride = sizeof(texlate_root_range);
  description.sampler_stride = sizeof(texlate_static_sampler);
  description.parameters = parameters.data();
  description.parameter_count = parameters.size();
  description.samplers = &kSampler;
  description.sampler_count = 1;
  texlate_output* output = nullptr;
  const texlate_status status = texlate_root_signature_write(&description, nullptr, &output);
  const api::Output made(output, status);
  return {std::string(made.data()), status};
}

TEST(RootSignatures, ComeBackAsTheyWereWritten) {
  texlate_root_parameter parameters[] = {parameter(0, 0, 0), parameter(1, 5, 3), parameter(2, 1, 4)};
  parameters[0].shader_register = parameters[0].space = 0;
  parameters[0].ranges = kRanges;
  parameters[0].range_count = 2;
  parameters[1].value_count = 12;
  parameters[2].flags = 4;
  for (const uint32_t version : {1u, 2u}) {
    const Made made = write(version, parameters);
    ASSERT_EQ(made.status, TEXLATE_OK) << texlate_argument_error();
    texlate_root_signature* signature = nullptr;
    ASSERT_EQ(texlate_root_signature_read(made.bytes.data(), made.bytes.size(), nullptr, &signature),
              TEXLATE_OK);
    const texlate_root_signature_description* read = texlate_root_signature_get(signature);
    EXPECT_EQ(read->version, version);
    EXPECT_EQ(read->flags, 0x41u);
    ASSERT_EQ(read->parameter_count, 3u);
    ASSERT_EQ(read->parameters[0].range_count, 2u);
    for (uint32_t i = 0; i < 2; ++i) {
      texlate_root_range expected = kRanges[i];
      if (version == 1) expected.flags = 0;
      EXPECT_EQ(std::memcmp(&read->parameters[0].ranges[i], &expected, sizeof expected), 0);
    }
    EXPECT_EQ(read->parameters[1].value_count, 12u);
    EXPECT_EQ(read->parameters[1].visibility, 5u);
    EXPECT_EQ(read->parameters[1].shader_register, 3u);
    EXPECT_EQ(read->parameters[1].space, 9u);
    EXPECT_EQ(read->parameters[2].type, 2u);
    EXPECT_EQ(read->parameters[2].flags, version == 1 ? 0u : 4u);
    ASSERT_EQ(read->sampler_count, 1u);
    EXPECT_EQ(std::memcmp(read->samplers, &kSampler, sizeof kSampler), 0);
    texlate_root_signature_free(signature);
  }
}

TEST(RootSignatures, EveryCutIsAnErrorAndNoCrash) {
  texlate_root_parameter parameters[] = {parameter(0, 0, 0), parameter(1, 5, 3)};
  parameters[0].ranges = kRanges;
  parameters[0].range_count = 2;
  const Made made = write(2, parameters);
  ASSERT_EQ(made.status, TEXLATE_OK);
  texlate_parse_options options = TEXLATE_PARSE_OPTIONS_INIT;
  options.digest = TEXLATE_DIGEST_IGNORE;
  for (size_t at = 44; at + 4 <= made.bytes.size(); at += 4) {
    std::string broken = made.bytes;
    std::memset(broken.data() + at, 0xff, 4);
    texlate_root_signature* signature = nullptr;
    const texlate_status status =
        texlate_root_signature_read(broken.data(), broken.size(), &options, &signature);
    EXPECT_EQ(status == TEXLATE_OK, signature != nullptr);
    texlate_root_signature_free(signature);
  }
  texlate_root_signature* signature = nullptr;
  EXPECT_EQ(texlate_root_signature_read("nothing", 7, nullptr, &signature), TEXLATE_ERROR_INPUT);
  EXPECT_EQ(signature, nullptr);
  texlate_root_signature_free(nullptr);
}

TEST(RootSignatures, UnknownNumbersAreRefused) {
  const texlate_root_parameter wrong[] = {parameter(0, 0, 0), parameter(7, 0, 0)};
  EXPECT_EQ(write(2, wrong).status, TEXLATE_ERROR_ARGUMENT);
  EXPECT_STREQ(texlate_argument_error(), "description.parameters[1].type is 7");
  EXPECT_EQ(write(3, {}).status, TEXLATE_ERROR_ARGUMENT);
  EXPECT_STREQ(texlate_argument_error(), "description.version is 3: neither 1 nor 2");
}

}  // namespace
}  // namespace texlate
