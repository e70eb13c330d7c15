// Chunk Aon9 and its Direct3D 9 shader, made by hand.
#include "frontend/dxbc/level9.h"

#include <gtest/gtest.h>

#include <span>
#include <vector>

namespace texlate {
namespace {

std::vector<std::byte> bytes_of(const std::vector<uint32_t>& words) {
  const auto bytes = std::as_bytes(std::span(words));
  return {bytes.begin(), bytes.end()};
}

std::string listing_of(const std::vector<uint32_t>& code) {
  std::pmr::string text;
  dxbc::print_direct3d9_listing(bytes_of(code), text);
  return std::string(text);
}

TEST(Direct3d9Listing, PrintsAPixelShader) {
  EXPECT_EQ(listing_of({
                0xffff0200,                                                     // ps_2_0
                0x0003fffe, 0x47554244, 1,          2,                          // a comment
                0x05000051, 0xa00f0001, 0x38d1b717, 0x3f000000, 0,          0,  // def
                0x0200001f, 0x80000000, 0xb0030000,                             // dcl t0.xy
                0x0200001f, 0x98000000, 0xa00f0801,                             // dcl_cube s1
                0x03000042, 0x800f0000, 0xb0e40000, 0xa0e40801,                 // texld
                0x04000004, 0x80170002, 0x81ff0000, 0x8b1b0001, 0xa0000001,     // mad_sat
                0x01000041, 0x800f0000,                                         // texkill
                0x02000001, 0x900f0800, 0x80e40000,                             // mov oDepth
                0x0000ffff,
            }),
            "    ps_2_0\n"
            "    def c1, 9.99999975e-005, 0.5, 0, 0\n"
            "    dcl t0.xy\n"
            "    dcl_cube s1\n"
            "    texld r0, t0, s1\n"
            "    mad_sat r2.xyz, -r0.w, r1_abs.wzyx, c1.x\n"
            "    texkill r0\n"
            "    mov oDepth, r0\n"
            "\n// approximately 4 instruction slots used (1 texture, 3 arithmetic)\n");
}

TEST(Direct3d9Listing, PrintsAVertexShader) {
  EXPECT_EQ(listing_of({
                0xfffe0201,                                                  // vs_2_x
                0x0200001f, 0x80030005, 0x900f0002,                          // dcl_texcoord3 v2
                0x0200002e, 0xb0010000, 0x90000002,                          // mova a0.x
                0x04000005, 0xc00f0000, 0xa0e4201a, 0xb0000000, 0x80e40001,  // mul oPos, c26[a0.x], r1
                0x02000024, 0xe0070003, 0x80e40001,                          // nrm oT3.xyz
                0x02040029, 0xa0000001, 0xa0550001,                          // if_lt
                0x0000002b,                                                  // endif
                0x0000ffff,
            }),
            "    vs_2_x\n"
            "    dcl_texcoord3 v2\n"
            "    mova a0.x, v2.x\n"
            "    mul oPos, c26[a0.x], r1\n"
            "    nrm oT3.xyz, r1\n"
            "    if_lt c1.x, c1.y\n"
            "    endif\n"
            "\n// approximately 9 instruction slots used\n");
}

TEST(Direct3d9Listing, SurvivesWhatIsCutOffOrUnknown) {
  EXPECT_EQ(listing_of({}), "    vs_0_0\n\n// approximately 0 instruction slots used\n");
  EXPECT_EQ(listing_of({0xffff0200, 0x03000005}),
            "    ps_2_0\n    mul r0, r0.x, r0.x\n\n// approximately 1 instruction slot used\n");
  EXPECT_EQ(listing_of({0xffff0200, 0x00000050}),
            "    ps_2_0\n    unknown opcode 80\n\n// approximately 0 instruction slots used\n");
}

TEST(Level9, PrintsTheTables) {
  const std::vector<uint32_t> chunk = {
      64,         0xffff0200, 8, 56,  // size, version, size and offset of the code
      0x00240001, 0,          0,      // one constant mapping at 36
      0x00300001,                     // one sampler at 48
      0x00340001,                     // one run-time constant at 52
      0x00050002, 0x00070003, 0,      // cb2[5..7] to c7
      0x00010203,                     // t3, s2 to s1
      0x00090000,                     // c9
      0xffff0200, 0x0000ffff,
  };
  std::pmr::string text;
  dxbc::print_level9(bytes_of(chunk), text);
  EXPECT_EQ(text,
            "//\n// Constant buffer to DX9 shader constant mappings:\n//\n"
            "// Target Reg Buffer  Start Reg # of Regs        Data Conversion\n"
            "// ---------- ------- --------- --------- ----------------------\n"
            "// c7         cb2             5         3  ( FLT, FLT, FLT, FLT)\n//\n"
            "//\n// Sampler/Resource to DX9 shader sampler mappings:\n//\n"
            "// Target Sampler Source Sampler  Source Resource\n"
            "// -------------- --------------- ----------------\n"
            "// s1             s2              t3               \n//\n"
            "//\n// Runtime generated constant mappings:\n//\n"
            "// Target Reg                               Constant Description\n"
            "// ---------- --------------------------------------------------\n"
            "// c9                              Vertex Shader position offset\n//\n"
            "//\n// Level9 shader bytecode:\n//\n"
            "    ps_2_0\n\n// approximately 0 instruction slots used\n");
  // Tables beyond the chunk have no entries; code beyond it prints nothing.
  auto cut = chunk;
  cut[4] = 0xfff0ffff;
  text.clear();
  dxbc::print_level9(bytes_of(cut), text);
  EXPECT_EQ(text.find("constant mappings:\n//\n// Target Reg Buffer"), std::string::npos);
  cut[3] = 0xfffffff0;
  text.clear();
  dxbc::print_level9(bytes_of(cut), text);
  EXPECT_EQ(text, "");
}

}  // namespace
}  // namespace texlate
