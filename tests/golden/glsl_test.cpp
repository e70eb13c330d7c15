// Translates each texture operation from shader-model assembly with texlate and from GLSL with glslang. Both
// modules run on the same Vulkan driver with the same inputs and descriptors. The pictures and the memory
// that they leave must be equal bit for bit. This compares our SPIR-V with an independent front end, whatever
// filtering the driver implements.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <memory>

#include "ir/base/diagnostics.h"
#include "tests/golden/glsl_compiler.h"
#include "tests/support/ir_text.h"
#include "tests/support/vulkan_table.h"
#include "tools/executor/shader.h"

namespace texlate {
namespace {

struct Case {
  std::string name;
  test::GlslStage stage = test::GlslStage::pixel;
  std::string assembly, glsl;
  std::string scene;
};

struct Dim {
  const char* assembly;  // texture2d
  const char* glsl;      // 2D
  const char* where;     // swizzle of the coordinates, including the slice
  uint32_t axes;         // of gradients and offsets
  bool cube, array;
};
constexpr Dim kDims[] = {
    {"texture1d", "1D", "x", 1, false, false},
    {"texture1darray", "1DArray", "xy", 1, false, true},
    {"texture2d", "2D", "xy", 2, false, false},
    {"texture2darray", "2DArray", "xyz", 2, false, true},
    {"texture3d", "3D", "xyz", 3, false, false},
    {"texturecube", "Cube", "xyz", 3, true, false},
    {"texturecubearray", "CubeArray", "xyzw", 3, true, true},
};

std::string vector_of(uint32_t count, const std::string& type, const char* const (&parts)[3]) {
  if (count == 1) return parts[0];
  std::string text = fmt::format("{}vec{}({}", type, count, parts[0]);
  for (uint32_t i = 1; i < count; ++i) text += fmt::format(", {}", parts[i]);
  return text + ")";
}

/// `instructions` leave the color in r0. r1 holds coordinates that advance several texels per pixel; w is 1.
Case pixel_case(const Dim& dim, const std::string& name, bool compare, const std::string& instructions,
                const std::string& expression) {
  Case made;
  made.name = fmt::format("{}_{}", name, dim.glsl);
  made.assembly = fmt::format(
      "ps_5_0\ndcl_globalFlags refactoringAllowed\ndcl_sampler s0, mode_{}\n"
      "dcl_resource_{} (float,float,float,float) t0\ndcl_input_ps linear v1.xyzw\ndcl_output "
      "o0.xyzw\ndcl_temps 3\n"
      "mul r1.xyzw, v1.xyzw, l(5.000000, 3.000000, 2.500000, 1.000000)\n{}\nmov o0.xyzw, r0.xyzw\nret\n",
      compare ? "comparison" : "default", dim.assembly, instructions);
  made.glsl = fmt::format(
      "#version 450\n#extension GL_EXT_samplerless_texture_functions : require\n"
      "layout(set = 0, binding = 32) uniform texture{0} t0;\nlayout(set = 0, binding = 16) uniform {1} s0;\n"
      "layout(location = 1) in vec4 v1;\nlayout(location = 0) out vec4 o0;\n"
      "void main() {{\n  vec4 r1 = v1 * vec4(5, 3, 2.5, 1);\n  o0 = {2};\n}}\n",
      dim.glsl, compare ? "samplerShadow" : "sampler", expression);
  made.scene = compare ? R"({"samplers": {"s0": {"filter": "linear", "address": "mirror"}}})"
                       : R"({"samplers": {"s0": {"filter": "trilinear", "address": "mirror"}},
                               "textures": {"t0": {"generate": "noise"}}})";
  return made;
}

