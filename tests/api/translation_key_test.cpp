// Keys for caches of translations: everything that changes a translation changes its key.

#include <array>
#include <functional>
#include <set>

#include "tests/api/translated.h"

namespace texlate {
namespace {

using Key = std::array<uint8_t, TEXLATE_KEY_SIZE>;

constexpr std::string_view kPixelListing =
    "ps_5_0\ndcl_globalFlags refactoringAllowed\ndcl_uav_typed_texture2d (float,float,float,float) u1\n"
    "dcl_output o0.xyzw\nstore_uav_typed u1.xyzw, l(0,0,0,0), l(0,0,0,0)\nmov o0.xyzw, l(0,0,0,0)\nret \n";

Key key_of(const api::Program& program, const texlate_translate_options& options) {
  Key key{};
  EXPECT_EQ(texlate_translation_key(program.get(), &options, key.data()), TEXLATE_OK)
      << texlate_argument_error();
  return key;
}

/// Everything that options point to, so that a row can change it.
struct All {
  texlate_translate_options translate = TEXLATE_TRANSLATE_OPTIONS_INIT;
  texlate_spirv_options spirv = TEXLATE_SPIRV_OPTIONS_INIT;
  texlate_ptx_options ptx = TEXLATE_PTX_OPTIONS_INIT;
  texlate_kernel_options kernel = TEXLATE_KERNEL_OPTIONS_INIT;
  texlate_known_state known = TEXLATE_KNOWN_STATE_INIT;
  texlate_fixed_function fixed = TEXLATE_FIXED_FUNCTION_INIT;
  texlate_spirv_binding binding{};
  texlate_uav_format format = {1, 1, 32, TEXLATE_TEXEL_FLOAT, TEXLATE_FORMAT_UNKNOWN};
  texlate_class_instance instance{};
  texlate_spirv_parameter parameter{};
  texlate_stream_output entry{};
  texlate_known_resource resource{};
  texlate_point_size points{};
  texlate_device_property property = {"shaderFloat64", 0};
  uint32_t stride = 16;
  uint8_t swizzle[1][4] = {{0, 1, 2, 3}};

