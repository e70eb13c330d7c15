// The only picture in README.md that no case of `texlate test shaders` draws: what PTX without guards leaves
// undefined. It is compared with shaders/golden/NAME.png. `TEXLATE_REFRESH_GOLDEN=1 ctest -L golden` rewrites
// it.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include "tests/support/examples.h"
#include "tests/support/support.h"
#include "tools/executor/picture.h"
#include "tools/executor/unguarded.h"

namespace texlate::test {
namespace {

constexpr uint32_t kScale = 4;
// In steps of 1/255. An output on the border of two steps falls to either side, depending on how the
// mathematical library rounds.
constexpr int kTolerance = 1;

void compare(const std::string& name, const sim::Picture& small) {
  const sim::Picture picture = executor::enlarged(small, kScale);
  const std::string path = kShaders + "/golden/" + name + ".png";
  Diagnostics diagnostics;
  if (std::getenv("TEXLATE_REFRESH_GOLDEN") != nullptr) {
    ASSERT_TRUE(sim::write_png(path, picture, diagnostics)) << path;
    return;
  }
  sim::Picture golden;
  ASSERT_TRUE(sim::read_png(path, golden, diagnostics)) << path << "; TEXLATE_REFRESH_GOLDEN=1 writes it";
  ASSERT_EQ(golden.width, picture.width) << path;
  ASSERT_EQ(golden.height, picture.height) << path;
  int worst = 0;
  for (size_t i = 0; i < picture.texels.size(); ++i) {
    worst = std::max(worst, std::abs(int{picture.texels[i]} - int{golden.texels[i]}));
  }
  EXPECT_LE(worst, kTolerance) << path << " differs; TEXLATE_REFRESH_GOLDEN=1 writes it anew";
}

struct Example {
  executor::Shader shader;
  std::unique_ptr<sim::Scene> scene;
  executor::RouteResult result;

  void load(const std::string& name) {
    Diagnostics diagnostics;
    static constexpr executor::Route kRoutes[] = {executor::Route::ir, executor::Route::ptx,
                                                  executor::Route::maxwell};
    const std::string source = read_file(kShaders + "/" + name + ".asm");
    ASSERT_TRUE(executor::load_shader(source, shader, kRoutes, diagnostics));
    const std::string json = read_file(kShaders + "/scenes/" + name + ".json");
    ASSERT_FALSE(json.empty()) << "every example has a scene";
    scene = sim::Scene::make(json, kShaders + "/scenes", shader.contract, diagnostics);
    ASSERT_NE(scene, nullptr) << name;
  }
  sim::Picture picture() const { return executor::picture_of(shader, *scene, result); }
};

// The picture in README.md. Pixels that PTX leaves undefined are magenta.
TEST(Unguarded, LoadsPastTheEdgesAreUndefinedInPtx) {
  Example example;
  example.load("ld_frame");
  if (HasFatalFailure()) return;
  Diagnostics diagnostics;
  ASSERT_TRUE(executor::run_unguarded(example.shader, *example.scene, {}, example.result, diagnostics));
  // Of the 96 x 96 pixels, those with x and y in 8 .. 79 are in bounds with and without the offset.
  std::vector<uint32_t> troubled = example.result.troubled;
  std::sort(troubled.begin(), troubled.end());
  troubled.erase(std::unique(troubled.begin(), troubled.end()), troubled.end());
  EXPECT_EQ(troubled.size(), 96u * 96u - 72u * 72u);
  compare("ld_frame_unguarded", example.picture());
}

}  // namespace
}  // namespace texlate::test