void add_sampling(std::vector<Case>& cases, const Dim& dim) {
  const std::string pair = fmt::format("sampler{}(t0, s0)", dim.glsl);
  const std::string at = fmt::format("r1.{}", dim.where);
  const auto instruction = [&](const char* op, const char* tail, const char* offset = "") {
    return fmt::format("{}{}_indexable{}({})(float,float,float,float) r0.xyzw, r1.xyzw, t0.xyzw, s0{}", op,
                       *offset == 0 ? "" : "_aoffimmi", offset, dim.assembly, tail);
  };
  const auto add = [&](const char* name, const std::string& assembly, const std::string& expression) {
    cases.push_back(pixel_case(dim, name, false, assembly, expression));
  };
  const std::string dx = vector_of(dim.axes, "", {"0.03", "0.01", "-0.02"});
  const std::string dy = vector_of(dim.axes, "", {"-0.02", "0.05", "0.04"});
  add("sample", instruction("sample", ""), fmt::format("texture({}, {})", pair, at));
  add("sample_b", instruction("sample_b", ", l(1.250000)"), fmt::format("texture({}, {}, 1.25)", pair, at));
  add("sample_l", instruction("sample_l", ", r1.y"), fmt::format("textureLod({}, {}, r1.y)", pair, at));
  const char* const gradients =
      ", l(0.030000, 0.010000, -0.020000, 0.000000), l(-0.020000, 0.050000, 0.040000, 0.000000)";
  add("sample_d", instruction("sample_d", gradients),
      fmt::format("textureGrad({}, {}, {}, {})", pair, at, dx, dy));
  if (!dim.cube) {
    const std::string offset = vector_of(dim.axes, "i", {"3", "-2", "1"});
    const std::string farthest = vector_of(dim.axes, "i", {"-8", "7", "-5"});
    add("sample_offset", instruction("sample", "", "(3,-2,1)"),
        fmt::format("textureOffset({}, {}, {})", pair, at, offset));
    add("sample_b_offset", instruction("sample_b", ", l(1.250000)", "(-8,7,-5)"),
        fmt::format("textureOffset({}, {}, {}, 1.25)", pair, at, farthest));
    add("sample_l_offset", instruction("sample_l", ", r1.y", "(-8,7,-5)"),
        fmt::format("textureLodOffset({}, {}, r1.y, {})", pair, at, farthest));
    add("sample_d_offset", instruction("sample_d", gradients, "(3,-2,1)"),
        fmt::format("textureGradOffset({}, {}, {}, {}, {})", pair, at, dx, dy, offset));
  }
  // Both give the level as (clamped, unclamped). The slice is not used.
  const std::string direction = std::string(dim.where).substr(0, dim.axes);
  add("lod", "lod r0.xy, r1.xyzw, t0.xyzw, s0\nmov r0.zw, l(0,0,0,1.000000)",
      fmt::format("vec4(textureQueryLod({}, r1.{}), 0, 1)", pair, direction));
}

void add_comparison(std::vector<Case>& cases, const Dim& dim) {
  if (std::string_view(dim.glsl) == "3D") return;
  const std::string pair = fmt::format("sampler{}Shadow(t0, s0)", dim.glsl);
  const std::string where = dim.where;
  // GLSL defines the place of the reference value among the coordinates (GLSL 4.50, 8.9.2).
  const std::string at = where == "x"      ? "vec3(r1.x, 0, v1.z)"
                         : where == "xyzw" ? "r1, v1.z"
                                           : fmt::format("vec{}(r1.{}, v1.z)", where.size() + 1, where);
  const auto instruction = [&](const char* op) {
    return fmt::format("{}_indexable({})(float,float,float,float) r0.xyzw, r1.xyzw, t0.xxxx, s0, v1.z", op,
                       dim.assembly);
  };
  cases.push_back(pixel_case(dim, "sample_c", true, instruction("sample_c"),
                             fmt::format("vec4(texture({}, {}))", pair, at)));
  if (where.size() <= 2) {
    cases.push_back(pixel_case(dim, "sample_c_lz", true, instruction("sample_c_lz"),
                               fmt::format("vec4(textureLod({}, {}, 0))", pair, at)));
  }
}

