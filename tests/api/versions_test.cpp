// Callers that were compiled with another version of texlate.h, for every structure with a size and every
// array with a stride. The sizes of the first versions are numbers here: they must never change.

#include <cstdlib>
#include <cstring>
#include <functional>

#include "tests/api/translated.h"

namespace texlate {
namespace {

using testing::HasSubstr;

constexpr std::string_view kVertexListing =
    "// Input signature:\n//\n// Name                 Index   Mask Register SysValue Format   Used\n"
    "// -------------------- ----- ------ -------- -------- ------ ------\n"
    "// POSITION                 0   xyzw        0     NONE  float   xyzw\n//\n// Output signature:\n//\n"
    "// Name                 Index   Mask Register SysValue Format   Used\n"
    "// -------------------- ----- ------ -------- -------- ------ ------\n"
    "// TEXCOORD                 0   xyzw        0     NONE  float   xyzw\n//\n"
    "vs_5_0\ndcl_globalFlags refactoringAllowed\ndcl_constantbuffer cb0[1], immediateIndexed\n"
    "dcl_input v0.xyzw\ndcl_output o0.xyzw\nadd o0.xyzw, v0.xyzw, cb0[0].xyzw\nret \n";

constexpr size_t kMore = 16;            // bytes of members that this library does not know
constexpr size_t kHuge = SIZE_MAX / 2;  // no size, and no memory is there
constexpr bool kHas64Bits = sizeof(void*) == 8;
constexpr const char* kReason = "the sizes of structures in this test are those of 64-bit systems";

/// Memory of exactly this many bytes, so that a sanitizer sees each access behind it.
class Bytes {
 public:
  Bytes(size_t size, const void* from, size_t given, char rest = 0) : data_(std::malloc(size)) {
    std::memset(data_, rest, size);
    std::memcpy(data_, from, std::min(size, given));
  }
  Bytes(const Bytes&) = delete;
  ~Bytes() { std::free(data_); }
  char* data() const { return static_cast<char*>(data_); }
  void set_size(size_t size) { std::memcpy(data_, &size, sizeof size); }
  template <typename T>
  T* as() const {
    return static_cast<T*>(data_);
  }

