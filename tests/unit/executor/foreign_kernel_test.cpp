// PTX that texlate did not write: the scene's slot for each name, the results, and the errors, each in the
// right file.
#include <gtest/gtest.h>

#include <bit>

#include "tools/executor/foreign_kernel.h"

namespace texlate::executor {
namespace {

constexpr std::string_view kHead = ".version 6.3\n.target sm_75\n.address_size 64\n";

struct Outcome {
  std::string error;  // "line:column message" for the PTX, or "scene line:column message"
  std::string slots;  // "a=t0 b=u1"
  std::vector<uint32_t> words;
  std::string trouble;
};

std::string first_error(const Diagnostics& diagnostics) {
  const Diagnostic& first = diagnostics.list()[0];
  return fmt::format("{}:{} {}", first.location.line, first.location.column, first.message);
}

Outcome run(const std::string& text, const std::string& scene_text, const RunLimits& limits = {}) {
  Outcome outcome;
  Diagnostics diagnostics, scene_diagnostics;
  ForeignKernel kernel;
  Shader shader;
  if (load_foreign(text, scene_text, kernel, shader.contract, diagnostics, scene_diagnostics)) {
    for (const ForeignBinding& binding : kernel.bindings) {
      if (binding.use == ForeignUse::none) continue;
      const char letter = binding.use == ForeignUse::sampler ? 's' : binding.is_uav ? 'u' : 't';
      outcome.slots += fmt::format("{}={}{} ", binding.name, letter, binding.slot);
    }
    const auto scene = sim::Scene::make(scene_text, ".", shader.contract, scene_diagnostics);
    RouteResult result;
    if (scene != nullptr && run_foreign(kernel, shader.contract, *scene, limits, result, diagnostics)) {
      outcome.words = result.uavs;
      outcome.trouble = result.trouble;
    }
  }
  if (diagnostics.has_errors()) outcome.error = first_error(diagnostics);
  if (scene_diagnostics.has_errors()) outcome.error = "scene " + first_error(scene_diagnostics);
  return outcome;
}

std::string kernel(std::string_view declarations, std::string_view parameters, std::string_view body) {
  return fmt::format(
      "{}{}\n.visible .entry k({}) {{\n.reg .b32 %r<16>;\n.reg .f32 %f<16>;\n.reg .f64 %d<4>;\n.reg .b64 "
      "%rd<16>;\n{}\nret;\n}}\n",
      kHead, declarations, parameters, body);
}

TEST(ForeignKernel, IsPtxByItsFirstDirective) {
  EXPECT_TRUE(is_ptx("// made by hand\n /* really */ .version 7.0"));
  EXPECT_FALSE(is_ptx("ps_5_0\ndcl_temps 1"));
  EXPECT_FALSE(is_ptx("/* .version"));
  EXPECT_FALSE(is_ptx(""));
}

TEST(ForeignKernel, SlotsByNameThenInOrder) {
  const std::string text = kernel(
      ".global .texref first, t0, third;\n.global .surfref s;", ".param .u64 out, .param .u64 handle",
      "ld.param.u64 %rd1, [out];\nld.param.u64 %rd2, [handle];\nmov.u32 %r1, 0;\nst.global.u32 [%rd1], %r1;\n"
      "tex.3d.v4.f32.s32 {%f0,%f1,%f2,%f3}, [%rd2, {%r1,%r1,%r1,%r1}];\n"
      "sust.b.2d.b32.trap [s, {0, 0}], {%r1};");
  const std::string settings = R"({"dispatch": [1], "kernel": {"block": [1]}})";
  EXPECT_EQ(run(text, settings).slots, "t0=t0 first=t1 third=t2 s=u0 out=u1 handle=t3 ");
  // The scene overrides this; a read-only buffer may be a t#.
  EXPECT_EQ(
      run(text, R"({"dispatch": [1], "kernel": {"block": [1], "arguments": {"third": "t9", "s": "u3"}}})")
          .slots,
      "t0=t0 third=t9 s=u3 first=t1 out=u0 handle=t2 ");
  const Outcome shared = run(text, R"({"kernel": {"arguments": {"first": "t0"}}})");
  EXPECT_EQ(shared.error, "4:24 t0 and another name share t0");
}

// Numbers of each type, an array, and an argument that is an address.
TEST(ForeignKernel, Arguments) {
  const std::string text =
      kernel("",
             ".param .u64 in, .param .u64 out, .param .f32 a, .param .f64 b, .param .u16 c, .param .b32 d, "
             ".param .align 4 "
             ".b8 e[8]",
             "ld.param.u64 %rd1, [in];\nld.param.u64 %rd2, [out];\ncvta.to.global.u64 %rd3, %rd1;\n"
             "ld.global.u32 %r1, [%rd3+4];\nst.global.u32 [%rd2], %r1;\nld.param.f32 %f1, "
             "[a];\nst.global.f32 [%rd2+4], %f1;\n"
             "ld.param.f64 %d1, [b];\ncvt.rn.f32.f64 %f1, %d1;\nst.global.f32 [%rd2+8], %f1;\nld.param.u16 "
             "%r1, [c];\n"
             "st.global.u32 [%rd2+12], %r1;\nld.param.b32 %r1, [d];\nst.global.u32 [%rd2+16], "
             "%r1;\nld.param.u32 %r1, [e+4];\n"
             "st.global.u32 [%rd2+20], %r1;");
  const Outcome outcome = run(text, R"({"dispatch": [1],
    "textures": {"t0": {"words": [5, 6]}}, "uavs": {"u0": {"elements": 6}},
    "kernel": {"block": [1], "arguments": {"in": "t0", "a": 2, "b": 0.5, "c": 7, "d": 1.5, "e": [1, -2]}}})");
  EXPECT_EQ(outcome.error, "");
  EXPECT_EQ(outcome.trouble, "");
  EXPECT_EQ(outcome.words,
            (std::vector<uint32_t>{6, std::bit_cast<uint32_t>(2.0f), std::bit_cast<uint32_t>(0.5f), 7,
                                   std::bit_cast<uint32_t>(1.5f), 0xfffffffeu}));
}

// A host's own parameter block: the address of u1, a limit, the address of t2.
TEST(ForeignKernel, BlocksOfParameters) {
  const std::string text =
      kernel("", ".param .align 16 .b8 block[32]",
             "ld.param.u64 %rd1, [block];\nld.param.u32 %r1, [block+8];\nld.param.u64 %rd2, [block+16];\n"
             "ld.global.u32 %r2, [%rd2+4];\nst.global.u32 [%rd1], %r1;\nst.global.u32 [%rd1+4], %r2;");
  const auto with = [&](const char* block) {
    return run(text, fmt::format(R"({{"dispatch": [1], "textures": {{"t2": {{"words": [5, 6]}}}},
      "uavs": {{"u1": {{"elements": 2}}}}, "kernel": {{"block": [1], "arguments": {{"block": {}}}}}}})",
                                 block));
  };
  const Outcome good = with(R"(["u1", 77, "t2"])");
  EXPECT_EQ(good.error + good.trouble, "");
  EXPECT_EQ(good.slots, "block+0=u1 block+16=t2 ");
  EXPECT_EQ(good.words, (std::vector<uint32_t>{77, 6}));
  constexpr const char* kWrong =
      "block takes a list of numbers (4 bytes each) and slots (8 bytes each), no more than it holds";
  for (const char* block : {R"(["u1", 1, 2, 3, 4, 5, 6, 7])", R"(["s1", 1, "t2"])", R"(["u1", 1, "x2"])"})
    EXPECT_NE(with(block).error.find(kWrong), std::string::npos) << block << with(block).error;
}

