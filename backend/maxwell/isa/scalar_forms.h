// What the form field of TEXS and TLDS means: one row per form (docs/reference/maxwell.md 2.2 and 2.3; TEXS
// page).
#pragma once

#include <cstdint>
#include <span>

#include "backend/maxwell/isa/modifiers.h"
#include "backend/maxwell/isa/words.h"

namespace texlate::maxwell {

/// What a register of a texture instruction carries.
enum class TextureValue : uint8_t {
  none,
  handle,       // header index 19..0, sampler index 31..20
  layer,        // u16 in bits 15..0
  layer_clamp,  // layer in the low half, minimum LOD (8.8) in the high half
  x,
  y,
  z,
  lod,  // explicit LOD; for fetches an integer mip
  bias,
  offset,       // AOFFI word
  offsets_low,  // PTP words
  offsets_high,
  reference,     // of the comparison
  sample,        // sample index
  layer_offset,  // TXD: layer and offsets in one register
  dx_dx,         // derivatives of x by screen x and y, of y by screen x and y
  dx_dy,
  dy_dx,
  dy_dy,
  mip,  // TXQ: integer mip
};

struct ScalarForm {
  uint8_t form;  // TexsForm or TldsForm
  TextureDim dim;
  bool lz, ll, compare, offset, multisample;
  TextureValue a[2];  // Ra, Ra+1
  TextureValue b[2];  // Rb, Rb+1
};

namespace scalar_form_rows {
using enum TextureValue;
using enum TextureDim;
// clang-format off
//                                            lz     ll     dc     off    ms     Ra            Rb
constexpr ScalarForm kTexs[] = {
  {uint8_t(TexsForm::lz_1d),          _1d,      true,  false, false, false, false, {x, none},  {none, none}},
  {uint8_t(TexsForm::_2d),            _2d,      false, false, false, false, false, {x, none},  {y, none}},
  {uint8_t(TexsForm::lz_2d),          _2d,      true,  false, false, false, false, {x, none},  {y, none}},
  {uint8_t(TexsForm::ll_2d),          _2d,      false, true,  false, false, false, {x, y},     {lod, none}},
  {uint8_t(TexsForm::dc_2d),          _2d,      false, false, true,  false, false, {x, y},     {reference, none}},
  {uint8_t(TexsForm::ll_dc_2d),       _2d,      false, true,  true,  false, false, {x, y},     {lod, reference}},
  {uint8_t(TexsForm::lz_dc_2d),       _2d,      true,  false, true,  false, false, {x, y},     {reference, none}},
  {uint8_t(TexsForm::array_2d),       array_2d, false, false, false, false, false, {layer, x}, {y, none}},
  {uint8_t(TexsForm::lz_array_2d),    array_2d, true,  false, false, false, false, {layer, x}, {y, none}},
  {uint8_t(TexsForm::lz_dc_array_2d), array_2d, true,  false, true,  false, false, {layer, x}, {y, reference}},
  {uint8_t(TexsForm::_3d),            _3d,      false, false, false, false, false, {x, y},     {z, none}},
  {uint8_t(TexsForm::lz_3d),          _3d,      true,  false, false, false, false, {x, y},     {z, none}},
  {uint8_t(TexsForm::cube),           cube,     false, false, false, false, false, {x, y},     {z, none}},
  {uint8_t(TexsForm::ll_cube),        cube,     false, true,  false, false, false, {x, y},     {z, lod}},
};
constexpr ScalarForm kTlds[] = {
  {uint8_t(TldsForm::lz_1d),          _1d,      true,  false, false, false, false, {x, none},  {none, none}},
  {uint8_t(TldsForm::ll_1d),          _1d,      false, true,  false, false, false, {x, none},  {lod, none}},
  {uint8_t(TldsForm::lz_2d),          _2d,      true,  false, false, false, false, {x, none},  {y, none}},
  {uint8_t(TldsForm::lz_aoffi_2d),    _2d,      true,  false, false, true,  false, {x, y},     {offset, none}},
  {uint8_t(TldsForm::ll_2d),          _2d,      false, true,  false, false, false, {x, y},     {lod, none}},
  {uint8_t(TldsForm::lz_ms_2d),       _2d,      true,  false, false, false, true,  {x, y},     {sample, none}},
  {uint8_t(TldsForm::lz_3d),          _3d,      true,  false, false, false, false, {x, y},     {z, none}},
  {uint8_t(TldsForm::lz_array_2d),    array_2d, true,  false, false, false, false, {layer, none}, {x, y}},
  {uint8_t(TldsForm::ll_aoffi_2d),    _2d,      false, true,  false, true,  false, {x, y},     {lod, offset}},
};
// clang-format on
}  // namespace scalar_form_rows

using scalar_form_rows::kTexs;
using scalar_form_rows::kTlds;

/// The row of a form of TEXS, or of TLDS; nullptr if it does not exist.
constexpr const ScalarForm* scalar_form(bool is_texs, uint8_t form) {
  for (const ScalarForm& row : is_texs ? std::span<const ScalarForm>(kTexs) : kTlds) {
    if (row.form == form) return &row;
  }
  return nullptr;
}

}  // namespace texlate::maxwell
