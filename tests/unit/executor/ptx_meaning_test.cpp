// Small programs whose PTX or machine code was once wrong or missing: the interpreter, the PTX machine (for
// any order of lanes) and the Maxwell machine agree on them.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tools/executor/comparison.h"
#include "tools/executor/shader.h"

namespace texlate::executor {
namespace {

struct Case {
  std::string declarations, body, scene = "{}";
  const char* model = "ps_5_0";
  uint64_t rounded = 0;  // elements that may be at the boundary between two numbers
};

std::string text_of(const Case& c) {
  return fmt::format("{}\ndcl_globalFlags refactoringAllowed\n{}{}ret\n", c.model, c.declarations, c.body);
}

/// Describes the error; empty if there is none.
std::string disagreement(const Case& c, Route other) {
  const std::string text = text_of(c);
  const Route routes[] = {Route::ir, other};
  Shader shader;
  Diagnostics diagnostics;
  std::string said;
  const auto complaints = [&] {
    for (const Diagnostic& each : diagnostics.list()) said += render(each, "shader", text);
    return said;
  };
  if (!load_shader(text, shader, routes, diagnostics)) return complaints();
  const auto scene = sim::Scene::make(c.scene, ".", shader.contract, diagnostics);
  if (scene == nullptr) return complaints();
  RouteResult results[2];
  RunLimits limits;
  limits.schedules = 6;
  for (size_t i = 0; i < 2; ++i) {
    if (!run_route(routes[i], shader, *scene, limits, results[i], diagnostics)) return complaints();
    if (!results[i].trouble.empty()) return results[i].trouble;
  }
  const auto comparison = compare_outputs(shader, *scene, results[0], results[1], {});
  if (comparison.elements == 0) return "nothing was compared";
  return comparison.different <= c.rounded ? ""
                                           : fmt::format("{} of {} differ, {}", comparison.different,
                                                         comparison.elements, comparison.first);
}

/// For the kernel of either machine.
std::string disagreement(const Case& c) {
  const std::string ptx = disagreement(c, Route::ptx);
  if (!ptx.empty()) return ptx;
  const std::string maxwell = disagreement(c, Route::maxwell);
  return maxwell.empty() ? "" : "maxwell: " + maxwell;
}

constexpr const char* kCube =
    "dcl_sampler s0, mode_default\ndcl_resource_texturecube (float,float,float,float) t0\n"
    "dcl_input_ps linear v1.xyz\ndcl_output o0.xyzw\ndcl_temps 2\n";

std::string cube_of_length(const char* length) {
  return disagreement(
      {kCube,
       fmt::format("add r0.xyz, v1.xyzx, l(-0.5,-0.4,0.7,0)\n"
                   "mul r0.xyz, r0.xyzx, l({0},{0},{0},0)\n"
                   "sample_indexable(texturecube)(float,float,float,float) o0.xyzw, r0.xyzx, t0.xyzw, s0\n",
                   length),
       R"({"samplers": {"s0": {"filter": "trilinear"}}})"});
}

TEST(PtxMeaning, CubeDirectionsOfAnyLength) {
  // The square of a component is outside the range of float below 1e-19 and above 1e19.
  for (const char* length : {"1.0e-30", "1.0e-20", "1.0", "1.0e19", "1.0e30"})
    EXPECT_EQ(cube_of_length(length), "") << length;
  // A degenerate direction: nothing is compared, and no machine complains.
  EXPECT_EQ(cube_of_length("0.0"), "nothing was compared");
}

// Constants that the end of the body holds in registers are not available at earlier returns: the common code
// that stores the outputs must make its own.
TEST(MaxwellMeaning, ConstantsOfWhatFollowsAnEarlyReturn) {
  EXPECT_EQ(disagreement({"dcl_constantbuffer CB0[1], immediateIndexed\ndcl_output o0.xyzw\n",
                          "switch cb0[0].x\ncase l(0)\nmov o0.xyzw, l(1,1,1,1)\nret\ncase l(3)\n"
                          "mov o0.xyzw, l(2,2,2,2)\nret\nendswitch\nmov o0.xyzw, l(3,3,3,1)\n"},
                         Route::maxwell),
            "");
}

constexpr const char* kFloats = "dcl_input_ps linear v1.xyzw\ndcl_output o0.xyzw\ndcl_temps 2\n";

TEST(PtxMeaning, TheDerivativeOfAConstantIsPositiveZero) {
  EXPECT_EQ(disagreement({kFloats,
                          "mul r0.x, v1.x, l(0.0)\nderiv_rtx_coarse r1.x, r0.x\nderiv_rty_fine r1.y, r0.x\n"
                          "div o0.xy, l(1.0,1.0,1.0,1.0), r1.xyxx\nmov o0.zw, r1.xxxy\n"}),
            "");
}

// The derivative is NaN, and 0 in pixels whose neighbor is outside the `if`: the inner `if` divides the
// lanes of a warp although the constant is the same for all.
TEST(PtxMeaning, DerivativesOfUniformInfinityInVaryingFlow) {
  EXPECT_EQ(disagreement(
                {"dcl_constantbuffer CB0[1], immediateIndexed\n"
                 "dcl_input_ps_siv linear noperspective v0.xy, position\ndcl_output o0.xyzw\ndcl_temps 3\n",
                 "mov o0.xyzw, l(0,0,0,0)\nlt r0.x, v0.x, l(5.0)\nif_nz r0.x\n"
                 "deriv_rtx_coarse r1.x, cb0[0].x\neq r1.x, r1.x, l(0.0)\nif_nz r1.x\n"
                 "deriv_rty_coarse r2.x, v0.y\nadd o0.x, r2.x, l(1.0)\nelse\n"
                 "deriv_rty_coarse r2.x, v0.x\nadd o0.y, r2.x, l(2.0)\nendif\nendif\n",
                 R"({"viewport": [8, 4], "constants": {"cb0": [[2139095040, 0, 0, 0]]}})"}),
            "");
}

// INF - INF is NaN, in derivatives and in the LOD of a sample.
TEST(PtxMeaning, DerivativesOfConstants) {
  EXPECT_EQ(disagreement({"dcl_output o0.xyzw\n",
                          "deriv_rtx_coarse o0.xyzw, l(1.0, 0x7f800000, 0xff800000, 0x7fc00000)\n"}),
            "");
  for (const char* number : {"0.5", "0x7f800000", "0xff800000", "0x7fc00000"}) {
    for (const char* coordinates : {"r0.xyxx", "r0.yxyy", "r0.yyyy"}) {
      const std::string body = fmt::format(
          "mul r0.x, v0.y, l(0.1)\nmov r0.y, l({})\nsample_indexable(texture2d)(float,float,float,float) "
          "o0.xyzw, {}, t0.xyzw, s0\n",
          number, coordinates);
      EXPECT_EQ(disagreement({"dcl_sampler s0, mode_default\ndcl_resource_texture2d "
                              "(float,float,float,float) t0\ndcl_input_ps_siv linear noperspective v0.xy, "
                              "position\ndcl_output o0.xyzw\ndcl_temps 1\n",
                              body, R"({"viewport": [8, 8]})"}),
                "")
          << body;
    }
  }
}

TEST(PtxMeaning, TexelsThatTheShaderWroteItself) {
  EXPECT_EQ(
      disagreement(
          {"dcl_uav_typed_texture2d (float,float,float,float) u0\ndcl_input vThreadID.xyz\ndcl_temps 3\n"
           "dcl_thread_group 8, 8, 1\n",
           "utof r1.xyzw, vThreadID.xyxx\nstore_uav_typed u0.xyzw, vThreadID.xyyy, r1.xyzw\n"
           "ld_uav_typed_indexable(texture2d)(float,float,float,float) r0.xyzw, vThreadID.xyyy, u0.xyzw\n"
           "add r0.xyzw, r0.xyzw, l(1.0,1.0,1.0,1.0)\nstore_uav_typed u0.xyzw, vThreadID.xyyy, r0.xyzw\n",
           "{}", "cs_5_0"}),
      "");
}

TEST(PtxMeaning, EveryFormatOfAViewInMemory) {
  for (const char* format : {"r8_unorm", "r8g8_snorm", "r8g8b8a8_unorm", "r16_float", "r16g16_unorm",
                             "r16g16b16a16_float", "r32_float", "r32g32_float"}) {
    EXPECT_EQ(disagreement(
                  {"dcl_uav_typed_texture2darray (float,float,float,float) u0\ndcl_input vThreadID.xyz\n"
                   "dcl_temps 3\ndcl_thread_group 8, 8, 1\n",
                   "utof r1.xyzw, vThreadID.xyzx\nmul r1.xyzw, r1.xyzw, l(0.05,0.03,0.5,0.02)\n"
                   "store_uav_typed u0.xyzw, vThreadID.xyzz, r1.xyzw\n"
                   "ld_uav_typed_indexable(texture2darray)(float,float,float,float) r0.xyzw, vThreadID.xyzz, "
                   "u0.xyzw\nadd r0.xyzw, r0.xyzw, l(0.1,0.2,0.3,0.4)\n"
                   "store_uav_typed u0.xyzw, vThreadID.xyzz, r0.xyzw\n",
                   fmt::format(R"({{"uavs": {{"u0": {{"format": "{}", "size": [13, 11], "slices": 2}}}},
                                     "dispatch": [2, 2, 3]}})",
                               format),
                   "cs_5_0"}),
              "")
        << format;
  }
}

