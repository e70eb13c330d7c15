// What is known of a launch: each fact alone changes the code, the result stays, and a scene that contradicts
// it is refused.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fmt/format.h>

#include "library/known_state.h"
#include "tests/support/ir_text.h"
#include "texlate/texlate.hpp"
#include "tools/executor/known_scene.h"
#include "tools/executor/shader.h"

namespace texlate::test {
namespace {

using executor::Route;
using testing::ContainsRegex;
using testing::HasSubstr;
using testing::Not;

constexpr const char* kPixel =
    "ps_5_0\ndcl_input_ps linear v0.xyzw\ndcl_input_ps linear v1.xyzw\ndcl_output o0.xyzw\ndcl_output o2.x\n"
    "dcl_temps 1\nderiv_rtx r0.x, v1.y\nadd o0.xyzw, v1.xyzw, v0.yxzw\nadd o2.x, r0.x, v1.z\nret\n";
constexpr const char* kDiscard =
    "ps_5_0\ndcl_input_ps linear v1.xyzw\ndcl_output o0.xyzw\ndcl_temps 1\n"
    "lt r0.x, v1.x, l(0.5)\ndiscard_nz r0.x\nmov o0.xyzw, v1.xyzw\nret\n";
constexpr const char* kDepth =
    "ps_5_0\ndcl_input_ps linear v1.xyzw\ndcl_output o0.xyzw\ndcl_output oDepth\n"
    "mov o0.xyzw, v1.xyzw\nmov oDepth, v1.x\nret\n";
constexpr const char* kVertex =
    "vs_5_0\ndcl_input v1.xyzw\ndcl_output_siv o0.xyzw, position\ndcl_output o1.xyzw\n"
    "mov o0.xyzw, v1.xyzw\nmul o1.xyzw, v1.wzyx, l(2.0, 2.0, 2.0, 2.0)\nret\n";

texlate_known_state launch_of(uint32_t elements, bool no_helpers, bool early_depth = false) {
  texlate_known_state state = TEXLATE_KNOWN_STATE_INIT;
  if (elements != 0) state.launch |= TEXLATE_KNOWN_ELEMENTS;
  state.elements = elements;
  if (no_helpers) state.launch |= TEXLATE_KNOWN_HELPER_LANES;
  if (early_depth) state.launch |= TEXLATE_KNOWN_EARLY_DEPTH;
  state.early_depth = early_depth ? 1 : 0;
  return state;
}

api::Output translation(const char* shader, const char* target, const texlate_known_state& state) {
  texlate_translate_options options = TEXLATE_TRANSLATE_OPTIONS_INIT;
  options.target = target;
  options.reflect = 1;
  options.known = &state;
  api::Output output = api::Program(std::string(shader)).translate(options);
  EXPECT_TRUE(output.ok()) << shader;
  return output;
}
std::string text_of(const char* shader, const texlate_known_state& state, const char* target = "ptx") {
  return std::string(translation(shader, target, state).data());
}
std::string reflection_of(const char* shader, const texlate_known_state& state, const char* target) {
  return std::string(translation(shader, target, state).reflection());
}

constexpr const char* kLastElement = "min.u32 %element";
constexpr const char* kLoadCount = "%count, [texlate_params+32]";
constexpr const char* kCoverage = "[texlate_params+16]";
constexpr const char* kWritten = "[texlate_params+24]";
constexpr const char* kGuardedStore = "@%live st.global";

TEST(KnownLaunch, ElementsThatFillWarpsNeedNoTest) {
  const std::string general = text_of(kPixel, launch_of(0, false));
  for (const char* part : {kLastElement, kLoadCount, kCoverage, kWritten, kGuardedStore})
    EXPECT_THAT(general, HasSubstr(part));
  const std::string some = text_of(kPixel, launch_of(36, false));
  EXPECT_THAT(some, HasSubstr(kLastElement));
  EXPECT_THAT(some, Not(HasSubstr(kLoadCount)));
  EXPECT_THAT(some, ContainsRegex("ld.global.nc.b32 [^\n]*[+]576]"));  // v1.x: plane 4, 36 words each
  const std::string whole = text_of(kPixel, launch_of(64, false));
  EXPECT_THAT(whole, Not(HasSubstr(kLastElement)));
  EXPECT_THAT(whole, HasSubstr(kCoverage));
  EXPECT_THAT(whole, HasSubstr(kGuardedStore));
  EXPECT_THAT(whole, ContainsRegex("st.global.b32 [^\n]*[+]2048]"));  // o2.x: plane 8, 64 words each
  EXPECT_THAT(text_of(kVertex, launch_of(64, false)), Not(HasSubstr(kGuardedStore)));
  EXPECT_THAT(text_of(kVertex, launch_of(63, false)), HasSubstr(kGuardedStore));
}

TEST(KnownLaunch, WithoutHelpersNoCoverageIsRead) {
  const std::string some = text_of(kPixel, launch_of(0, true));
  EXPECT_THAT(some, Not(HasSubstr(kCoverage)));
  EXPECT_THAT(some, Not(HasSubstr(kWritten)));
  EXPECT_THAT(some, HasSubstr(kGuardedStore));  // of threads past the last element
  EXPECT_THAT(text_of(kPixel, launch_of(64, true)), Not(HasSubstr(kGuardedStore)));
  const std::string discards = text_of(kDiscard, launch_of(64, true));
  EXPECT_THAT(discards, Not(HasSubstr(kCoverage)));
  EXPECT_THAT(discards, HasSubstr(kWritten));
  EXPECT_THAT(discards, HasSubstr(kGuardedStore));
}

TEST(KnownLaunch, EarlyDepthIsNotWritten) {
  for (const char* target : {"ptx", "maxwell", "dksh", "spirv-text"}) {
    SCOPED_TRACE(target);
    const std::string late = reflection_of(kDepth, launch_of(0, false), target);
    const std::string early = reflection_of(kDepth, launch_of(0, false, true), target);
    EXPECT_THAT(late, HasSubstr("\"late\""));
    EXPECT_THAT(early, HasSubstr("\"forced\""));
    EXPECT_THAT(late, HasSubstr("\"system_value\": \"depth\""));
    EXPECT_THAT(early, Not(HasSubstr("\"system_value\": \"depth\"")));
    EXPECT_THAT(early, HasSubstr("\"launch\": \"early_depth\""));
  }
  EXPECT_THAT(text_of(kDepth, launch_of(0, false, true), "spirv-text"), HasSubstr("EarlyFragmentTests"));
  EXPECT_THAT(text_of(kDepth, launch_of(0, false, true), "spirv-text"), Not(HasSubstr("DepthReplacing")));
}

TEST(KnownLaunch, OnlyKernelsRelyOnElementsAndHelpers) {
  for (const char* target : {"ptx", "maxwell", "cubin", "maxwell-bin"}) {
    SCOPED_TRACE(target);
    const std::string reflection = reflection_of(kPixel, launch_of(64, true), target);
    EXPECT_THAT(reflection, HasSubstr("\"launch\": \"elements\""));
    EXPECT_THAT(reflection, HasSubstr("\"launch\": \"helper_lanes\""));
    EXPECT_THAT(reflection, HasSubstr("\"all_written\": true"));
    EXPECT_THAT(reflection_of(kDiscard, launch_of(64, true), target), Not(HasSubstr("all_written")));
  }
  for (const char* target : {"spirv", "dksh"})
    EXPECT_THAT(reflection_of(kPixel, launch_of(64, true), target), Not(HasSubstr("relies_on"))) << target;
}

/// Translates with what the state says, and runs the scene.
class OnScene {
 public:
  OnScene(const char* shader, const std::string& scene, const texlate_known_state& state)
      : settings_(std::pmr::get_default_resource()) {
    library::take_known_state(state, settings_);
    shader_.known = &settings_.state;
    EXPECT_TRUE(executor::load_shader(shader, shader_, kRoutes, diagnostics_)) << messages();
    scene_ = sim::Scene::make(scene, ".", shader_.contract, diagnostics_);
    EXPECT_NE(scene_, nullptr) << messages();
  }
  bool keeps(const ir::Module& module) {
    return executor::keeps_promises(module, shader_.contract, *scene_, diagnostics_);
  }
  bool keeps_all() { return keeps(shader_.legal) && keeps(shader_.legal_maxwell); }
  std::string messages() const { return ir::to_text(diagnostics_, ""); }

