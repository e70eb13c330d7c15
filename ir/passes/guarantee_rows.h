// A table of texture promises written as rows, for targets whose promises follow no rule.
#pragma once

#include <algorithm>
#include <initializer_list>
#include <span>

#include "ir/passes/texture_guarantees.h"

namespace texlate::ir {

/// A bit for each dimension.
struct Dimensions {
  constexpr Dimensions(Dimension one) : bits(1u << static_cast<uint32_t>(one)) {}
  constexpr Dimensions(std::initializer_list<Dimensions> all) {
    for (const Dimensions& each : all) bits |= each.bits;
  }
  constexpr bool has(uint32_t dimension) const { return (bits >> dimension & 1) != 0; }

  uint32_t bits = 0;
};
inline constexpr Dimensions kTexture1d = {Dimension::texture1d, Dimension::texture1d_array};
inline constexpr Dimensions kTexture2d = {Dimension::texture2d, Dimension::texture2d_array};
inline constexpr Dimensions kMultisampled = {Dimension::texture2d_ms, Dimension::texture2d_ms_array};
inline constexpr Dimensions kCubes = {Dimension::texture_cube, Dimension::texture_cube_array};
inline constexpr Dimensions kUntypedBuffers = {Dimension::raw_buffer, Dimension::structured_buffer};
/// Of typed views other than buffers.
inline constexpr Dimensions kImages = {kTexture1d, kTexture2d, Dimension::texture3d};

/// What a target promises for each of the operations on each of the dimensions.
struct GuaranteeRow {
  std::initializer_list<Op> ops;
  Dimensions dimensions;
  uint32_t promises;
  std::string_view source;
  uint32_t optional = 0;  // TextureGuarantee::optional
};

constexpr void set_promises(TexturePromises& rows, const GuaranteeRow& row) {
  for (size_t i = 0; i < kResourceOps.size(); ++i) {
    if (std::ranges::find(row.ops, kResourceOps[i]) == row.ops.end()) continue;
    for (uint32_t d = 0; d < kDimensionCount; ++d) {
      if (!row.dimensions.has(d)) continue;
      rows[i][d].promises = row.promises;
      rows[i][d].source = row.source;
      rows[i][d].optional = row.optional;
    }
  }
}

/// stand_in(dimension): the dimension whose operations are used instead.
template <typename StandIn>
constexpr void set_stand_ins(TexturePromises& rows, StandIn stand_in) {
  for (auto& op_row : rows) {
    for (uint32_t d = 0; d < kDimensionCount; ++d) op_row[d].stand_in = stand_in(static_cast<Dimension>(d));
  }
}

}  // namespace texlate::ir