TEST(PtxMeaning, LongRangesOfRegisters) {
  EXPECT_EQ(
      disagreement(
          {"dcl_constantbuffer CB0[0:4294967295][2], immediateIndexed, space=0\n"
           "dcl_sampler S0[0:4294967295], mode_default, space=0\n"
           "dcl_resource_texture2d (float,float,float,float) T0[2:4294967295], space=1\n"
           "dcl_input_ps linear v1.xy\ndcl_output o0.xyzw\ndcl_temps 2\n",
           "mul r0.xy, v1.xyxx, l(8.0,3.0,0,0)\nftou r0.xy, r0.xyxx\n"
           "sample_l r1.xyzw, v1.xyxx, T0[r0.x + 2].xyzw, S0[r0.y + 0], l(1.5)\n"
           "add o0.xyzw, r1.xyzw, CB0[r0.x + 0][1].xyzw\n",
           R"({"samplers": {"s0[0]": {"filter": "trilinear"}, "s0[1]": {"filter": "point", "bias": 1.0}},
                              "textures": {"t0[3]": null, "t0[4]": {"size": [8, 4]},
                                           "t0[5]": {"size": [32, 32]}}})",
           "ps_5_1"}),
      "");
}

TEST(PtxMeaning, ABlockThatIsTooLargeForParameters) {
  std::string declarations, body;
  for (int i = 0; i < 80; ++i) {
    declarations += fmt::format("dcl_resource_texture2d (float,float,float,float) t{}\n", i);
    body += fmt::format(
        "ld_indexable(texture2d)(float,float,float,float) r1.xyzw, r0.xyzw, t{}.xyzw\n"
        "add r2.xyzw, r1.xyzw, r2.xyzw\n",
        i);
  }
  EXPECT_EQ(disagreement({declarations + "dcl_input_ps linear v1.xy\ndcl_output o0.xyzw\ndcl_temps 3\n",
                          "mul r0.xy, v1.xyxx, l(60.0,60.0,0,0)\nftou r0.xy, r0.xyxx\n"
                          "mov r0.zw, l(0,0,0,0)\nmov r2.xyzw, l(0,0,0,0)\n" +
                              body + "mov o0.xyzw, r2.xyzw\n",
                          R"({"viewport": [8, 8]})"}),
            "");
}