void add_gathers(std::vector<Case>& cases, const Dim& dim) {
  const bool plane = dim.axes == 2;
  if (!plane && !dim.cube) return;
  const std::string pair = fmt::format("sampler{}(t0, s0)", dim.glsl),
                    shadow = fmt::format("sampler{}Shadow(t0, s0)", dim.glsl);
  const std::string at = fmt::format("r1.{}", dim.where);
  const char* const types = "(float,float,float,float) r0.xyzw, r1.xyzw";
  for (uint32_t c = 0; c < 4; ++c) {
    cases.push_back(
        pixel_case(dim, fmt::format("gather4_{}", "xyzw"[c]), false,
                   fmt::format("gather4_indexable({}){}, t0.xyzw, s0.{}", dim.assembly, types, "xyzw"[c]),
                   fmt::format("textureGather({}, {}, {})", pair, at, c)));
  }
  cases.push_back(
      pixel_case(dim, "gather4_c", true,
                 fmt::format("gather4_c_indexable({}){}, t0.xyzw, s0.x, v1.z", dim.assembly, types),
                 fmt::format("textureGather({}, {}, v1.z)", shadow, at)));
  if (!plane) return;
  cases.push_back(
      pixel_case(dim, "gather4_offset", false,
                 fmt::format("gather4_aoffimmi_indexable(-3,2,0)({}){}, t0.xyzw, s0.y", dim.assembly, types),
                 fmt::format("textureGatherOffset({}, {}, ivec2(-3, 2), 1)", pair, at)));
  // Offsets of -16 to 11 in x and of -15 to 8 in y over the picture.
  const char* const offsets =
      "mad r2.xy, v1.xyxx, l(28.000000, 24.000000, 0.000000, 0.000000), l(-16.000000, -15.000000, 0.000000, "
      "0.000000)\nftoi r2.xy, r2.xyxx\n";
  cases.push_back(pixel_case(
      dim, "gather4_po", false,
      fmt::format("{}gather4_po_indexable({}){}, r2.xyxx, t0.xyzw, s0.z", offsets, dim.assembly, types),
      fmt::format("textureGatherOffset({}, {}, ivec2(v1.xy * vec2(28, 24) + vec2(-16, -15)), 2)", pair, at)));
  cases.push_back(pixel_case(
      dim, "gather4_po_c", true,
      fmt::format("{}gather4_po_c_indexable({}){}, r2.xyxx, t0.xyzw, s0.x, v1.z", offsets, dim.assembly,
                  types),
      fmt::format("textureGatherOffset({}, {}, v1.z, ivec2(v1.xy * vec2(28, 24) + vec2(-16, -15)))", shadow,
                  at)));
}

void add_fetches(std::vector<Case>& cases, const Dim& dim) {
  if (!dim.cube) {
    // The coordinates are inside the texture, where GLSL defines the same result.
    const std::string level = "l(0,0,0,0)";
    const uint32_t count = static_cast<uint32_t>(std::string_view(dim.where).size());
    const std::string address =
        "ftoi r2.xyzw, v1.xyzw\nmul r2.xyz, v1.xyzx, l(6.000000, 6.000000, 2.000000, 0.000000)\n"
        "ftoi r2.xyz, r2.xyzx\nmov r2.w, l(1)\n";
    const std::string glsl =
        fmt::format("ivec3(v1.xyz * vec3(6, 6, 2)).{}", std::string_view("xyz").substr(0, count));
    // A one-dimensional array has its slice in y.
    cases.push_back(pixel_case(
        dim, "ld", false,
        fmt::format("{}ld_indexable({})(float,float,float,float) r0.xyzw, r2.xyzw, t0.xyzw",
                    dim.array && dim.axes == 1 ? "mul r2.xyz, v1.xyzx, l(6.000000, 2.000000, 2.000000, "
                                                 "0.000000)\nftoi r2.xyz, r2.xyzx\nmov r2.w, l(1)\n"
                                               : address,
                    dim.assembly),
        fmt::format("texelFetch(t0, {}, 1)",
                    dim.array && dim.axes == 1 ? "ivec2(v1.xy * vec2(6, 2))" : glsl)));
    cases.push_back(pixel_case(
        dim, "ld_offset", false,
        fmt::format("{}ld_aoffimmi_indexable(2,1,1)({})(float,float,float,float) r0.xyzw, r2.xyzw, t0.xyzw",
                    dim.array && dim.axes == 1 ? "mul r2.xyz, v1.xyzx, l(6.000000, 2.000000, 2.000000, "
                                                 "0.000000)\nftoi r2.xyz, r2.xyzx\nmov r2.w, l(1)\n"
                                               : address,
                    dim.assembly),
        fmt::format("texelFetchOffset(t0, {}, 1, {})",
                    dim.array && dim.axes == 1 ? "ivec2(v1.xy * vec2(6, 2))" : glsl,
                    vector_of(dim.axes, "i", {"2", "1", "1"}))));
  }
  const uint32_t count = (dim.cube ? 2 : dim.axes) + (dim.array ? 1 : 0);
  std::string sizes = "vec4(";
  for (uint32_t i = 0; i < 3; ++i) {
    sizes += i < count
                 ? (count == 1 ? "textureSize(t0, 2), " : fmt::format("textureSize(t0, 2).{}, ", "xyz"[i]))
                 : "0, ";
  }
  cases.push_back(pixel_case(
      dim, "resinfo", false,
      fmt::format("resinfo_indexable({})(float,float,float,float) r0.xyzw, l(2), t0.xyzw", dim.assembly),
      sizes + "textureQueryLevels(t0))"));
}

