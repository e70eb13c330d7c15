#include "sim/texture_unit/format.h"

namespace texlate::sim {

namespace {

constexpr FormatLayout pack(Kind kind, const std::array<int, 4>& order, const std::array<int, 4>& widths) {
  FormatLayout layout;
  int offset = 0;
  for (int i = 0; i < 4; ++i) {
    if (widths[i] == 0) continue;
    layout.component[order[i]] = {kind, static_cast<uint8_t>(offset), static_cast<uint8_t>(widths[i])};
    offset += widths[i];
  }
  return layout;
}

constexpr FormatLayout rgba(Kind kind, int r, int g, int b, int a) {
  return pack(kind, {0, 1, 2, 3}, {r, g, b, a});
}

constexpr FormatLayout bgra(Kind kind, int b, int g, int r, int a) {
  return pack(kind, {2, 1, 0, 3}, {b, g, r, a});
}

constexpr FormatLayout at(int component, Kind kind, int offset, int bits) {
  FormatLayout layout;
  layout.component[component] = {kind, static_cast<uint8_t>(offset), static_cast<uint8_t>(bits)};
  return layout;
}

constexpr FormatLayout srgb(FormatLayout layout) {
  layout.srgb = true;
  return layout;
}

constexpr FormatLayout block_compressed() {
  FormatLayout layout;
  layout.block_compressed = true;
  return layout;
}

constexpr FormatInfo describe(std::string_view name, int number, int bytes, const FormatLayout& layout) {
  FormatInfo info;
  info.name = name;
  info.dxgi = static_cast<uint16_t>(number);
  info.bytes = static_cast<uint8_t>(bytes);
  info.layout = layout;
  info.plain_words = bytes != 0;
  int words = 0;
  for (int i = 0; i < 4; ++i) {
    const ComponentLayout& component = layout.component[i];
    if (component.kind == Kind::none) continue;
    if (info.kind == Kind::none) info.kind = component.kind;
    info.plain_words = info.plain_words && component.bits == 32 && component.offset == 32 * i;
    ++words;
  }
  info.plain_words = info.plain_words && bytes == words * 4;
  return info;
}

constexpr FormatInfo kFormats[] = {
    {},
#define TEXLATE_FORMAT(name, number, bytes, layout) describe(#name, number, bytes, layout),
#include "sim/texture_unit/format_table.inc"
#undef TEXLATE_FORMAT
};

constexpr size_t kFormatCount = sizeof(kFormats) / sizeof(kFormats[0]);

constexpr char lower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

bool equal_ignoring_case(std::string_view a, std::string_view b) {
  if (a.size() != b.size()) return false;
  for (size_t i = 0; i < a.size(); ++i) {
    if (lower(a[i]) != lower(b[i])) return false;
  }
  return true;
}

}  // namespace

const FormatInfo& format_info(Format format) {
  return kFormats[static_cast<size_t>(format)];
}

Format find_format(std::string_view name) {
  constexpr std::string_view kPrefix = "dxgi_format_";
  if (equal_ignoring_case(name.substr(0, kPrefix.size()), kPrefix)) name.remove_prefix(kPrefix.size());
  for (size_t i = 1; i < kFormatCount; ++i) {
    if (kFormats[i].dxgi != 0 && equal_ignoring_case(name, kFormats[i].name)) return static_cast<Format>(i);
  }
  return Format::unknown;
}

Format find_format(uint32_t dxgi_number) {
  for (size_t i = 1; i < kFormatCount; ++i) {
    if (kFormats[i].dxgi == dxgi_number && dxgi_number != 0) return static_cast<Format>(i);
  }
  return Format::unknown;
}

uint32_t missing_component(const FormatInfo& info, int component) {
  if (component != 3) return 0;
  return info.is_integer() ? 1u : 0x3f800000u;
}

Word4 out_of_bounds_value(Format format) {
  const FormatInfo& info = format_info(format);
  Word4 value{};
  if (info.kind != Kind::none && !info.has(3)) value[3] = missing_component(info, 3);
  return value;
}

}  // namespace texlate::sim