// Around every edge, with formats that lack components, with unbound slots, and with addresses that come from
// previous fetches.
TEST(PtxMeaning, NeighboringFetches) {
  std::string body =
      "mul r0.xy, v1.xyxx, l(20.0,20.0,0,0)\nadd r0.xy, r0.xyxx, l(-4.0,-4.0,0,0)\nftoi r0.xy, r0.xyxx\n"
      "mov r0.zw, l(0,0,0,0)\nmov r2.xyzw, l(0,0,0,0)\n";
  for (const char* offset : {"-8,7,0", "-1,0,0", "0,0,0", "1,0,0", "3,-8,0", "7,7,0"}) {
    for (const char* texture : {"t0", "t1"}) {
      body += fmt::format(
          "ld_aoffimmi_indexable({})(texture2d)(float,float,float,float) r1.xyzw, r0.xyzw, {}.xyzw\n"
          "mad r2.xyzw, r2.xyzw, l(1.5,1.25,1.125,1.0625), r1.wzyx\n",
          offset, texture);
    }
    body +=
        "ftoi r3.xy, r2.xyxx\niadd r0.xy, r0.xyxx, r3.xyxx\nand r0.xy, r0.xyxx, l(31,31,0,0)\n"
        "iadd r0.xy, r0.xyxx, l(-4,-4,0,0)\n";
  }
  for (const char* first : {"r8g8b8a8_unorm", "r8_unorm", "r16g16_float", "a8_unorm", "r11g11b10_float"}) {
    for (const char* second : {R"({"format": "r32g32b32a32_float", "size": [13, 9]})", "null"}) {
      EXPECT_EQ(disagreement({"dcl_resource_texture2d (float,float,float,float) t0\n"
                              "dcl_resource_texture2d (float,float,float,float) t1\n"
                              "dcl_input_ps linear v1.xy\ndcl_output o0.xyzw\ndcl_temps 4\n",
                              body + "mov o0.xyzw, r2.xyzw\n",
                              fmt::format(R"({{"viewport": [24, 24], "textures": {{"t0": {{"format": "{}",
                                          "size": [16, 11]}}, "t1": {}}}}})",
                                          first, second)}),
                "")
          << first << second;
    }
  }
}