 private:
  void* data_;
};

void expect_refused(texlate_status status, const std::string& text) {
  EXPECT_EQ(status, TEXLATE_ERROR_ARGUMENT);
  EXPECT_THAT(texlate_argument_error(), HasSubstr(text));
}

/// A structure that the library reads: from the oldest caller, from a newer one, and with wrong sizes.
template <typename T>
void expect_read(const T& given, size_t oldest, const std::function<texlate_status(const T*)>& call) {
  EXPECT_EQ(call(&given), TEXLATE_OK) << texlate_argument_error();
  Bytes first(oldest, &given, sizeof given);
  first.set_size(oldest);
  EXPECT_EQ(call(first.as<T>()), TEXLATE_OK) << texlate_argument_error();
  first.set_size(oldest - 1);
  expect_refused(call(first.as<T>()), "struct_size is " + std::to_string(oldest - 1) + ", less than");
  Bytes newer(sizeof(T) + kMore, &given, sizeof given);
  newer.set_size(sizeof(T) + kMore);
  EXPECT_EQ(call(newer.as<T>()), TEXLATE_OK) << texlate_argument_error();
  newer.data()[sizeof(T) + kMore - 1] = 1;
  expect_refused(call(newer.as<T>()), "does not know");
  newer.set_size(kHuge);
  expect_refused(call(newer.as<T>()), "larger than the structure of any version");
}

/// A structure that the library fills.
template <typename T>
void expect_filled(size_t oldest, const std::function<texlate_status(T*)>& call) {
  Bytes first(oldest, "", 0);
  first.set_size(oldest);
  EXPECT_EQ(call(first.as<T>()), TEXLATE_OK) << texlate_argument_error();
  first.set_size(oldest - 1);
  expect_refused(call(first.as<T>()), "struct_size is " + std::to_string(oldest - 1) + ", less than");
  Bytes newer(sizeof(T) + kMore, "", 0, '\x5a');
  newer.set_size(sizeof(T) + kMore);
  EXPECT_EQ(call(newer.as<T>()), TEXLATE_OK) << texlate_argument_error();
  EXPECT_EQ(std::string(newer.data() + sizeof(T), kMore), std::string(kMore, '\0'));
  for (const size_t wrong : {size_t{65537}, kHuge}) {
    newer.set_size(wrong);
    expect_refused(call(newer.as<T>()), "larger than the structure of any version");
  }
}

/// An array of one element that the library reads.
template <typename T>
void expect_element(const T& given, size_t oldest,
                    const std::function<texlate_status(const T*, size_t stride)>& call) {
  EXPECT_EQ(call(&given, sizeof given), TEXLATE_OK) << texlate_argument_error();
  const Bytes first(oldest, &given, sizeof given);
  EXPECT_EQ(call(first.as<T>(), oldest), TEXLATE_OK) << texlate_argument_error();
  expect_refused(call(first.as<T>(), oldest - 1), " is " + std::to_string(oldest - 1) + ", less than");
  const Bytes newer(sizeof(T) + kMore, &given, sizeof given);
  EXPECT_EQ(call(newer.as<T>(), sizeof(T) + kMore), TEXLATE_OK) << texlate_argument_error();
  newer.data()[sizeof(T) + kMore - 1] = 1;
  expect_refused(call(newer.as<T>(), sizeof(T) + kMore), "does not know");
  expect_refused(call(newer.as<T>(), kHuge), "larger than the structure of any version");
}

class Versions : public testing::Test {
 protected:
  void SetUp() override {
    if (!kHas64Bits) GTEST_SKIP() << kReason;
  }
  texlate_status translate(const texlate_translate_options* options) {
    texlate_output* output = nullptr;
    const texlate_status status = texlate_translate(program_.get(), options, &output);
    texlate_output_free(output);
    return status;
  }
  texlate_status translate(const texlate_spirv_options* spirv) {
    texlate_translate_options options = TEXLATE_TRANSLATE_OPTIONS_INIT;
    options.target = "spirv";
    options.spirv = spirv;
    return translate(&options);
  }
  api::Program program_{kVertexListing};
};

TEST_F(Versions, OfStructuresThatAreRead) {
  expect_read<texlate_parse_options>(
      TEXLATE_PARSE_OPTIONS_INIT, 36, [](const texlate_parse_options* options) {
        texlate_program* program = nullptr;
        const texlate_status status =
            texlate_parse(kVertexListing.data(), kVertexListing.size(), options, &program);
        texlate_program_free(program);
        return status;
      });
  expect_read<texlate_translate_options>(TEXLATE_TRANSLATE_OPTIONS_INIT, 112,
                                         [&](const auto* options) { return translate(options); });
  expect_read<texlate_spirv_options>(TEXLATE_SPIRV_OPTIONS_INIT, 80,
                                     [&](const auto* options) { return translate(options); });
  expect_read<texlate_maxwell_options>(TEXLATE_MAXWELL_OPTIONS_INIT, 40, [](const auto* options) {
    constexpr std::string_view words = "0x001f8000fc0007e0 0xe30000000007000f 0 0\n";
    texlate_output* output = nullptr;
    const texlate_status status = texlate_maxwell_disassemble(words.data(), words.size(), options, &output);
    texlate_output_free(output);
    return status == TEXLATE_ERROR_INPUT ? TEXLATE_OK : status;  // of interest are the options
  });
}

// They were refused unless they had the size of the current header, whatever the target.
TEST_F(Versions, OfPtxOptionsForEveryTarget) {
  for (const char* target : {"ptx", "cubin", "spirv", "dksh"}) {
    SCOPED_TRACE(target);
    expect_read<texlate_ptx_options>(TEXLATE_PTX_OPTIONS_INIT, 52, [&](const texlate_ptx_options* ptx) {
      texlate_translate_options options = TEXLATE_TRANSLATE_OPTIONS_INIT;
      options.target = target;
      options.ptx = ptx;
      return translate(&options);
    });
  }
}

TEST_F(Versions, OfKernelOptionsForEveryTarget) {
  for (const char* target : {"ptx", "cubin", "spirv", "dksh"}) {
    SCOPED_TRACE(target);
    expect_read<texlate_kernel_options>(TEXLATE_KERNEL_OPTIONS_INIT, 16,
                                        [&](const texlate_kernel_options* kernel) {
                                          texlate_translate_options options = TEXLATE_TRANSLATE_OPTIONS_INIT;
                                          options.target = target;
                                          options.kernel = kernel;
                                          return translate(&options);
                                        });
  }
}

TEST_F(Versions, OfStructuresThatAreFilled) {
  expect_filled<texlate_program_info>(
      40, [&](auto* info) { return texlate_program_get_info(program_.get(), info); });
  expect_filled<texlate_binding>(
      36, [&](auto* binding) { return texlate_program_get_binding(program_.get(), 0, binding); });
  expect_filled<texlate_target_info>(44, [](auto* info) { return texlate_target_get_info(0, info); });
  expect_filled<texlate_signature_element>(48, [&](auto* element) {
    return texlate_program_get_signature_element(program_.get(), TEXLATE_SIGNATURE_INPUT, 0, element);
  });
  expect_filled<texlate_signature_element>(48, [&](auto* element) {
    return texlate_program_find_signature_element(program_.get(), TEXLATE_SIGNATURE_OUTPUT, "texcoord", 0, 0,
                                                  element);
  });
}

TEST_F(Versions, OfElementsOfTheOptions) {
  expect_element<texlate_uav_format>({0, 4, 32, TEXLATE_TEXEL_FLOAT, TEXLATE_FORMAT_UNKNOWN}, 16,
                                     [&](auto* first, size_t stride) {
                                       texlate_translate_options options = TEXLATE_TRANSLATE_OPTIONS_INIT;
                                       options.uav_formats = first;
                                       options.uav_format_count = 1;
                                       options.uav_format_stride = stride;
                                       return translate(&options);
                                     });
  expect_element<texlate_class_instance>({0, 0, 0, 0, 0, 0}, 24, [&](auto* first, size_t stride) {
    texlate_translate_options options = TEXLATE_TRANSLATE_OPTIONS_INIT;
    options.target = "asm";  // the shader has no interface, which other targets refuse
    options.classes = first;
    options.class_count = 1;
    options.class_stride = stride;
    return translate(&options);
  });
}

TEST_F(Versions, OfElementsOfSpirvOptions) {
  texlate_spirv_options spirv = TEXLATE_SPIRV_OPTIONS_INIT;
  spirv.binding_count = 1;
  expect_element<texlate_spirv_binding>(
      {TEXLATE_REGISTER_RESOURCE, 0, 0, 1, 0, 40, TEXLATE_PASSING_DESCRIPTOR, 0, 0, 0, 0, 0}, 28,
      [&](auto* first, size_t stride) {
        spirv.bindings = first;
        spirv.binding_stride = stride;
        return translate(&spirv);
      });
  spirv = TEXLATE_SPIRV_OPTIONS_INIT;
  spirv.combined_count = 1;
  expect_element<texlate_spirv_combined>({0, 0, 0, 0, 0, 40}, 24, [&](auto* first, size_t stride) {
    spirv.combined = first;
    spirv.combined_stride = stride;
    return translate(&spirv);
  });
  spirv = TEXLATE_SPIRV_OPTIONS_INIT;
  spirv.parameter_count = 1;
  expect_element<texlate_spirv_parameter>(
      {TEXLATE_FACT_RASTER_SAMPLES, TEXLATE_REGISTER_RESOURCE, 0, 0, 0, 7}, 24,
      [&](auto* first, size_t stride) {
        spirv.parameters = first;
        spirv.parameter_stride = stride;
        return translate(&spirv);
      });
  spirv = TEXLATE_SPIRV_OPTIONS_INIT;
  spirv.stream_output_count = 1;
  expect_element<texlate_stream_output>({0, "TEXCOORD", 0, 0, 4, 0}, 32, [&](auto* first, size_t stride) {
    spirv.stream_output = first;
    spirv.stream_output_stride = stride;
    return translate(&spirv);
  });
  spirv = TEXLATE_SPIRV_OPTIONS_INIT;
  spirv.varying_count = 1;
  expect_element<texlate_varying>({0, 15, 3, 15}, 16, [&](auto* first, size_t stride) {
    spirv.varyings = first;
    spirv.varying_stride = stride;
    return translate(&spirv);
  });
}

TEST_F(Versions, OfLinkedVaryings) {
  // The output TEXCOORD0 is not read; POSITION0 is read and not written.
  const api::Program pixel(
      std::string(kVertexListing.substr(0, kVertexListing.find("// Output signature:"))) +
      "ps_5_0\ndcl_input_ps linear v0.xyzw\ndcl_output o0.xyzw\nmov o0.xyzw, v0.xyzw\n"
      "ret \n");
  const auto link = [&](texlate_varying* first, size_t stride) {
    size_t count = 1;
    return texlate_link(program_.get(), pixel.get(), first, stride, &count);
  };
  const Bytes first(16, "", 0);
  EXPECT_EQ(link(first.as<texlate_varying>(), 16), TEXLATE_OK);
  expect_refused(link(first.as<texlate_varying>(), 15), "stride is 15, less than 16");
  expect_refused(link(first.as<texlate_varying>(), kHuge),
                 "stride is " + std::to_string(kHuge) + ", larger than");
  const Bytes newer(16 + kMore, "", 0, '\x5a');
  EXPECT_EQ(link(newer.as<texlate_varying>(), 16 + kMore), TEXLATE_OK);
  EXPECT_EQ(std::string(newer.data() + 16, kMore), std::string(kMore, '\0'));
}

texlate_status write(const texlate_root_signature_description* description) {
  texlate_output* output = nullptr;
  const texlate_status status = texlate_root_signature_write(description, nullptr, &output);
  texlate_output_free(output);
  return status;
}

TEST(RootSignatureVersions, OfTheDescriptionAndItsElements) {
  if (!kHas64Bits) GTEST_SKIP() << kReason;
  const texlate_root_range range = {0, 1, 0, 0, 0, UINT32_MAX};
  texlate_root_parameter table{};
  table.ranges = &range;
  table.range_count = 1;
  const texlate_static_sampler sampler{};
  texlate_root_signature_description whole = {sizeof whole,   2,      0, sizeof table, sizeof range,
                                              sizeof sampler, &table, 1, &sampler,     1};
  expect_read<texlate_root_signature_description>(whole, 72, [](auto* given) { return write(given); });
  expect_element<texlate_root_parameter>(table, 40, [&](auto* first, size_t stride) {
    texlate_root_signature_description changed = whole;
    changed.parameters = first;
    changed.parameter_stride = stride;
    return write(&changed);
  });
  expect_element<texlate_root_range>(range, 24, [&](auto* first, size_t stride) {
    texlate_root_parameter parameter = table;
    parameter.ranges = first;
    texlate_root_signature_description changed = whole;
    changed.parameters = &parameter;
    changed.range_stride = stride;
    return write(&changed);
  });
  expect_element<texlate_static_sampler>(sampler, 52, [&](auto* first, size_t stride) {
    texlate_root_signature_description changed = whole;
    changed.samplers = first;
    changed.sampler_stride = stride;
    return write(&changed);
  });
}

}  // namespace
}  // namespace texlate
