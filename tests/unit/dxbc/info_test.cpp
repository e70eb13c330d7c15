#include "frontend/dxbc/info.h"

#include <gtest/gtest.h>

#include "tests/unit/dxbc/assemble_text.h"

namespace texlate {
namespace {

TEST(Info, SummarizesAShader) {
  const auto bytes = assemble(kSmallShader);
  dxbc::Container container;
  sm4::Program program;
  Diagnostics diagnostics;
  ASSERT_TRUE(dxbc::read(bytes, container, program, diagnostics));
  const dxbc::Info info = dxbc::make_info(container, program);
  EXPECT_EQ(info.profile, "ps_5_0");
  EXPECT_EQ(info.instruction_count, 4u);
  EXPECT_EQ(info.texture_instruction_count, 1u);
  EXPECT_EQ(info.temp_count, 1u);
  ASSERT_EQ(info.bindings.size(), 2u);
  EXPECT_EQ(info.bindings[1].kind, "texture");
  EXPECT_EQ(info.bindings[1].detail, "texture2d");
  EXPECT_TRUE(info.digest_matches);
  std::pmr::string text;
  dxbc::info_text(info, text);
  EXPECT_NE(text.find("profile            ps_5_0\n"), std::string::npos);
  EXPECT_NE(text.find("binding            texture 0 texture2d\n"), std::string::npos);
  std::pmr::string json;
  dxbc::info_json(info, json);
  EXPECT_NE(json.find("\"profile\": \"ps_5_0\""), std::string::npos);
  EXPECT_NE(json.find("\"SV_Target\""), std::string::npos);
  EXPECT_NE(json.find("\"digest_matches\": true"), std::string::npos);
}

TEST(Info, StatesTheThreadGroup) {
  const auto program = parse_good("cs_5_0\ndcl_thread_group 8, 4, 2\nret \n");
  const dxbc::Info info = dxbc::make_info(dxbc::Container(), program);
  EXPECT_EQ(info.thread_group[0], 8u);
  EXPECT_EQ(info.thread_group[2], 2u);
  std::pmr::string json;
  dxbc::info_json(info, json);
  EXPECT_EQ(json.find("digest_matches"), std::string::npos) << "a listing has no digest";
}

}  // namespace
}  // namespace texlate
