// Geometry, hull and domain shaders as deko3d programs on the Maxwell machine, beside the interpreter. The
// machine reports whatever the programs rely on that no document specifies.
#include <gtest/gtest.h>

#include <map>

#include "backend/maxwell/graphics/program.h"
#include "sim/scene/random_scene.h"
#include "tests/unit/executor/dksh_subject.h"
#include "tools/executor/dksh_primitives.h"

namespace texlate::executor {
namespace {

/// Both routes over random scenes: no fault, no difference, and something to compare.
void expect_random_agreement(const std::string& source, uint32_t scenes = 4) {
  Subject run;
  ASSERT_TRUE(load_shader(source, run.shader, kBoth, run.diagnostics)) << run.fail() << source;
  uint64_t elements = 0;
  for (uint64_t seed = 1; seed <= scenes; ++seed) {
    const std::string text = sim::random_scene(run.shader.contract, seed, {.all_bound = true});
    run.scene = sim::Scene::make(text, ".", run.shader.contract, run.diagnostics);
    ASSERT_NE(run.scene, nullptr) << text;
    RouteResult ir, dksh;
    ASSERT_TRUE(run_route(Route::ir, run.shader, *run.scene, {}, ir, run.diagnostics));
    ASSERT_TRUE(run_route(Route::dksh, run.shader, *run.scene, {}, dksh, run.diagnostics))
        << run.fail() << source;
    EXPECT_EQ(dksh.trouble, "") << source;
    const Comparison comparison = compare_outputs(run.shader, *run.scene, ir, dksh);
    EXPECT_TRUE(comparison.equal()) << comparison.first << "\n" << comparison.worst << "\n" << source;
    elements += comparison.elements;
  }
  EXPECT_NE(elements, 0u) << source;
}

std::string geometry(const std::string& head, const std::string& code) {
  return "gs_5_0\n" + head + "dcl_temps 4\n" + code + "ret\n";
}

const std::string kTriangles = "dcl_input v[3][0].xyzw\ndcl_input v[3][1].xy\ndcl_inputprimitive triangle\n";
const std::string kStrips = "dcl_stream m0\ndcl_outputtopology trianglestrip\n";
const std::string kPoints = "dcl_stream m0\ndcl_outputtopology pointlist\n";

TEST(DkshGeometry, EmptyStripsCutAndEmissionsBeyondTheCountVanish) {
  expect_random_agreement(geometry(kTriangles + kStrips + "dcl_output o0.xyzw\ndcl_maxout 3\n",
                                   "cut_stream m0\ncut_stream m0\nmov o0.xyzw, v[0][0].xyzw\nemit_stream m0\n"
                                   "mov o0.xyzw, v[1][0].xyzw\nemit_then_cut_stream m0\ncut_stream m0\n"
                                   "mov o0.xyzw, v[2][0].xyzw\nemit_stream m0\nmov o0.xyzw, v[0][0].wzyx\n"
                                   "emit_stream m0\ncut_stream m0\n"));
}

TEST(DkshGeometry, NothingIsEmittedAndReturnsAreEarly) {
  expect_random_agreement(
      geometry(kTriangles + kStrips + "dcl_output o0.x\ndcl_maxout 1\n", "mov r0.x, v[0][0].x\n"));
  expect_random_agreement(
      geometry(kTriangles + kStrips + "dcl_output o0.xy\ndcl_maxout 8\n",
               "lt r0.x, v[0][0].x, l(0.5)\nif_nz r0.x\nmov o0.xy, v[0][0].xyxx\nemit_stream m0\nret\n"
               "endif\nmov r1.x, l(0)\nloop\nige r0.y, r1.x, l(6)\nif_nz r0.y\nret\nendif\n"
               "mov o0.x, r1.x\nmov o0.y, v[1][1].x\nemit_stream m0\niadd r1.x, r1.x, l(1)\nendloop\n"));
}

TEST(DkshGeometry, FourStreamsOfPoints) {
  std::string head = "dcl_input v[1][0].xyzw\ndcl_input vPrim\ndcl_inputprimitive point\n", code;
  for (const char* stream : {"0", "1", "2", "3"}) {
    head += std::string("dcl_stream m") + stream + "\ndcl_outputtopology pointlist\ndcl_output o" + stream +
            ".xyzw\n";
    code += std::string("mov o") + stream + ".xyz, v[0][0].xyzx\nutof o" + stream +
            ".w, vPrim.x\nemit_stream m" + stream + "\nif_nz v[0][0].w\nmov o" + stream +
            ".xyzw, v[0][0].wwww\nemit_then_cut_stream m" + stream + "\nendif\n";
  }
  expect_random_agreement(geometry(head + "dcl_maxout 7\n", code));
}

TEST(DkshGeometry, ThirtyTwoInstances) {
  expect_random_agreement(geometry(
      kTriangles + "dcl_input vGSInstanceID\ndcl_gs_instance_count 32\n" + kStrips +
          "dcl_output o0.xyz\ndcl_maxout 2\n",
      "mov o0.x, vGSInstanceID.x\nmov o0.yz, v[1][1].xxyx\nemit_stream m0\n"
      "ieq r0.x, vGSInstanceID.x, l(31)\nif_nz r0.x\nmov o0.xyz, v[2][0].xyzx\nemit_stream m0\nendif\n"));
}

TEST(DkshGeometry, VerticesAndRegistersByRunTimeNumbers) {
  const std::string head =
      "dcl_input_siv v[6][0].xyzw, position\ndcl_input v[6][1].xy\ndcl_input v[6][2].xy\n"
      "dcl_inputprimitive triangleadj\ndcl_indexrange v[0][1].xy 2\n";
  // The vertex is in range; the register is one of two.
  expect_random_agreement(
      geometry(head + kPoints + "dcl_output o0.xyzw\ndcl_maxout 6\n",
               "mov r1.x, l(0)\nloop\nige r0.x, r1.x, l(6)\nbreakc_nz r0.x\nand r1.y, r1.x, l(1)\n"
               "mov o0.xy, v[r1.x + 0][r1.y + 1].xyxx\nmov o0.zw, v[r1.x + 0][0].xxxw\nemit_stream m0\n"
               "iadd r1.x, r1.x, l(1)\nendloop\n"));
}

TEST(DkshGeometry, ARegisterOutOfRangeIsADeclaredOne) {
  Subject run;
  ASSERT_TRUE(
      run.run(geometry("dcl_input v[1][0].xy\ndcl_input v[1][1].xy\ndcl_indexrange v[0][0].xy 2\n"
                       "dcl_inputprimitive point\n" +
                           kPoints + "dcl_output o0.x\ndcl_maxout 1\n",
                       "mov r0.x, l(100)\niadd r0.x, r0.x, v[0][1].x\nmov o0.x, v[0][r0.x + 0].x\n"
                       "emit_stream m0\n")));
  EXPECT_EQ(run.dksh.trouble, "");
}

TEST(DkshGeometry, AVertexOutOfRangeDoesNotLeaveThePrimitive) {
  // The value is undefined in Direct3D; the machine reports what another primitive's would be.
  Subject run;
  ASSERT_TRUE(run.run(geometry(
      kTriangles + kPoints + "dcl_output o0.x\ndcl_maxout 1\n",
      "mov r0.x, l(100)\niadd r0.x, r0.x, v[0][1].x\nmov o0.x, v[r0.x + 0][0].x\nemit_stream m0\n")));
  EXPECT_EQ(run.dksh.trouble, "");
}

TEST(DkshGeometry, ThousandAndTwentyFourWords) {
  expect_random_agreement(
      geometry("dcl_input v[1][0].xyzw\ndcl_inputprimitive point\n" + kPoints +
                   "dcl_output o0.xyzw\ndcl_maxout 256\n",
               "mov r0.x, l(0)\nloop\nige r0.y, r0.x, l(256)\nbreakc_nz r0.y\nmov o0.xyz, v[0][0].xyzx\n"
               "utof o0.w, r0.x\nemit_stream m0\niadd r0.x, r0.x, l(1)\nendloop\n"),
      1);
}

TEST(DkshGeometry, SystemValuesGoToTheRasterizer) {
  expect_random_agreement(geometry(
      "dcl_input_siv v[3][0].xyzw, position\ndcl_input_siv v[3][1].xy, clip_distance\ndcl_input vPrim\n"
      "dcl_inputprimitive triangle\n" +
          kStrips +
          "dcl_output_siv o0.xyzw, position\ndcl_output_siv o1.x, rendertarget_array_index\n"
          "dcl_output_siv o1.y, viewport_array_index\ndcl_output_sgv o1.z, primitive_id\n"
          "dcl_output_siv o2.xy, clip_distance\ndcl_maxout 3\n",
      "mov o0.xyzw, v[2][0].xyzw\nmov o1.xyz, vPrim.xxxx\nmov o2.xy, v[1][1].yxyy\nemit_stream m0\n"));
}

// ---- hull

std::string hull(const std::string& points, const std::string& head, const std::string& phases) {
  return "hs_5_0\nhs_decls\ndcl_input_control_point_count " + points + "\ndcl_output_control_point_count " +
         points +
         "\ndcl_tessellator_domain domain_tri\ndcl_tessellator_partitioning partitioning_integer\n"
         "dcl_tessellator_output_primitive output_triangle_cw\n" +
         head + phases;
}

std::string copy_points(const std::string& points) {
  return "hs_control_point_phase\ndcl_input vOutputControlPointID\ndcl_input v[" + points +
         "][0].xyzw\ndcl_output o0.xyzw\ndcl_temps 1\nmov r0.x, vOutputControlPointID\nmov o0.xyzw, v[r0.x + "
         "0][0].xyzw\nret\n";
}

const std::string kFactors =
    "dcl_output_siv o0.x, finalTriUeq0EdgeTessFactor\ndcl_output_siv o1.x, finalTriVeq0EdgeTessFactor\n"
    "dcl_output_siv o2.x, finalTriWeq0EdgeTessFactor\ndcl_output_siv o3.x, finalTriInsideTessFactor\n";

std::string fork(const std::string& instances, const std::string& head, const std::string& code) {
  return "hs_fork_phase\ndcl_hs_fork_phase_instance_count " + instances + "\ndcl_input vForkInstanceID\n" +
         head + "dcl_temps 4\n" + code + "ret\n";
}

TEST(DkshHull, EachNumberOfControlPoints) {
  for (const char* points : {"1", "2", "3", "5", "16", "31", "32"}) {
    expect_random_agreement(
        hull(points, "",
             copy_points(points) + fork("1", kFactors,
                                        "mov o0.x, l(1.0)\nmov o1.x, l(0)\nmov o2.x, l(-1.0)\n"
                                        "mov o3.x, l(64.0)\n")),
        2);
  }
}

TEST(DkshHull, ForkPhasesOfOneAndOfNinetyNineInstances) {
  for (const char* instances : {"1", "2", "99"}) {
    expect_random_agreement(
        hull("4", "",
             copy_points("4") +
                 fork("4", kFactors + "dcl_indexrange o0.x 4\ndcl_input vocp[4][0].xyzw\n",
                      "mov r0.x, vForkInstanceID\nmov r0.y, vocp[r0.x + 0][0].y\n"
                      "mov o[r0.x + 0].x, r0.y\n") +
                 fork(instances, "dcl_output o4.xyzw\n",
                      "mov r0.x, vForkInstanceID\nieq r0.y, r0.x, l(98)\nif_nz r0.y\nmov o4.x, r0.x\nendif\n"
                      "if_z r0.x\nmov o4.yz, r0.xxxx\nret\nendif\nmov o4.w, l(3)\n")));
  }
}

TEST(DkshHull, PhasesReadWhatEarlierOnesWrote) {
  expect_random_agreement(hull(
      "3", "",
      copy_points("3") +
          fork("1", kFactors + "dcl_input vPrim\n",
               "utof o0.x, vPrim\nmov o1.x, l(2.0)\nmov o2.x, l(3.0)\nmov o3.x, l(4.0)\n") +
          fork(
              "3",
              "dcl_output o4.x\ndcl_output o5.x\ndcl_output o6.x\ndcl_indexrange o4.x 3\ndcl_input "
              "vicp[3][0].xyzw\n",
              "mov r0.x, vForkInstanceID\nadd r0.y, vicp[r0.x + 0][0].x, l(1.0)\nmov o[r0.x + 4].x, r0.y\n") +
          "hs_join_phase\ndcl_hs_join_phase_instance_count 2\ndcl_input vJoinInstanceID\ndcl_input "
          "vpc4.x\ndcl_input vpc5.x\n"
          "dcl_input vpc6.x\ndcl_input vpc0.x\ndcl_indexrange vpc4.x 3\ndcl_output o7.x\ndcl_output o8.x\n"
          "dcl_indexrange o7.x 2\ndcl_temps 2\nmov r0.x, vJoinInstanceID\nadd r0.y, vpc[r0.x + 5].x, vpc0.x\n"
          "mov o[r0.x + 7].x, r0.y\nret\n"));
}

TEST(DkshHull, RegistersOfControlPointsByRunTimeNumbers) {
  const std::string points =
      "hs_control_point_phase\ndcl_input vOutputControlPointID\ndcl_input v[2][0].xyzw\n"
      "dcl_output o0.xy\ndcl_output o1.xy\ndcl_temps 1\nmov r0.x, vOutputControlPointID\n"
      "mov o0.xy, v[r0.x + 0][0].xyxx\nmov o1.xy, v[r0.x + 0][0].zwzz\nret\n";
  expect_random_agreement(hull(
      "2", "",
      points +
          fork("1", kFactors, "mov o0.x, l(1.0)\nmov o1.x, l(1.0)\nmov o2.x, l(1.0)\nmov o3.x, l(1.0)\n") +
          fork("2",
               "dcl_input vocp[2][0].xy\ndcl_input vocp[2][1].xy\ndcl_indexrange vocp[2][0].xy 2\n"
               "dcl_output o4.xy\ndcl_output o5.xy\ndcl_indexrange o4.xy 2\n",
               "mov r0.x, vForkInstanceID\nmov o[r0.x + 4].xy, vocp[1][r0.x + 0].yxyy\n")));
}

TEST(DkshHull, AControlPointOutOfRangeIsOneOfThePatch) {
  Subject run;
  ASSERT_TRUE(run.run(hull(
      "3", "",
      copy_points("3") + fork("1", kFactors + "dcl_input vocp[3][0].xyzw\ndcl_input vicp[3][0].xyzw\n",
                              "mov r0.x, l(77)\nadd r0.x, r0.x, vicp[0][0].x\nmov o0.x, vocp[r0.x + 0][0].x\n"
                              "mov o1.x, vicp[r0.x + 0][0].x\nmov o2.x, l(0)\nmov o3.x, l(0)\n"))));
  EXPECT_EQ(run.dksh.trouble, "");
}

TEST(DkshHull, FactorsKeepTheirBits) {
  // A signalling NaN, -0, a denormal number.
  expect_random_agreement(hull(
      "1",
      "dcl_immediateConstantBuffer { { 1.0, 2.0, 3.0, 4.0} }\ndcl_constantbuffer cb0[1], immediateIndexed\n",
      copy_points("1") + fork("1", kFactors,
                              "mov o0.x, cb0[0].x\nmov o1.x, l(0x7fa00001)\n"
                              "mov o2.x, l(0x80000000)\nmov o3.x, l(0x00000001)\n")));
}

// Registers 30 and 31 lie where the others leave room, for the hull shader as for the domain shader.
TEST(DkshHull, PatchConstantsBeyondThirtyTakeFreeWords) {
  const std::string source = hull(
      "1", "",
      copy_points("1") +
          fork("2",
               kFactors + "dcl_output o0.w\ndcl_output o29.xy\ndcl_output o30.xw\ndcl_output o31.xyzw\n"
                          "dcl_indexrange o29.x 3\n",
               "mov o0.x, l(1.0)\nmov o1.x, l(1.0)\nmov o2.x, l(1.0)\nmov o3.x, l(1.0)\nmov o0.w, l(2.0)\n"
               "mov o29.y, l(3.0)\nmov r0.x, vForkInstanceID\nmov o[r0.x + 29].x, l(4.0)\nmov o30.w, l(5.0)\n"
               "mov o31.xyzw, l(6.0, 7.0, 8.0, 9.0)\n"));
  expect_random_agreement(source);
  Subject run;
  ASSERT_TRUE(load_shader(source, run.shader, kBoth, run.diagnostics)) << run.fail();
  DkshShader program;
  ASSERT_TRUE(make_dksh(run.shader.legal_dksh, program, run.diagnostics));
  const maxwell::graphics::HullFacts facts = maxwell::graphics::facts_of(run.shader.legal_dksh);
  // 0x20 to 0x2b: the factor's register, but for w, which is declared.
  std::map<std::pair<uint32_t, uint32_t>, uint32_t> places;
  const auto list = [](const DkshShader& of, const ir::Module& module, auto& to) {
    for (size_t i = 0; i < module.patch_constants.size(); ++i) {
      const ir::Parameter& constant = module.patch_constants[i];
      for (uint32_t c = 0; c < 4; ++c) {
        if (((constant.mask >> c) & 1) != 0) to[{constant.reg, c}] = of.layout().patch_constants[i][c];
      }
    }
  };
  list(program, run.shader.legal_dksh, places);
  EXPECT_EQ((places[{30, 0}]), 0x020u);
  EXPECT_EQ((places[{30, 3}]), 0x024u);
  EXPECT_EQ((places[{31, 0}]), 0x028u);
  EXPECT_EQ((places[{31, 1}]), 0x030u);
  Subject domain;
  ASSERT_TRUE(
      load_shader("ds_5_0\ndcl_input_control_point_count 1\ndcl_tessellator_domain domain_tri\n"
                  "dcl_input vpc5.x\ndcl_input vpc30.w\ndcl_input vpc31.xyz\ndcl_output o0.xyzw\n"
                  "mov o0.x, vpc30.w\nmov o0.yzw, vpc31.xxyz\nret\n",
                  domain.shader, kBoth, domain.diagnostics));
  DkshShader reader;
  ASSERT_TRUE(make_dksh(domain.shader.legal_dksh, reader, domain.diagnostics, &facts)) << domain.fail();
  std::map<std::pair<uint32_t, uint32_t>, uint32_t> read;
  list(reader, domain.shader.legal_dksh, read);
  for (const auto& [component, address] : read) {
    if (component.first < 30) continue;
    EXPECT_EQ(address, places[component]) << component.first << component.second;
  }
}

TEST(DkshHull, MoreThanAHundredAndTwentyWordsBesidesFactorsAreRefused) {
  std::string outputs =
      kFactors + "dcl_output o0.yzw\ndcl_output o1.yzw\ndcl_output o2.yzw\ndcl_output o3.yzw\n";
  for (uint32_t reg = 4; reg < 31; ++reg) outputs += "dcl_output o" + std::to_string(reg) + ".xyzw\n";
  const auto emitted = [&](const std::string& last) {
    Subject run;
    EXPECT_TRUE(load_shader(
        hull("1", "",
             copy_points("1") +
                 fork("1", outputs + last, "mov o0.xyzw, l(1.0,1.0,1.0,1.0)\nmov o31.x, l(1.0)\n")),
        run.shader, kBoth, run.diagnostics));
    DkshShader program;
    const bool good = make_dksh(run.shader.legal_dksh, program, run.diagnostics);
    return good ? std::string() : std::string(run.diagnostics.list().back().message);
  };
  EXPECT_EQ(emitted("dcl_output o31.x\n"),
            "the patch constants need 121 words besides the tessellation "
            "factors, but a patch of a dksh program has only 120");
}

// ---- domain

std::string domain(const std::string& kind, const std::string& head, const std::string& code) {
  return "ds_5_0\ndcl_input_control_point_count 3\ndcl_tessellator_domain domain_" + kind + "\n" + head +
         "dcl_temps 4\n" + code + "ret\n";
}

TEST(DkshDomain, EachDomain) {
  expect_random_agreement(domain("tri", "dcl_input vDomain.xyz\ndcl_output o0.xyzw\n",
                                 "mov o0.xyz, vDomain.xyzx\nmov o0.w, l(1.0)\n"));
  for (const char* kind : {"quad", "isoline"})
    expect_random_agreement(domain(kind, "dcl_input vDomain.xy\ndcl_output o0.xyzw\n",
                                   "mov o0.xy, vDomain.yxyy\nmov o0.zw, l(1.0)\n"));
}

TEST(DkshDomain, ControlPointsAndConstantsByRunTimeNumbers) {
  expect_random_agreement(domain(
      "quad",
      "dcl_input vDomain.xy\ndcl_input vPrim\ndcl_input vcp[3][0].xyzw\ndcl_input vcp[3][2].xy\n"
      "dcl_input_siv vpc0.x, finalQuadUeq0EdgeTessFactor\ndcl_input vpc1.yz\ndcl_input vpc6.xy\ndcl_input "
      "vpc7.xy\ndcl_input vpc29.w\n"
      "dcl_indexrange vpc6.xy 2\ndcl_output_siv o0.xyzw, position\ndcl_output o1.xyzw\ndcl_output_siv o2.x, "
      "clip_distance\n",
      "udiv null, r0.x, vPrim, l(3)\nmov o0.xy, vcp[r0.x + 0][0].zwzz\nmov o0.zw, vcp[2][2].xxxy\nand r0.y, "
      "vPrim, "
      "l(1)\n"
      "mov o1.xy, vpc[r0.y + 6].xyxx\nmov o1.z, vpc0.x\nmov o1.w, vpc29.w\nadd o2.x, vpc1.y, vpc1.z\n"));
}

TEST(DkshDomain, ReturnsMayBeEarly) {
  expect_random_agreement(domain(
      "quad", "dcl_input vDomain.xy\ndcl_output o0.xy\n",
      "mov o0.xy, vDomain.xyxx\nlt r0.x, vDomain.x, l(0.5)\nif_nz r0.x\nret\nendif\nmov o0.y, l(7.0)\n"));
}

TEST(DkshDomain, NeedsItsHullShader) {
  Subject run;
  ASSERT_TRUE(load_shader(domain("tri", "dcl_output o0.x\n", "mov o0.x, l(1.0)\n"), run.shader, kBoth,
                          run.diagnostics));
  DkshShader program;
  EXPECT_FALSE(make_dksh(run.shader.legal_dksh, program, run.diagnostics));
  const maxwell::graphics::HullFacts quads{3, 1, 3, {}};
  EXPECT_FALSE(make_dksh(run.shader.legal_dksh, program, run.diagnostics, &quads));
  const maxwell::graphics::HullFacts hull{2, 4, 4, {}};
  ASSERT_TRUE(make_dksh(run.shader.legal_dksh, program, run.diagnostics, &hull));
  EXPECT_EQ(program.dksh.mode, 0x321u);  // triangles, fractional even, counter-clockwise
}

// What the hull shader declares as a factor lies among the factors, whatever the domain shader says of it.
TEST(DkshDomain, FactorsAreWhereTheHullShaderLeavesThem) {
  Subject run;
  ASSERT_TRUE(load_shader(domain("tri", "dcl_input vpc0.xy\ndcl_output o0.xy\n", "mov o0.xy, vpc0.xyxx\n"),
                          run.shader, kBoth, run.diagnostics));
  ir::Parameter factor;
  factor.mask = 1;
  factor.system_value = ir::SystemValue::tri_edge_w;
  const maxwell::graphics::HullFacts hull{2, 1, 3, std::span(&factor, 1)};
  DkshShader program;
  ASSERT_TRUE(make_dksh(run.shader.legal_dksh, program, run.diagnostics, &hull));
  EXPECT_EQ(program.layout().patch_constants[0][0], 0x008u);
  EXPECT_EQ(program.layout().patch_constants[0][1], 0x024u);
}

// A declaration need not say that a component is a factor: the signature does.
TEST(DkshDomain, FactorsOfWhichOnlyTheSignatureKnows) {
  const std::string signature =
      "// Patch Constant signature:\n//\n"
      "// Name                 Index   Mask Register SysValue  Format   Used\n"
      "// -------------------- ----- ------ -------- -------- ------- ------\n"
      "// SV_TessFactor            0   x           0  TRIEDGE   float   x\n"
      "// SV_TessFactor            1   x           1  TRIEDGE   float   x\n"
      "// SV_TessFactor            2   x           2  TRIEDGE   float   x\n"
      "// SV_InsideTessFactor      0   x           3   TRIINT   float   x\n"
      "// BEND                     0    yz         0     NONE   float    yz\n//\n";
  const std::string source =
      signature + domain("tri",
                         "dcl_input vpc0.xyz\ndcl_input vpc2.x\ndcl_input vpc3.x\ndcl_output o0.xyzw\n",
                         "mov o0.x, vpc0.x\nmov o0.y, vpc2.x\nmov o0.z, vpc3.x\nmov o0.w, vpc0.z\n");
  expect_agreement(source);
  Subject run;
  ASSERT_TRUE(load_shader(source, run.shader, kBoth, run.diagnostics)) << run.fail();
  const ir::Module& module = run.shader.legal_dksh;
  const maxwell::graphics::HullFacts hull{2, 1, 3, {}};
  DkshShader program;
  ASSERT_TRUE(make_dksh(module, program, run.diagnostics, &hull)) << run.fail();
  std::map<std::pair<uint32_t, uint32_t>, uint32_t> places;
  for (size_t i = 0; i < module.patch_constants.size(); ++i) {
    const ir::Parameter& constant = module.patch_constants[i];
    for (uint32_t c = 0; c < 4; ++c) {
      if (((constant.mask >> c) & 1) != 0) places[{constant.reg, c}] = program.layout().patch_constants[i][c];
    }
  }
  const std::map<std::pair<uint32_t, uint32_t>, uint32_t> expected = {
      {{0, 0}, 0x000}, {{0, 1}, 0x024}, {{0, 2}, 0x028}, {{2, 0}, 0x008}, {{3, 0}, 0x010}};
  EXPECT_EQ(places, expected);
}

}  // namespace
}  // namespace texlate::executor