// In unified mode, a texture uses the sampler with its number, but the texture's declaration has priority.
TEST(ForeignKernel, TexturesAndTheirSamplers) {
  const auto red = [](std::string_view declaration, std::string_view sampler) {
    const std::string text = kernel(declaration, ".param .u64 out",
                                    "ld.param.u64 %rd1, [out];\ntex.level.2d.v4.f32.f32 {%f0,%f1,%f2,%f3}, "
                                    "[t0, {0f3F000000, 0f00000000}], "
                                    "0f00000000;\nst.global.f32 [%rd1], %f0;");
    const Outcome outcome = run(text, fmt::format(R"({{"dispatch": [1], "samplers": {{"s0": {}}},
      "textures": {{"t0": {{"size": [2, 1], "mips": 1, "format": "r32g32b32a32_float", "generate": "gradient"}}}},
      "uavs": {{"u0": {{"elements": 1}}}}, "kernel": {{"block": [1]}}}})",
                                                  sampler));
    EXPECT_EQ(outcome.error + outcome.trouble, "");
    return outcome.words.empty() ? -1.0f : std::bit_cast<float>(outcome.words[0]);
  };
  const float point = red(".global .texref t0;", R"({"filter": "point"})");
  const float linear = red(".global .texref t0;", R"({"filter": "linear"})");
  EXPECT_NE(point, linear);
  EXPECT_EQ(red(".global .texref t0 = { filter_mode = nearest };", R"({"filter": "linear"})"), point);
}

