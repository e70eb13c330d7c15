// The reflection conforms to docs/launch_reflection.schema.json, for shaders that use something of
// everything.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "ir/spelling.h"
#include "tests/support/paths.h"
#include "tests/support/support.h"

namespace texlate::test {
namespace {

using Json = nlohmann::json;

/// The keywords of JSON schema that our schema uses; `pattern` is not checked.
class Schema {
 public:
  explicit Schema(const Json& root) : root_(root) {}
  void check(const Json& value, const Json& schema, const std::string& path) {
    if (schema.contains("$ref")) {
      const std::string ref = schema["$ref"];
      return check(value, root_.at(Json::json_pointer(ref.substr(1))), path);
    }
    if (schema.contains("const")) {
      EXPECT_EQ(value, schema["const"]) << path;
    }
    if (schema.contains("enum")) {
      EXPECT_THAT(schema["enum"], testing::Contains(value)) << path;
    }
    if (schema.contains("type")) check_type(value, schema["type"], path);
    if (schema.contains("minimum")) {
      EXPECT_GE(value.get<int64_t>(), schema["minimum"].get<int64_t>()) << path;
    }
    if (schema.contains("maximum")) {
      EXPECT_LE(value.get<int64_t>(), schema["maximum"].get<int64_t>()) << path;
    }
    if (schema.contains("minItems")) {
      EXPECT_GE(value.size(), schema["minItems"].get<size_t>()) << path;
    }
    if (schema.contains("maxItems")) {
      EXPECT_LE(value.size(), schema["maxItems"].get<size_t>()) << path;
    }
    if (value.is_object()) check_members(value, schema, path);
    if (!value.is_array() || !schema.contains("items")) return;
    for (size_t i = 0; i < value.size(); ++i)
      check(value[i], schema["items"], path + "/" + std::to_string(i));
  }

 private:
  static void check_type(const Json& value, const std::string& type, const std::string& path) {
    const bool fits = type == "object"    ? value.is_object()
                      : type == "array"   ? value.is_array()
                      : type == "string"  ? value.is_string()
                      : type == "integer" ? value.is_number_integer()
                                          : type == "boolean" && value.is_boolean();
    EXPECT_TRUE(fits) << path << " is no " << type;
  }
  void check_members(const Json& value, const Json& schema, const std::string& path) {
    for (const Json& name : schema.value("required", Json::array()))
      EXPECT_TRUE(value.contains(name)) << path << " has no " << name;
    for (const auto& [name, member] : value.items()) {
      const bool known = schema.contains("properties") && schema["properties"].contains(name);
      EXPECT_TRUE(known || schema.value("additionalProperties", true)) << path << " has an unknown " << name;
      if (known) check(member, schema["properties"][name], path + "/" + name);
    }
  }