Case multisampled_case(bool array) {
  const Dim dim = {
      array ? "texture2dmsarray(4)" : "texture2dms(4)", array ? "2DMSArray" : "2DMS", "xy", 2, false, array};
  Case made =
      pixel_case(dim, "ld2dms", false,
                 "mul r2.xyz, v1.xyzx, l(50.000000, 50.000000, 3.000000, 0.000000)\nftoi r2.xyz, "
                 "r2.xyzx\nmov r2.w, l(0)\n"
                 "and r2.z, r2.z, l(3)\nmul r1.x, v1.x, l(3.500000)\nftoi r1.x, r1.x\nand r1.x, r1.x, l(3)\n",
                 "");
  const std::string type = array ? "texture2dmsarray" : "texture2dms";
  made.assembly.replace(
      made.assembly.find("\nmov o0"), 0,
      fmt::format("ld2dms_indexable({})(float,float,float,float) r0.xyzw, r2.xyzw, t0.xyzw, r1.x", type));
  const std::string expression =
      fmt::format("texelFetch(t0, {}, int(v1.x * 3.5) & 3)",
                  array ? "ivec3(ivec2(v1.xy * 50), int(v1.z * 3) & 3)" : "ivec2(v1.xy * 50)");
  made.glsl.replace(made.glsl.find("o0 = ;"), 6, "o0 = " + expression + ";");
  return made;
}

Case compute_case(const char* name, const std::string& declarations, const std::string& instructions,
                  const std::string& glsl_declarations, const std::string& statements) {
  Case made;
  made.name = name;
  made.stage = test::GlslStage::compute;
  made.assembly = fmt::format(
      "cs_5_0\ndcl_globalFlags refactoringAllowed\n{}dcl_input vThreadID.xyz\ndcl_temps 3\ndcl_thread_group "
      "8, 8, 1\n{}\nret\n",
      declarations, instructions);
  made.glsl = fmt::format(
      "#version 450\nlayout(local_size_x = 8, local_size_y = 8) in;\n{}\nvoid main() {{\n  uvec3 id = "
      "gl_GlobalInvocationID;\n{}\n}}\n",
      glsl_declarations, statements);
  return made;
}

