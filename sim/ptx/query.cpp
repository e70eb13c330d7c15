#include "sim/ptx/query.h"

#include <algorithm>

namespace texlate::sim::ptx {

namespace {

struct ChannelType {
  Kind kind;
  uint8_t bits;
  uint32_t number;
};
// PTX ISA 5.3.3, "OpenCL 1.0 Channel Data Type Definition", for channels of equal type.
constexpr ChannelType kChannelTypes[] = {
    {Kind::snorm, 8, 0x10d0},  {Kind::snorm, 16, 0x10d1},  {Kind::unorm, 8, 0x10d2},
    {Kind::unorm, 16, 0x10d3}, {Kind::sint, 8, 0x10d7},    {Kind::sint, 16, 0x10d8},
    {Kind::sint, 32, 0x10d9},  {Kind::uint, 8, 0x10da},    {Kind::uint, 16, 0x10db},
    {Kind::uint, 32, 0x10dc},  {Kind::float_, 16, 0x10dd}, {Kind::float_, 32, 0x10de},
};

std::optional<uint32_t> channel_data_type(const FormatInfo& info) {
  if (info.layout.srgb) return std::nullopt;
  uint8_t bits = 0;
  for (const ComponentLayout& component : info.layout.component) {
    if (component.kind == Kind::none) continue;
    if (bits != 0 && component.bits != bits) return std::nullopt;
    bits = component.bits;
  }
  for (const ChannelType& type : kChannelTypes) {
    if (type.kind == info.kind && type.bits == bits) return type.number;
  }
  return std::nullopt;
}

struct ChannelOrder {
  std::array<int8_t, 4> place;  // position of r, g, b, a from the lowest bit on; -1: absent
  uint32_t number;
};
// PTX ISA 5.3.3, "OpenCL 1.0 Channel Order Definition".
constexpr ChannelOrder kChannelOrders[] = {
    {{0, -1, -1, -1}, 0x10b0}, {{-1, -1, -1, 0}, 0x10b1}, {{0, 1, -1, -1}, 0x10b2},
    {{0, 1, 2, -1}, 0x10b4},   {{0, 1, 2, 3}, 0x10b5},    {{2, 1, 0, 3}, 0x10b6},
};

std::optional<uint32_t> channel_order(const FormatInfo& info) {
  if (!channel_data_type(info)) return std::nullopt;
  std::array<int8_t, 4> place{-1, -1, -1, -1};
  for (size_t c = 0; c < 4; ++c) {
    const ComponentLayout& component = info.layout.component[c];
    if (component.kind != Kind::none) place[c] = static_cast<int8_t>(component.offset / component.bits);
  }
  for (const ChannelOrder& order : kChannelOrders) {
    if (order.place == place) return order.number;
  }
  return std::nullopt;
}

}  // namespace

std::optional<uint32_t> answer_query(const Instruction& i, const TextureView& view, uint32_t level,
                                     bool independent) {
  const Extent size = view.size(level);
  if (i.has(Mod::width)) return size.width;
  if (i.has(Mod::height)) return size.height;
  if (i.has(Mod::depth)) return size.depth;
  if (i.has(Mod::array_size)) return dimension_info(view.dimension).slice < 0 ? 0 : view.slice_count;
  if (i.has(Mod::num_mipmap_levels)) return view.mip_count;
  if (i.has(Mod::num_samples)) return view.texture->desc().samples;
  if (i.has(Mod::memory_layout)) return 0;  // 1 is linear; every view here is an array
  if (!independent) return std::nullopt;
  if (i.has(Mod::channel_data_type)) return channel_data_type(format_info(view.format));
  if (i.has(Mod::channel_order)) return channel_order(format_info(view.format));
  return std::nullopt;
}

std::optional<uint32_t> answer_sampler_query(const Instruction& i, const SamplerObject& sampler) {
  if (i.has(Mod::force_unnormalized_coords)) return sampler.force_unnormalized ? 1 : 0;
  if (i.has(Mod::filter_mode)) return sampler.filter == Filter::linear ? 1 : 0;
  const size_t axis = i.has(Mod::addr_mode_0) ? 0 : i.has(Mod::addr_mode_1) ? 1 : 2;
  switch (sampler.address[axis]) {
    case AddressMode::wrap: return 0;
    case AddressMode::mirror: return 1;
    case AddressMode::clamp: return 3;  // 2 is clamp_ogl
    case AddressMode::border: return 4;
    case AddressMode::mirror_once: break;
  }
  return std::nullopt;
}

}  // namespace texlate::sim::ptx