// Fields at known offsets, in structures with units of 16 and 8 bytes. Parameters loaded in one arm are not
// loaded in the other.
TEST(PtxMeaning, FieldsOfStructures) {
  const std::string load = "ld_structured_indexable(structured_buffer, stride=32)(mixed,mixed,mixed,mixed) ";
  EXPECT_EQ(disagreement(
                {"dcl_resource_structured t0, 32\ndcl_uav_structured u1, 40\ndcl_uav_structured u2, 12\n"
                 "dcl_input_ps_siv linear noperspective v0.xy, position\ndcl_output o0.xyzw\ndcl_temps 3\n",
                 "ftou r0.xy, v0.xyxx\nimad r0.w, r0.y, l(64), r0.x\n" +                     //
                     load + "r1.xyzw, r0.w, l(4), t0.xyzw\n" +                               //
                     load + "r2.xyzw, r0.w, l(16), t0.wzyx\n" +                              //
                     "iadd r1.xyzw, r1.xyzw, r2.xyzw\nand r0.z, r0.y, l(1)\nif_nz r0.z\n" +  //
                     load + "r2.xy, r0.x, l(24), t0.xyxx\n" +                                //
                     "iadd r1.xy, r1.xyxx, r2.xyxx\nstore_structured u1.xyz, r0.w, l(8), r1.xyzx\n"
                     "else\nstore_structured u1.xy, r0.w, l(28), r1.xyxx\n"
                     "store_structured u2.xy, r0.w, l(4), r1.zwzz\nendif\n"
                     "ld_structured r2.xyz, r0.w, l(0), u2.xyzx\niadd r1.xyz, r1.xyzx, r2.xyzx\n"
                     "mov o0.xyzw, r1.xyzw\n"}),
            "");
}

// With more than sixteen, comparisons are calls of routines: from loops and from divergent arms, with several
// textures, with offsets, and with values and conditions that are still live.
TEST(MaxwellMeaning, ManyComparisonsInFlow) {
  const std::string shadow =
      "sample_c_lz_indexable(texture2d)(float,float,float,float) r1.x, r0.xyxx, t0.xxxx, s0, r0.z\n";
  const std::string moved =
      "sample_c_lz_aoffimmi_indexable(1,-2,0)(texture2d)(float,float,float,float) r1.y, r0.xyxx, t0.xxxx, "
      "s0, "
      "r0.z\n";
  const std::string cube =
      "sample_c_lz_indexable(texturecube)(float,float,float,float) r1.z, r2.xyzx, t1.xxxx, s0, r0.w\n";
  const std::string array =
      "sample_c_indexable(texture2darray)(float,float,float,float) r1.w, r0.xyzx, t2.xxxx, s0, r0.w\n";
  const std::string add = "add r3.xyzw, r3.xyzw, r1.xyzw\nadd r0.xyzw, r0.xyzw, l(0.11,-0.07,0.05,0.03)\n";
  std::string body =
      "mov r0.xyzw, v1.xyzw\nmov r3.xyzw, l(0,0,0,0)\nadd r2.xyz, v1.xyzx, l(-0.5,-0.4,0.7,0)\n"
      "lt r4.x, v1.x, v1.y\nmov r1.xyzw, l(0,0,0,0)\n" +
      array + add;
  for (int i = 0; i < 4; ++i) body += shadow + moved + cube + add;
  body += "mov r4.z, l(0)\nloop\nige r4.y, r4.z, l(2)\nbreakc_nz r4.y\niadd r4.z, r4.z, l(1)\nif_nz r4.x\n" +
          shadow + add + "else\n" + moved + cube + add + "endif\nendloop\n" + shadow + moved + cube + add +
          "movc o0.xyzw, r4.xxxx, r3.xyzw, r3.wzyx\n";
  EXPECT_EQ(
      disagreement({"dcl_sampler s0, mode_comparison\ndcl_resource_texture2d (float,float,float,float) t0\n"
                    "dcl_resource_texturecube (float,float,float,float) t1\n"
                    "dcl_resource_texture2darray (float,float,float,float) t2\n"
                    "dcl_input_ps linear v1.xyzw\ndcl_output o0.xyzw\ndcl_temps 5\n",
                    body, R"({"samplers": {"s0": {"filter": "trilinear", "comparison": "less"}}})"}),
      "");
}