TEST(ForeignKernel, ErrorsAreLocatedInTheirFile) {
  const std::string store = "ld.param.u64 %rd1, [out];\nst.global.u32 [%rd1], 1;";
  const auto error = [](const std::string& text, const std::string& scene) { return run(text, scene).error; };
  EXPECT_EQ(
      error(kernel("", ".param .u64 out, .param .u32 n", store), ""),
      "5:48 parameter n has no value: add one to the scene, under \"kernel\": {\"arguments\": {\"n\": ...}}");
  const std::string two = kernel("", ".param .u64 out", store) + ".entry other() { ret; }\n";
  EXPECT_EQ(error(two, ""), "scene 0:0 name one of the entries k, other under \"kernel\": {\"entry\": ...}");
  EXPECT_EQ(error(two, "{\n\"kernel\": {\"entry\": \"x\"}}"),
            "scene 2:12 there is no entry x (there is k, other)");
  EXPECT_EQ(error(std::string(kHead), ""), "0:0 this PTX has no .entry to run");
  const std::string one = kernel("", ".param .u64 out", store);
  EXPECT_EQ(error(one, R"({"kernel": {"blocks": 1}})"), "scene 1:13 unknown key 'blocks' in 'kernel'");
  EXPECT_EQ(error(one, R"({"kernel": {"block": [0]}})"),
            "scene 1:13 'block' must be a list of up to three numbers from 1 to 1024");
  EXPECT_EQ(error(one, R"({"kernel": {"arguments": {"nothing": 1}}})"),
            "scene 1:27 k has no parameter and no variable nothing");
  EXPECT_EQ(error(one, R"({"kernel": {"arguments": {"out": "s1"}}})"), "scene 1:27 out needs a slot u#");
  EXPECT_EQ(error(kernel("", ".param .u64 out",
                         store + "\nld.global.u64 %rd2, [%rd1];\n"
                                 "tex.2d.v4.f32.s32 {%f0,%f1,%f2,%f3}, [%rd2, {%r1,%r1}];"),
                  ""),
            "13:1 this texture handle is neither a parameter nor a variable: only those can be bound");
  EXPECT_EQ(error(kernel(".global .texref t;", ".param .u64 out",
                         store + "\ntex.2d.v4.f32.s32 {%f0,%f1,%f2,%f3}, [t, {%r1,%r1}];\n"
                                 "tex.1d.v4.f32.s32 {%f0,%f1,%f2,%f3}, [t, {%r1}];"),
                  ""),
            "13:1 the geometry differs from that in line 12");
  EXPECT_EQ(error(kernel(".global .texref t;", ".param .u64 out",
                         "ld.param.u64 %rd1, [out];\ntex.2d.v4.f32.s32 {%f0,%f1,%f2,%f3}, [t, {%r1,%r1}];"),
                  R"({"samplers": {"s0": {"address": "mirror_once"}}, "kernel": {"arguments": {"out": 0}}})"),
            "0:0 s0 has address mode mirror_once, which samplers of PTX cannot express");
}

// Errors in the kernel are reported with its own line.
TEST(ForeignKernel, TroubleNamesTheLineOfThePtx) {
  const Outcome outcome =
      run(kernel("", ".param .u64 out", "ld.param.u64 %rd1, [out];\nst.global.u32 [%rd1+4096], 1;"),
          R"({"dispatch": [1], "kernel": {"block": [1]}})");
  EXPECT_EQ(outcome.error, "");
  EXPECT_NE(outcome.trouble.find("line 11, lane 0"), std::string::npos) << outcome.trouble;
  EXPECT_NE(outcome.trouble.find("out_of_range"), std::string::npos) << outcome.trouble;
  EXPECT_NE(outcome.trouble.find(": st.global.u32 [%rd1+4096], 1"), std::string::npos) << outcome.trouble;
  // A race that shows only in another order of lanes.
  RunLimits limits;
  limits.schedules = 8;
  const Outcome race = run(kernel("", ".param .u64 out",
                                  ".reg .pred %p;\nld.param.u64 %rd1, [out];\nmov.u32 %r1, "
                                  "%tid.x;\nsetp.eq.u32 %p, %r1, 0;\n@%p bra A;\n"
                                  "st.global.u32 [%rd1], 1;\nbra B;\nA:\nst.global.u32 [%rd1], 2;\nB:"),
                           R"({"dispatch": [1], "kernel": {"block": [2]}})", limits);
  EXPECT_NE(race.trouble.find("gives a different result"), std::string::npos) << race.error << race.trouble;
}

}  // namespace
}  // namespace texlate::executor
