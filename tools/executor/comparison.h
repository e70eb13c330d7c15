// Finds the differences between the results of two routes.
#pragma once

#include <string>

#include "tools/executor/shader.h"

namespace texlate::executor {

/// Steps between two floats: NaN equals NaN, +0 equals -0; 0xffffffff if only one of them is NaN.
uint32_t ulp_distance(uint32_t a, uint32_t b);

/// Differences of floats that are ignored, in ULP or as an absolute value.
struct Tolerance {
  uint32_t ulp = 0;
  double absolute = 0;
};

/// What a word holds. `any`: a float or an integer, and nobody knows which.
enum class WordType : uint8_t { integer, float_, any };
WordType type_of(const ir::Parameter& output);
/// Texels of narrow components count as `any`.
WordType type_of(const sim::Scene::UavRange& range);

/// True if the words are equal, or floats that are as near as the tolerance allows. Any two NaNs are equal. A
/// word of type `any` may be an integer: it is no small float, and it is a NaN only next to a NaN that
/// arithmetic makes, because -1 and -2 have the bits of NaNs.
bool is_near(uint32_t a, uint32_t b, WordType type, const Tolerance& tolerance);

struct Comparison {
  uint64_t elements = 0;    // pixels, vertices, points, patches or UAV words that were compared
  uint64_t masked = 0;      // not compared: Direct3D leaves their value undefined
  uint64_t unassigned = 0;  // components of outputs that the shader does not write: not compared either
  uint64_t different = 0;
  uint64_t words = 0;  // number of components that differ
  uint32_t worst_ulp = 0;
  std::string worst;  // "o0.y of pixel (3, 4): ir 1.5 (3fc00000), ptx 2 (40000000)"
  std::string first;
  double worst_difference = 0;  // absolute, among finite floats
  /// False also if nothing was compared.
  bool equal() const { return different == 0 && elements != 0; }
};

/// The tolerance for two routes if the user names none: 0, or what drivers need for decoding UNORM texels,
/// which they may do by a multiplication that is one ULP off. Sums of a few texels are within it too.
Tolerance default_tolerance(Route a, Route b);

/// Gives each result the masks of all of them, so that it does not matter which route knows what is
/// undefined. If the interpreter is none of the routes, it runs here for the masks alone; the scene then has
/// its contents.
void share_masks(const Shader& shader, sim::Scene& scene, const RunLimits& limits,
                 std::span<const Route> routes, std::span<RouteResult> results);

/// Elements with a result that Direct3D leaves undefined are not compared. If there is any such element,
/// unordered access views are not compared at all: its writes may have gone anywhere.
Comparison compare_outputs(const Shader& shader, const sim::Scene& scene, const RouteResult& a,
                           const RouteResult& b, const Tolerance& tolerance = {});

/// True if the route's fault concerns only something that Direct3D leaves undefined according to `reference`.
bool is_excused(const Shader& shader, const RouteResult& reference, const RouteResult& complaining);

}  // namespace texlate::executor