// Routines take the indices of texture and sampler as arguments, for ranges in the parameter block and in a
// table.
TEST(MaxwellMeaning, ManyComparisonsOfRanges) {
  for (const char* last : {"3", "499"}) {
    std::string body =
        "mov r0.xyzw, v1.xyzw\nmov r3.xyzw, l(0,0,0,0)\nmul r4.xy, v1.xyxx, l(4.0,2.0,0,0)\n"
        "ftou r4.xy, r4.xyxx\nand r4.xy, r4.xyxx, l(3,1,0,0)\n";
    for (int i = 0; i < 20; ++i) {
      body += fmt::format(
          "sample_c_lz_indexable(texture2d)(float,float,float,float) r1.x, r0.xyxx, {}.xxxx, {}, r0.z\n"
          "add r3.xyzw, r3.wxyz, r1.xxxx\nadd r0.xyz, r0.xyzx, l(0.07,-0.03,0.02,0)\n",
          i % 2 != 0 ? "T0[r4.x + 0]" : fmt::format("T0[{}]", i % 4), i % 3 != 0 ? "S0[r4.y + 0]" : "S0[1]");
    }
    EXPECT_EQ(disagreement({fmt::format("dcl_sampler S0[0:1], mode_comparison, space=0\n"
                                        "dcl_resource_texture2d (float,float,float,float) T0[0:{}], space=0\n"
                                        "dcl_input_ps linear v1.xyzw\ndcl_output o0.xyzw\ndcl_temps 5\n",
                                        last),
                            body + "mov o0.xyzw, r3.xyzw\n", R"({"viewport": [16, 16],
                                "textures": {"t0[1]": {"size": [8, 4]}, "t0[2]": null, "t0[3]": {"size": [32, 32]}},
                                "samplers": {"s0[1]": {"address": "mirror", "comparison": "greater"}}})",
                            "ps_5_1"},
                           Route::maxwell),
              "")
        << last;
  }
}

// Bytes and halves of words, extracted in every way and converted to floats.
TEST(MaxwellMeaning, FieldsThatAreConverted) {
  for (const char* field :
       {"ushr r1.xyzw, r0.xyzw, l(24,16,8,0)\n", "ishr r1.xyzw, r0.xyzw, l(24,16,8,0)\n",
        "and r1.xyzw, r0.xyzw, l(255,65535,65280,127)\n",
        "ubfe r1.xyzw, l(8,16,8,16), l(16,16,4,8), r0.xyzw\n",
        "ibfe r1.xyzw, l(8,16,8,8), l(24,0,0,8), r0.xyzw\n",
        "ushr r1.xyzw, r0.xyzw, l(8,16,16,24)\nand r1.xyzw, r1.xyzw, l(255,255,65535,65535)\n"}) {
    for (const char* convert : {"utof", "itof", "f16tof32"}) {
      const std::string text =
          "mul r0.xyzw, v1.xyzw, l(123456789.0,-987654321.0,3000000000.0,70000.0)\n"
          "ftoi r1.xyzw, r0.xyzw\nxor r0.xyzw, r0.xyzw, r1.xyzw\n" +
          std::string(field) + convert + " o0.xyzw, r1.xyzw\n";
      EXPECT_EQ(disagreement({kFloats, text}, Route::maxwell), "") << field << convert;
    }
  }
}

