#include "frontend/dxbc/container.h"

#include <gtest/gtest.h>

#include <cstring>

#include "frontend/dxbc/signature.h"
#include "frontend/sm4/compare.h"
#include "frontend/sm4/validate.h"
#include "tests/unit/dxbc/assemble_text.h"

namespace texlate {
namespace {

struct Result {
  dxbc::Container container;
  sm4::Program program;
  Diagnostics diagnostics;
  bool good = false;
};

Result read(std::span<const std::byte> bytes, dxbc::DigestCheck digest = dxbc::DigestCheck::warn) {
  Result result;
  result.good = dxbc::read(bytes, result.container, result.program, result.diagnostics, {.digest = digest});
  return result;
}

TEST(Container, RoundTripsAssembledText) {
  const auto bytes = assemble(kSmallShader);
  const auto result = read(bytes, dxbc::DigestCheck::require);
  ASSERT_TRUE(result.good);
  EXPECT_TRUE(result.container.digest_matches);
  EXPECT_EQ(sm4::difference(result.program, parse_good(kSmallShader)), "");
}

TEST(Container, MakesSignaturesFromDeclarations) {
  const auto result = read(assemble(kSmallShader));
  ASSERT_EQ(result.program.input_signature.size(), 2u);
  EXPECT_EQ(result.program.input_signature[0].semantic_name, "SV_Position");
  EXPECT_EQ(result.program.input_signature[0].system_value, 1u);
  EXPECT_EQ(result.program.input_signature[1].semantic_name, "TEXCOORD");
  ASSERT_EQ(result.program.output_signature.size(), 2u);
  EXPECT_EQ(result.program.output_signature[0].semantic_name, "SV_Target");
  EXPECT_EQ(result.program.output_signature[1].semantic_name, "SV_Depth");
  EXPECT_EQ(result.program.output_signature[1].register_index, 0xffffffffu);
}

TEST(Container, KeepsSignaturesOfHeaderComments) {
  std::string text =
      "// Input signature:\n//\n// Name                 Index   Mask Register SysValue  Format   Used\n"
      "// -------------------- ----- ------ -------- -------- ------- ------\n"
      "// COLOR                    2   xyzw        1     NONE    uint   xy  \n//\n";
  text += kSmallShader;
  const auto result = read(assemble(text));
  ASSERT_EQ(result.program.input_signature.size(), 1u);
  EXPECT_EQ(result.program.input_signature[0].semantic_name, "COLOR");
  EXPECT_EQ(result.program.input_signature[0].semantic_index, 2u);
  EXPECT_EQ(result.program.input_signature[0].component_type, 1u);
  EXPECT_EQ(result.program.input_signature[0].used_mask, 3);
}

TEST(Container, SignatureFormsHoldStreamsAndPrecision) {
  sm4::Program program;
  sm4::SignatureElement element;
  element.semantic_name.push_back('A');  // the assignment of "A" triggers -Wrestrict of g++ 12
  element.mask = 1;
  program.output_signature.push_back(element);
  std::pmr::vector<std::byte> data;
  const auto tag = [&] {
    constexpr auto kOutput = dxbc::SignatureKind::output;
    return dxbc::write_signature(program.output_signature, kOutput, dxbc::signature_columns(program, kOutput),
                                 data);
  };
  EXPECT_EQ(tag(), dxbc::fourcc("OSGN"));
  program.output_signature[0].stream = 2;
  EXPECT_EQ(tag(), dxbc::fourcc("OSG5"));
  program.output_signature[0].min_precision = 1;
  EXPECT_EQ(tag(), dxbc::fourcc("OSG1"));
}

TEST(Container, WrongDigestIsAWarningOrAnErrorOrNothing) {
  auto bytes = assemble(kSmallShader);
  bytes[5] ^= std::byte{1};
  const auto lenient = read(bytes);
  EXPECT_TRUE(lenient.good);
  ASSERT_EQ(lenient.diagnostics.list().size(), 1u);
  EXPECT_EQ(lenient.diagnostics.list()[0].severity, Severity::warning);
  EXPECT_EQ(lenient.diagnostics.list()[0].location.offset, 4u);
  EXPECT_FALSE(read(bytes, dxbc::DigestCheck::require).good);
  const auto unseen = read(bytes, dxbc::DigestCheck::ignore);
  EXPECT_TRUE(unseen.good);
  EXPECT_TRUE(unseen.diagnostics.list().empty());
}

TEST(Container, DigestCoversEveryResidue) {
  // The padding changes at 56 bytes modulo 64; a container of every length must pass the strict check.
  for (size_t n = 0; n < 130; ++n) {
    std::vector<std::byte> data(n, std::byte{0x5a});
    const dxbc::ChunkData chunk{dxbc::fourcc("TEST"), data};
    std::pmr::vector<std::byte> bytes;
    dxbc::write_container(std::span(&chunk, 1), bytes);
    dxbc::Container container;
    Diagnostics diagnostics;
    ASSERT_TRUE(dxbc::read_container(bytes, dxbc::DigestCheck::require, container, diagnostics)) << n;
    ASSERT_EQ(container.chunks.size(), 1u);
    EXPECT_EQ(container.chunks[0].size, n);
  }
}

TEST(Container, RefusesChunksThatOverlap) {
  auto bytes = assemble(kSmallShader);
  std::memcpy(bytes.data() + 36, bytes.data() + 40, 4);  // the output signature's entry points at the code
  const auto result = read(bytes);
  EXPECT_FALSE(result.good);
  EXPECT_EQ(messages(result.diagnostics), "0:0: chunk 2 overlaps other chunks\n");
}

TEST(Container, RefusesLongSemanticNames) {
  sm4::Program program = parse_good(kSmallShader);
  sm4::SignatureElement element;
  element.semantic_name.assign(sm4::kMaxSemanticName, 'N');
  program.input_signature.push_back(element);
  std::pmr::vector<std::byte> bytes;
  Diagnostics diagnostics;
  ASSERT_TRUE(dxbc::write(program, nullptr, bytes, diagnostics));
  EXPECT_TRUE(read(bytes).good);
  program.input_signature[0].semantic_name.push_back('N');
  bytes.clear();
  ASSERT_TRUE(dxbc::write(program, nullptr, bytes, diagnostics));
  EXPECT_EQ(messages(read(bytes).diagnostics),
            "0:0: the name of signature element 0 is longer than 256 characters\n");
}

TEST(Container, ReadsABareTokenStream) {
  const auto bytes = assemble(kSmallShader);
  const auto whole = read(bytes);
  const auto code = whole.container.data(*whole.container.find(dxbc::kCodeTag5));
  const auto bare = read(code);
  EXPECT_TRUE(bare.good);
  EXPECT_TRUE(bare.container.bare);
  EXPECT_EQ(sm4::difference(bare.program, whole.program), "");
}

TEST(Container, RefusesOtherBytes) {
  const char text[] = "this is no shader at all, but long enough for a header of one";
  const auto result = read(std::as_bytes(std::span(text)));
  EXPECT_FALSE(result.good);
  EXPECT_EQ(messages(result.diagnostics),
            "0:0: neither a DXBC container nor a token stream of shader model 4.0-5.1\n");
  EXPECT_FALSE(read({}).good);
}

TEST(Container, EveryTruncationEndsInADiagnostic) {
  const auto bytes = assemble(kSmallShader);
  for (size_t n = 0; n < bytes.size(); ++n) {
    const auto result = read(std::span(bytes).first(n));
    EXPECT_FALSE(result.good) << n;
    EXPECT_TRUE(result.diagnostics.has_errors()) << n;
  }
}

TEST(Container, EverySingleByteCorruptionEndsInAResultOrADiagnostic) {
  const auto original = assemble(kSmallShader);
  for (size_t i = 0; i < original.size(); ++i) {
    for (uint32_t bit = 0; bit < 8; ++bit) {
      auto bytes = original;
      bytes[i] ^= std::byte{1} << bit;
      const auto result = read(bytes);
      EXPECT_EQ(result.good, !result.diagnostics.has_errors()) << i;
      Diagnostics more;
      sm4::validate(result.program, more);
    }
  }
}

}  // namespace
}  // namespace texlate
