#include "sim/scene/texture_source.h"

#include <bit>
#include <cmath>
#include <cstdio>

#include "ir/base/diagnostics.h"
#include "sim/scene/png_file.h"

namespace texlate::sim {

namespace {

struct Place {
  uint32_t mip, slice, x, y, z, sample;
  Extent size;
};

uint32_t hash(uint32_t value) {
  value ^= value >> 16;
  value *= 0x7feb352du;
  value ^= value >> 15;
  value *= 0x846ca68bu;
  return value ^ (value >> 16);
}

float unit(uint32_t bits) {
  return static_cast<float>(bits >> 8) / 16777216.0f;
}

std::array<float, 4> color_at(Pattern pattern, const Place& at, uint32_t seed, const TextureDesc& desc) {
  const float depth = desc.size.depth > 1
                          ? static_cast<float>(at.z) / static_cast<float>(at.size.depth)
                          : static_cast<float>(at.slice) / static_cast<float>(desc.array_size);
  switch (pattern) {
    case Pattern::checker: {
      const uint32_t fields = at.x * 8 / at.size.width + at.y * 8 / at.size.height + at.z;
      const float light = fields % 2 == 0 ? 0.9f : 0.15f;
      return {light, light * 0.8f + 0.1f, depth * 0.5f + 0.25f * light, 1.0f};
    }
    case Pattern::gradient:
      return {(static_cast<float>(at.x) + 0.5f) / static_cast<float>(at.size.width),
              (static_cast<float>(at.y) + 0.5f) / static_cast<float>(at.size.height), depth, 1.0f};
    case Pattern::noise: {
      const uint32_t place =
          hash(at.x + hash(at.y + hash(at.z + hash(at.slice + hash(at.mip * 16 + at.sample + seed)))));
      return {unit(place), unit(hash(place + 1)), unit(hash(place + 2)), unit(hash(place + 3)) * 0.5f + 0.5f};
    }
    case Pattern::mip_colored: {
      static constexpr float kColors[][3] = {{1, 1, 1}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1},
                                             {1, 1, 0}, {1, 0, 1}, {0, 1, 1}};
      const auto& color = kColors[at.mip % 7];
      const float light = at.mip < 7 ? 1.0f : 0.5f;
      return {color[0] * light, color[1] * light, color[2] * light, 1.0f};
    }
  }
  return {};
}

Word4 encoded(const std::array<float, 4>& color, bool integer) {
  Word4 words;
  for (size_t c = 0; c < 4; ++c) {
    words[c] = integer ? static_cast<uint32_t>(color[c] * 255.0f) : std::bit_cast<uint32_t>(color[c]);
  }
  return words;
}

template <typename F>
void for_each_texel(const TextureDesc& desc, const Texture& texture, F f) {
  for (uint32_t slice = 0; slice < desc.array_size; ++slice) {
    for (uint32_t mip = 0; mip < desc.mips; ++mip) {
      const Extent size = texture.mip_size(mip);
      for (uint32_t z = 0; z < size.depth; ++z)
        for (uint32_t y = 0; y < size.height; ++y)
          for (uint32_t x = 0; x < size.width; ++x)
            for (uint32_t sample = 0; sample < desc.samples; ++sample)
              f(Place{mip, slice, x, y, z, sample, size});
    }
  }
}

// Box filter over the next larger mip. The edge texel counts twice if the size is odd.
void average_mips(Texture& texture, uint32_t slice) {
  for (uint32_t mip = 1; mip < texture.desc().mips; ++mip) {
    const Extent size = texture.mip_size(mip), above = texture.mip_size(mip - 1);
    for (uint32_t y = 0; y < size.height; ++y) {
      for (uint32_t x = 0; x < size.width; ++x) {
        std::array<float, 4> sum{};
        for (uint32_t i = 0; i < 4; ++i) {
          const Word4 texel = texture.read(mip - 1, slice, std::min(2 * x + i % 2, above.width - 1),
                                           std::min(2 * y + i / 2, above.height - 1), 0);
          for (size_t c = 0; c < 4; ++c) sum[c] += std::bit_cast<float>(texel[c]) / 4.0f;
        }
        texture.write(mip, slice, x, y, 0, encoded(sum, false));
      }
    }
  }
}

}  // namespace

std::optional<Pattern> find_pattern(std::string_view name) {
  static constexpr std::string_view kNames[] = {"checker", "gradient", "noise", "mip-colored"};
  for (uint32_t i = 0; i < 4; ++i) {
    if (name == kNames[i]) return static_cast<Pattern>(i);
  }
  if (name == "mip-coloured") return Pattern::mip_colored;  // the spelling of 0.2
  return std::nullopt;
}

void fill_texture(Texture& texture, Pattern pattern, uint32_t seed) {
  const TextureDesc desc = texture.desc();
  const bool integer = format_info(desc.format).is_integer();
  for_each_texel(desc, texture, [&](const Place& at) {
    texture.write(at.mip, at.slice, at.x, at.y, at.z, encoded(color_at(pattern, at, seed, desc), integer),
                  at.sample);
  });
}

uint32_t buffer_word(uint64_t index, uint32_t seed, bool integer) {
  const uint32_t bits = hash(static_cast<uint32_t>(index) + hash(seed + 77));
  return integer ? bits % 16 : std::bit_cast<uint32_t>(unit(bits) + 1.0f / 16777216.0f);
}

bool fill_from_png(Texture& texture, uint32_t slice, const std::string& path, Diagnostics& diagnostics) {
  Picture picture;
  if (!read_png(path, picture, diagnostics)) return false;
  const TextureDesc& desc = texture.desc();
  if (picture.width != desc.size.width || picture.height != desc.size.height) {
    diagnostics.error({}, "{} has {} x {} texels, but the texture has {} x {}", path, picture.width,
                      picture.height, desc.size.width, desc.size.height);
    return false;
  }
  const bool integer = format_info(desc.format).is_integer();
  const float scale = picture.bits == 16 ? 65535.0f : 255.0f;
  for (uint32_t y = 0; y < picture.height; ++y) {
    for (uint32_t x = 0; x < picture.width; ++x) {
      const uint16_t* texel = &picture.texels[(size_t{y} * picture.width + x) * 4];
      Word4 words;
      for (size_t c = 0; c < 4; ++c) {
        words[c] = integer ? texel[c] : std::bit_cast<uint32_t>(static_cast<float>(texel[c]) / scale);
      }
      for (uint32_t sample = 0; sample < desc.samples; ++sample)
        texture.write(0, slice, x, y, 0, words, sample);
    }
  }
  if (!integer) average_mips(texture, slice);
  return true;
}

bool fill_from_raw(std::span<std::byte> memory, const std::string& path, Diagnostics& diagnostics) {
  std::FILE* file = std::fopen(path.c_str(), "rb");
  if (file == nullptr) return diagnostics.error({}, "{} cannot be read", path), false;
  const size_t bytes = std::fread(memory.data(), 1, memory.size(), file);
  const bool more = std::fgetc(file) != EOF;
  std::fclose(file);
  if (bytes == memory.size() && !more) return true;
  diagnostics.error({}, "{} does not have the {} bytes of the resource", path, memory.size());
  return false;
}

}  // namespace texlate::sim