TEST(PtxMeaning, ComparisonsOnCubes) {
  for (const char* instruction :
       {"sample_c_indexable(texturecube)(float,float,float,float) o0.x, r0.xyzx, t0.xxxx, s0, r0.w\n",
        "sample_c_lz_indexable(texturecube)(float,float,float,float) o0.x, r0.xyzx, t0.xxxx, s0, r0.w\n"}) {
    for (const char* filter : {"point", "linear", "trilinear"}) {
      EXPECT_EQ(disagreement(
                    {"dcl_sampler s0, mode_comparison\ndcl_resource_texturecube "
                     "(float,float,float,float) t0\ndcl_input_ps linear v1.xyz\ndcl_output o0.x\n"
                     "dcl_temps 2\n",
                     std::string("add r0.xyz, v1.xyzx, l(-0.5,-0.4,0.3,0)\nmov r0.w, v1.x\n") + instruction,
                     fmt::format(R"({{"samplers": {{"s0": {{"filter": "{}", "bias": 0.5}}}}}})", filter),
                     "ps_5_0", 4}),
                "")
          << instruction << filter;
    }
  }
}

// So many comparisons that each one is a call.
TEST(PtxMeaning, ManyComparisons) {
  std::string body = "mov r2.xyzw, l(0,0,0,0)\nadd r3.xyz, v1.xyxx, l(-0.5,-0.4,0.3,0)\n";
  for (int i = 0; i < 24; ++i) {
    static constexpr const char* kSamples[] = {
        "sample_c_indexable(texture2d)(float,float,float,float) r1.x, r0.xyxx, t0.xxxx, s0, r0.w",
        ("sample_c_lz_aoffimmi_indexable(2,-3,0)(texture2d)(float,float,float,float) r1.x, r0.xyxx, t0.xxxx, "
         "s0, r0.w"),
        "sample_c_lz_indexable(texture2darray)(float,float,float,float) r1.x, r0.xyyx, t1.xxxx, s1, r0.w",
        "sample_c_indexable(texturecube)(float,float,float,float) r1.x, r3.xyzx, t2.xxxx, s1, r0.w",
        "sample_c_lz_indexable(texture2d)(float,float,float,float) r1.x, r0.xyxx, t3.xxxx, s0, r0.w"};
    body += fmt::format("mul r0.xyzw, v1.xyxx, l({}.0,{}.0,1.0,0.{:02})\n{}\nadd r2.{}, r2.{}, r1.x\n",
                        1 + i % 3, 1 + i % 2, 10 + 3 * i, kSamples[i % 5], "xyzw"[i % 4], "xyzw"[i % 4]);
    if (i == 11) body += "if_nz v1.x\n";
    if (i == 12) body += "endif\n";
  }
  EXPECT_EQ(disagreement({"dcl_sampler s0, mode_comparison\ndcl_sampler s1, mode_comparison\n"
                          "dcl_resource_texture2d (float,float,float,float) t0\n"
                          "dcl_resource_texture2darray (float,float,float,float) t1\n"
                          "dcl_resource_texturecube (float,float,float,float) t2\n"
                          "dcl_resource_texture2d (float,float,float,float) t3\n"
                          "dcl_input_ps linear v1.xyz\ndcl_output o0.xyzw\ndcl_temps 4\n",
                          body + "mov o0.xyzw, r2.xyzw\n",
                          R"({"viewport": [16, 16], "textures": {"t3": null},
                              "samplers": {"s0": {"filter": "trilinear", "bias": 0.25, "address": "mirror"},
                                           "s1": {"filter": "point", "comparison": "greater"}}})",
                          "ps_5_0", 3}),
            "");
}

TEST(PtxMeaning, CoverageAndEvaluation) {
  EXPECT_EQ(disagreement({std::string("dcl_input vCoverage\n") + kFloats,
                          "utof o0.x, vCoverage.x\nmov o0.yzw, v1.yyzw\n"}),
            "");
  EXPECT_EQ(
      disagreement({kFloats,
                    "eval_snapped r0.xy, v1.xyxx, l(3,-5,0,0)\neval_snapped r0.zw, v1.xxxy, l(-8,7,0,0)\n"
                    "eval_sample_index r1.xy, v1.xyxx, l(1)\neval_centroid r1.zw, v1.xxxy\n"
                    "add o0.xyzw, r0.xyzw, r1.xyzw\n",
                    R"({"samples": 4})"}),
      "");
}