  void expect_same() {
    executor::RouteResult model;
    ASSERT_TRUE(executor::run_route(Route::ir, shader_, *scene_, {}, model, diagnostics_));
    for (const Route route : kRoutes) {
      executor::RouteResult result;
      ASSERT_TRUE(executor::run_route(route, shader_, *scene_, {}, result, diagnostics_)) << messages();
      EXPECT_EQ(result.trouble, "");
      EXPECT_EQ(result.outputs, model.outputs) << executor::route_name(route);
      if (shader_.contract.stage == ir::Stage::pixel) {
        EXPECT_EQ(result.written, model.written) << executor::route_name(route);
      }
    }
  }

 private:
  static constexpr Route kRoutes[] = {Route::ptx, Route::maxwell};
  library::KnownSettings settings_;
  executor::Shader shader_;
  Diagnostics diagnostics_;
  std::unique_ptr<sim::Scene> scene_;
};

TEST(KnownLaunch, DrawsTheSame) {
  for (const char* shader : {kPixel, kDiscard}) {
    for (const uint32_t side : {2u, 6u, 8u}) {  // 4, 36 and 64 pixels: only the last fill warps
      const std::string scene = fmt::format(R"({{"viewport": [{}, {}]}})", side, side);
      SCOPED_TRACE(scene + shader);
      for (const texlate_known_state& state :
           {launch_of(side * side, false), launch_of(0, true), launch_of(side * side, true)}) {
        OnScene one(shader, scene, state);
        EXPECT_TRUE(one.keeps_all()) << one.messages();
        one.expect_same();
      }
    }
  }
  for (const uint32_t vertices : {5u, 96u}) {
    const std::string scene = fmt::format(R"({{"vertices": {}}})", vertices);
    OnScene one(kVertex, scene, launch_of(vertices, false));
    EXPECT_TRUE(one.keeps_all()) << one.messages();
    one.expect_same();
  }
}

TEST(KnownLaunch, ContradictingScenesAreRefused) {
  OnScene count(kPixel, R"({"viewport": [8, 8]})", launch_of(128, false));
  EXPECT_FALSE(count.keeps_all());
  EXPECT_THAT(count.messages(), HasSubstr("the scene has 64 elements, but the code relies on 128"));
  OnScene helpers(kPixel, R"({"viewport": [7, 8]})", launch_of(0, true));
  EXPECT_FALSE(helpers.keeps_all());
  EXPECT_THAT(helpers.messages(), HasSubstr("helper lanes"));
  OnScene depth(kDepth, R"({"viewport": [8, 8]})", launch_of(0, false, true));
  EXPECT_FALSE(depth.keeps_all());
  EXPECT_THAT(depth.messages(), HasSubstr("early_depth"));
  OnScene none(kPixel, R"({"viewport": [8, 8]})", launch_of(0, false, true));
  EXPECT_TRUE(none.keeps_all()) << "a shader without depth draws the same";
}

}  // namespace
}  // namespace texlate::test
