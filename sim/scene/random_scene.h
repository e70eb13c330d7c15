// Random scenes: `texlate diff --random`, and the tests that compare the routes over sampler state.
#pragma once

#include <cstdint>
#include <string>

#include "ir/module.h"

namespace texlate::sim {

/// What some routes cannot express, and what a random scene therefore leaves out.
struct RandomSceneLimits {
  /// Texture objects of kernels: neither mirror_once nor different filters for minification and
  /// magnification (docs/launch_abi.md, "Texture objects").
  bool texture_objects = false;
  /// deko3d: every slot must be bound (docs/dksh.md).
  bool all_bound = false;
  /// Vulkan: only formats that every driver samples, filters and copies; linear filters within and between
  /// mips, because drivers round coordinates and levels differently; only border colors from 0
  /// to 1, because a format may or may not take others; and what llvmpipe does right: at least two slices of
  /// an array, and textures bound whose size is queried (docs/spirv.md). The device numbers primitives.
  bool vulkan = false;
  /// Compute shaders whose groups would race: one group.
  bool one_group = false;
};

/// A scene, as the JSON of docs/scene.md, that fits the module's declarations: sizes, formats, mips, views,
/// contents, samplers, constants and inputs; some slots are unbound. The same module and seed give the same
/// scene on every machine.
std::string random_scene(const ir::Module& module, uint64_t seed, const RandomSceneLimits& limits = {});

}  // namespace texlate::sim
