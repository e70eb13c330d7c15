// A shader on the interpreter and as a deko3d program.
#pragma once

#include <gtest/gtest.h>

#include "tests/support/examples.h"
#include "tools/executor/comparison.h"
#include "tools/executor/shader.h"

namespace texlate::executor {

inline constexpr Route kBoth[] = {Route::ir, Route::dksh};

struct Subject {
  Shader shader;
  std::unique_ptr<sim::Scene> scene;
  RouteResult ir, dksh;
  Diagnostics diagnostics;

  /// Runs the text by both routes.
  bool run(const std::string& source, const std::string& scene_text = {}) {
    if (!load_shader(source, shader, kBoth, diagnostics)) return fail();
    scene = sim::Scene::make(scene_text, test::kShaders + "/scenes", shader.contract, diagnostics);
    if (scene == nullptr || !run_route(Route::dksh, shader, *scene, {}, dksh, diagnostics) ||
        !run_route(Route::ir, shader, *scene, {}, ir, diagnostics)) {
      return fail();
    }
    return true;
  }
  bool fail() {
    for (const Diagnostic& diagnostic : diagnostics.list()) ADD_FAILURE() << diagnostic.message;
    return false;
  }
};

inline void expect_agreement(const std::string& source, const std::string& scene = {},
                             const Tolerance& tolerance = {}) {
  Subject run;
  ASSERT_TRUE(run.run(source, scene)) << source;
  EXPECT_EQ(run.dksh.trouble, "") << source;
  const Comparison comparison = compare_outputs(run.shader, *run.scene, run.ir, run.dksh, tolerance);
  EXPECT_TRUE(comparison.equal()) << comparison.first << "\n" << comparison.worst << "\n" << source;
}

}  // namespace texlate::executor
