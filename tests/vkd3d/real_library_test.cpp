// With another libvkd3d-shader named by TEXLATE_VKD3D_REAL: what goes to it, and whether ours gives the same
// where both do the same work. The other one is that of the system (Debian: 1.2).

#include <dlfcn.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "tests/support/paths.h"
#include "tests/vkd3d/client.h"
#include "tests/vkd3d/shaders.h"

namespace texlate::vkd3d {
namespace {

using testing::HasSubstr;

class RealLibrary : public testing::Test {
 protected:
  void SetUp() override {
    const char* const name = std::getenv("TEXLATE_VKD3D_REAL");
    library_ = name != nullptr ? dlopen(name, RTLD_NOW | RTLD_LOCAL) : nullptr;
    if (library_ == nullptr) GTEST_SKIP() << "TEXLATE_VKD3D_REAL names no library";
  }
  template <typename Function>
  Function* theirs(const char* name) const {
    return reinterpret_cast<Function*>(dlsym(library_, name));
  }
  void* library_ = nullptr;
};

CompileInfo info_of(const std::string& bytes, const void* chain = nullptr) {
  CompileInfo info{};
  info.next = chain;
  info.source = {bytes.data(), bytes.size()};
  info.source_type = SourceType::dxbc_tpf;
  info.target_type = TargetType::spirv_binary;
  return info;
}

TEST_F(RealLibrary, OpenGlGoesToIt) {
  SpirvTargetInfo target{};
  target.type = StructureType::spirv_target_info;
  target.environment = Environment::opengl_4_5;
  const Compiled made = compile(container(kPixelShader), &target, {.target = TargetType::spirv_binary});
  EXPECT_EQ(made.result, kOk) << made.messages;
  EXPECT_THAT(made.log, HasSubstr("passed: DXBC, "));
  EXPECT_THAT(made.log, HasSubstr("SPIR-V for OpenGL"));
}

// A container that would end the process there (an assertion of vkd3d 1.2) is refused before.
TEST_F(RealLibrary, NothingBrokenGoesToIt) {
  SpirvTargetInfo target{};
  target.type = StructureType::spirv_target_info;
  target.environment = Environment::opengl_4_5;
  std::string bytes = container(kPixelShader);
  for (size_t at = bytes.size() - 40; at < bytes.size(); at += 4) {
    std::string broken = bytes;
    std::memset(broken.data() + at, 0xff, 4);
    const Compiled made = compile(with_digest(broken), &target);
    if (made.result != kOk) {
      EXPECT_THAT(made.log, HasSubstr("refused")) << at;
    }
  }
}

TEST_F(RealLibrary, ARefusedStageDoesNotGoToIt) {
  ParameterInfo parameters{};
  const Parameter1 samples =
      parameter(ParameterName::rasterizer_sample_count, ParameterType::buffer, ParameterData::uint, 0);
  parameters.type = StructureType::parameter_info;
  parameters.parameters = &samples;
  parameters.parameter_count = 1;
  const Compiled made = compile(container(kPixelShader), &parameters);
  EXPECT_EQ(made.result, kNotImplemented);
  EXPECT_THAT(made.log, HasSubstr("refused: ps_5_0"));
}

// Compilers' output, as a client of 1.17 gives it away: texlate does all of it, whoever else could.
TEST_F(RealLibrary, NoContainerGoesToIt) {
  const Extension extensions[] = {Extension::demote_to_helper_invocation, Extension::descriptor_indexing,
                                  Extension::stencil_export, Extension::viewport_index_layer,
                                  Extension::fragment_shader_interlock};
  SpirvTargetInfo target{};
  target.type = StructureType::spirv_target_info;
  target.environment = Environment::vulkan_1_1;
  target.extensions = extensions;
  target.extension_count = std::size(extensions);
  const CompileOption options[] = {
      {OptionName::api_version, 17}, {OptionName::feature, 2}, {OptionName::typed_uav, 1}};
  size_t served = 0, refused = 0;
  for (const char* folder : {"pairs", "dxbc_suite", "fxc_suite", "hlsl_suite"}) {
    const std::string path = test::shared_dir() + "/corpus/" + folder;
    if (!std::filesystem::is_directory(path)) continue;
    for (const auto& entry : std::filesystem::directory_iterator(path)) {
      if (entry.path().extension() != ".dxbc") continue;
      std::ifstream file(entry.path(), std::ios::binary);
      const std::string bytes{std::istreambuf_iterator<char>(file), {}};
      CompileInfo info = info_of(bytes, &target);
      info.options = options;
      info.option_count = std::size(options);
      info.log_level = LogLevel::error;
      Code out{};
      char* messages = nullptr;
      int result = kOk;
      const std::string log = logged([&] { result = vkd3d_shader_compile(&info, &out, &messages); });
      EXPECT_THAT(log, testing::Not(HasSubstr("passed: "))) << entry.path();
      if (result == kOk) {
        ++served;
      } else {
        ++refused;
        std::printf("%s: %d %s", entry.path().filename().c_str(), result,
                    messages != nullptr ? messages : "\n");
      }
      vkd3d_shader_free_messages(messages);
      vkd3d_shader_free_shader_code(&out);
    }
  }
  if (served + refused == 0) GTEST_SKIP() << "there is no corpus";
  std::printf("served %zu, refused %zu, passed on 0\n", served, refused);
  EXPECT_LT(refused, served / 50);
}

TEST_F(RealLibrary, ItsTargetsAreListed) {
  unsigned count = 0;
  const SourceType* const sources = vkd3d_shader_get_supported_source_types(&count);
  EXPECT_EQ(sources[0], SourceType::dxbc_tpf);
  unsigned their_count = 0;
  theirs<const SourceType*(unsigned*)>("vkd3d_shader_get_supported_source_types")(&their_count);
  EXPECT_GE(count, their_count);
}

TEST_F(RealLibrary, DescriptorsAreTheSame) {
  for (const std::string_view listing : {kViewsShader, kSamplingShader, kPixelShader}) {
    const std::string bytes = container(listing);
    ScanDescriptorInfo ours{}, expected{};
    ours.type = expected.type = StructureType::scan_descriptor_info;
    const CompileInfo our_info = info_of(bytes, &ours), their_info = info_of(bytes, &expected);
    ASSERT_EQ(vkd3d_shader_scan(&our_info, nullptr), kOk);
    ASSERT_EQ(theirs<int(const CompileInfo*, char**)>("vkd3d_shader_scan")(&their_info, nullptr), kOk);
    ASSERT_EQ(ours.descriptor_count, expected.descriptor_count);
    for (uint32_t i = 0; i < ours.descriptor_count; ++i) {
      const DescriptorInfo &a = ours.descriptors[i], &b = expected.descriptors[i];
      EXPECT_EQ(a.type, b.type) << i;
      EXPECT_EQ(a.register_index, b.register_index) << i;
      EXPECT_EQ(a.resource_type, b.resource_type) << i;
      EXPECT_EQ(a.resource_data_type, b.resource_data_type) << i;
      EXPECT_EQ(a.flags & ~kUavAtomics, b.flags) << i << ": 1.2 does not know the flag of atomics";
    }
    vkd3d_shader_free_scan_descriptor_info(&ours);
    vkd3d_shader_free_scan_descriptor_info(&expected);
  }
}

TEST_F(RealLibrary, InputSignaturesAreTheSame) {
  const std::string bytes = container(kVertexShader);
  const Code code = {bytes.data(), bytes.size()};
  Signature ours{}, expected{};
  ASSERT_EQ(vkd3d_shader_parse_input_signature(&code, &ours, nullptr), kOk);
  ASSERT_EQ(theirs<int(const Code*, Signature*, char**)>("vkd3d_shader_parse_input_signature")(
                &code, &expected, nullptr),
            kOk);
  ASSERT_EQ(ours.element_count, expected.element_count);
  for (uint32_t i = 0; i < ours.element_count; ++i) {
    EXPECT_STREQ(ours.elements[i].semantic_name, expected.elements[i].semantic_name);
    EXPECT_EQ(std::memcmp(&ours.elements[i].semantic_index, &expected.elements[i].semantic_index,
                          sizeof(SignatureElement) - offsetof(SignatureElement, semantic_index)),
              0);
  }
  vkd3d_shader_free_shader_signature(&ours);
  theirs<void(Signature*)>("vkd3d_shader_free_shader_signature")(&expected);
}

TEST_F(RealLibrary, RootSignaturesAreTheSameBytes) {
  const DescriptorRange1 ranges[] = {{0, 4, 1, 2, 2, 3}, {1, UINT32_MAX, 7, 0, 1, UINT32_MAX}};
  RootParameter1 parameters[3]{};
  parameters[0].type = RootParameterType::table;
  parameters[0].table = {2, ranges};
  parameters[1].type = RootParameterType::constants;
  parameters[1].constants = {3, 9, 12};
  parameters[2].type = RootParameterType::uav;
  parameters[2].descriptor = {4, 8, 4};
  const StaticSampler sampler = {0x15, 1, 2, 3, 0.5f, 16, 4, 2, -1.0f, 8.0f, 3, 1, 5};
  VersionedRootSignature newer{}, older{};
  newer.version = RootVersion::v1_1;
  newer.v1_1 = {3, parameters, 1, &sampler, 1};
  ASSERT_EQ(vkd3d_shader_convert_root_signature(&older, RootVersion::v1_0, &newer), kOk);
  for (const VersionedRootSignature* given : {&newer, &older}) {
    Code ours{}, expected{};
    ASSERT_EQ(vkd3d_shader_serialize_root_signature(given, &ours, nullptr), kOk);
    ASSERT_EQ(theirs<int(const VersionedRootSignature*, Code*, char**)>(
                  "vkd3d_shader_serialize_root_signature")(given, &expected, nullptr),
              kOk);
    ASSERT_EQ(ours.size, expected.size);
    EXPECT_EQ(std::memcmp(ours.code, expected.code, ours.size), 0);
    vkd3d_shader_free_shader_code(&ours);
    vkd3d_shader_free_shader_code(&expected);
  }
  vkd3d_shader_free_root_signature(&older);
}

TEST_F(RealLibrary, BrokenContainersHaveTheSameStatus) {
  const auto real_compile = theirs<int(const CompileInfo*, Code*, char**)>("vkd3d_shader_compile");
  const std::string good = container(kPixelShader);
  std::vector<std::string> inputs = {"", good.substr(0, 31), std::string(kPixelShader),
                                     std::string(64, '\xa5'), good.substr(0, good.size() - 4)};
  for (const size_t at : {size_t{0}, size_t{5}, size_t{20}, good.size() - 5}) {
    inputs.push_back(good);
    inputs.back()[at] = static_cast<char>(inputs.back()[at] ^ 2);
    if (at >= 20) inputs.push_back(with_digest(inputs.back()));
  }
  for (const std::string& bytes : inputs) {
    const CompileInfo info = info_of(bytes);
    Code ours{}, expected{};
    const int status = real_compile(&info, &expected, nullptr);
    EXPECT_EQ(vkd3d_shader_compile(&info, &ours, nullptr), status) << &bytes - inputs.data();
    vkd3d_shader_free_shader_code(&ours);
    vkd3d_shader_free_shader_code(&expected);
  }
}

}  // namespace
}  // namespace texlate::vkd3d
