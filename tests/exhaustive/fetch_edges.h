// Shared by the suites on the edges of ld: shapes, coordinates, offsets, textures, and expected results.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "sim/texture_unit/fetch.h"
#include "tests/unit/texture_unit/texture_fixture.h"

namespace texlate::edges {

using sim::Format;
using sim::Word4;

struct Shape {
  const char* name;  // as the text form spells the dimension
  sim::Dimension dimension;
  uint32_t axes;
  int slice_lane;  // index of the slice in ld's address; -1: none
  bool multisampled;
  bool mips;
};
inline constexpr Shape kShapes[] = {
    {"texture1d", sim::Dimension::texture1d, 1, -1, false, true},
    {"texture1darray", sim::Dimension::texture1d_array, 1, 1, false, true},
    {"texture2d", sim::Dimension::texture2d, 2, -1, false, true},
    {"texture2darray", sim::Dimension::texture2d_array, 2, 2, false, true},
    {"texture3d", sim::Dimension::texture3d, 3, -1, false, true},
    {"texture2dms", sim::Dimension::texture2dms, 2, -1, true, false},
    {"texture2dmsarray", sim::Dimension::texture2dms_array, 2, 2, true, false},
};
inline constexpr Format kFormats[] = {Format::r32g32b32a32_float, Format::r32_float, Format::r16g16_uint,
                                      Format::r8g8b8a8_unorm};
inline constexpr std::array<uint32_t, 3> kSize = {5, 3, 4};  // different, so that exchanged axes show
inline constexpr uint32_t kMips = 3, kSlices = 2, kSamples = 4;

using Offset = std::array<int, 3>;

/// All combinations for one and two axes; for three axes, every pair of values on every two axes.
inline std::vector<Offset> offsets_of(const Shape& shape) {
  std::vector<Offset> offsets;
  for (int u = -8; u <= 7; ++u) {
    for (int v = -8; v <= 7 && (shape.axes > 1 || v == -8); ++v) {
      // A Latin square: w takes every value once along each u and each v.
      const int w = ((u + v) & 15) - 8;
      offsets.push_back({u, shape.axes > 1 ? v : 0, shape.axes > 2 ? w : 0});
    }
  }
  return offsets;
}

inline std::vector<uint32_t> coordinates_of(uint32_t size, bool few) {
  std::vector<uint32_t> list;
  for (int c = -10; c <= static_cast<int>(size) + 10; ++c) {
    const bool edge = c < -6 || c > static_cast<int>(size) + 7 || (c >= -1 && c <= static_cast<int>(size));
    if (!few || (edge && (c != -9) && (c != static_cast<int>(size) + 9)))
      list.push_back(static_cast<uint32_t>(c));
  }
  for (uint32_t c : {0x7fffffffu, 0x80000000u, 0xffffffffu}) list.push_back(c);
  return list;
}

/// The elements of one launch: planes x, y, z, mip (v0), slice, sample (v1).
struct Elements {
  std::vector<std::array<uint32_t, 6>> list;
  std::vector<uint32_t> planes;

