// Random pixel programs that sample, gather, fetch and query textures of every dimension, for comparing the
// routes over sampler state. sim/scene/random_scene.h supplies what is bound.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace texlate::test {

struct RandomPixels {
  std::string text;
  /// By output register. `exact`: all bits are determined. `sampled`: they are for a device that rounds
  /// coordinates and levels as Direct3D's reference does. `rounded`: a route may compute the LOD, the
  /// footprint or the weights in code, where Direct3D allows fixed-point rounding. `level`: a result of
  /// `lod`. `cube`, `cube_level`: the same for a cube, with an LOD from differences over the quad.
  /// `cube_gather`: gather4_c, whose fourth texel at a corner may be derived before or after the comparison.
  enum class Kind : uint8_t { exact, sampled, rounded, level, cube, cube_level, cube_gather };
  std::vector<Kind> kinds;
};

struct RandomPixelsOptions {
  bool lod_clamps = false;     // some samples have an LOD clamp: sample_cl_s and its relatives
  bool sample_offsets = true;  // some samples have an offset; gathers and loads have them in any case
  // Changes to a program that show what its results depend on
  std::array<float, 3> shift{};     // added to the coordinates of samples
  float slice = 0;                  // added to the slices of samples
  float condition = 0;              // added to what inputs are compared with
  float reference = 0;              // added to the references of comparisons
  bool divides_directions = false;  // directions are divided by their greatest component
};

/// The program for a seed is the same on every machine, with the same compiler.
RandomPixels make_random_pixels(uint64_t seed, const RandomPixelsOptions& options = {});

}  // namespace texlate::test
