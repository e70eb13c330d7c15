// How the texels of a typed unordered access view are stored: what a shader's declaration does not say.
#pragma once

#include <cstdint>

namespace texlate::backend {

enum class TexelKind : uint8_t { float_, unorm, snorm, uint, sint };

/// `components` (1, 2 or 4) of `bits` (8, 16 or 32) each, from the lowest bit.
struct ViewFormat {
  uint32_t uav = 0;  // the number in u#
  uint8_t components = 4;
  uint8_t bits = 32;
  TexelKind kind = TexelKind::float_;
};

}  // namespace texlate::backend
