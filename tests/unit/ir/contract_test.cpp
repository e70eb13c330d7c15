// verify_contract: what a module from text must keep to before it is legalized. Each of these modules obeys
// the rules of the IR, but some target would translate it to code that is wrong or invalid, or would crash.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/ir_text.h"

namespace texlate::ir {
namespace {

using testing::HasSubstr;

std::string verdict(std::string_view stage, std::string_view declarations, std::string_view body) {
  Module module;
  parse_or_fail("module " + std::string(stage) + " 5.0 \"main\"\n" + std::string(declarations) + "code {\n" +
                    std::string(body) + "}\n",
                module);
  verify_or_fail(module);
  Diagnostics diagnostics;
  return verify_contract(module, diagnostics) ? "good" : to_text(diagnostics);
}

std::string pixel(std::string_view declarations, std::string_view body) {
  return verdict("pixel", declarations, body);
}
std::string compute(std::string_view declarations, std::string_view body = {}) {
  return verdict("compute", declarations, body);
}

/// The errors of a text, located in it.
std::string located(std::string_view text) {
  Module module;
  Diagnostics diagnostics;
  std::pmr::vector<DeclarationPlace> declarations;
  EXPECT_TRUE(parse(text, module, diagnostics, Lines::of_text, &declarations)) << text;
  verify_or_fail(module);
  std::string all;
  if (verify_contract(module, diagnostics, declarations)) return "good";
  for (const Diagnostic& diagnostic : diagnostics.list()) {
    all += std::to_string(diagnostic.location.line) + ':' + std::to_string(diagnostic.location.column) + ' ' +
           std::string(diagnostic.message.substr(0, diagnostic.message.find(']') + 1)) + '\n';
  }
  return all;
}

TEST(Contract, ErrorsAboutDeclarationsNameTheirLine) {
  const std::string code = "code {\n  return\n}\n";
  EXPECT_EQ(
      located(
          "module pixel 5.0 \"main\"\nresource t0 structured_buffer mixed stride(4)\nuav u0 raw_buffer "
          "mixed\n"
          "  uav u1 structured_buffer mixed stride(3)\nresource t2 structured_buffer mixed stride(0)\n"
          "sampler s0 registers(4, 3)\nconstant_buffer cb0 rows(1)\n"
          "constant_buffer cb1 rows(1) registers(2, 1)\ninput v31.x\ninput v32.x\noutput o0.x\noutput o40.x\n"
          "local x0 rows(4000) components(4)\nlocal x1 rows(97) components(4)\n" +
          code),
      "14:1 [local]\n4:3 [stride]\n5:1 [stride]\n6:1 [registers]\n8:1 [registers]\n10:1 [register]\n12:1 "
      "[register]\n");
  EXPECT_EQ(located("module compute 5.0 \"main\"\nthread_group 64 64 1\nshared g0 bytes(32768) stride(0)\n"
                    "shared g1 bytes(4) stride(0)\noutput o0.x\n" +
                    code),
            "2:1 [thread_group]\n4:1 [shared]\n5:1 [stage]\n");
  EXPECT_EQ(located("module geometry 5.0 \"main\"\nmax_vertex_count 4\ngs_instances 33\n" + code),
            "3:1 [limit]\n");
}

TEST(Contract, WhatTheFrontEndMakesPasses) {
  EXPECT_EQ(
      pixel(
          "resource t0 texture2d float\nresource t1 texture2dms float samples(4)\nresource t2 buffer float\n"
          "sampler s0\nsampler s1 comparison\nconstant_buffer cb0 rows(4) registers(0, 7)\ninput v31.xy\n"
          "output o7.xyzw\noutput depth.x\nlocal x0 rows(4096) components(2)\n",
          "  %0 = input v31.x\n  %1..%4 = tex.sample t0 s0 texture2d float coord(%0, %0) implicit\n"
          "  %5..%8 = tex.sample t0 s1 texture2d float coord(%0, %0) level_zero compare(%0)\n"
          "  %9..%12 = tex.fetch t1 texture2dms float coord(1, 2) sample(3)\n"
          "  %13..%16 = tex.fetch t2 buffer float coord(1)\n"
          "  %17..%20 = tex.size t0 texture2d float level(0)\n"
          "  %21..%22 = tex.lod t0 s0 texture2d float coord(%0, %0) implicit\n"
          "  %23..%26 = cb.load cb0[1] index(%17)\n  local.store x0[0].y, %23\n  %27 = ddx.fine %0\n"
          "  discard true\n  barrier uav_global\n  output o7.x, %27\n  output depth.x, %1\n  return\n"),
      "good");
  EXPECT_EQ(
      compute("thread_group 32 32 1\nuav u0 structured_buffer mixed stride(2048)\nshared g0 bytes(32768) "
              "stride(0)\n",
              "  shared.store g0[0], 1\n  barrier threads shared\n  %0 = counter u0 structured_buffer mixed "
              "counter(alloc)\n  buf.store u0 structured_buffer mixed coord(%0) byte_offset(0) value(1, 2) "
              "mask(3)\n  return\n"),
      "good");
}

TEST(Contract, NothingThatOnlyLegalizationAdds) {
  EXPECT_EQ(
      compute("uav u0 raw_buffer mixed\n",
              "  buf.store u0 raw_buffer mixed guard(true) coord(0) value(1) mask(1)   ; line 9\n"),
      "ir:9:0: error: [guard] buf.store (instruction 0): legalization adds guards; the module must have "
      "none\n");
  const char* const kMemory =
      "constant_buffer cb0 rows(4)\nlocal x0 rows(4) components(4)\nshared g0 bytes(64) stride(0)\ntable "
      "table0\nrow "
      "1, 2, 3, 4\n";
  for (const char* const access :
       {"%0..%3 = cb.load cb0[0] guard(true)", "%0 = local.load x0[0].x guard(true)",
        "local.store x0[0].x guard(true), 1", "%0 = shared.load g0[0] guard(true)",
        "%0 = shared.atomic add g0[0] guard(true), 1", "%0..%3 = table.load table0[0] guard(true)"}) {
    EXPECT_THAT(compute(kMemory, std::string("  ") + access + "\n"), HasSubstr("[guard]")) << access;
  }
  EXPECT_THAT(
      pixel("resource t0 texture2darray float\n",
            "  %0..%3 = tex.fetch t0 texture2darray float coord(1, 2) layer(9) level(0) integer_layer\n"),
      HasSubstr("[layer] tex.fetch (instruction 0)"));
  EXPECT_THAT(pixel("resource t0 texture1d float\n",
                    "  %0..%3 = tex.fetch t0 texture2d float coord(1, 2) level(0)\n"),
              HasSubstr("[dimension] tex.fetch (instruction 0): texture2d, but the resource is a texture1d"));
  EXPECT_THAT(pixel("resource t0 texturecube float\n",
                    "  %0..%3 = tex.fetch t0 texturecube float coord(1, 2, 3) level(0)\n"),
              HasSubstr("not for texturecube"));
  EXPECT_THAT(
      compute("uav u0 texture2d float\n", "  %0..%3 = surf.load u0 texture2d none coord(1, 2) mask(1)\n"),
      HasSubstr("[type] surf.load"));
}

TEST(Contract, LevelsAndComparisons) {
  const char* const kTextures =
      "resource t0 texture2d float\nresource t1 texture3d float\nresource t2 texture2d uint\nresource t3 "
      "buffer "
      "float\nresource t4 texture2dms float\nsampler s0 comparison\n";
  EXPECT_THAT(pixel(kTextures, "  %0..%3 = tex.size t0 texture2d float\n"), HasSubstr("[level] tex.size"));
  EXPECT_THAT(pixel(kTextures, "  %0..%3 = tex.fetch t0 texture2d float coord(1, 2)\n"),
              HasSubstr("needs a level"));
  EXPECT_THAT(pixel(kTextures, "  %0..%3 = tex.fetch t3 buffer float coord(1) level(0)\n"),
              HasSubstr("buffer has no levels"));
  EXPECT_THAT(pixel(kTextures, "  %0..%3 = tex.fetch t4 texture2dms float coord(1, 2) sample(0) level(0)\n"),
              HasSubstr("texture2dms has no levels"));
  EXPECT_THAT(pixel(kTextures, "  %0..%1 = tex.lod t0 s0 texture2d float coord(1, 2)\n"),
              HasSubstr("needs `implicit`"));
  EXPECT_THAT(pixel(kTextures,
                    "  %0..%3 = tex.sample t1 s0 texture3d float coord(1, 2, 3) level_zero compare(1.0f)\n"),
              HasSubstr("[compare] tex.sample"));
  EXPECT_THAT(
      pixel(kTextures, "  %0..%3 = tex.sample t2 s0 texture2d uint coord(1, 2) level_zero compare(1.0f)\n"),
      HasSubstr("[compare] tex.sample"));
}

TEST(Contract, Stages) {
  const char* const kTexture = "resource t0 texture2d float\nsampler s0\n";
  EXPECT_THAT(
      verdict("vertex", kTexture, "  %0..%3 = tex.sample t0 s0 texture2d float coord(1, 2) implicit\n"),
      HasSubstr("only pixel shaders"));
  EXPECT_EQ(verdict("vertex", kTexture, "  %0..%3 = tex.sample t0 s0 texture2d float coord(1, 2) level(0)\n"),
            "good");
  EXPECT_THAT(compute("", "  %0 = ddy.coarse 1\n"), HasSubstr("[stage] ddy.coarse (instruction 0)"));
  EXPECT_THAT(verdict("vertex", "", "  discard true\n"), HasSubstr("only pixel shaders"));
  EXPECT_THAT(pixel("", "  emit 0\n"), HasSubstr("only geometry shaders"));
  EXPECT_THAT(verdict("geometry", "", "  cut 4\n"), HasSubstr("stream 4 is beyond m3"));
  EXPECT_THAT(pixel("", "  barrier threads\n"), HasSubstr("only compute shaders"));
  EXPECT_THAT(pixel("shared g0 bytes(4) stride(0)\n", "  shared.store g0[0], 1\n"),
              HasSubstr("only compute shaders"));
  EXPECT_THAT(pixel("phase 0 fork instances(1)\n", "  phase 0\n"), HasSubstr("only hull shaders"));
  EXPECT_THAT(pixel("", "  %0 = vocp.input vocp0.x vertex(0)\n"), HasSubstr("only hull shaders"));
  EXPECT_THAT(pixel("", "  %0 = patch.input vpc0.x\n"), HasSubstr("only hull and domain shaders"));
  EXPECT_THAT(compute("", "  %0 = sysval coverage.x\n"),
              HasSubstr("[stage] sysval (instruction 0): only pixel shaders have this operation"));
  EXPECT_THAT(pixel("", "  %0 = sysval thread_id.x\n"), HasSubstr("only compute shaders"));
  EXPECT_EQ(pixel("", "  %0 = sysval coverage.x\n"), "good");
}

TEST(Contract, Phases) {
  const auto hull = [](std::string_view body) {
    return verdict("hull",
                   "output o0.x\npatch_constant p0.x\nphase 0 control_point instances(1)\nphase 1 fork "
                   "instances(2)\nphase 2 control_point instances(1)\n",
                   body);
  };
  EXPECT_EQ(hull("  phase 0\n  output o0.x, 1\n  return\n  phase 1\n  patch.output p0.x, 1\n  return\n"),
            "good");
  EXPECT_THAT(hull("  phase 1\n  return\n"), HasSubstr("[phase] phase (instruction 0): phases follow"));
  EXPECT_THAT(hull("  phase 0\n  return\n  phase 1\n  return\n  phase 1\n  return\n"),
              HasSubstr("[phase] phase (instruction 4)"));
  EXPECT_THAT(hull("  phase 0\n  return\n  phase 1\n  return\n  phase 2\n  return\n"),
              HasSubstr("[phase] phase (instruction 4)"));
  EXPECT_THAT(verdict("hull", "output o0.x\n", "  output o0.x, 1\n"), HasSubstr("must be in phases"));
}

TEST(Contract, Registers) {
  EXPECT_THAT(pixel("input v3.x\n", "  %0 = input v4.x\n"),
              HasSubstr("[register] input (instruction 0): the register is not declared"));
  EXPECT_THAT(pixel("", "  %0 = input v0.x index(1)\n"), HasSubstr("not declared"));
  EXPECT_EQ(pixel("input v3.x\n", "  %0 = input v0.x index(1)\n"), "good");
  EXPECT_THAT(pixel("input v3.x\n", "  %0 = eval.centroid v2.x\n"), HasSubstr("not declared"));
  EXPECT_THAT(pixel("input v32.x\n", ""), HasSubstr("[register] v32 is beyond v31"));
  EXPECT_THAT(pixel("output o300.x\n", ""), HasSubstr("[register] o300 is beyond o31"));
  EXPECT_THAT(compute("output o0.x\n"), HasSubstr("neither v# nor o#"));
  EXPECT_THAT(compute("local x0 rows(4) components(1)\n", "  %0 = local.load x0[0].y\n"),
              HasSubstr("x0 has only 1 components"));
  EXPECT_THAT(compute("constant_buffer cb0 rows(4)\n", "  %0..%3 = cb.load cb0[0] index(1)\n"),
              HasSubstr("an index into a single register"));
  EXPECT_THAT(compute("resource t0 texture2d float\n", "  %0 = binding t0.width index(1)\n"),
              HasSubstr("an index into a single register"));
}

TEST(Contract, Nesting) {
  const auto nested = [](int depth) {
    std::string text;
    for (int i = 0; i < depth; ++i) text += "  if true\n";
    for (int i = 0; i < depth; ++i) text += "  else\n  endif\n";
    return text;
  };
  EXPECT_EQ(pixel("", nested(4096)), "good");
  EXPECT_THAT(pixel("", nested(4097)),
              HasSubstr("[structure] if (instruction 4096): constructs are nested more than 4096 deep"));
}

TEST(Contract, Declarations) {
  EXPECT_THAT(compute("thread_group 0 1 1\n"), HasSubstr("[thread_group] a group has 1 to 1024 threads"));
  EXPECT_THAT(compute("thread_group 4294967295 4294967295 4294967295\n"), HasSubstr("[thread_group]"));
  EXPECT_THAT(compute("thread_group 65536 65536 1\n"), HasSubstr("[thread_group]"));
  EXPECT_THAT(compute("local x0 rows(4097) components(4)\n"), HasSubstr("x# have 4097 rows in all"));
  EXPECT_THAT(compute("local x0 rows(1) components(9)\n"), HasSubstr("x# have 1 to 4 components, not 9"));
  EXPECT_THAT(compute("shared g0 bytes(4294967295) stride(0)\n"), HasSubstr("g# have 4294967295 bytes"));
  EXPECT_THAT(compute("uav u2 structured_buffer mixed stride(6)\n"),
              HasSubstr("u2: stride 6 is not a multiple"));
  EXPECT_THAT(compute("resource t0 texture2d none\n"), HasSubstr("t0 has no component type"));
  EXPECT_THAT(compute("sampler s0 registers(9, 2)\n"),
              HasSubstr("s0 ends at register 2, before its first register 9"));
  EXPECT_THAT(verdict("geometry", "output o0.x stream(4)\n", ""), HasSubstr("stream 4 is beyond m3"));
  EXPECT_THAT(verdict("geometry", "max_vertex_count 1025\n", ""),
              HasSubstr("[limit] max_vertex_count 1025: Direct3D allows 1024"));
  EXPECT_THAT(verdict("hull", "output_control_points 33\n", ""),
              HasSubstr("[limit] output_control_points 33"));
}

}  // namespace
}  // namespace texlate::ir
