#include "frontend/dxbc/tokens.h"

#include <gtest/gtest.h>

#include "frontend/sm4/compare.h"
#include "tests/unit/dxbc/assemble_text.h"

namespace texlate {
namespace {

std::pmr::vector<uint32_t> encode(std::string_view text) {
  const auto program = parse_good(text);
  std::pmr::vector<uint32_t> words;
  Diagnostics diagnostics;
  EXPECT_TRUE(dxbc::encode_tokens(program, words, diagnostics)) << messages(diagnostics);
  return words;
}

std::string decode_errors(std::vector<uint32_t> words) {
  sm4::Program program;
  Diagnostics diagnostics;
  EXPECT_FALSE(dxbc::decode_tokens(std::as_bytes(std::span(words)), 0, program, diagnostics));
  std::string text;
  for (const Diagnostic& d : diagnostics.list())
    text += fmt::format("0x{:x}: {}\n", d.location.offset, std::string_view(d.message));
  return text;
}

// The worked example of docs/reference/direct3d.md 5.2.
TEST(Tokens, EncodesALoadWithOffset) {
  const auto words = encode(
      "ps_5_0\nld_aoffimmi_indexable(-1,-2,0)(texture2d)(float,float,float,float) r0.xyzw, r1.xyzw, "
      "t2.xyzw\n");
  ASSERT_EQ(words.size(), 12u);
  EXPECT_EQ(words[0], 0x50u);
  EXPECT_EQ(words[1], 12u);
  EXPECT_EQ(words[2], 0x8a00002du);
  EXPECT_EQ(words[3], 0x8001de01u);
  EXPECT_EQ(words[4], 0x800000c2u);
  EXPECT_EQ(words[5], 0x00155543u);
  EXPECT_EQ(words[6], 0x001000f2u);
  EXPECT_EQ(words[8], 0x00100e46u);
  EXPECT_EQ(words[10], 0x00107e46u);
}

// d3d12TokenizedProgramFormat.hpp, D3D11_SB_CUSTOMDATA_SHADER_MESSAGE
TEST(Tokens, EncodesMessages) {
  const auto words = encode("ps_5_0\nprintf \"v=%u\", l(99)\n");
  const std::vector<uint32_t> expected = {0x2035, 11, 0x00200102, 1, 4, 1, 2, 0x00004001, 99, 0x75253d76, 0};
  ASSERT_EQ(words.size(), 2 + expected.size());
  EXPECT_TRUE(std::equal(expected.begin(), expected.end(), words.begin() + 2));
  sm4::Program program;
  Diagnostics diagnostics;
  ASSERT_TRUE(dxbc::decode_tokens(std::as_bytes(std::span(words)), 0, program, diagnostics));
  EXPECT_EQ(print_text(program), "ps_5_0\nprintf \"v=%u\", l(99)\n");
  // What is no message keeps its dwords.
  std::pmr::vector<uint32_t> other = words;
  other[7] = 7;  // operands
  sm4::Program opaque;
  ASSERT_TRUE(dxbc::decode_tokens(std::as_bytes(std::span(other)), 0, opaque, diagnostics));
  std::pmr::vector<uint32_t> again;
  ASSERT_TRUE(dxbc::encode_tokens(opaque, again, diagnostics));
  EXPECT_EQ(again, other);
}

TEST(Tokens, PutsTheNonuniformMarkBeforeTheIndices) {
  const auto words = encode("ps_5_1\nsample r0.xyzw, r1.xyxx, T0[r2.x + 3].xyzw { nonuniform }, S0[0]\n");
  // docs/reference/direct3d.md 1.6: without a dword after the register it would be 86207e46 00020001
  EXPECT_EQ(words[7], 0x86207e46u);
  EXPECT_EQ(words[8], 0x00020001u);
}

TEST(Tokens, RoundTripsRareForms) {
  const std::string_view kTexts[] = {
      "ps_5_0\ndcl_function_body fb0\ndcl_function_table ft1 = {fb0, fb3}\ndcl_interface fp2[4][1] = "
      "{ft1}\nfcall fp2[r0.x + 0][3]\n",
      "ps_5_0\nmov [precise(xw)] x0[x1[r2.y + 1].z + 2].xyzw, d(1.500000l, -2.000000l)\n",
      "ps_5_0\nsample_b_cl_s r0.xyzw, r1.x, r2.xyxx, t0.xyzw, s0, l(0.500000), l(1.000000)\n",
      "hs_5_0\nhs_decls \ndcl_hs_max_tessfactor l(64.000000)\nhs_join_phase "
      "\ndcl_hs_join_phase_instance_count 2\nret \n",
      "cs_5_0\nsync_uglobal_g_t\natomic_cmp_store g0, r1.xyxx, r0.x, r0.y\n",
  };
  for (std::string_view text : kTexts) {
    const auto program = parse_good(text);
    const auto words = encode(text);
    sm4::Program decoded;
    Diagnostics diagnostics;
    ASSERT_TRUE(dxbc::decode_tokens(std::as_bytes(std::span(words)), 0, decoded, diagnostics)) << text;
    EXPECT_EQ(sm4::difference(program, decoded), "") << text;
    EXPECT_EQ(print_text(decoded), text);
  }
}

TEST(Tokens, LongFunctionTablesUseTheLongForm) {
  std::string text = "ps_5_0\ndcl_function_table ft0 = {fb0";
  for (int i = 1; i < 300; ++i) text += fmt::format(", fb{}", i);
  text += "}\n";
  const auto words = encode(text);
  EXPECT_EQ(words[2] >> 24, 0x80u);  // extended, length 0
  sm4::Program decoded;
  Diagnostics diagnostics;
  ASSERT_TRUE(dxbc::decode_tokens(std::as_bytes(std::span(words)), 0, decoded, diagnostics));
  EXPECT_EQ(sm4::difference(parse_good(text), decoded), "");
}

TEST(Tokens, KeepsPaddingBehindSamplepos) {
  const std::vector<uint32_t> words = {0x50, 10, 0x0800006e, 0x00100032, 0, 0x00107046, 0, 0x00004001, 0, 0};
  sm4::Program program;
  Diagnostics diagnostics;
  ASSERT_TRUE(dxbc::decode_tokens(std::as_bytes(std::span(words)), 0, program, diagnostics));
  std::pmr::vector<uint32_t> again;
  ASSERT_TRUE(dxbc::encode_tokens(program, again, diagnostics));
  EXPECT_TRUE(std::equal(words.begin(), words.end(), again.begin(), again.end()));
}

TEST(Tokens, Refuses) {
  EXPECT_EQ(decode_errors({0x50}), "0x0: the token stream has no version and length\n");
  EXPECT_EQ(decode_errors({0x00060050, 2}),
            "0x0: unsupported program version 0x00060050: expected shader model 4.0, 4.1, 5.0 or 5.1\n");
  EXPECT_EQ(decode_errors({0x50, 9}),
            "0x4: the token stream header gives a length of 9 dwords, but the input has 2\n");
  EXPECT_EQ(decode_errors({0x50, 3, 0}), "0x8: an instruction of 0 dwords does not fit into the stream\n");
  EXPECT_EQ(decode_errors({0x50, 3, 0x0100006b}), "0x8: unknown opcode 107\n");
  EXPECT_EQ(decode_errors({0x50, 3, 0x01000036}),
            "0x8: an operand runs past the end of its instruction\n"
            "0x8: in mov, instruction or declaration number 1 of the stream\n");
  EXPECT_EQ(decode_errors({0x50, 4, 0x02000036, 0x000ff000}),
            "0xc: unknown register file 255\n"
            "0x8: in mov, instruction or declaration number 1 of the stream\n");
  EXPECT_EQ(decode_errors({0x50, 4, 0x35, 1}), "0x8: custom data of 1 dwords does not fit into the stream\n");
  EXPECT_EQ(decode_errors({0x50, 4, 0x8200003e, 0x3f}),
            "0xc: unknown extended opcode token of type 63\n"
            "0x8: in ret, instruction or declaration number 1 of the stream\n");
  EXPECT_EQ(decode_errors({0x50, 3, 0x81000092}),
            "0x8: the length of dcl_interface is missing\n"
            "0x8: in dcl_interface, instruction or declaration number 1 of the stream\n");
}

TEST(Tokens, RefusesWhenTheDiagnosticsAreFull) {
  const std::vector<uint32_t> words = {0x50, 3, 0x0100003e};
  sm4::Program program;
  Diagnostics diagnostics(std::pmr::get_default_resource(), 1);
  diagnostics.error({}, "something before");
  EXPECT_FALSE(dxbc::decode_tokens(std::as_bytes(std::span(words)), 0, program, diagnostics));
}

TEST(Tokens, RecoversBehindABadInstruction) {
  const std::vector<uint32_t> words = {0x50, 5, 0x0100006b, 0x01000036, 0x0100003e};
  sm4::Program program;
  Diagnostics diagnostics;
  EXPECT_FALSE(dxbc::decode_tokens(std::as_bytes(std::span(words)), 0x100, program, diagnostics));
  EXPECT_EQ(diagnostics.error_count(), 2u);
  EXPECT_EQ(diagnostics.list()[1].location.offset, 0x10cu);
  ASSERT_EQ(program.instructions.size(), 1u);
  EXPECT_EQ(program.instructions[0].opcode, sm4::Opcode::ret);
}

}  // namespace
}  // namespace texlate
