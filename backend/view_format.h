// How the texels of a typed unordered access view are stored. A shader does not declare that.
#pragma once

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <span>
#include <string_view>

#include "ir/passes/pack_texels.h"

namespace texlate::backend {

using ir::TexelComponent;
using ir::TexelKind;
using ir::TexelLayout;

/// Where the components are. `in_order`: all components of the format, with the same width, from the lowest
/// bit on. The others are Direct3D's formats of mixed widths and orders.
enum class TexelPacking : uint8_t {
  in_order,
  r10g10b10a2,
  r11g11b10,  // floats without sign
  b8g8r8a8,   // three components: b8g8r8x8
  b5g6r5,
  b5g5r5a1,
  b4g4r4a4,
  a8,
};

/// By TexelPacking; those in order have no layout of their own.
struct NamedPacking {
  std::string_view name;
  TexelLayout layout = {};
};
inline constexpr NamedPacking kPackings[] = {
    {"in_order"},
    {"r10g10b10a2", {4, {{{0, 10}, {10, 10}, {20, 10}, {30, 2}}}}},
    {"r11g11b10", {4, {{{0, 11}, {11, 11}, {22, 10}, {}}}}},
    {"b8g8r8a8", {4, {{{16, 8}, {8, 8}, {0, 8}, {24, 8}}}}},
    {"b5g6r5", {2, {{{11, 5}, {5, 6}, {0, 5}, {}}}}},
    {"b5g5r5a1", {2, {{{10, 5}, {5, 5}, {0, 5}, {15, 1}}}}},
    {"b4g4r4a4", {2, {{{8, 4}, {4, 4}, {0, 4}, {12, 4}}}}},
    {"a8", {1, {{{}, {}, {}, {0, 8}}}}},
};
static_assert(std::size(kPackings) == static_cast<size_t>(TexelPacking::a8) + 1);

constexpr std::string_view spelling(TexelPacking packing) {
  return kPackings[static_cast<size_t>(packing)].name;
}

/// `components` (1, 2 or 4) of `bits` (8, 16 or 32) each, if they are in order.
struct ViewFormat {
  uint32_t uav = 0;  // the number in u#
  uint8_t components = 4;
  uint8_t bits = 32;
  TexelKind kind = TexelKind::float_;
  TexelPacking packing = TexelPacking::in_order;
  std::string_view known_as = {};  // its name, if the code relies on known state; empty: the caller's choice

  constexpr TexelLayout layout() const {
    TexelLayout layout = kPackings[static_cast<size_t>(packing)].layout;
    if (packing == TexelPacking::b8g8r8a8 && components != 4) layout.component[3].bits = 0;
    if (packing != TexelPacking::in_order) return layout;
    layout.bytes = static_cast<uint8_t>(components * bits / 8);
    for (uint8_t c = 0; c < components; ++c) layout.component[c] = {static_cast<uint8_t>(c * bits), bits};
    return layout;
  }
};

/// The format that a caller gives a view; null: none.
constexpr const ViewFormat* find_format(std::span<const ViewFormat> given, uint32_t uav) {
  const auto found = std::ranges::find(given, uav, &ViewFormat::uav);
  return found != given.end() ? &*found : nullptr;
}

/// A row of view_formats.inc.
struct NamedViewFormat : ViewFormat {
  uint16_t number;        // in DXGI_FORMAT
  std::string_view name;  // in --uav-format
};
inline constexpr NamedViewFormat kViewFormats[] = {
#define TEXLATE_VIEW_FORMAT(dxgi, number, components, bits, kind, packing, image_format, name) \
  {{0, components, bits, TexelKind::kind, TexelPacking::packing}, number, name},
#include "backend/view_formats.inc"
#undef TEXLATE_VIEW_FORMAT
};

}  // namespace texlate::backend
