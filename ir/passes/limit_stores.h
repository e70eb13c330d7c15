// What the format of a typed view cannot hold, for targets whose stores convert texels but leave that
// undefined.
//
// before, of a view that is declared with UNORM components:
//   surf.store u0 texture2d unorm coord(%0, %1) value(%2, %3, %4, %5)
// after:
//   %6 = fsat.f32 %2
//   ...
//   surf.store u0 texture2d unorm coord(%0, %1) value(%6, %7, %8, %9)
//
// NaN becomes 0 in UNORM and SNORM components, and integers are clamped to the range of theirs
// (D3D11.3 3.2.3; docs/reference/direct3d.md 3.3).
#pragma once

#include <memory_resource>
#include <span>
#include <string_view>

#include "ir/passes/closed_gap.h"
#include "ir/passes/pack_texels.h"

namespace texlate::ir {

/// Does any store need it? `formats`: by index in Module::resources; one of 0 bytes is not known, and what
/// the shader declares decides. `closed`, when given, gets an entry for each such store; `source`: the
/// document that does not promise what is done.
bool has_limited_stores(const Module& module, std::span<const StoredTexel> formats,
                        std::pmr::vector<ClosedGap>* closed = nullptr, std::string_view source = {});

/// Takes and leaves a module in SSA form. The inserted operations need no legalization. Linear in the
/// program.
void limit_stores(Module& module, std::span<const StoredTexel> formats);

}  // namespace texlate::ir
