// The device features that a shader needs beyond its model: chunk SFI0 (docs/reference/direct3d.md 5.4).
#pragma once

#include <string_view>

#include "frontend/dxbc/byte_reader.h"
#include "frontend/dxbc/container.h"
#include "frontend/sm4/program.h"

namespace texlate::dxbc {

struct Feature {
  uint64_t bit;
  std::string_view name;  // as in the note "shader requires additional functionality" of a listing
};

/// D3D_SHADER_REQUIRES_* (d3d11shader.h).
inline constexpr Feature kFeatures[] = {
    {0x1, "Double-precision floating point"},
    {0x2, "Raw and structured buffers"},  // in shader models 4.0 and 4.1
    {0x4, "UAVs at every shader stage"},
    {0x8, "64 UAV slots"},
    {0x10, "Minimum-precision data types"},
    {0x20, "Double-precision extensions for 11.1"},
    {0x40, "Shader extensions for 11.1"},
    {0x80, "Comparison filtering for feature level 9"},
    {0x100, "Tiled resources"},
    {0x200, "PS Output Stencil Ref"},
    {0x400, "PS Inner Coverage"},
    {0x800, "Typed UAV Load Additional Formats"},
    {0x1000, "Raster Ordered UAVs"},
    {0x2000, "SV_RenderTargetArrayIndex or SV_ViewportArrayIndex from any shader feeding rasterizer"},
};

/// Not in the notes of listings: for a 4.x shader with such buffers only dcl_globalFlags shows it.
inline constexpr uint64_t kUnlistedFeatures = 0x2;

/// The flags of chunk SFI0; 0 if there is none.
inline uint64_t feature_flags(const Container& container) {
  const Chunk* chunk = container.find(kFeatureTag);
  if (chunk == nullptr) return 0;
  const ByteReader reader(container.data(*chunk));
  return reader.dword(0) | uint64_t{reader.dword(4)} << 32;
}

/// The flags that fxc would store for that program. Features that the tokens do not show are missing:
/// comparison for feature level 9, and a typed load of one component from a view that has more.
uint64_t required_features(const sm4::Program& program);

}  // namespace texlate::dxbc