void add_unordered_access(std::vector<Case>& cases) {
  cases.push_back(compute_case(
      "ld_uav_typed_store_uav_typed",
      "dcl_uav_typed_texture2d (float,float,float,float) u0\ndcl_uav_typed_texture2darray "
      "(uint,uint,uint,uint) u1\n",
      "utof r0.xyzw, vThreadID.xyxy\nstore_uav_typed u0.xyzw, vThreadID.xyyy, r0.xyzw\n"
      "ld_uav_typed_indexable(texture2d)(float,float,float,float) r1.xyzw, vThreadID.xyyy, u0.xyzw\nadd "
      "r1.xyzw, r1.xyzw, r0.xyzw\n"
      "store_uav_typed u0.xyzw, vThreadID.xyyy, r1.xyzw\nmov r2.xy, vThreadID.xyxx\nmov r2.zw, l(0,0,1,1)\n"
      "store_uav_typed u1.xyzw, r2.xyzw, vThreadID.yxyx",
      "layout(binding = 160, rgba32f) uniform image2D u0;\nlayout(binding = 161, rgba32ui) uniform "
      "uimage2DArray u1;",
      "  vec4 r0 = vec4(id.xyxy);\n  imageStore(u0, ivec2(id.xy), r0);\n  vec4 r1 = imageLoad(u0, "
      "ivec2(id.xy)) + r0;\n"
      "  imageStore(u0, ivec2(id.xy), r1);\n  imageStore(u1, ivec3(id.xy, 1), uvec4(id.yxyx));"));
  cases.push_back(
      compute_case("atomics_of_textures", "dcl_uav_typed_texture2d (uint,uint,uint,uint) u0\n",
                   "and r0.xy, vThreadID.xyxx, l(3,3,0,0)\nmov r0.zw, l(0,0,0,0)\natomic_iadd u0, r0.xyzw, "
                   "l(3)\niadd r0.y, r0.y, l(4)\natomic_umax u0, r0.yxzw, vThreadID.x\n",
                   "layout(binding = 160, r32ui) uniform uimage2D u0;",
                   "  ivec2 at = ivec2(id.xy & 3u);\n  imageAtomicAdd(u0, at, 3u);\n  imageAtomicMax(u0, "
                   "at.yx + ivec2(4, 0), id.x);"));
  cases.push_back(compute_case(
      "buffers",
      "dcl_resource_raw t0\ndcl_resource_structured t1, 16\ndcl_resource_buffer (float,float,float,float) "
      "t2\ndcl_uav_raw u0\ndcl_uav_structured u1, 16\n",
      "imad r0.x, vThreadID.y, l(16), vThreadID.x\nishl r0.y, r0.x, "
      "l(2)\nld_raw_indexable(raw_buffer)(mixed,mixed,mixed,mixed) r1.x, r0.y, t0.xxxx\n"
      "ld_structured_indexable(structured_buffer, stride=16)(mixed,mixed,mixed,mixed) r2.xyzw, r0.x, l(0), "
      "t1.xyzw\n"
      "store_raw u0.x, r0.y, r1.x\nstore_structured u1.xyzw, r0.x, l(0), r2.wzyx\n"
      "ld_indexable(buffer)(float,float,float,float) r1.xyzw, r0.xxxx, t2.xyzw\niadd r0.z, r0.x, "
      "l(256)\nstore_structured u1.xyzw, r0.z, l(0), r1.xyzw",
      "layout(binding = 32) readonly buffer T0 { uint t0[]; };\nlayout(binding = 33) readonly buffer T1 { "
      "uvec4 t1[]; };\n"
      "layout(binding = 34) uniform textureBuffer t2;\n"
      "layout(binding = 160) buffer U0 { uint u0[]; };\nlayout(binding = 161) buffer U1 { uvec4 u1[]; };",
      "  uint at = id.y * 16u + id.x;\n  u0[at] = t0[at];\n  u1[at] = t1[at].wzyx;\n"
      "  u1[at + 256u] = floatBitsToUint(texelFetch(t2, int(at)));"));
  cases.back().glsl.insert(13, "#extension GL_EXT_samplerless_texture_functions : require\n");
}

std::vector<Case> all_cases() {
  std::vector<Case> cases;
  for (const Dim& dim : kDims) {
    add_sampling(cases, dim);
    add_comparison(cases, dim);
    add_gathers(cases, dim);
    add_fetches(cases, dim);
  }
  cases.push_back(multisampled_case(false));
  cases.push_back(multisampled_case(true));
  add_unordered_access(cases);
  return cases;
}

