// The DXGI formats. One table (format_table.inc) gives the position of each component of a texel and how it
// is read.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace texlate::sim {

/// Four components as in Direct3D registers: untyped 32-bit words, x/y/z/w = r/g/b/a.
using Word4 = std::array<uint32_t, 4>;
/// What an access to an unbound slot reads.
constexpr Word4 kUnbound{0, 0, 0, 0};

/// A format. Enumerators are DXGI names in lower case; `unknown` is the format of an unbound view.
enum class Format : uint8_t {
  unknown,
#define TEXLATE_FORMAT(name, number, bytes, layout) name,
#include "sim/texture_unit/format_table.inc"
#undef TEXLATE_FORMAT
};

/// How the bits of a component are interpreted (docs/reference/direct3d.md 3.2).
enum class Kind : uint8_t { none, unorm, snorm, uint, sint, float_, shared_exponent };

struct ComponentLayout {
  Kind kind = Kind::none;
  uint8_t offset = 0;  // bits from the start of the texel
  uint8_t bits = 0;
};

struct FormatLayout {
  std::array<ComponentLayout, 4> component;  // r, g, b, a
  bool srgb = false;
  bool block_compressed = false;
};

struct FormatInfo {
  std::string_view name;  // "r32_float"
  uint16_t dxgi = 0;      // DXGI_FORMAT number; 0: DXGI lacks it
  uint8_t bytes = 0;      // per texel; 0 for block-compressed formats, which the texture unit rejects
  FormatLayout layout;
  Kind kind = Kind::none;    // of the first component present: a format never mixes kinds
  bool plain_words = false;  // every component is 32 bits wide, in order from bit 0: texels are copied

  bool has(int component) const { return layout.component[component].kind != Kind::none; }
  bool is_integer() const { return kind == Kind::uint || kind == Kind::sint; }
};

const FormatInfo& format_info(Format format);

/// Finds a format by its DXGI name, in any case, with or without "DXGI_FORMAT_"; `unknown` if there is
/// none.
Format find_format(std::string_view name);
Format find_format(uint32_t dxgi_number);

/// 0 for each component that the format has, and the default (0,0,0,1) for each that it lacks: the result of
/// an out-of-bounds `ld` (docs/reference/direct3d.md 1, "OOB value"; 3.1). The result for an unbound slot is
/// four zeros, whatever the format.
Word4 out_of_bounds_value(Format format);

/// The default of one component that the format lacks: 0, and for alpha 1.0f or integer 1.
uint32_t missing_component(const FormatInfo& info, int component);

}  // namespace texlate::sim
