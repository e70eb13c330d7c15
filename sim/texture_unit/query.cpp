#include "sim/texture_unit/query.h"

#include <bit>

namespace texlate::sim {

namespace {

uint32_t float_bits(float value) {
  return std::bit_cast<uint32_t>(value);
}

// D3D11_STANDARD_MULTISAMPLE_PATTERN, in sixteenths of a pixel.
struct SamplePosition {
  int8_t x, y;
};
constexpr SamplePosition kPattern1[] = {{0, 0}};
constexpr SamplePosition kPattern2[] = {{4, 4}, {-4, -4}};
constexpr SamplePosition kPattern4[] = {{-2, -6}, {6, -2}, {-6, 2}, {2, 6}};
constexpr SamplePosition kPattern8[] = {{1, -3}, {-1, 3},  {5, 1}, {-3, -5},
                                        {-5, 5}, {-7, -1}, {3, 7}, {7, -7}};
constexpr SamplePosition kPattern16[] = {{1, 1},  {-1, -3}, {-3, 2}, {4, -1}, {-5, -2}, {2, 5},
                                         {5, 3},  {3, -5},  {-2, 6}, {0, -7}, {-4, -6}, {-6, 4},
                                         {-8, 0}, {7, -4},  {6, 7},  {-7, -8}};

const SamplePosition* pattern(uint32_t samples) {
  switch (samples) {
    case 1: return kPattern1;
    case 2: return kPattern2;
    case 4: return kPattern4;
    case 8: return kPattern8;
    case 16: return kPattern16;
    default: return nullptr;
  }
}

}  // namespace

Word4 resinfo(const TextureView& view, uint32_t mip, ResinfoType type, bool unordered) {
  Word4 values{};
  const int size_components = dimension_info(view.dimension).axes;
  if (view.bound()) {
    const DimensionInfo& info = dimension_info(view.dimension);
    const uint32_t mips = unordered ? 1 : view.mip_count;
    if (mip < mips) {
      const Extent size = unordered ? view.unordered_size() : view.size(mip);
      for (int axis = 0; axis < info.axes; ++axis) values[axis] = size[axis];
      // No document defines where the count of a cube array goes. Devices return the number of cubes in z.
      if (info.slice >= 0) values[info.axes] = view.array_size();
    }
    values[3] = mips;
  }
  if (type == ResinfoType::uint) return values;
  Word4 result{};
  for (int i = 0; i < 4; ++i) {
    const auto value = static_cast<float>(values[i]);
    result[i] = float_bits(type == ResinfoType::rcp_float && i < size_components ? 1.0f / value : value);
  }
  return result;
}

Word4 bufinfo(const BufferView& view) {
  const uint32_t count = view.bound() ? view.element_count : 0;
  return {count, count, count, count};
}

Word4 sampleinfo(uint32_t samples, bool as_uint) {
  return {as_uint ? samples : float_bits(static_cast<float>(samples)), 0, 0, 0};
}

Word4 sampleinfo(const TextureView& view, bool as_uint) {
  return sampleinfo(view.bound() ? view.texture->desc().samples : 0, as_uint);
}

Word4 samplepos(uint32_t samples, uint32_t index) {
  const SamplePosition* positions = pattern(samples);
  if (positions == nullptr || index >= samples) return {};
  return {float_bits(static_cast<float>(positions[index].x) / 16),
          float_bits(static_cast<float>(positions[index].y) / 16), 0, 0};
}

}  // namespace texlate::sim