TEST(PtxMeaning, AFloorOfTheLevel) {
  for (const char* floor :
       {"l(0.0)", "l(1.5)", "l(-3.0)", "l(5.25)", "l(30.0)", "l(0x7fc00000)", "v1.x", "v1.y"}) {
    EXPECT_EQ(
        disagreement(
            {"dcl_sampler s0, mode_default\ndcl_resource_texture2d (float,float,float,float) t0\n"
             "dcl_input_ps linear v1.xy\ndcl_output o0.xyzw\ndcl_temps 1\n",
             fmt::format("sample_cl_s_indexable(texture2d)(float,float,float,float) o0.xyzw, null, v1.xyxx, "
                         "t0.xyzw, s0, {}\n",
                         floor),
             R"({"samplers": {"s0": {"filter": "trilinear", "bias": 0.75}}})"}),
        "")
        << floor;
  }
}

// The border color of an integer texture is converted to integers, with offsets known only at run time, too.
TEST(PtxMeaning, ABorderOfIntegers) {
  for (const char* type : {"uint", "sint"}) {
    for (const char* component : {"x", "y"}) {
      EXPECT_EQ(disagreement(
                    {fmt::format("dcl_sampler s0, mode_default\ndcl_resource_texture2d ({0},{0},{0},{0}) t0\n"
                                 "dcl_output o0.xyzw\ndcl_output o1.xyzw\ndcl_temps 1\n",
                                 type),
                     fmt::format("gather4_indexable(texture2d)({0},{0},{0},{0}) r0.xyzw, l(-2.0,0.5,0,0), "
                                 "t0.xyzw, s0.{1}\n{2} o0.xyzw, r0.xyzw\n"
                                 "gather4_po_indexable(texture2d)({0},{0},{0},{0}) r0.xyzw, "
                                 "l(0.5,0.5,0,0), l(-9,0,0,0), t0.xyzw, s0.{1}\n{2} o1.xyzw, r0.xyzw\n",
                                 type, component, type[0] == 'u' ? "utof" : "itof"),
                     fmt::format(R"({{"textures": {{"t0": {{"size": [4, 4], "format": "r32g32_{}"}}}},
                       "samplers": {{"s0": {{"address": "border", "border": [7.75, -5, 0, 0]}}}}}})",
                                 type)}),
                "")
          << type << component;
    }
  }
}

constexpr const char* kNoise =
    "dcl_sampler s0, {}\ndcl_resource_texture2d (float,float,float,float) t0\n"
    "dcl_input_ps linear v0.xy\ndcl_output o0.xyzw\ndcl_temps 2\n";

// A clamp beyond the last mip reads red 0, and the comparison is with that 0, not 0 itself.
TEST(PtxMeaning, AComparisonBeyondTheLastMip) {
  for (const char* scene : {R"({"samplers": {"s0": {"filter": "trilinear", "comparison": "greater"}}})",
                            R"({"samplers": {"s0": {"filter": "linear", "comparison": "less"}}})",
                            R"({"textures": {"t0": null}, "samplers": {"s0": {"comparison": "greater"}}})"}) {
    for (const char* floor : {"l(0.5)", "l(9.0)"}) {
      EXPECT_EQ(
          disagreement({fmt::format(kNoise, "mode_comparison"),
                        fmt::format("sample_c_cl_s(texture2d)(float,float,float,float) r0.x, null, v0.xyxx, "
                                    "t0.xxxx, s0, l(0.3), {}\nmov o0.xyzw, r0.xxxx\n",
                                    floor),
                        scene}),
          "")
          << scene << floor;
    }
  }
}

// A NaN level is the sampler's greatest level, also under a clamp.
TEST(PtxMeaning, ANanLevelUnderAClamp) {
  EXPECT_EQ(
      disagreement({fmt::format(kNoise, "mode_default"),
                    "lt r1.xyzw, v0.xyxy, l(100.0,100.0,100.0,100.0)\n"
                    "and r1.xyzw, r1.xyzw, l(0x7fc00000,0x7fc00000,0x7fc00000,0x7fc00000)\n"
                    "sample_d_cl_s(texture2d)(float,float,float,float) o0.xyzw, null, v0.xyxx, t0.xyzw, s0, "
                    "r1.xyzw, r1.xyzw, l(1.0)\n",
                    R"({"textures": {"t0": {"generate": "mip-colored", "size": [16, 16]}}})"}),
      "");
}

