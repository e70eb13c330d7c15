// Everything a shader needs to run: bindings, inputs, sizes. Read from a JSON file (docs/scene.md), with a
// default for everything that the file omits, so that any shader can run.
#pragma once

#include <array>
#include <deque>
#include <memory>
#include <string>
#include <vector>

#include "sim/ir/bindings.h"
#include "sim/ir/interpreter.h"
#include "sim/scene/primitives.h"

namespace texlate::sim {

class Scene {
 public:
  /// `json` may be empty: all defaults. Relative file names in it are resolved in `folder`. Null with errors.
  static std::unique_ptr<Scene> make(std::string_view json, const std::string& folder,
                                     const ir::Module& module, Diagnostics& diagnostics);

  const Bindings& bindings() const { return bindings_; }
  /// All files that the scene names, whether or not this shader needs them.
  const std::vector<std::string>& files() const { return files_; }
  uint32_t width() const { return width_; }
  uint32_t height() const { return height_; }
  const std::array<uint32_t, 3>& groups() const { return groups_; }
  uint32_t samples() const { return samples_; }
  /// What the outputs belong to: pixels (quad by quad), vertices, output control points of all patches (hull
  /// shaders) or domain points. 0 for geometry shaders.
  uint32_t element_count() const { return element_count_; }
  /// Planes with a word for each pixel or vertex. Vertex v of primitive p is p * primitives().vertices + v.
  const std::vector<uint32_t>& inputs() const { return inputs_; }
  /// Hull, domain and geometry shaders.
  const ScenePrimitives& primitives() const { return primitives_; }
  std::array<uint32_t, 2> pixel_of(uint32_t element) const;

  /// What a pipeline gives a stage in place of the inputs that the file describes.
  void replace_elements(uint32_t count, std::vector<uint32_t> inputs, std::vector<uint32_t> covered,
                        uint32_t samples) {
    element_count_ = count;
    samples_ = samples;
    inputs_ = std::move(inputs);
    covered_ = std::move(covered);
  }
  void replace_primitives(ScenePrimitives primitives, std::vector<uint32_t> inputs, uint32_t element_count) {
    primitives_ = std::move(primitives);
    inputs_ = std::move(inputs);
    element_count_ = element_count;
  }
  /// As sim::StreamLaunch::covered: pixels past an odd edge are helpers. Empty if there are none and no
  /// pipeline runs.
  const std::vector<uint32_t>& covered() const { return covered_; }

  /// The contents of the unordered access views after a run, in order, with the counters last.
  std::vector<uint32_t> uav_words() const;
  struct UavRange {
    std::string name;  // u0; u0.counter
    size_t first, count;
    Format format;  // of typed views and counters; unknown: words that may be floats or integers
  };
  const std::vector<UavRange>& uav_ranges() const { return uav_ranges_; }
  /// Restores the original contents of the views.
  void reset_uavs();
  /// The views' contents by view, which reset_uavs() restores. For draws of several launches.
  using UavContents = std::vector<std::vector<std::byte>>;
  UavContents initial_uavs() const;
  void set_initial_uavs(const UavContents& contents);
  /// The present contents are what reset_uavs() restores.
  void continue_uavs();

 private:
  friend class SceneBuilder;
  explicit Scene(const ir::Module& module) : bindings_(module) {}
  void keep_initial_uavs();
  void cover_pixels();

  Bindings bindings_;
  std::vector<std::string> files_;
  uint32_t width_ = 64, height_ = 64, samples_ = 1, element_count_ = 0;
  std::array<uint32_t, 3> groups_{1, 1, 1};
  std::vector<uint32_t> inputs_;
  ScenePrimitives primitives_;
  std::deque<Texture> textures_;
  std::deque<std::vector<std::byte>> buffers_;
  std::deque<std::vector<uint32_t>> constants_;
  std::deque<uint32_t> counters_;
  struct UavMemory {
    std::string name;
    std::span<std::byte> memory;
    std::vector<std::byte> initial;
    Format format;
  };
  std::vector<UavMemory> uavs_;
  std::vector<UavRange> uav_ranges_;
  std::vector<uint32_t> covered_;
};

}  // namespace texlate::sim
