// A translated kernel that is run with the host's own parameter block: what it relies on must be in the
// block.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "tests/support/ir_text.h"
#include "texlate/texlate.hpp"
#include "tools/executor/foreign_kernel.h"

namespace texlate::test {
namespace {

constexpr const char* kShader =
    "ps_5_0\ndcl_constantbuffer cb0[2], immediateIndexed\ndcl_resource_texture2d (float,float,float,float) "
    "t0\n"
    "dcl_output o0.xyzw\ndcl_temps 1\nld r0, l(3, 2, 0, 0), t0.xyzw\nmul o0.xyzw, r0, cb0[1]\nret\n";
// The block: the head, cb0's record at 48, t0's at 64.
constexpr uint32_t kElements = 32 / 4, kRows = 56 / 4, kHandle = 64 / 4, kWidth = 72 / 4, kHeight = 76 / 4;

class PromisedBlock : public testing::Test {
 protected:
  PromisedBlock() {
    texlate_known_resource texture{};
    texture.register_class = TEXLATE_REGISTER_RESOURCE;
    texture.count = 1;
    texture.known = TEXLATE_KNOWN_WIDTH | TEXLATE_KNOWN_HEIGHT;
    texture.width = 4;
    texture.height = 3;
    const texlate_known_constants rows{0, 0, 1, 2, nullptr, 0, 0, 0};
    texlate_known_state state = TEXLATE_KNOWN_STATE_INIT;
    state.resources = &texture;
    state.constants = &rows;
    state.resource_count = state.constant_count = 1;
    state.launch = TEXLATE_KNOWN_ELEMENTS;
    state.elements = 64;
    texlate_translate_options options = TEXLATE_TRANSLATE_OPTIONS_INIT;
    options.reflect = 1;
    options.known = &state;
    const api::Output output = api::Program(std::string(kShader)).translate(options);
    EXPECT_TRUE(output.ok());
    text_ = output.data();
    reflection_ = output.reflection();
    block_[kElements] = 64;
    block_[kRows] = 2;
    block_[kHandle] = 1;
    block_[kWidth] = 4;
    block_[kHeight] = 3;
  }

  /// Messages about the scene; empty if it has what the kernel relies on.
  std::string messages() const {
    const std::string scene = fmt::format(
        R"({{"kernel": {{"block": [64], "reflection": {}, "arguments": {{"texlate_params": [{}]}}}}}})",
        reflection_, fmt::join(block_, ", "));
    executor::ForeignKernel kernel;
    std::pmr::monotonic_buffer_resource memory;
    ir::Module declarations(&memory);
    Diagnostics diagnostics, found;
    executor::load_foreign(text_, scene, kernel, declarations, diagnostics, found);
    EXPECT_EQ(ir::to_text(diagnostics, ""), "");
    return ir::to_text(found, "");
  }
  std::string messages_with(uint32_t at, uint32_t word) {
    const uint32_t before = std::exchange(block_[at], word);
    std::string result = messages();
    block_[at] = before;
    return result;
  }

  std::string text_, reflection_;
  std::array<uint32_t, 32> block_{};
};

TEST_F(PromisedBlock, MustHaveWhatTheCodeReliesOn) {
  EXPECT_EQ(messages(), "");
  EXPECT_EQ(messages_with(kRows, 3), "") << "more rows do no harm";
  using testing::HasSubstr;
  EXPECT_THAT(messages_with(kWidth, 5),
              HasSubstr("t0: width is 0x5 in the block (offset 72), but the code relies on 0x4"));
  EXPECT_THAT(messages_with(kHeight, 2), HasSubstr("t0: height is 0x2"));
  EXPECT_THAT(messages_with(kHandle, 0), HasSubstr("but the code relies on a handle"));
  EXPECT_THAT(messages_with(kRows, 1), HasSubstr("cb0: rows is 0x1"));
  EXPECT_THAT(messages_with(kElements, 63), HasSubstr("elements is 0x3f"));
}

}  // namespace
}  // namespace texlate::test