// ATOM and RED reach 512 KiB by a constant offset, LDG and STG 8 MiB, less the words of the access.
TEST(PtxMeaning, ConstantOffsetsFarIntoABuffer) {
  for (const int at : {524284, 524288, 8388592, 8388604, 8388608}) {
    const Case c = {
        "dcl_uav_raw u0\ndcl_uav_structured u1, 64\ndcl_temps 2\ndcl_thread_group 1, 1, 1\n",
        fmt::format("atomic_iadd u0, l({0}), l(3)\nimm_atomic_iadd r0.x, u0, l({0}), l(5)\n"
                    "imm_atomic_cmp_exch r0.y, u0, l({0}), l(8), l(21)\n"
                    "atomic_umax u1, l({1},{2},0,0), l(9)\n"
                    "ld_raw r1.xyzw, l({0}), u0.xyzw\nadd r1.x, r1.x, r0.x\n"
                    "add r1.x, r1.x, r0.y\nstore_raw u0.xyzw, l({0}), r1.xyzw\n",
                    at, at / 64, at % 64),
        fmt::format(
            R"({{"dispatch": [1, 1, 1], "uavs": {{"u0": {{"elements": {}}}, "u1": {{"elements": {}}}}}}})",
            at / 4 + 8, at / 64 + 1),
        "cs_5_0"};
    EXPECT_EQ(disagreement(c), "") << at;
    EXPECT_EQ(disagreement(c, Route::dksh), "") << at;
  }
}

// Inside a branch, so that all possible registers are passed.
TEST(PtxMeaning, OutputsOfARunTimeNumber) {
  const Case c = {
      "dcl_input_ps linear v1.xy\ndcl_output o0.xy\ndcl_output o1.xy\ndcl_output o2.xy\n"
      "dcl_indexrange o0.xy 3\ndcl_temps 2\n",
      "mul r0.xy, v1.xyxx, l(3.0,2.0,0,0)\nftou r0.xy, r0.xyxx\nmov o0.xy, v1.xyxx\nmov o1.xy, v1.yxyy\n"
      "mov o2.xy, v1.xxxx\nif_nz r0.y\nmov o[r0.x + 0].xy, l(7.0,8.0,0,0)\nendif\n"};
  EXPECT_EQ(disagreement(c), "");
  EXPECT_EQ(disagreement(c, Route::dksh), "");
}

TEST(DkshMeaning, ResidencyOfTexturesAndBuffers) {
  EXPECT_EQ(
      disagreement({"dcl_sampler s0, mode_default\ndcl_resource_texture2d (float,float,float,float) t0\n"
                    "dcl_resource_raw t1\ndcl_input_ps linear v1.xy\ndcl_output o0.xyzw\ndcl_temps 4\n",
                    "sample_l_s_indexable(texture2d)(float,float,float,float) r0.xyzw, r1.x, v1.xyxx, "
                    "t0.xyzw, s0, l(0.0)\nftou r2.xy, v1.xyxx\nmov r2.zw, l(0,0,0,0)\n"
                    "ld_s_indexable(texture2d)(float,float,float,float) r2.x, r1.y, r2.xyzw, t0.xyzw\n"
                    "ld_raw_s_indexable(raw_buffer)(mixed,mixed,mixed,mixed) r3.x, r1.z, l(4), t1.x\n"
                    "check_access_fully_mapped r1.x, r1.x\ncheck_access_fully_mapped r1.y, r1.y\n"
                    "check_access_fully_mapped r1.z, r1.z\nand o0.x, r0.x, r1.x\nand o0.y, r2.x, r1.y\n"
                    "and o0.z, r3.x, r1.z\nmov o0.w, r0.w\n"},
                   Route::dksh),
      "");
}

TEST(PtxMeaning, OrderedViewsInOneLaunch) {
  EXPECT_EQ(
      disagreement(
          {"dcl_uav_typed_texture2d_rov (uint,uint,uint,uint) u1\ndcl_input_ps_siv linear noperspective "
           "v0.xy, position\ndcl_output o0.x\ndcl_temps 2\n",
           "ftou r0.xyzw, v0.xyyy\n"
           "ld_uav_typed_indexable(texture2d)(uint,uint,uint,uint) r1.x, r0.xyyy, u1.xyzw\n"
           "iadd r1.x, r1.x, r0.x\nstore_uav_typed u1.xyzw, r0.xyyy, r1.xxxx\nmov o0.x, l(0)\n"}),
      "");
}

}  // namespace
}  // namespace texlate::executor
