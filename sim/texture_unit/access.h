// The results of an access besides its value: residency, and the rules of Direct3D that leave the value
// undefined.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace texlate::sim {

/// Situations whose result Direct3D does not define: one bit for each row of undefined_table.inc. The unit
/// returns 0 or drops the write, and sets the bit, so that comparisons between executors can mask such
/// results (docs/reference/direct3d.md 1.3).
enum class UndefinedRow : uint8_t {
#define TEXLATE_UNDEFINED(name) name,
#include "sim/texture_unit/undefined_table.inc"
#undef TEXLATE_UNDEFINED
};
enum class Undefined : uint32_t {
  none = 0,
#define TEXLATE_UNDEFINED(name) name = 1u << static_cast<uint8_t>(UndefinedRow::name),
#include "sim/texture_unit/undefined_table.inc"
#undef TEXLATE_UNDEFINED
};

/// The enumerators of the set bits: "misaligned, structure_offset".
std::string undefined_names(uint32_t bits);

/// A texel that was read; all numbers are those of the view.
struct TexelRead {
  uint32_t mip, slice, x, y, z, sample;
  std::array<uint32_t, 4> value;
};

struct Access {
  uint32_t undefined = 0;  // bits of Undefined
  bool mapped = true;      // for check_access_fully_mapped; false once an unmapped texel was needed
  std::vector<TexelRead>* texels = nullptr;  // receives the texels of textures that are read; may be null

  void flag(Undefined reason) { undefined |= static_cast<uint32_t>(reason); }
  bool has(Undefined reason) const { return (undefined & static_cast<uint32_t>(reason)) != 0; }
  /// True if the value is also undefined on a GPU. This excludes a degenerate cube direction: a texture unit
  /// projects it to some point, because NaN coordinates count as 0.
  bool undefined_on_device() const {
    return (undefined & ~static_cast<uint32_t>(Undefined::cube_direction)) != 0;
  }
};

}  // namespace texlate::sim
