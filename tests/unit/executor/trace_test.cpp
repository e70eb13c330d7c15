// One lane of a run, instruction by instruction.
#include "tools/executor/trace.h"

#include <gmock/gmock.h>

#include "library/pipeline.h"

namespace texlate::executor {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr std::string_view kHead = "ps_5_0\ndcl_input_ps_siv linear noperspective v0.xy, position\n";

struct Traced {
  sm4::Program program;
  Shader shader;
  std::unique_ptr<sim::Scene> scene;
  Trace trace;

  /// Follows the pixel, or the thread of group (0, 0, 0).
  Traced(const std::string& text, std::string_view scene_text, uint32_t x, uint32_t y,
         TraceOptions options = {}) {
    Diagnostics diagnostics;
    dxbc::Container container;
    constexpr Route kRun[] = {Route::ir, Route::ptx};
    EXPECT_TRUE(load_shader(text, shader, kRun, diagnostics));
    EXPECT_TRUE(library::read_program(text, dxbc::DigestCheck::warn, program, container, diagnostics));
    scene = sim::Scene::make(scene_text, ".", shader.contract, diagnostics);
    EXPECT_NE(scene, nullptr);
    for (const Diagnostic& each : diagnostics.list()) ADD_FAILURE() << each.message;
    options.lane.element = x;
    if (shader.contract.stage == ir::Stage::pixel) {
      options.lane.element = 0;
      while (scene->pixel_of(options.lane.element) != std::array<uint32_t, 2>{x, y}) ++options.lane.element;
    }
    options.guarded = &shader.legal;
    EXPECT_TRUE(executor::trace(program, shader, *scene, options, trace, diagnostics));
  }

