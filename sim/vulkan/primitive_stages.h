// Our own hull and domain stages around a tested one.
#pragma once

#include "sim/vulkan/device.h"
#include "sim/vulkan/module_interface.h"

namespace texlate::sim::vulkan {

/// Records of a storage buffer. Point k of patch p is at first_point + (p * points + k) * point_words, patch
/// p at first_patch + p * patch_words. A point's record holds the components of its variables in order; a
/// patch's record begins with the outer and inner tessellation levels and a mark.
struct PatchRecords {
  static constexpr uint32_t kOuter = 4, kInner = 2, kMark = kOuter + kInner, kHeader = kMark + 1;
  uint32_t points = 0;
  uint32_t first_point = 0, point_words = 0;
  uint32_t first_patch = 0, patch_words = kHeader;

  /// Makes room for a variable.
  void add(const InterfaceVariable& variable);
};

/// A hull stage whose control points, patch constants and tessellation levels are those of the records; the
/// domain stage that has `inputs` reads them. Each domain point is a point of its own.
std::vector<uint32_t> make_hull_stage(std::span<const InterfaceVariable> inputs, const PatchRecords& records,
                                      Spacing spacing, uint32_t set);

/// A domain stage that stores what the hull stage with `outputs` has written, with a mark of 1.
std::vector<uint32_t> make_observing_stage(std::span<const InterfaceVariable> outputs,
                                           const PatchRecords& records, uint32_t set);

}  // namespace texlate::sim::vulkan