struct Output {
  std::vector<uint32_t> picture, uavs;
};

/// If `words` is not null, they replace the words that texlate emitted.
void run_once(sim::vulkan::Device& device, const executor::Shader& shader, sim::Scene& scene,
              const std::vector<uint32_t>* words, Output& result) {
  Diagnostics diagnostics;
  scene.reset_uavs();
  executor::VulkanShader emitted;
  ASSERT_TRUE(executor::make_vulkan_shader(shader.legal_spirv, shader.robustness, device, scene.bindings(), 1,
                                           emitted, diagnostics))
      << ir::to_text(diagnostics);
  if (words != nullptr) emitted.shader.words = *words;
  bool ran = false;
  if (shader.contract.stage == ir::Stage::compute) {
    ran = device.dispatch(emitted.shader, scene.groups(), diagnostics);
  } else {
    result.picture.assign(size_t{sim::output_plane_count(shader.contract)} * scene.element_count(), 0);
    std::vector<uint32_t> written(scene.element_count(), 0);
    sim::StreamLaunch launch;
    launch.count = scene.element_count();
    launch.inputs = scene.inputs();
    launch.outputs = result.picture;
    launch.written = written;
    ran = executor::run_vulkan_pixels(device, shader.legal_spirv, emitted, scene.width(), scene.height(),
                                      launch, diagnostics);
  }
  const std::string message = ir::to_text(diagnostics);
  if (!ran && is_beyond_device(message)) GTEST_SKIP() << message;
  ASSERT_TRUE(ran) << message;
  result.uavs = scene.uav_words();
}

class GoldenGlsl : public testing::TestWithParam<Case> {};

TEST_P(GoldenGlsl, PicturesAreEqual) {
  const Case& one = GetParam();
  TEXLATE_NEEDS_VULKAN(robustness_here());
  sim::vulkan::Device* const device = vulkan_device(robustness_here());
  Diagnostics diagnostics;
  executor::Shader shader;
  shader.robustness = robustness_here();
  const executor::Route route = executor::Route::vulkan;
  ASSERT_TRUE(executor::load_shader(one.assembly, shader, {&route, 1}, diagnostics))
      << ir::to_text(diagnostics, one.assembly) << one.assembly;
  const auto scene = sim::Scene::make(one.scene, ".", shader.contract, diagnostics);
  ASSERT_NE(scene, nullptr) << ir::to_text(diagnostics);
  std::string log;
  const std::vector<uint32_t> words = test::compile_glsl(one.glsl, one.stage, log);
  ASSERT_FALSE(words.empty()) << log << one.glsl;
  Output ours, theirs;
  run_once(*device, shader, *scene, nullptr, ours);
  if (IsSkipped()) return;
  run_once(*device, shader, *scene, &words, theirs);
  ASSERT_EQ(ours.picture.size(), theirs.picture.size());
  size_t different = 0, first = 0;
  for (size_t i = 0; i < ours.picture.size(); ++i) {
    if (ours.picture[i] != theirs.picture[i] && different++ == 0) first = i;
  }
  EXPECT_EQ(different, 0u) << fmt::format("of {}; word {}: {:08x}, glsl {:08x}\n{}", ours.picture.size(),
                                          first, ours.picture[first], theirs.picture[first], one.assembly);
  EXPECT_EQ(ours.uavs, theirs.uavs);
  // A picture of one color would prove nothing.
  const auto& proof = one.stage == test::GlslStage::pixel ? ours.picture : ours.uavs;
  const bool uniform =
      std::all_of(proof.begin(), proof.end(), [&](uint32_t word) { return word == proof[0]; });
  EXPECT_FALSE(uniform) << "all words are equal";
}

INSTANTIATE_TEST_SUITE_P(Operations, GoldenGlsl, testing::ValuesIn(all_cases()),
                         [](const auto& one) { return one.param.name; });

}  // namespace
}  // namespace texlate
