#include "ir/base/json_writer.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <random>

namespace texlate {
namespace {

std::string json_of(std::string_view text) {
  std::pmr::string out;
  JsonWriter(out).value(text);
  return std::string(out);
}

TEST(JsonWriter, WritesWhatNlohmannWrites) {
  std::pmr::string out;
  JsonWriter json(out);
  json.begin_object();
  json.field("text", "a\"b\\c\n\x01");
  json.field("number", 4294967295u);
  json.field("negative", int64_t{-5});
  json.field("byte", uint8_t{7});
  json.field("truth", true);
  json.null_field("nothing");
  json.begin_array("empty");
  json.end_array();
  json.begin_object("hollow");
  json.end_object();
  json.begin_array("list");
  json.value(1);
  json.begin_object();
  json.register_field("name", "cb", 13);
  json.end_object();
  json.end_array();
  json.end_object();
  const auto parsed = nlohmann::ordered_json::parse(std::string(out));
  EXPECT_EQ(std::string(out), parsed.dump(2) + "\n");
  EXPECT_EQ(parsed["text"], "a\"b\\c\n\x01");
  EXPECT_EQ(parsed["list"][1]["name"], "cb13");
}

TEST(JsonWriter, ReplacesWhatIsNotUtf8) {
  EXPECT_EQ(json_of("\xff"), "\"\xef\xbf\xbd\"");
  EXPECT_EQ(json_of("a\xc3"), "\"a\xef\xbf\xbd\"");  // truncated
  EXPECT_EQ(json_of("\xc3\xa9"), "\"\xc3\xa9\"");    // e with an acute accent
  EXPECT_EQ(json_of("\xc0\xaf").size(), 8u);         // overlong: two replacements
  EXPECT_EQ(json_of("\xed\xa0\x80").size(), 11u);    // a surrogate: three replacements
  EXPECT_EQ(json_of("\xf0\x9f\x98\x80"), "\"\xf0\x9f\x98\x80\"");
  EXPECT_EQ(json_of("\xf0\x9f\x98x"), "\"\xef\xbf\xbdx\"");
}

/// For any bytes, the result is JSON, and valid UTF-8 is preserved.
TEST(JsonWriter, AnyBytesAreJson) {
  std::mt19937 random(1);
  for (int i = 0; i < 20000; ++i) {
    std::string text(random() % 12, ' ');
    for (char& c : text) c = static_cast<char>(random() % 3 == 0 ? 0x80 + random() % 128 : random() % 256);
    ASSERT_TRUE(nlohmann::json::accept(json_of(text)));
    // nlohmann's replacements follow the same rule (Unicode, "maximal subparts").
    ASSERT_EQ(nlohmann::json::parse(json_of(text)),
              nlohmann::json::parse(
                  nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace)))
        << json_of(text);
  }
}

}  // namespace
}  // namespace texlate
