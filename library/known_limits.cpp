#include "library/known_limits.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>

#include "ir/spelling.h"

namespace texlate::library {

namespace {

struct Member {
  texlate_known bit;
  const char* name;
  uint32_t value;
  WholeLimits limits;
};

bool has_property(ir::Dimension dimension, texlate_known member) {
  const uint32_t axes = ir::is_cube(dimension) ? 2 : ir::coordinate_count(dimension);
  switch (member) {
    case TEXLATE_KNOWN_HEIGHT: return !ir::is_buffer(dimension) && axes >= 2;
    case TEXLATE_KNOWN_DEPTH: return axes == 3;
    case TEXLATE_KNOWN_SLICES: return ir::is_array(dimension);
    case TEXLATE_KNOWN_MIPS: return !ir::is_buffer(dimension) && !ir::is_multisampled(dimension);
    case TEXLATE_KNOWN_SAMPLES: return ir::is_multisampled(dimension);
    default: return true;
  }
}

/// A cube is an array of six slices for Direct3D's views.
bool is_faces(ir::Dimension dimension, texlate_known member, uint32_t value) {
  return ir::is_cube(dimension) && member == TEXLATE_KNOWN_SLICES && value == 6;
}

/// The longest axis of the first mip, if all of them are known.
std::optional<uint32_t> longest_axis(const texlate_known_resource& known, ir::Dimension dimension) {
  uint32_t needed = TEXLATE_KNOWN_WIDTH, longest = known.width;
  for (const auto& [bit, value] :
       {std::pair(TEXLATE_KNOWN_HEIGHT, known.height), std::pair(TEXLATE_KNOWN_DEPTH, known.depth)}) {
    if (!has_property(dimension, bit)) continue;
    needed |= bit;
    longest = std::max(longest, value);
  }
  return (known.known & needed) == needed ? std::optional(longest) : std::nullopt;
}

}  // namespace

std::optional<std::string> fault_of(const texlate_known_resource& known,
                                    std::optional<ir::Dimension> dimension) {
  const bool is_texture = dimension ? !ir::is_buffer(*dimension)
                                    : ((known.known & TEXLATE_KNOWN_HEIGHT) != 0 && known.height > 1) ||
                                          ((known.known & TEXLATE_KNOWN_DEPTH) != 0 && known.depth > 1);
  const Member members[] = {
      {TEXLATE_KNOWN_WIDTH, "width", known.width, is_texture ? kKnownTexels : kKnownElements},
      {TEXLATE_KNOWN_HEIGHT, "height", known.height, kKnownTexels},
      {TEXLATE_KNOWN_DEPTH, "depth", known.depth, kKnownTexels},
      {TEXLATE_KNOWN_SLICES, "slices", known.slices, kKnownSlices},
      {TEXLATE_KNOWN_MIPS, "mips", known.mips, kKnownMips},
      {TEXLATE_KNOWN_SAMPLES, "samples", known.samples, kKnownSamples}};
  for (const Member& member : members) {
    if ((known.known & member.bit) == 0) continue;
    if (member.value < member.limits.least || member.value > member.limits.most)
      return fmt::format("{} is {}: not {} to {}", member.name, member.value, member.limits.least,
                         member.limits.most);
    if (dimension && member.value != 1 && !has_property(*dimension, member.bit) &&
        !is_faces(*dimension, member.bit, member.value))
      return fmt::format("{} is {}, but a {} has none", member.name, member.value, ir::spelling(*dimension));
  }
  if (!dimension || ir::is_buffer(*dimension) || (known.known & TEXLATE_KNOWN_MIPS) == 0) return std::nullopt;
  const auto longest = longest_axis(known, *dimension);
  const uint32_t most = longest ? static_cast<uint32_t>(std::bit_width(*longest)) : kKnownMips.most;
  if (known.mips <= most) return std::nullopt;
  return fmt::format("mips is {}, but a texture of this size has {} at most", known.mips, most);
}

std::optional<std::string> fault_of(const texlate_static_sampler& state) {
  const std::pair<const char*, float> numbers[] = {
      {"mip_lod_bias", state.mip_lod_bias}, {"min_lod", state.min_lod}, {"max_lod", state.max_lod}};
  for (const auto& [name, value] : numbers) {
    if (std::isnan(value)) return fmt::format("{} is not a number", name);
  }
  return std::nullopt;
}

}  // namespace texlate::library