  const Json& root_;
};

Json reflection_of(std::string_view listing, std::string_view target = "ptx") {
  library::TranslateOptions options;
  options.to = target;
  options.reflect = true;
  const Outcome outcome = translate(listing, options);
  EXPECT_TRUE(outcome.ok) << outcome.diagnostics;
  return Json::parse(outcome.reflection, nullptr, false);
}

void expect_described(std::string_view listing) {
  const Json schema = Json::parse(read_file(test::source_dir() + "/docs/launch_reflection.schema.json"));
  for (const std::string_view target : {"ptx", "maxwell", "cubin", "maxwell-bin"}) {
    SCOPED_TRACE(target);
    Schema(schema).check(reflection_of(listing, target), schema, "");
  }
}

constexpr std::string_view kPixel =
    "ps_5_1\ndcl_globalFlags refactoringAllowed\ndcl_constantbuffer CB0[0:0][2], immediateIndexed, space=0\n"
    "dcl_sampler S0[1:3], mode_default, space=0\n"
    "dcl_resource_texture2d (float,float,float,float) T0[2:5], space=1\n"
    "dcl_uav_typed_texture2d_rov (unorm,unorm,unorm,unorm) U0[1:1], space=0\n"
    "dcl_input_ps_siv linear noperspective v0.xy, position\ndcl_input_ps linear v1.xy\ndcl_output o0.xyzw\n"
    "dcl_output oDepth\ndcl_temps 2\n"
    "sample r0.xyzw, v1.xyxx, T0[3].xyzw, S0[2]\nadd o0.xyzw, r0.xyzw, CB0[0][1].xyzw\n"
    "ftou r1.xyzw, v0.xyyy\nstore_uav_typed U0[1].xyzw, r1.xyzw, r0.xyzw\nmov oDepth, r0.x\nret\n";

/// All words of an enumeration that begins with 0.
template <typename Enum>
std::vector<std::string> all_words(uint32_t first) {
  std::vector<std::string> words;
  for (uint32_t i = first; i < 256; ++i) {
    const std::string_view word = ir::spelling(static_cast<Enum>(i));
    if (!word.empty()) words.emplace_back(word);
  }
  return words;
}

TEST(PtxReflection, TheSchemaListsAllWords) {
  const Json schema = Json::parse(read_file(test::source_dir() + "/docs/launch_reflection.schema.json"));
  const auto listed = [&](const char* name) {
    return schema["$defs"][name]["enum"].get<std::vector<std::string>>();
  };
  using testing::UnorderedElementsAreArray;
  EXPECT_THAT(listed("system_value"),
              UnorderedElementsAreArray(all_words<ir::SystemValue>(1)));  // not `none`
  EXPECT_THAT(listed("interpolation"), UnorderedElementsAreArray(all_words<ir::Interpolation>(0)));
  EXPECT_THAT(listed("dimension"), UnorderedElementsAreArray(all_words<ir::Dimension>(0)));
  EXPECT_THAT(listed("component_type"), UnorderedElementsAreArray(all_words<ir::ComponentType>(0)));
  EXPECT_THAT(listed("fact"), UnorderedElementsAreArray(all_words<ir::BindingFact>(0)));
}

TEST(PtxReflection, IsWhatTheSchemaSays) {
  expect_described(kPixel);
  expect_described(
      "cs_5_0\ndcl_globalFlags refactoringAllowed\ndcl_resource_buffer (uint,uint,uint,uint) t0\n"
      "dcl_uav_structured_opc u0, 8\ndcl_uav_typed_texture3d (sint,sint,sint,sint) u1\ndcl_uav_raw u2\n"
      "dcl_input vThreadID.xyz\ndcl_temps 2\ndcl_thread_group 8, 4, 2\nimm_atomic_alloc r0.x, u0\n"
      "ld_indexable(buffer)(uint,uint,uint,uint) r1.xyzw, vThreadID.xxxx, t0.xyzw\n"
      "store_structured u0.xy, r0.x, l(0), r1.xyxx\natomic_iadd u1, vThreadID.xyzx, r1.x\n"
      "store_raw u2.x, vThreadID.x, r1.x\nret\n");
  expect_described(
      "vs_5_0\ndcl_globalFlags refactoringAllowed\ndcl_input v0.xyz\ndcl_input_sgv v1.x, vertex_id\n"
      "dcl_output_siv o0.xyzw, position\ndcl_temps 1\nmov o0.xyz, v0.xyzx\nutof o0.w, v1.x\nret\n");
}

TEST(PtxReflection, DescribesStagesThatReadPrimitives) {
  const auto listing = [](const char* name) {
    return read_file(test::source_dir() + "/tests/stages/" + name + ".asm");
  };
  for (const char* name : {"hull_phases", "domain_points", "geometry_streams", "geometry_strips"})
    expect_described(listing(name));
  const Json hull = reflection_of(listing("hull_phases"));
  EXPECT_EQ(hull["thread_group"], Json({32, 4, 1}));
  EXPECT_FALSE(hull.contains("max_threads"));
  EXPECT_EQ(hull["primitives"]["patches_per_block"], 4);
  EXPECT_EQ(hull["primitives"]["partitioning"], "fractional_odd");
  EXPECT_EQ(hull["patch_constants"][1]["system_value"], "tri_edge_u");
  const Json geometry = reflection_of(listing("geometry_streams"));
  EXPECT_EQ(geometry["parameter_bytes"], 112);
  EXPECT_EQ(geometry["max_threads"], 256);
  EXPECT_EQ(geometry["primitives"]["max_vertices"], 128);
  EXPECT_EQ(geometry["outputs"][1]["stream"], 3);
  const Json strips = reflection_of(listing("geometry_strips"), "maxwell");
  EXPECT_EQ(strips["primitives"]["vertices"], 6);
  EXPECT_EQ(strips["primitives"]["instances"], 32);
  EXPECT_EQ(strips["primitives"]["topology"], "triangle_strip");
}

TEST(PtxReflection, SaysNamesAndCounts) {
  const Json json = reflection_of(kPixel);
  EXPECT_EQ(json["inputs"][0]["system_value"], "position");
  EXPECT_EQ(json["inputs"][1]["interpolation"], "linear");
  ASSERT_EQ(json["texture_objects"].size(), 1u);
  EXPECT_EQ(json["texture_objects"][0]["textures"], 4);
  EXPECT_EQ(json["texture_objects"][0]["samplers"], 3);
  EXPECT_EQ(json["resources"][0]["component_types"], Json({"float", "float", "float", "float"}));
  EXPECT_EQ(json["resources"][1]["rasterizer_ordered"], true);
}

// T0, S0 and U0 are the numbers of the declarations.
TEST(PtxReflection, SaysTheRegistersOfADeclaration) {
  const Json json = reflection_of(kPixel);
  EXPECT_EQ(json["resources"][0]["registers"], Json({2, 5}));
  EXPECT_EQ(json["resources"][0]["space"], 1);
  EXPECT_EQ(json["resources"][1]["name"], "u0");
  EXPECT_EQ(json["resources"][1]["registers"], Json({1, 1}));
  EXPECT_EQ(json["texture_objects"][0]["sampler"], "s0");
  EXPECT_EQ(json["texture_objects"][0]["sampler_registers"], Json({1, 3}));
  EXPECT_EQ(json["texture_objects"][0]["sampler_space"], 0);
  EXPECT_FALSE(json["constant_buffers"][0].contains("registers")) << "CB0 is register 0 of space 0";
}

TEST(MaxwellReflection, SaysWhatTheCodeNeeds) {
  for (const std::string_view target : {"maxwell", "cubin", "maxwell-bin"}) {
    const Json json = reflection_of(kPixel, target);
    EXPECT_EQ(json["target"], "maxwell");
    for (const char* member : {"registers", "local_bytes", "shared_bytes", "instructions"})
      EXPECT_TRUE(json.contains(member)) << target << " has no " << member;
    EXPECT_GT(json["instructions"], 0);
  }
}

}  // namespace
}  // namespace texlate::test