  void pad_to_quads() {
    while (list.size() % 4 != 0) list.push_back(list.back());
    planes.assign(8 * list.size(), 0);
    for (size_t e = 0; e < list.size(); ++e) {
      for (size_t p = 0; p < 6; ++p) planes[p * list.size() + e] = list[e][p];
    }
  }
};

using Coordinates = std::array<uint32_t, 3>;

/// All combinations on one axis, and on two axes of one slice; otherwise all combinations of coordinates at
/// and far past the edges, and every other coordinate of an axis with texels inside on the others.
inline std::vector<Coordinates> coordinates_of(const Shape& shape) {
  const bool few = shape.axes == 3 || (shape.axes == 2 && (shape.slice_lane >= 0 || shape.multisampled));
  std::array<std::vector<uint32_t>, 3> axis = {{{0}, {0}, {0}}};
  for (uint32_t a = 0; a < shape.axes; ++a) axis[a] = coordinates_of(kSize[a], few);
  std::vector<Coordinates> list;
  for (uint32_t x : axis[0])
    for (uint32_t y : axis[1])
      for (uint32_t z : axis[2]) list.push_back({x, y, z});
  for (uint32_t a = 0; a < shape.axes && few; ++a) {
    for (uint32_t c : coordinates_of(kSize[a], false)) {
      if (std::find(axis[a].begin(), axis[a].end(), c) != axis[a].end()) continue;
      Coordinates low{};
      Coordinates high = {kSize[0] - 1, kSize[1] - 1, shape.axes > 2 ? kSize[2] - 1 : 0};
      low[a] = high[a] = c;
      list.push_back(low);
      list.push_back(high);
    }
  }
  return list;
}

/// For ld2dms. Everything except 0 to kSamples - 1 is undefined in Direct3D, and must be harmless.
inline const std::vector<uint32_t> kSamplesInside = {0, 1, 2, 3};
inline const std::vector<uint32_t> kSamplesOutside = {~0u,         kSamples,    kSamples + 1,
                                                      0x7fffffffu, 0x80000000u, 2 * kSamples};

inline Elements elements_of(const Shape& shape,
                            const std::vector<uint32_t>& sample_indices = kSamplesInside) {
  Elements elements;
  const std::vector<uint32_t> zero = {0};
  const std::vector<uint32_t> mips =
      shape.mips ? std::vector<uint32_t>{~0u, 0, 1, 2, 3, 4, 32, 0x80000000u} : zero;
  const std::vector<uint32_t> slices =
      shape.slice_lane >= 0 ? std::vector<uint32_t>{~0u, 0, 1, 2, 0x80000000u} : zero;
  const std::vector<uint32_t>& samples = shape.multisampled ? sample_indices : zero;
  for (const Coordinates& at : coordinates_of(shape))
    for (uint32_t mip : mips)
      for (uint32_t slice : slices)
        for (uint32_t sample : samples) elements.list.push_back({at[0], at[1], at[2], mip, slice, sample});
  elements.pad_to_quads();
  return elements;
}

inline Word4 expected_texel(const Shape& shape, const sim::TextureView& view,
                            const std::array<uint32_t, 6>& e, const Offset& offset) {
  if (!view.bound()) return {};
  sim::Access access;
  Word4 address = {e[0], e[1], e[2], e[3]};
  if (shape.slice_lane >= 0) address[static_cast<size_t>(shape.slice_lane)] = e[4];
  if (shape.multisampled) return sim::ld2dms(view, address, e[5], offset, access);
  return sim::ld(view, address, offset, access);
}

inline sim::Texture texture_for(const Shape& shape, Format format) {
  sim::TextureDesc desc;
  desc.dimension = shape.dimension;
  desc.format = format;
  desc.size = {kSize[0], shape.axes > 1 ? kSize[1] : 1, shape.axes > 2 ? kSize[2] : 1};
  desc.mips = shape.mips ? kMips : 1;
  desc.array_size = shape.slice_lane >= 0 ? kSlices : 1;
  desc.samples = shape.multisampled ? kSamples : 1;
  sim::Texture texture = sim::make_texture(desc);
  uint32_t state = 1;
  for (std::byte& byte : texture.memory()) {
    state = state * 1664525u + 1013904223u;
    byte = static_cast<std::byte>((state >> 24) &
                                  0x3f);  // floats stay finite and normal, and nothing is 0 for long
    byte |= std::byte{1};
  }
  return texture;
}

/// The operands of a fetch whose address is in %0 to %5, in the order of Elements.
inline std::string access_text(const Shape& shape, const Offset& offset) {
  std::string access = "coord(%0";
  if (shape.axes > 1) access += ", %1";
  if (shape.axes > 2) access += ", %2";
  access += ")";
  if (shape.slice_lane >= 0) access += " layer(%4)";
  if (shape.multisampled) access += " sample(%5)";
  if (shape.mips) access += " level(%3)";
  access += fmt::format(" offset({}, {}, {})", offset[0], shape.axes > 1 ? offset[1] : 0,
                        shape.axes > 2 ? offset[2] : 0);
  return access;
}

}  // namespace texlate::edges
