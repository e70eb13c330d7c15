// The texels that one sample reads, and how they are combined into one value (docs/reference/direct3d.md 2.2
// steps 4 and 5, 2.7).
#pragma once

#include <array>

#include "sim/texture_unit/fetch.h"
#include "sim/texture_unit/sampler.h"

namespace texlate::sim {

/// Everything that stays the same for all taps of one instruction.
struct TapSource {
  const TextureView& view;
  const Sampler& sampler;
  const UnitOptions& options;
  TexelOffset offset{};
  bool compare = false;
  float reference = 0;  // already quantised to the format
  Word4 border{};
  Access& access;
};
TapSource make_tap_source(const TextureView& view, const Sampler& sampler, const UnitOptions& options,
                          const TexelOffset& offset, const float* reference, Access& access);

/// The sampling position: normalized coordinates inside one slice, or (u, v) of one cube face.
struct SamplePoint {
  std::array<double, 3> coordinate{};
  uint32_t slice = 0;  // cubes: the first of the cube's six
  uint32_t face = 0;
};
/// Cubes are projected. The array slice is rounded to nearest even and clamped (functional specification
/// 22.4.15).
SamplePoint locate_sample(const TextureView& view, const std::array<float, 4>& coordinate, Access& access);

/// One tap after address mode, conversion and comparison. The address mode is not yet applied to `texel`.
Word4 read_tap(const TapSource& source, const SamplePoint& at, uint32_t mip,
               const std::array<int64_t, 3>& texel);

/// Returns the comparison ref OP value (docs/reference/direct3d.md 1.4). Denormals count as 0. With NaN it is
/// false, except for not_equal.
bool compare(Comparison function, float reference, float value);

/// Taps and their weights. Taps of weight zero are never added, so that unmapped or NaN texels have no
/// effect.
class TapList {
 public:
  void add(const Word4& texel, double weight) { taps_[count_++] = {texel, weight}; }
  Word4 reduce(Reduction reduction) const;

 private:
  struct Tap {
    Word4 texel;
    double weight;
  };
  static constexpr int kMaxTaps = 16 * 8 * 2;  // anisotropic probes x trilinear footprint x mips
  std::array<Tap, kMaxTaps> taps_;
  int count_ = 0;
};

/// Adds the footprint of one mip, point or linear, scaled by `weight`.
void add_mip_taps(const TapSource& source, const SamplePoint& at, uint32_t mip, Filter filter, double weight,
                  TapList& taps);

}  // namespace texlate::sim
