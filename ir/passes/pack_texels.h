// Typed unordered access by the words in memory, for targets whose loads and stores do not convert formats.
//
// before, of a view of two 16-bit UNORM components:
//   %5..%8 = surf.load u0 texture2d float guard(%2) coord(%0, %1)
//   surf.store u0 texture2d float coord(%0, %1) value(%5, %9, ...)
// after:
//   %10..%13 = surf.load u0 texture2d none guard(%2) coord(%0, %1)
//   %14 = bfe.u32 16, 0, %10
//   %15 = utof.u32 %14              and three operations that divide by 65535
//   ...
//   %30 = bfi 16, 16, %29, %28
//   surf.store u0 texture2d none coord(%0, %1) value(%30)
//
// An access of component type `none` moves a texel as it is stored: component_mask has a bit for each of its
// 32-bit words, from the lowest on; a texel of one or two bytes is the low part of one word. Its bytes are
// the view's stride. A load whose guard is false gives 0, which all formats read as 0.
#pragma once

#include <array>
#include <span>

#include "ir/module.h"

namespace texlate::ir {

enum class TexelKind : uint8_t { float_, unorm, snorm, uint, sint };

/// A component of a texel, in bits; no bits: the format lacks it.
struct TexelComponent {
  uint8_t offset = 0, bits = 0;
};
/// No component crosses a 32-bit word.
struct TexelLayout {
  uint8_t bytes = 0;                             // 1, 2, 4, 8 or 16
  std::array<TexelComponent, 4> component = {};  // red, green, blue, alpha
};
struct StoredTexel {
  TexelKind kind = TexelKind::float_;
  TexelLayout layout;
};

/// Takes and leaves a module in SSA form, legalized for a target that does not fill in what a format lacks:
/// queries of a view's format at run time become constants. `formats`: by index in Module::resources, for
/// typed views. The inserted operations need no legalization if f32tof16 rounds toward zero: counts are
/// constants, and no NaN reaches a minimum or a conversion to integers. Conversions are Direct3D's (D3D11.3
/// 3.2.3; docs/reference/direct3d.md 3.2, 3.3). Returns true when something changed. Linear in the program.
bool pack_texels(Module& module, std::span<const StoredTexel> formats);

}  // namespace texlate::ir