  /// "r0.x=1 r0.y=2"
  static std::string writes(const TracedLine& line) {
    std::string out;
    for (const TracedWrite& write : line.writes)
      out += (out.empty() ? "" : " ") + write.reg + "." + "xyzw"[write.component] + "=" +
             word_text(write.bits, write.type);
    return out;
  }
  /// The mnemonics of the executed instructions.
  std::vector<std::string> mnemonics() const {
    std::vector<std::string> names;
    for (const TracedLine& line : trace.lines)
      names.emplace_back(sm4::info(program.instructions[line.instruction].opcode).mnemonic);
    return names;
  }
};

TEST(Trace, FollowsTheArmOfTheLaneAndNotOfItsNeighbors) {
  const std::string text =
      std::string(kHead) +
      "dcl_output o0.xyzw\ndcl_temps 1\nlt r0.x, v0.x, l(1.0)\nif_nz r0.x\nmov r0.y, l(1)\n"
      "else\nmov r0.z, l(2)\nendif\nmov o0.xyzw, r0.xxxx\nret\n";
  const Traced left(text, "{}", 0, 0), right(text, "{}", 1, 0);
  EXPECT_THAT(left.mnemonics(), ElementsAre("lt", "if", "mov", "mov", "ret"));
  EXPECT_EQ(Traced::writes(left.trace.lines[2]), "r0.y=1");
  EXPECT_THAT(right.mnemonics(), ElementsAre("lt", "if", "mov", "mov", "ret"));
  EXPECT_EQ(Traced::writes(right.trace.lines[2]), "r0.z=2");
  EXPECT_EQ(Traced::writes(right.trace.lines[0]), "r0.x=0");
}

TEST(Trace, RepeatsTheLinesOfALoopWithTheirValues) {
  const Traced run(std::string(kHead) +
                       "dcl_output o0.xyzw\ndcl_temps 1\nmov r0.x, l(2)\nloop\nbreakc_z r0.x\n"
                       "iadd r0.x, r0.x, l(-1)\nendloop\nmov o0.xyzw, r0.xxxx\nret\n",
                   "{}", 5, 5);
  EXPECT_THAT(run.mnemonics(),
              ElementsAre("mov", "loop", "breakc", "iadd", "breakc", "iadd", "breakc", "mov", "ret"));
  EXPECT_EQ(Traced::writes(run.trace.lines[3]), "r0.x=1");
  EXPECT_EQ(Traced::writes(run.trace.lines[5]), "r0.x=0");
}

TEST(Trace, NamesTheElementOfAnArrayThatTheRunComputed) {
  const Traced run(std::string(kHead) +
                       "dcl_output o0.xyzw\ndcl_temps 1\ndcl_indexableTemp x0[4], 4\nftou r0.x, v0.x\n"
                       "mov x0[r0.x + 1].zw, l(5,6,7,-8)\nmov o0.xyzw, x0[2].xyzw\nret\n",
                   "{}", 1, 0);
  EXPECT_EQ(Traced::writes(run.trace.lines[0]), "r0.x=1");
  EXPECT_EQ(Traced::writes(run.trace.lines[1]), "x0[2].z=7 x0[2].w=-8");
}

constexpr const char* kFetch =
    "dcl_resource_texture2d (float,float,float,float) t0\ndcl_output o0.xyzw\ndcl_temps 1\n"
    "ftoi r0.xy, v0.xyxx\nmov r0.zw, l(0,0,0,0)\n"
    "ld_aoffimmi_indexable(-1,0,0)(texture2d)(float,float,float,float) o0.xyzw, r0.xyzw, t0.xyzw\nret\n";

// The first destination holds the index of the second, which was read before.
TEST(Trace, NamesTheOutputThatWasWritten) {
  const std::string text =
      std::string(kHead) +
      "dcl_output o1.xyzw\ndcl_output o2.xyzw\ndcl_output o3.xyzw\ndcl_indexrange o1.xyzw 3\ndcl_temps 1\n"
      "mov r0.x, l(1)\nudiv r0.x, o[r0.x + 1].x, l(9), l(4)\nret\n";
  const Traced traced(text, "{}", 0, 0);
  EXPECT_EQ(Traced::writes(traced.trace.lines[1]), "r0.x=2 o2.x=1");
}

TEST(Trace, ShowsTexelsAtTheirAddresses) {
  const Traced inside(std::string(kHead) + kFetch, "{}", 4, 7);
  ASSERT_THAT(inside.trace.lines[2].accesses, ElementsAre(HasSubstr("t0 texel (3, 7): ")));
  EXPECT_THAT(inside.trace.lines[2].guards, IsEmpty());
}

TEST(Trace, ShowsAnAccessOutsideAndItsGuard) {
  const Traced outside(std::string(kHead) + kFetch, "{}", 0, 7);
  EXPECT_THAT(outside.trace.lines[2].accesses,
              ElementsAre("t0 (0 - 1, 7) level 0: outside 64 x 64, no texel is read"));
  EXPECT_THAT(outside.trace.lines[2].guards, ElementsAre("the guard of tex.fetch is false: nothing is read"));
  EXPECT_EQ(Traced::writes(outside.trace.lines[2]), "o0.x=0 o0.y=0 o0.z=0 o0.w=0");
}

TEST(Trace, ShowsAnEmptySlot) {
  const Traced run(std::string(kHead) + kFetch, R"({"textures": {"t0": null}})", 4, 7);
  EXPECT_THAT(run.trace.lines[2].accesses, ElementsAre("t0: the slot is empty, reads 0"));
  EXPECT_THAT(run.trace.lines[2].guards, ElementsAre(HasSubstr("is false")));
}

TEST(Trace, FindsTheFirstNanAndTheFirstInf) {
  const Traced run(std::string(kHead) +
                       "dcl_output o0.xyzw\ndcl_temps 1\nmov r0.x, l(-1)\nsqrt r0.y, -v0.x\n"
                       "rcp r0.z, l(0.0)\nadd r0.w, r0.y, r0.z\nmov o0.xyzw, r0.xyzw\nret\n",
                   "{}", 2, 2);
  ASSERT_TRUE(run.trace.nan.has_value());
  EXPECT_EQ(run.trace.nan->line, 1u);  // not the -1 of the line before, whose bits are those of a NaN
  EXPECT_EQ(run.trace.nan->write.component, 1u);
  ASSERT_TRUE(run.trace.infinity.has_value());
  EXPECT_EQ(run.trace.infinity->line, 2u);
}

TEST(Trace, SaysWhichLinesRunInADiscardedPixel) {
  const Traced run(std::string(kHead) +
                       "dcl_uav_raw u0\ndcl_output o0.xyzw\ndcl_temps 1\nmov r0.x, l(-1)\ndiscard_nz r0.x\n"
                       "store_raw u0.x, l(4), l(9)\nmov o0.xyzw, r0.xxxx\nret\n",
                   "{}", 2, 2);
  EXPECT_TRUE(run.trace.lines[1].is_live);
  EXPECT_FALSE(run.trace.lines[2].is_live);
  EXPECT_FALSE(run.trace.is_live);
  EXPECT_THAT(run.trace.lines[2].accesses,
              ElementsAre("u0 (4) = 9, without effect: the pixel is discarded or a helper"));
}

TEST(Trace, FollowsAThread) {
  const Traced run(
      "cs_5_0\ndcl_uav_structured u1, 8\ndcl_input vThreadIDInGroup.x\ndcl_thread_group 40, 1, 1\n"
      "store_structured u1.x, vThreadIDInGroup.x, l(4), vThreadIDInGroup.x\nret\n",
      R"({"dispatch": [2, 1, 1]})", 39, 0);
  EXPECT_THAT(run.mnemonics(), ElementsAre("store_structured", "ret"));
  EXPECT_THAT(run.trace.lines[0].accesses, ElementsAre("u1 (39) byte 4 = 39"));
}

TEST(Trace, KeepsALimit) {
  TraceOptions options;
  options.max_lines = 2;
  const Traced run(std::string(kHead) +
                       "dcl_output o0.xyzw\ndcl_temps 1\nmov r0.x, l(1)\nmov r0.y, l(2)\nsqrt r0.z, l(-1.0)\n"
                       "mov o0.xyzw, r0.xyzz\nret\n",
                   "{}", 0, 0, options);
  EXPECT_EQ(run.trace.lines.size(), 2u);
  EXPECT_EQ(run.trace.left_out, 3u);
}

TEST(Trace, WritesWordsAsWhatTheyAre) {
  using enum sm4::OperandType;
  EXPECT_EQ(word_text(0x3f800000u, float_), "1");
  EXPECT_EQ(word_text(0x80000000u, float_), "-0");
  EXPECT_EQ(word_text(0xff800000u, untyped), "-INF");
  EXPECT_EQ(word_text(0x7fc00000u, untyped), "NaN (0x7fc00000)");
  EXPECT_EQ(word_text(0xffffffffu, untyped), "-1");
  EXPECT_EQ(word_text(0xffffffffu, unsigned_), "0xffffffff");
  EXPECT_EQ(word_text(0xffffffffu, float_), "NaN (0xffffffff)");
  EXPECT_EQ(word_text(3, untyped), "3");
  EXPECT_EQ(word_text(0xfffffff0u, signed_), "-16");
}

}  // namespace
}  // namespace texlate::executor
