#include <gtest/gtest.h>

#include "frontend/sm4/declaration.h"
#include "tests/unit/asm/parse_text.h"

namespace texlate {
namespace {

using sm4::Opcode;
using sm4::Operand;

const sm4::Instruction& only(const sm4::Program& program) {
  EXPECT_EQ(program.instructions.size(), 1u);
  return program.instructions[0];
}

TEST(Parser, ReadsAFetchWithOffset) {
  const auto program = parse_good(
      "ps_5_0\nld_aoffimmi_indexable(-1,2,0)(texture2d)(float,float,float,float) r1.xw, r2.xyww, t3.yzxw\n");
  const auto& ld = only(program);
  EXPECT_EQ(ld.opcode, Opcode::ld);
  EXPECT_TRUE(ld.has_offset && ld.has_dimension && ld.has_return_type);
  EXPECT_EQ(ld.offset[0], -1);
  EXPECT_EQ(ld.offset[1], 2);
  EXPECT_EQ(ld.dimension, sm4::ResourceDimension::texture2d);
  EXPECT_EQ(ld.return_types, sm4::kReturnTypesFloat);
  const auto operands = program.operands_of(ld);
  ASSERT_EQ(operands.size(), 3u);
  EXPECT_EQ(operands[0].write_mask(), 0b1001);
  EXPECT_EQ(operands[1].source_component(3), 3u);
  EXPECT_EQ(operands[2].file, sm4::RegisterFile::resource);
  EXPECT_EQ(operands[2].index[0].immediate, 3u);
  EXPECT_EQ(operands[2].source_component(0), 1u);
  EXPECT_EQ(ld.location, SourceLocation::text(2, 1, 21));
}

TEST(Parser, ReadsVkd3dOffsetsWithoutAoffimmi) {
  const auto program = parse_good("ps_4_0\nsample(1,-2,3) r0.xyzw, r1.xyxx, t0.xyzw, s0\n");
  EXPECT_TRUE(only(program).has_offset);
  EXPECT_EQ(only(program).offset[1], -2);
}

TEST(Parser, ReadsTheSuffixBehindTheBrackets) {
  const auto program =
      parse_good("ps_5_0\nresinfo_indexable(texture2d)(float,float,float,float)_uint r2.w, l(0), t0.xzwy\n");
  EXPECT_EQ(only(program).resinfo_return(), sm4::ResinfoReturn::uint);
}

TEST(Parser, ReadsPreciseBeforeTheBrackets) {
  const auto program = parse_good(
      "ps_5_0\nsample_l_indexable [precise(xz)](texture2d)(float,float,float,float) o0.xyzw, v1.xyxx, "
      "t0.xyzw, s0, l(0.000000)\n");
  EXPECT_EQ(only(program).precise_mask(), 0b0101);
  EXPECT_EQ(parse_good("ps_5_0\nmov [precise] r0.x, r1.x\n").instructions[0].precise_mask(), 0xf);
}

TEST(Parser, ReadsStructuredBufferStride) {
  const auto program = parse_good(
      "ps_5_0\nld_structured_indexable(structured_buffer, stride=48)(mixed,mixed,mixed,mixed) r1.xy, v1.x, "
      "l(32), t0.xyxx\n");
  EXPECT_EQ(only(program).stride, 48);
}

TEST(Parser, ReadsModifiers) {
  const auto program = parse_good("ps_5_0\nmad_sat r0.x, -|r0.x|, -r1.y, |r2.z|\n");
  const auto operands = program.operands_of(only(program));
  EXPECT_TRUE(only(program).saturate());
  EXPECT_EQ(operands[1].modifier, sm4::OperandModifier::negate_absolute);
  EXPECT_EQ(operands[2].modifier, sm4::OperandModifier::negate);
  EXPECT_EQ(operands[3].modifier, sm4::OperandModifier::absolute);
  EXPECT_EQ(operands[1].selection, sm4::Selection::select);
}

TEST(Parser, ReadsRelativeIndices) {
  const auto program = parse_good("vs_5_0\nmul r1.xy, x0[x1[2].y + 77].xyxx, cb0[r0.w + 4].zwzz\n");
  const auto operands = program.operands_of(only(program));
  const Operand& x0 = operands[1];
  ASSERT_EQ(x0.index_count, 2u);
  EXPECT_EQ(x0.index[1].immediate, 77u);
  const Operand& inner = program.operands[x0.index[1].relative];
  EXPECT_EQ(inner.file, sm4::RegisterFile::indexable_temp);
  EXPECT_EQ(inner.index[1].immediate, 2u);
  EXPECT_EQ(inner.source_component(0), 1u);
  EXPECT_EQ(operands[2].index[1].immediate, 4u);
}

TEST(Parser, ReadsShaderModel51Ranges) {
  const auto program = parse_good(
      "ps_5_1\n"
      "dcl_constantbuffer CB0[2:3][4], immediateIndexed, space=7\n"
      "dcl_resource_texture2d (float,float,float,float) T1[10:*], space=1\n"
      "dcl_sampler S0[0:0], mode_comparison, space=0\n"
      "sample r1.xyzw, r0.xyxx, T1[r1.x + 12].xyzw, S0[0]\n");
  const auto cb = declared_range(program, program.instructions[0]);
  EXPECT_EQ(cb.lower_bound, 2u);
  EXPECT_EQ(cb.upper_bound, 3u);
  EXPECT_EQ(cb.space, 7u);
  EXPECT_EQ(declared_constant_buffer_size(program, program.instructions[0]), 4u);
  EXPECT_EQ(declared_range(program, program.instructions[1]).upper_bound, 0xffffffffu);
  EXPECT_EQ(declared_sampler_mode(program.instructions[2]), sm4::SamplerMode::comparison);
  const auto operands = program.operands_of(program.instructions[3]);
  EXPECT_EQ(operands[2].index_count, 2u);
  EXPECT_EQ(operands[2].index[1].immediate, 12u);
  EXPECT_EQ(operands[3].index[1].immediate, 0u);
}

TEST(Parser, ReadsConstantRowsOverSeveralLines) {
  const auto program = parse_good(
      "ps_4_0\ndcl_immediateConstantBuffer { { 1.000000, 0, -1, 0x0000cccc},\r\n"
      "                              { 0, -0.000000, 15, 0} }\r\nret \r\n");
  const auto words = program.words_of(program.instructions[0]);
  ASSERT_EQ(words.size(), 8u);
  EXPECT_EQ(words[0], 0x3f800000u);
  EXPECT_EQ(words[2], 0xffffffffu);
  EXPECT_EQ(words[3], 0xccccu);
  EXPECT_EQ(words[5], 0x80000000u);
  EXPECT_EQ(program.instructions[1].location.line, 4u);
}

TEST(Parser, ReadsCommentsBetweenConstantRows) {
  const auto program = parse_good(
      "ps_4_0\ndcl_immediateConstantBuffer { // the first row follows\n  { 1, 2, 3, 4}, // one\n"
      "\n  // and\n  { 5, 6, 7, 8}  // two\n}  // done\nret \n");
  EXPECT_EQ(program.words_of(program.instructions[0]).size(), 8u);
  EXPECT_EQ(program.instructions[1].location.line, 8u);
}

TEST(Parser, ReadsSignatures) {
  const auto program = parse_good(
      "//\n// Input signature:\n//\n"
      "// Name                 Index   Mask Register SysValue  Format   Used\n"
      "// -------------------- ----- ------ -------- -------- ------- ------\n"
      "// SV_POSITION              0   xyzw        0      POS   float   xy  \n"
      "// TEXCOORD                 3    y          2     NONE  min16f\n"
      "//\n//\n// Output signature:\n//\n"
      "// Name                 Index   Mask Register SysValue  Format   Used\n"
      "// -------------------- ----- ------ -------- -------- ------- ------\n"
      "// SV_Target                1   xyzw        1   TARGET   float   xyz \n"
      "// SV_Depth                 0    N/A   oDepth    DEPTH   float    YES\n"
      "//\nps_5_0\nret \n// Approximately 1 instruction slots used\n");
  ASSERT_EQ(program.input_signature.size(), 2u);
  EXPECT_EQ(program.input_signature[0].semantic_name, "SV_POSITION");
  EXPECT_EQ(program.input_signature[0].system_value, 1u);
  EXPECT_EQ(program.input_signature[0].used_mask, 0b0011);
  EXPECT_EQ(program.input_signature[1].mask, 0b0010);
  EXPECT_EQ(program.input_signature[1].min_precision, 1);
  ASSERT_EQ(program.output_signature.size(), 2u);
  EXPECT_EQ(program.output_signature[0].system_value, 0u);
  EXPECT_EQ(program.output_signature[0].used_mask, 0b1000);
  EXPECT_EQ(program.output_signature[1].register_index, 0xffffffffu);
  EXPECT_EQ(program.instruction_slots, 1u);
}

TEST(Parser, FindsTheListingInItsContainer) {
  const char* const kTexts[] = {
      "float4 main() : SV_Target { return 0; }\n/*~~~ Original ASM ~~~\nps_5_0\nret \n~~~*/\n",
      "# Shader\n```\nps_5_0\nret \n```\nmore words here\n",
      "#if 0\nps_5_0\nret \n// Approximately 1 instruction slots used\n#endif\nconst BYTE g_main[] = {\n 1, "
      "2 };\n",
      "    ps_2_0\n    def c0, 1, 0, 0, 0\n// approximately 8 instruction slots used (1 texture, 7 "
      "arithmetic)\nps_5_0\nret \n",
      "ps_5_0\nret \n\0\n",
      "\tps_5_0\n\n#line 12 \"a b.hlsl\"\n  0: ret // done\n",
  };
  for (const char* text : kTexts) {
    const auto program = parse_good(text);
    ASSERT_EQ(program.instructions.size(), 1u) << text;
    EXPECT_EQ(program.instructions[0].opcode, Opcode::ret);
  }
  const std::string nul("ps_5_0\nret \n\0", 13);
  EXPECT_EQ(parse_good(nul).instructions.size(), 1u);
}

TEST(Parser, ALineCommentEndsAListingOnlyInACComment) {
  EXPECT_EQ(parse_good("ps_5_0\nnop \n// a */ b\nret \n").instructions.size(), 2u);
  EXPECT_EQ(parse_good("// see /* there\nps_5_0\nnop \n// a */ b\nret \n").instructions.size(), 2u);
  EXPECT_EQ(parse_good("/* done */\nps_5_0\nnop \n// a */ b\nret \n").instructions.size(), 2u);
  EXPECT_EQ(parse_good("/*~~~\nps_5_0\nnop \n//~~~~*/\nret \n").instructions.size(), 1u);
  EXPECT_EQ(parse_good("/* a */ /*\n// comment\nps_5_0\nnop \n//~~~~*/\nret \n").instructions.size(), 1u);
  EXPECT_EQ(parse_good("ps_5_0\nnop \n~~~*/\nmore\n").instructions.size(), 1u);
  EXPECT_EQ(parse_good("ps_5_0\nutof r0.x, r0.x // a */ b\nret \n").instructions.size(), 2u);
}

TEST(Parser, ReadsCustomDataWithoutEffect) {
  for (const char* line :
       {"undecipherable custom data", "  undecipherable custom data 0x00000035 0x00000002 ",
        "undecipherable custom data 0x00000035 0x00000007 0x00000001"}) {
    const auto program = parse_good(fmt::format("ps_5_0\n{}\nret \n", line));
    ASSERT_EQ(program.instructions.size(), 2u) << line;
    EXPECT_EQ(print_text(program), "ps_5_0\nundecipherable custom data\nret \n");
  }
}

TEST(Parser, SkipsAByteOrderMark) {
  EXPECT_EQ(parse_good("\xef\xbb\xbfps_5_0\r\nret \r\n").instructions.size(), 1u);
  EXPECT_EQ(parse_good("\xef\xbb\xbf//\n// Generated by fxc\nps_5_0\nret \n").instructions[0].location.line,
            4u);
}

TEST(Parser, ReadsHandWrittenDialect) {
  const auto program = parse_good(
      "hs_5_0\nhs_fork_phase\ndcl_indexRange o[1], o[3]\ndcl_hs_max_tessfactor 64.f\nudiv NULL, r0.x, "
      "vOutputControlPointID, 4\n"
      "mov x0[0].x, 2.0f\ndcl_output_sv o0.x, finalQuadUeq0EdgeTessFactor\nld2dms r0.xyzw, r1.xyzw, t0.xyzw, "
      "l(0);\n");
  EXPECT_EQ(program.words_of(program.instructions[1])[0], 3u);
  EXPECT_EQ(program.words_of(program.instructions[2])[0], 0x42800000u);
  EXPECT_EQ(program.operands_of(program.instructions[3])[3].immediate[0], 4u);
  EXPECT_EQ(program.operands_of(program.instructions[4])[1].immediate[0], 0x40000000u);
  EXPECT_EQ(program.instructions[6].opcode, Opcode::ldms);
}

TEST(Parser, ReadsNamesInAnyCase) {
  EXPECT_EQ(print_text(parse_good("PS_5_0\nDCL_INPUT_PS LINEAR CENTROID V1.XY\nIF_NZ R0.X\n"
                                  "MOV_SAT [PRECISE] R0.XYZW, L(1.0)\nENDIF\nCALLC_Z R0.W, L0\nRET\n")),
            "ps_5_0\ndcl_input_ps linear centroid v1.xy\nif_nz r0.x\n"
            "  mov_sat [precise] r0.xyzw, l(1.000000)\nendif \ncallc_z r0.w, l0\nret \n");
  EXPECT_EQ(
      only(parse_good("ps_5_0\nLD_INDEXABLE_S(BUFFER)(FLOAT,FLOAT,FLOAT,FLOAT) R0.X, R1.X, R2.X, T0.X\n"))
          .opcode,
      Opcode::ld_s);
}

TEST(Parser, ReadsAnnotations) {
  const auto program =
      parse_good("ps_5_1\nadd r0.x {min16f}, r1.x {min16f as def32}, T0[r0.x + 0].x { nonuniform }\n");
  const auto operands = program.operands_of(only(program));
  EXPECT_EQ(operands[0].min_precision, sm4::MinPrecision::float16);
  EXPECT_EQ(operands[1].min_precision, sm4::MinPrecision::float16);
  EXPECT_TRUE(operands[2].non_uniform);
}

// fxc /Lx, "output hexadecimal literals"
TEST(Parser, ReadsDoublesAsFourDwords) {
  const auto program = parse_good(
      "ps_5_0\ndadd r0.xyzw, d(0x00000000, 0xc18349b2, 0x00000001, 0x40b91400), d(-1.5l, "
      "0x4000000000000000)\n");
  const auto operands = program.operands_of(only(program));
  EXPECT_EQ(operands[1].immediate, (std::array<uint32_t, 4>{0, 0xc18349b2u, 1, 0x40b91400u}));
  EXPECT_EQ(operands[2].immediate, (std::array<uint32_t, 4>{0, 0xbff80000u, 0, 0x40000000u}));
}

// Assembler of 3Dmigoto, str_to_words(): listings of fxc with minimum precision.
TEST(Parser, ReadsMinimumPrecisionWithinAnAbsoluteValue) {
  const auto program = parse_good(
      "ps_5_0\nmad r2.xyzw {min16f}, |r2.xyzw {min16f}|, l(-4.0, -4.0, -4.0, -4.0) {def32 as min16f}, "
      "-|r1.xyzw {min16i as min16f}|\n");
  const auto operands = program.operands_of(only(program));
  EXPECT_EQ(operands[1].min_precision, sm4::MinPrecision::float16);
  EXPECT_EQ(operands[1].modifier, sm4::OperandModifier::absolute);
  EXPECT_EQ(operands[2].min_precision, sm4::MinPrecision::none);
  EXPECT_EQ(operands[3].min_precision, sm4::MinPrecision::sint16);
  EXPECT_EQ(operands[3].modifier, sm4::OperandModifier::negate_absolute);
  // The mark may also follow the bar.
  const auto behind = parse_good("ps_5_0\nmov r2.x {min16f}, |r2.x| {min16f}\n");
  EXPECT_EQ(behind.operands_of(only(behind))[1].min_precision, sm4::MinPrecision::float16);
}

TEST(Parser, ReadsEverySpellingOfGeometryInstances) {
  for (const char* name : {"dcl_gsinstances", "dcl_gs_instances", "dcl_gs_instance_count"}) {
    const auto program = parse_good(fmt::format("gs_5_0\n{} 4\n", name));
    EXPECT_EQ(only(program).opcode, Opcode::dcl_gs_instance_count);
    EXPECT_EQ(print_text(program), "gs_5_0\ndcl_gsinstances 4\n");
  }
}

// The documents write _rcpFloat, the disassembler _rcpfloat.
TEST(Parser, ReadsReciprocalsOfSizes) {
  for (const char* suffix : {"rcpFloat", "rcpfloat"}) {
    EXPECT_EQ(print_text(parse_good(fmt::format("ps_5_0\nresinfo_{} r0.x, l(0), t0.xyzw\n", suffix))),
              "ps_5_0\nresinfo_rcpfloat r0.x, l(0), t0.xyzw\n");
  }
}

TEST(Parser, ReadsSyncFlags) {
  const auto program = parse_good("cs_5_0\nsync_sat_ugroup_g_t\n");
  EXPECT_EQ(only(program).controls,
            sm4::controls::kSyncUavGroup | sm4::controls::kSyncGroupShared | sm4::controls::kSyncThreads);
  EXPECT_EQ(print_text(program), "cs_5_0\nsync_sat_ugroup_g_t\n");
  EXPECT_EQ(print_text(parse_good("cs_5_0\nsync_ugroup_t\n")), "cs_5_0\nsync_sat_ugroup_t\n");
  const auto both = parse_good("cs_5_0\nsync_sat_uglobal\n");
  EXPECT_EQ(only(both).controls, sm4::controls::kSyncUavGroup | sm4::controls::kSyncUavGlobal);
  EXPECT_EQ(print_text(both), "cs_5_0\nsync_sat_uglobal\n");
}

TEST(Parser, ReadsInterfaces) {
  const auto program = parse_good(
      "ps_5_0\ndcl_function_body fb0\ndcl_function_table ft1 = {fb0, fb3}\ndcl_interface_dynamicindexed "
      "fp2[4][1] = {ft1}\n"
      "fcall fp2[r0.x + 0][3]\n");
  EXPECT_EQ(program.words_of(program.instructions[1])[1], 2u);
  const auto words = program.words_of(program.instructions[2]);
  ASSERT_EQ(words.size(), 4u);
  EXPECT_EQ(words[1], 1u);
  EXPECT_EQ(words[2], (4u << 16) | 1u);
  EXPECT_EQ(program.words_of(program.instructions[3])[0], 3u);
  EXPECT_EQ(program.operands_of(program.instructions[3])[0].index_count, 2u);
}

}  // namespace
}  // namespace texlate