  All() {
    translate.spirv = &spirv;
    translate.ptx = &ptx;
    translate.kernel = &kernel;
    translate.known = &known;
    translate.fixed_function = &fixed;
    translate.uav_formats = &format;
    translate.uav_format_count = 1;
    translate.classes = &instance;
    translate.class_count = 1;
    spirv.bindings = &binding;
    spirv.binding_count = 1;
    spirv.parameters = &parameter;
    spirv.parameter_count = 1;
    entry.semantic_name = "A";
    spirv.stream_output = &entry;
    spirv.stream_output_count = 1;
    spirv.buffer_strides = &stride;
    spirv.buffer_stride_count = 1;
    spirv.output_swizzles = swizzle;
    spirv.output_swizzle_count = 1;
    spirv.device = &property;
    spirv.device_count = 1;
    known.resources = &resource;
    known.resource_count = 1;
  }
};

TEST(TranslationKey, DependsOnEveryOption) {
  const api::Program program(kPixelListing);
  const api::Program other(
      "ps_5_0\ndcl_globalFlags refactoringAllowed\ndcl_output o0.xyzw\nmov o0.xyzw, l(1.0,0,0,0)\nret \n");
  const std::function<void(All&)> changes[] = {
      [](All&) {},
      [](All& all) { all.translate.target = "spirv"; },
      [](All& all) { all.translate.sm = 52; },
      [](All& all) { all.translate.entry = "entry"; },
      [](All& all) { all.translate.explain = 1; },
      [](All& all) { all.translate.rounded_literals = 1; },
      [](All& all) { all.translate.reflect = 1; },
      [](All& all) { all.translate.spirv = nullptr; },
      [](All& all) { all.translate.uav_format_count = 0; },
      [](All& all) { all.format.bits = 16; },
      [](All& all) { all.instance.texture = 3; },
      [](All& all) { all.spirv.version = 0x00010400; },
      [](All& all) { all.spirv.discard = TEXLATE_DISCARD_FLAG; },
      [](All& all) { all.spirv.point_size_value = 2; },
      [](All& all) { all.spirv.point_size_state = &all.points; },
      [](All& all) { all.spirv.point_size_state = &all.points, all.points.most.offset = 4; },
      [](All& all) { all.spirv.debug_info = 1; },
      [](All& all) { all.spirv.messages = 1; },
      [](All& all) { all.spirv.point_sprite = 1; },
      [](All& all) { all.spirv.source = "text"; },
      [](All& all) { all.spirv.device_count = 0; },
      [](All& all) { all.property.name = "shaderClipDistance"; },
      [](All& all) { all.property.value = 1; },
      [](All& all) { all.spirv.source_name = "a.asm"; },
      [](All& all) {
        all.spirv.next = nullptr, all.spirv.varyings = reinterpret_cast<const texlate_varying*>(&all);
      },
      [&](All& all) { all.spirv.next = other.get(); },
      [](All& all) { all.binding.set = 1; },
      [](All& all) { all.parameter.value = 1; },
      [](All& all) { all.entry.semantic_name = nullptr; },
      [](All& all) { all.entry.semantic_name = "B"; },
      [](All& all) { all.stride = 32; },
      [](All& all) { all.swizzle[0][1] = 2; },
      [](All& all) { all.ptx.max_threads = 64; },
      [](All& all) { all.ptx.source = "text"; },
      [](All& all) { all.ptx.native_compare = 1; },
      [](All& all) { all.kernel.max_registers = 64; },
      [](All& all) { all.kernel.all_mapped = 1; },
      [](All& all) { all.translate.kernel = nullptr; },
      [](All& all) { all.resource.known = TEXLATE_KNOWN_BOUND; },
      [](All& all) { all.fixed.alpha_function = 2; },
      [](All& all) { all.fixed.clip_planes[7].bits[3] = 1; },
  };
  std::set<Key> keys;
  for (const auto& change : changes) {
    All all;
    change(all);
    EXPECT_TRUE(keys.insert(key_of(program, all.translate)).second) << &change - changes;
  }
  EXPECT_TRUE(keys.insert(key_of(other, All().translate)).second);
}

TEST(TranslationKey, DependsOnNothingElse) {
  const api::Program one(kPixelListing), same(kPixelListing);
  All a, b;
  EXPECT_EQ(key_of(one, a.translate), key_of(same, b.translate));
  b.translate.callback_user = &b;
  b.translate.callback = [](void*, const texlate_diagnostic*) {};
  const api::Context context;
  b.translate.context = context.get();
  EXPECT_EQ(key_of(one, a.translate), key_of(one, b.translate));
}

TEST(TranslationKey, OfContainersIsThatOfTheirBytes) {
  texlate_translate_options options = TEXLATE_TRANSLATE_OPTIONS_INIT;
  options.target = "dxbc";
  std::string bytes(api::Program(kPixelListing).translate(options).data());
  const Key key = key_of(api::Program(bytes), options);
  EXPECT_EQ(key_of(api::Program(bytes), options), key);
  bytes[4] = static_cast<char>(bytes[4] ^ 1);  // the digest
  EXPECT_NE(key_of(api::Program(bytes), options), key);
}

TEST(TranslationKey, RefusesWrongArguments) {
  const api::Program program(kPixelListing);
  texlate_translate_options options = TEXLATE_TRANSLATE_OPTIONS_INIT;
  Key key{};
  EXPECT_EQ(texlate_translation_key(nullptr, &options, key.data()), TEXLATE_ERROR_ARGUMENT);
  EXPECT_EQ(texlate_translation_key(program.get(), nullptr, key.data()), TEXLATE_ERROR_ARGUMENT);
  EXPECT_EQ(texlate_translation_key(program.get(), &options, nullptr), TEXLATE_ERROR_ARGUMENT);
  options.struct_size = 3;
  EXPECT_EQ(texlate_translation_key(program.get(), &options, key.data()), TEXLATE_ERROR_ARGUMENT);
}

TEST(TranslationKey, ReadsNoArrayThatIsNotThere) {
  const api::Program program(kPixelListing);
  const auto refused = [&](const All& all) {
    Key key{};
    EXPECT_EQ(texlate_translation_key(program.get(), &all.translate, key.data()), TEXLATE_ERROR_ARGUMENT);
    return std::string(texlate_argument_error());
  };
  All strides, swizzles;
  strides.spirv.buffer_strides = nullptr;
  EXPECT_EQ(refused(strides), "options.spirv.buffer_strides is null but its count is not 0");
  swizzles.spirv.output_swizzles = nullptr;
  EXPECT_EQ(refused(swizzles), "options.spirv.output_swizzles is null but its count is not 0");
  All known;
  const uint32_t row[4] = {};
  texlate_known_constants constants{};
  constants.words = row;
  constants.row_count = UINT32_MAX;
  known.known.constants = &constants;
  known.known.constant_count = 1;
  EXPECT_EQ(refused(known),
            "options.known.constants[0]: rows 0 to 4294967295, but a buffer has 4096 at most");
}

}  // namespace
}  // namespace texlate
