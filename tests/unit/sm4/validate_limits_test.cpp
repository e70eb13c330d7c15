// Programs that a reader accepts and Direct3D does not allow: limits, forms of operands, features that a
// stage or model lacks.
#include <gtest/gtest.h>

#include "frontend/sm4/validate.h"
#include "tests/unit/asm/parse_text.h"

namespace texlate {
namespace {

std::string errors_of(const sm4::Program& program) {
  Diagnostics diagnostics;
  sm4::validate(program, diagnostics);
  return errors(diagnostics);
}

std::string errors_of(std::string_view text) {
  return errors_of(parse_good(text));
}

const std::string kTessellator =
    "dcl_tessellator_domain domain_tri\ndcl_tessellator_partitioning partitioning_integer\n"
    "dcl_tessellator_output_primitive output_triangle_cw\n";
/// The first 7 lines of a hull program.
const std::string kHull =
    "hs_5_0\nhs_decls \ndcl_input_control_point_count 3\ndcl_output_control_point_count 3\n" + kTessellator;

/// A pixel program with those declarations and instructions, from line 2 on.
std::string errors_in_pixel(std::string_view lines, std::string_view profile = "ps_5_0") {
  return errors_of(fmt::format("{}\n{}\nret \n", profile, lines));
}

TEST(ValidateLimits, BarriersOfAThreadGroupAreForComputeOnly) {
  EXPECT_EQ(errors_in_pixel("sync_uglobal"), "");
  // From 5.0 on, every stage has u# (D3D11.3 functional specification 22.17.7, sync).
  for (const char* stage : {"vs_5_0", "ps_5_1", "cs_4_0\ndcl_thread_group 1, 1, 1"})
    EXPECT_EQ(errors_of(fmt::format("{}\nsync_uglobal\nret \n", stage)), "") << stage;
  EXPECT_EQ(
      errors_of(
          "gs_5_0\ndcl_inputprimitive point\ndcl_stream m0\ndcl_outputtopology pointlist\ndcl_maxout 1\n"
          "sync_uglobal\nret \n"),
      "");
  EXPECT_EQ(
      errors_of(
          "ds_5_0\ndcl_input_control_point_count 1\ndcl_tessellator_domain domain_tri\nsync_uglobal\nret \n"),
      "");
  EXPECT_EQ(errors_in_pixel("sync_uglobal", "vs_4_1"),
            "2:1: sync in a vs program needs shader model 5.0, but the program is 4.1\n");
  EXPECT_EQ(errors_in_pixel("sync_ugroup", "vs_5_0"),
            "2:1: a vs program has no thread group: sync allows only _uglobal\n");
  EXPECT_EQ(errors_in_pixel("sync_g_t"),
            "2:1: a ps program has no thread group: sync allows only _uglobal\n");
  EXPECT_EQ(errors_in_pixel("sync_uglobal_t"),
            "2:1: a ps program has no thread group: sync allows only _uglobal\n");
  EXPECT_EQ(errors_of("cs_5_0\ndcl_thread_group 1, 1, 1\nsync_g_t\nret \n"), "");
}

TEST(ValidateLimits, AnOutputIsDeclaredOnce) {
  EXPECT_EQ(errors_in_pixel("dcl_output o0.xy\ndcl_output o0.zw"), "");
  EXPECT_EQ(errors_in_pixel("dcl_output o0.xyzw\ndcl_output o0.w"), "3:1: o0 is declared twice\n");
  EXPECT_EQ(errors_in_pixel("dcl_output oDepth\ndcl_output oDepth"), "3:1: oDepth is declared twice\n");
  EXPECT_EQ(errors_of("vs_5_0\ndcl_output_siv o0.xyzw, position\ndcl_output_siv o1.xyzw, position\nret \n"),
            "3:1: position is declared twice\n");
  // Each stream has separate o#.
  EXPECT_EQ(errors_of("gs_5_0\ndcl_inputprimitive point\ndcl_stream m0\ndcl_outputtopology pointlist\n"
                      "dcl_output o0.x\ndcl_stream m1\ndcl_outputtopology pointlist\ndcl_output o0.x\n"
                      "dcl_maxout 1\nret \n"),
            "");
}

TEST(ValidateLimits, InputsAreDeclaredAsInputsAndOutputsAsOutputs) {
  EXPECT_EQ(errors_in_pixel("dcl_output v1.xyzw"), "2:1: dcl_output cannot declare v1\n");
  EXPECT_EQ(errors_in_pixel("dcl_input_ps linear o1.xyzw"), "2:1: dcl_input_ps cannot declare o1\n");
  EXPECT_EQ(errors_in_pixel("dcl_input oDepth"), "2:1: dcl_input cannot declare oDepth\n");
  EXPECT_EQ(errors_in_pixel("dcl_output vCoverage"), "2:1: dcl_output cannot declare vCoverage\n");
}

/// A program with that declaration on line 2.
std::string declares(std::string_view profile, std::string_view line) {
  const std::string_view others = profile.starts_with("cs")   ? "dcl_thread_group 1, 1, 1\n"
                                  : profile.starts_with("gs") ? "dcl_inputprimitive point\ndcl_maxout 1\n"
                                  : profile.starts_with("ds")
                                      ? "dcl_input_control_point_count 3\ndcl_tessellator_domain domain_tri\n"
                                      : "";
  return errors_of(fmt::format("{}\n{}\n{}ret \n", profile, line, others));
}

// D3D11.3 functional specification, the tables of registers in the chapters of the stages
TEST(ValidateLimits, RegistersBelongToStages) {
  EXPECT_EQ(declares("vs_5_0", "dcl_output oDepth"), "2:1: oDepth is not an output of a vs program\n");
  EXPECT_EQ(declares("cs_5_0", "dcl_output o0.x"), "2:1: o0 is not an output of a cs program\n");
  EXPECT_EQ(declares("cs_5_0", "dcl_input v0.x"), "2:1: v0 is not an input of a cs program\n");
  EXPECT_EQ(declares("ds_5_0", "dcl_input v0.x"), "2:1: v0 is not an input of a ds program\n");
  EXPECT_EQ(declares("ps_5_0", "dcl_input vpc0.x"), "2:1: vpc0 is not an input of a ps program\n");
  EXPECT_EQ(declares("ps_5_0", "dcl_input vThreadID.x"), "2:1: vThreadID is not an input of a ps program\n");
  EXPECT_EQ(declares("vs_5_0", "dcl_input vicp[3][0].x"),
            "2:1: vicp[3][0] is not an input of a vs program\n");
  EXPECT_EQ(declares("ds_5_0", "dcl_input vicp[3][0].x"), "");
  EXPECT_EQ(declares("ds_5_0", "dcl_input vPrim"), "");
  EXPECT_EQ(declares("gs_5_0", "dcl_input vGSInstanceID"), "");
  EXPECT_EQ(declares("vs_5_0", "dcl_input vCycleCounter.x"), "");
  EXPECT_EQ(declares("cs_5_0", "dcl_input vThreadIDInGroupFlattened"), "");
}

// D3D11.3 functional specification 23 and 24
TEST(ValidateLimits, SystemValuesOfInputs) {
  EXPECT_EQ(declares("vs_5_0", "dcl_input_sgv v0.x, is_front_face"),
            "2:1: is_front_face is not an input of a vs program\n");
  EXPECT_EQ(declares("ps_5_0", "dcl_input_ps_sgv constant v0.x, vertex_id"),
            "2:1: vertex_id is not an input of a ps program\n");
  EXPECT_EQ(declares("gs_5_0", "dcl_input_sgv v[1][0].x, primitive_id"),
            "2:1: primitive_id is not an input of a gs program\n");
  EXPECT_EQ(declares("ps_5_0", "dcl_input_ps_sgv constant v0.x, primitive_id"), "");
  EXPECT_EQ(declares("vs_5_0", "dcl_input_sgv v0.x, instance_id"), "");
  // Names of interpreted values have no effect between other stages.
  EXPECT_EQ(declares("gs_5_0", "dcl_input_siv v[1][0].xyzw, position"), "");
  EXPECT_EQ(declares("ds_5_0", "dcl_input_siv vicp[3][0].xyzw, clip_distance"), "");
}

TEST(ValidateLimits, ThereAre32RegistersOfInputsAndOutputs) {
  EXPECT_EQ(declares("vs_5_0", "dcl_input v31.x"), "");
  EXPECT_EQ(declares("vs_5_0", "dcl_input v32.x"), "2:1: v32 is out of range\n");
  EXPECT_EQ(declares("gs_5_0", "dcl_output o32.x"), "2:1: o32 is out of range\n");
}

TEST(ValidateLimits, APixelsInputIsDeclaredOnce) {
  EXPECT_EQ(errors_in_pixel("dcl_input_ps linear v1.xy\ndcl_input_ps linear v1.zw"), "");
  EXPECT_EQ(errors_in_pixel("dcl_input_ps linear v1.xyzw\ndcl_input_ps constant v1.xy"),
            "3:1: v1 is declared twice\n");
}

TEST(ValidateLimits, ComputedIndicesOfInputsNeedARange) {
  const std::string range =
      "dcl_input_ps linear v1.xy\ndcl_input_ps linear v2.xy\ndcl_temps 1\ndcl_output o0.x\n";
  EXPECT_EQ(errors_in_pixel(range + "dcl_indexrange v1.xy 2\nmov o0.x, v[r0.x + 1].x"), "");
  EXPECT_EQ(errors_in_pixel(range + "mov o0.x, v[r0.x + 1].x"),
            "6:11: v is indexed without dcl_indexrange\n");
  EXPECT_EQ(errors_of("cs_5_0\ndcl_temps 1\ndcl_thread_group 1, 1, 1\nmov r0.x, v[r0.x + 0].x\nret \n"),
            "4:11: v is indexed without dcl_indexrange\n");
}

// D3D11.3 functional specification 22.3.30, restrictions 5 and 7
TEST(ValidateLimits, IndexRangesContainNoSystemValues) {
  const std::string distances =
      "dcl_input_ps_siv linear v1.xyzw, clip_distance\ndcl_input_ps_siv linear v2.xyzw, clip_distance\n";
  EXPECT_EQ(errors_in_pixel(distances + "dcl_indexrange v1.xyzw 2"),
            "4:1: v1 is a system value, which an index range cannot contain\n");
  EXPECT_EQ(errors_in_pixel("dcl_indexrange v1.xyzw 2\n" + distances),
            "3:1: v1 is a system value, which an index range cannot contain\n"
            "4:1: v2 is a system value, which an index range cannot contain\n");
  EXPECT_EQ(errors_in_pixel("dcl_input_ps linear v0.xy\n" + distances + "dcl_indexrange v0.xy 2"),
            "5:1: v1 is a system value, which an index range cannot contain\n");
  // Next to the range, and in other components than its own.
  EXPECT_EQ(errors_in_pixel("dcl_input_ps linear v3.xy\ndcl_input_ps linear v4.xy\n" + distances +
                            "dcl_indexrange v3.xy 2"),
            "");
  EXPECT_EQ(errors_in_pixel("dcl_input_ps linear v3.xy\ndcl_input_ps linear v4.xy\n"
                            "dcl_input_ps_siv linear v4.z, clip_distance\ndcl_indexrange v3.xy 2"),
            "");
  EXPECT_EQ(errors_of("vs_5_0\ndcl_output o0.xyzw\ndcl_output_siv o1.xyzw, position\n"
                      "dcl_indexrange o0.xyzw 2\nret \n"),
            "4:1: o1 is a system value, which an index range cannot contain\n");
}

TEST(ValidateLimits, IndexRangesOfEveryVertexAndStreamContainNoSystemValues) {
  const auto geometry = [](std::string_view lines) {
    return errors_of(fmt::format("gs_5_0\ndcl_inputprimitive point\n{}\ndcl_maxout 1\nret \n", lines));
  };
  EXPECT_EQ(geometry("dcl_input v[1][0].xyzw\ndcl_input_siv v[1][1].xyzw, clip_distance\n"
                     "dcl_indexrange v[1][0].xyzw 2"),
            "5:1: v1 is a system value, which an index range cannot contain\n");
  const std::string streams =
      "dcl_stream m0\ndcl_outputtopology pointlist\ndcl_output_siv o2.xyzw, position\ndcl_output o0.x\n"
      "dcl_output o1.x\ndcl_stream m1\ndcl_outputtopology pointlist\ndcl_output o0.x\ndcl_output o1.x\n"
      "dcl_output o2.x\n";
  EXPECT_EQ(geometry(streams + "dcl_indexrange o0.x 2"), "");
  EXPECT_EQ(geometry(streams + "dcl_indexrange o1.x 2"),
            "13:1: o2 is a system value, which an index range cannot contain\n");
}

TEST(ValidateLimits, IndexRangesMayContainTessellationFactors) {
  const std::string factors =
      "hs_fork_phase \ndcl_output_siv o0.x, finalTriUeq0EdgeTessFactor\n"
      "dcl_output_siv o1.x, finalTriVeq0EdgeTessFactor\ndcl_output_siv o3.x, finalTriInsideTessFactor\n"
      "dcl_indexrange o0.x 2\nret \n";
  EXPECT_EQ(errors_of(kHull + factors), "");
  // Each phase has registers of its own.
  EXPECT_EQ(errors_of(kHull + "hs_control_point_phase \ndcl_output_siv o0.xyzw, position\nret \n" + factors),
            "");
  EXPECT_EQ(errors_of("ds_5_0\ndcl_input_control_point_count 1\ndcl_tessellator_domain domain_quad\n"
                      "dcl_input_siv vpc0.x, finalQuadUeq0EdgeTessFactor\n"
                      "dcl_input_siv vpc1.x, finalQuadVeq0EdgeTessFactor\ndcl_indexrange vpc0.x 2\nret \n"),
            "");
}

// D3D11.3 functional specification 22.3.30, restriction 3. Hull shaders of fxc have ranges of other
// components of the same registers.
TEST(ValidateLimits, IndexRangesDoNotOverlap) {
  const std::string inputs =
      "dcl_input_ps linear v1.xyzw\ndcl_input_ps linear v2.xyzw\ndcl_input_ps linear v3.xyzw\n";
  EXPECT_EQ(errors_in_pixel(inputs + "dcl_indexrange v1.xy 2\ndcl_indexrange v1.zw 2"), "");
  EXPECT_EQ(errors_in_pixel(inputs + "dcl_indexrange v1.xy 2\ndcl_indexrange v2.yz 2"),
            "6:1: v2 is in two index ranges\n");
  const std::string phase =
      "hs_fork_phase \ndcl_input vicp[3][0].xy\ndcl_input vicp[3][1].xy\ndcl_indexrange vicp[3][0].x 2\n";
  EXPECT_EQ(errors_of(kHull + phase + "ret \n" + phase + "ret \n"), "");
  EXPECT_EQ(errors_of(kHull + phase + "dcl_indexrange vicp[3][0].xy 2\nret \n"),
            "12:1: vicp0 is in two index ranges\n");
}

// D3D11.3 functional specification 22.3.30, restriction 6
TEST(ValidateLimits, IndexRangesHaveOneInterpolation) {
  const std::string inputs = "dcl_input_ps linear v1.xy\ndcl_input_ps constant v2.xy\n";
  const std::string_view message =
      "v1 is linear and v2 constant: the inputs of an index range must have the same interpolation";
  EXPECT_EQ(errors_in_pixel(inputs + "dcl_indexrange v1.xy 2"), fmt::format("4:1: {}\n", message));
  EXPECT_EQ(errors_in_pixel("dcl_indexrange v1.xy 2\n" + inputs), fmt::format("2:1: {}\n", message));
  EXPECT_EQ(
      errors_in_pixel("dcl_input_ps linear v1.xy\ndcl_input_ps linear v2.xy\ndcl_input_ps constant v2.zw\n"
                      "dcl_input_ps linear v4.xy\ndcl_indexrange v1.xy 4"),
      "");
}

TEST(ValidateLimits, RegistersHaveFourComponents) {
  EXPECT_EQ(errors_in_pixel("dcl_indexableTemp x0[4], 4"), "");
  EXPECT_EQ(errors_in_pixel("dcl_indexableTemp x0[4], 5"),
            "2:1: x0 has 5 components: a register must have 1 to 4\n");
  EXPECT_EQ(errors_in_pixel("dcl_indexableTemp x0[4], 0"),
            "2:1: x0 has 0 components: a register must have 1 to 4\n");
  EXPECT_EQ(errors_in_pixel("dcl_indexableTemp x0[4096], 4\ndcl_indexableTemp x1[1], 4"),
            "3:1: 4097 temporary registers exceed the limit of 4096\n");
  // A declaration with a swizzle: text would print `o2.wwwy`.
  sm4::Program program = parse_good("ps_5_0\ndcl_output o2.x\nret \n");
  program.operands[0].selection = sm4::Selection::swizzle;
  program.operands[0].components = 0x7f;
  EXPECT_EQ(errors_of(program), "2:1: o2 is declared without a write mask\n");
}

// D3D11.3 functional specification 22.3.35, 22.3.36
TEST(ValidateLimits, TemporariesAndTheirArraysShareALimit) {
  EXPECT_EQ(errors_in_pixel("dcl_temps 96\ndcl_indexableTemp x0[4000], 4"), "");
  EXPECT_EQ(errors_in_pixel("dcl_temps 97\ndcl_indexableTemp x0[4000], 4"),
            "3:1: 4097 temporary registers exceed the limit of 4096\n");
  EXPECT_EQ(errors_in_pixel("dcl_indexableTemp x0[4000], 4\ndcl_temps 97"),
            "3:1: 4097 temporary registers exceed the limit of 4096\n");
  const std::string phase = "hs_fork_phase \ndcl_temps 96\ndcl_indexableTemp x0[4000], 4\nret \n";
  EXPECT_EQ(errors_of(kHull + phase + phase), "");
}

TEST(ValidateLimits, OperandsThatTextCannotSay) {
  const auto program = [] {
    return parse_good(
        "ps_5_0\ndcl_constantbuffer cb0[1], immediateIndexed\ndcl_output o0.xyzw\n"
        "mov o0.xyzw, cb0[0].xyzw\nret \n");
  };
  sm4::Program destination = program();
  sm4::Program source = program();
  const uint32_t first = destination.instructions[2].first_operand;
  EXPECT_EQ(errors_of(destination), "");
  destination.operands[first].component_count = sm4::ComponentCount::one;
  EXPECT_EQ(errors_of(destination), "4:5: operand 1 of mov (o0) has no components\n");
  source.operands[first + 1].component_count = sm4::ComponentCount::none;
  EXPECT_EQ(errors_of(source), "4:14: operand 2 of mov (cb0[0]) has no components\n");
  // oStencilRef[1]
  sm4::Program index = parse_good("ps_5_0\ndcl_output oStencilRef\nmov oStencilRef, l(1)\nret \n");
  index.operands[0].index_count = 1;
  EXPECT_EQ(errors_of(index), "2:1: oStencilRef cannot have an index\n3:5: oStencilRef is not declared\n");
}

TEST(ValidateLimits, ErrorsInContainersNameTheInstruction) {
  sm4::Program program = parse_good("ps_5_0\ndcl_temps 1\nmov r0.x, r0.x\nret \n");
  program.operands[program.instructions[1].first_operand + 1].index[0].immediate = 7;
  program.instructions[1].location = SourceLocation::bytes(0x40);
  Diagnostics diagnostics;
  sm4::validate(program, diagnostics);
  ASSERT_EQ(diagnostics.list().size(), 2u);
  EXPECT_EQ(diagnostics.list()[0].message, "r7 is beyond dcl_temps 1, in mov");
  EXPECT_EQ(diagnostics.list()[0].location, SourceLocation::bytes(0x40));
  EXPECT_EQ(diagnostics.list()[1].message, "declared here");
}

TEST(ValidateLimits, CountsOfGeometryShaders) {
  const auto geometry = [](std::string_view lines) {
    const std::string_view rest = lines.find("dcl_maxout") == lines.npos ? "dcl_maxout 1\n" : "";
    return errors_of(fmt::format("gs_5_0\ndcl_inputprimitive point\n{}\n{}ret \n", lines, rest));
  };
  EXPECT_EQ(geometry("dcl_maxout 1024"), "");
  EXPECT_EQ(geometry("dcl_maxout 0"), "3:1: dcl_maxout 0: a geometry program may emit 1 to 1024 vertices\n");
  EXPECT_EQ(geometry("dcl_maxout 4294967295"),
            "3:1: dcl_maxout 4294967295: a geometry program may emit 1 to 1024 vertices\n");
  EXPECT_EQ(geometry("dcl_output o0.xyzw\ndcl_maxout 256"), "");
  EXPECT_EQ(geometry("dcl_output o0.xyzw\ndcl_maxout 257"),
            "4:1: 257 vertices of 4 components exceed the 1024 scalars that an invocation may emit\n");
  EXPECT_EQ(geometry("dcl_gs_instances 32\ndcl_maxout 32"), "");
  EXPECT_EQ(geometry("dcl_gs_instances 32\ndcl_maxout 33"),
            "4:1: 32 instances of 33 vertices exceed the limit of 1024\n");
  EXPECT_EQ(geometry("dcl_gs_instances 33"), "3:1: 33 instances: Direct3D allows 1 to 32\n");
  EXPECT_EQ(geometry("dcl_gs_instances 4294967295"), "3:1: 4294967295 instances: Direct3D allows 1 to 32\n");
  EXPECT_EQ(geometry("dcl_stream m4"), "3:1: no stream m4: there are 4, starting with m0\n");
  EXPECT_EQ(geometry("dcl_stream m1\ndcl_stream m1"), "4:1: m1 is declared twice\n");
}

TEST(ValidateLimits, ControlPoints) {
  const auto hull = [](std::string_view lines) {
    return errors_of(fmt::format("hs_5_0\nhs_decls \n{}\n{}hs_fork_phase \nret \n", lines, kTessellator));
  };
  EXPECT_EQ(hull("dcl_input_control_point_count 32\ndcl_output_control_point_count 0"), "");
  EXPECT_EQ(hull("dcl_input_control_point_count 0\ndcl_output_control_point_count 1"),
            "3:1: 0 control points: Direct3D allows 1 to 32\n");
  // The parser refuses more; tokens can hold 63.
  sm4::Program program = parse_good(
      fmt::format("hs_5_0\nhs_decls \ndcl_output_control_point_count 32\ndcl_input_control_point_count 3\n{}"
                  "hs_fork_phase \nret \n",
                  kTessellator));
  program.instructions[1].controls = 33;
  EXPECT_EQ(errors_of(program), "3:1: 33 control points: Direct3D allows 0 to 32\n");
}

// D3D11.3 functional specification 22.1.4.1, 22.1.5.1, 22.3.5 and 22.3.6
TEST(ValidateLimits, DeclarationsThatStagesNeed) {
  EXPECT_EQ(errors_of("gs_5_0\nret \n"),
            "1:1: a geometry program needs dcl_inputprimitive\n1:1: a geometry program needs dcl_maxout\n");
  EXPECT_EQ(errors_of("ds_5_0\ndcl_tessellator_domain domain_tri\nret \n"),
            "1:1: a domain program needs dcl_input_control_point_count\n");
  EXPECT_EQ(errors_of("hs_5_0\nhs_decls \ndcl_input_control_point_count 3\ndcl_output_control_point_count 3\n"
                      "dcl_tessellator_domain domain_tri\nhs_fork_phase \nret \n"),
            "1:1: a hull program needs dcl_tessellator_partitioning\n"
            "1:1: a hull program needs dcl_tessellator_output_primitive\n");
}

// D3D11.3 functional specification 22.3.10
TEST(ValidateLimits, ArraysHaveAsManyVerticesAsThereAre) {
  const auto geometry = [](std::string_view primitive, uint32_t vertices) {
    return errors_of(fmt::format("gs_5_0\ndcl_input v[{}][0].x\ndcl_inputprimitive {}\ndcl_maxout 1\nret \n",
                                 vertices, primitive));
  };
  EXPECT_EQ(geometry("line", 2), "");
  EXPECT_EQ(geometry("line", 3), "3:1: v[3][] is declared, but the number of vertices is 2\n");
  EXPECT_EQ(geometry("line", 1), "3:1: v[1][] is declared, but the number of vertices is 2\n");
  EXPECT_EQ(geometry("triangleadj", 6), "");
  EXPECT_EQ(geometry("patch5", 5), "");
  EXPECT_EQ(geometry("patch32", 31), "3:1: v[31][] is declared, but the number of vertices is 32\n");
  const auto fork = [](std::string_view points) {
    return errors_of(fmt::format("{}hs_fork_phase \ndcl_input {}[0].x\nret \n", kHull, points));
  };
  EXPECT_EQ(fork("vicp[3]"), "");
  EXPECT_EQ(fork("vicp[4]"), "3:1: vicp[4][] is declared, but the number of vertices is 3\n");
  EXPECT_EQ(fork("vocp[2]"), "4:1: vocp[2][] is declared, but the number of vertices is 3\n");
}

TEST(ValidateLimits, SystemValuesOfOutputs) {
  const auto fork = [](std::string_view line) {
    return errors_of(fmt::format(
        "{}hs_fork_phase \n{}\ndcl_output_siv o7.x, finalTriInsideTessFactor\nret \n", kHull, line));
  };
  EXPECT_EQ(fork("dcl_output_siv o0.x, finalTriUeq0EdgeTessFactor"), "");
  EXPECT_EQ(fork("dcl_output_siv o0.xy, finalTriUeq0EdgeTessFactor"),
            "9:1: finalTriUeq0EdgeTessFactor has 1 component, o0 has more\n");
  EXPECT_EQ(fork("dcl_output_siv o3.x, rendertarget_array_index"),
            "9:1: rendertarget_array_index is not an output of a hs fork or join phase\n");
  EXPECT_EQ(errors_of("vs_5_0\ndcl_output_siv o0.x, finalTriUeq0EdgeTessFactor\nret \n"),
            "2:1: finalTriUeq0EdgeTessFactor is not an output of a vs program\n");
  EXPECT_EQ(errors_of("vs_5_0\ndcl_output_siv o0.x, sampleIndex\nret \n"),
            "2:1: sampleIndex is not an output of a vs program\n");
}

// DirectXShaderCompiler, docs/DXIL.rst, "Validation rules", SM.*MISMATCH and SM.TESSFACTORSIZEMATCHDOMAIN
TEST(ValidateLimits, OutputsAndFactorsFitTheDomain) {
  const auto hull = [](std::string_view domain, std::string_view output, std::string_view factor) {
    return errors_of(
        fmt::format("hs_5_0\nhs_decls \ndcl_input_control_point_count 3\ndcl_output_control_point_count 3\n"
                    "dcl_tessellator_domain {}\ndcl_tessellator_partitioning partitioning_integer\n"
                    "dcl_tessellator_output_primitive {}\nhs_fork_phase \ndcl_output_siv o0.x, {}\nret \n",
                    domain, output, factor));
  };
  EXPECT_EQ(hull("domain_tri", "output_point", "finalTriInsideTessFactor"), "");
  EXPECT_EQ(hull("domain_tri", "output_triangle_ccw", "finalTriInsideTessFactor"), "");
  EXPECT_EQ(hull("domain_tri", "output_line", "finalTriInsideTessFactor"),
            "7:1: output_line of domain_tri\n");
  EXPECT_EQ(hull("domain_isoline", "output_point", "finalLineDetailTessFactor"), "");
  EXPECT_EQ(hull("domain_isoline", "output_line", "finalLineDetailTessFactor"), "");
  for (const char* triangles : {"output_triangle_cw", "output_triangle_ccw"})
    EXPECT_EQ(hull("domain_isoline", triangles, "finalLineDetailTessFactor"),
              fmt::format("7:1: {} of domain_isoline\n", triangles));
  EXPECT_EQ(hull("domain_quad", "output_triangle_cw", "finalTriUeq0EdgeTessFactor"),
            "9:1: finalTriUeq0EdgeTessFactor is not a factor of domain_quad\n");
  EXPECT_EQ(hull("domain_tri", "output_triangle_cw", "finalLineDensityTessFactor"),
            "9:1: finalLineDensityTessFactor is not a factor of domain_tri\n");
  // Microsoft's own listings have edges alone.
  EXPECT_EQ(hull("domain_tri", "output_point", "finalTriUeq0EdgeTessFactor"),
            "5:1: no finalTriInsideTessFactor, which domain_tri needs: it is 0\n");
  EXPECT_EQ(hull("domain_quad", "output_line", "finalQuadUInsideTessFactor"),
            "5:1: no finalQuadVInsideTessFactor, which domain_quad needs: it is 0\n");
  // Whichever is declared first.
  EXPECT_EQ(errors_of("ds_5_0\ndcl_input_control_point_count 1\n"
                      "dcl_input_siv vpc0.x, finalQuadUeq0EdgeTessFactor\n"
                      "dcl_tessellator_domain domain_tri\nret \n"),
            "3:1: finalQuadUeq0EdgeTessFactor is not a factor of domain_tri\n");
}

TEST(ValidateLimits, SecondIndicesOfViewsAndSamplers) {
  const std::string declarations =
      "dcl_sampler s0, mode_default\ndcl_resource_texture2d (float,float,float,float) t0\ndcl_temps 2\n"
      "dcl_constantbuffer cb0[4], dynamicIndexed\n";
  for (const char* model : {"4_0", "4_1", "5_0"}) {
    const std::string profile = fmt::format("ps_{}", model);
    const std::string name = fmt::format("{}.{}", model[0], model[2]);
    EXPECT_EQ(errors_in_pixel(declarations + "ld r1.xyzw, r0.xyzw, t0[r0.x].xyzw", profile),
              fmt::format("6:22: t takes 1 index in shader model {}, found 2\n", name));
    EXPECT_EQ(errors_in_pixel(declarations + "sample r1.xyzw, r0.xyxx, t0.xyzw, s0[r0.x + 1]", profile),
              fmt::format("6:35: s takes 1 index in shader model {}, found 2\n", name));
    EXPECT_EQ(errors_in_pixel(declarations + "mov r1.xyzw, r0[r0.x].xyzw", profile),
              fmt::format("6:14: r takes 1 index in shader model {}, found 2\n", name));
    EXPECT_EQ(errors_in_pixel(declarations + "mov r1.xyzw, cb0[1][2].xyzw", profile),
              fmt::format("6:14: cb takes 2 indices in shader model {}, found 3\n", name));
  }
  EXPECT_EQ(errors_in_pixel("dcl_temps 2\ndcl_resource_texture2d (float,float,float,float) T0[0:3], space=0\n"
                            "ld r1.xyzw, r0.xyzw, T0[r0.x + 0].xyzw",
                            "ps_5_1"),
            "");
  EXPECT_EQ(errors_in_pixel("dcl_temps 2\nmov r1.xyzw, r0[r0.x].xyzw", "ps_5_1"),
            "3:14: r takes 1 index in shader model 5.1, found 2\n");
}

TEST(ValidateLimits, DimensionsOfShaderModel40) {
  const auto fetch = [](std::string_view profile) {
    return errors_of(
        fmt::format("{}\ndcl_resource_texture2dms(4) (float,float,float,float) t0\nret \n", profile));
  };
  EXPECT_EQ(fetch("ps_4_0"), "");
  EXPECT_EQ(fetch("vs_4_1"), "");
  EXPECT_EQ(fetch("vs_4_0"),
            "2:1: texture2dms in a vs program needs shader model 4.1, but the program is 4.0\n");
  EXPECT_EQ(errors_in_pixel("dcl_resource_texturecubearray (float,float,float,float) t0", "ps_4_0"),
            "2:1: texturecubearray needs shader model 4.1, but the program is 4.0\n");
  EXPECT_EQ(errors_in_pixel("dcl_uav_typed_texturecube (float,float,float,float) u0"),
            "2:1: dcl_uav_typed cannot declare a view of dimension texturecube\n");
}

TEST(ValidateLimits, RangesEndBehindTheirBeginning) {
  EXPECT_EQ(errors_in_pixel("dcl_resource_texture1d (float,float,float,float) T0[3:3], space=0", "ps_5_1"),
            "");
  EXPECT_EQ(errors_in_pixel("dcl_resource_texture1d (float,float,float,float) T0[3:*], space=0", "ps_5_1"),
            "");
  EXPECT_EQ(errors_in_pixel("dcl_resource_texture1d (float,float,float,float) T0[3:2], space=0", "ps_5_1"),
            "2:1: t0[3][2] ends before it begins\n");
}

TEST(ValidateLimits, RegisterNumbers) {
  EXPECT_EQ(errors_in_pixel("dcl_resource_texture2d (float,float,float,float) t127"), "");
  EXPECT_EQ(errors_in_pixel("dcl_resource_texture2d (float,float,float,float) t128"),
            "2:1: t128: shader model 5.0 has only 128 registers t#\n");
  EXPECT_EQ(errors_in_pixel("dcl_sampler s16, mode_default"),
            "2:1: s16: shader model 5.0 has only 16 registers s#\n");
  EXPECT_EQ(errors_in_pixel("dcl_uav_raw u64"), "2:1: u64: shader model 5.0 has only 64 registers u#\n");
  EXPECT_EQ(errors_in_pixel("dcl_sampler s1, mode_default\ndcl_sampler s1, mode_default"),
            "3:1: s1 is declared twice\n");
  EXPECT_EQ(errors_in_pixel("dcl_output o8.x"), "2:1: o8 is out of range\n");
}

TEST(ValidateLimits, NullAndImmediatesWhereARegisterBelongs) {
  const std::string declarations =
      "dcl_resource_texture2d (float,float,float,float) t0\ndcl_temps 2\ndcl_sampler s0, mode_default\n";
  EXPECT_EQ(errors_in_pixel(declarations + "udiv null, r0.x, r0.x, r1.x"), "");
  EXPECT_EQ(errors_in_pixel(declarations + "ld_s r0.xyzw, null, r1.xyzw, t0.xyzw"), "");
  EXPECT_EQ(errors_in_pixel(declarations + "sample_cl_s r0.xyzw, null, r1.xyxx, t0.xyzw, s0, null"), "");
  EXPECT_EQ(errors_in_pixel(declarations + "ld null, r1.xyzw, t0.xyzw"),
            "5:4: operand 1 of ld must be a register that can be written, found null\n");
  EXPECT_EQ(errors_in_pixel(declarations + "ld r0.xyzw, null, t0.xyzw"),
            "5:13: operand 2 of ld must be a value, found null\n");
  EXPECT_EQ(errors_in_pixel(declarations + "ld_s r0.xyzw, r1.x, null, t0.xyzw"),
            "5:21: operand 3 of ld_s must be a value, found null\n");
  EXPECT_EQ(errors_in_pixel(declarations + "ld r0.xyzw, d(1.0l, 2.0l), t0.xyzw"),
            "5:13: operand 2 of ld cannot be a double\n");
  // fxc itself prints literal addresses.
  EXPECT_EQ(errors_in_pixel(declarations + "ld r0.xyzw, l(0, 0, 0, 0), t0.xyzw"), "");
}

TEST(ValidateLimits, ReturnTypes) {
  const std::string declarations =
      "dcl_sampler s0, mode_comparison\ndcl_resource_texture2d (uint,uint,uint,uint) t0\n"
      "dcl_uav_typed_texture2d (float,float,float,float) u0\ndcl_temps 2\n";
  EXPECT_EQ(errors_in_pixel(declarations + "sample_c_lz r0.x, r1.xyxx, t0.xxxx, s0, r1.z"),
            "6:28: sample_c_lz compares depth values, but t0 holds integers\n");
  EXPECT_EQ(errors_in_pixel(declarations + "atomic_iadd u0, r1.xyxx, r0.x"),
            "6:13: atomic_iadd needs integers, but u0 does not hold integers\n");
  EXPECT_EQ(errors_in_pixel(declarations + "imm_atomic_exch r1.x, u0, r1.xyxx, r0.x"), "");
  EXPECT_EQ(errors_in_pixel("dcl_uav_typed_buffer (unorm,unorm,unorm,unorm) u0\ndcl_temps 2\n"
                            "imm_atomic_exch r1.x, u0, r1.x, r0.x"),
            "4:23: imm_atomic_exch needs whole words, but u0 does not hold them\n");
}

TEST(ValidateLimits, AtomicOperationsHaveOneResult) {
  const std::string head =
      "cs_5_0\ndcl_uav_raw u0\ndcl_tgsm_raw g0, 16\ndcl_temps 1\ndcl_thread_group 1, 1, 1\n";
  EXPECT_EQ(errors_of(head + "imm_atomic_iadd r0.xy, u0, l(0), l(1)\nret \n"),
            "6:17: imm_atomic_iadd has one result, but 2 components\n");
  EXPECT_EQ(errors_of(head + "imm_atomic_exch r0.xyzw, g0, l(0), l(1)\nret \n"),
            "6:17: imm_atomic_exch has one result, but 4 components\n");
  EXPECT_EQ(errors_of(head + "imm_atomic_cmp_exch r0.w, u0, l(0), l(1), l(2)\nret \n"), "");
}

TEST(ValidateLimits, OnlyPixelsAreInRasterizerOrder) {
  const auto errors = [](const std::string& version, const std::string& rest) {
    return errors_of(version + "\ndcl_uav_raw_rov u0\n" + rest + "ret \n");
  };
  EXPECT_EQ(errors("ps_5_0", ""), "");
  EXPECT_EQ(errors("cs_5_0", "dcl_thread_group 1, 1, 1\n"),
            "2:1: rasterizer-ordered views are for ps programs: u0 is in a cs program\n");
  EXPECT_EQ(errors("vs_5_0", ""),
            "2:1: rasterizer-ordered views are for ps programs: u0 is in a vs program\n");
}

}  // namespace
}  // namespace texlate
