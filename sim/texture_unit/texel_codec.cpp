#include "sim/texture_unit/texel_codec.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

#include "sim/texture_unit/small_float.h"

namespace texlate::sim {

namespace {

uint32_t field(const std::byte* memory, const ComponentLayout& component, uint32_t texel_bytes) {
  // A component fits in the eight bytes from the byte that it starts in.
  const uint32_t first = component.offset / 8;
  uint64_t word = 0;
  std::memcpy(&word, memory + first, std::min<uint32_t>(8, texel_bytes - first));
  return static_cast<uint32_t>((word >> (component.offset % 8)) & ((uint64_t{1} << component.bits) - 1));
}

void set_field(std::byte* memory, const ComponentLayout& component, uint32_t texel_bytes, uint32_t value) {
  const uint32_t first = component.offset / 8;
  const uint32_t count = std::min<uint32_t>(8, texel_bytes - first);
  const uint64_t mask = ((uint64_t{1} << component.bits) - 1) << (component.offset % 8);
  uint64_t word = 0;
  std::memcpy(&word, memory + first, count);
  word = (word & ~mask) | ((static_cast<uint64_t>(value) << (component.offset % 8)) & mask);
  std::memcpy(memory + first, &word, count);
}

uint32_t max_unsigned(int bits) {
  return static_cast<uint32_t>((uint64_t{1} << bits) - 1);
}

int32_t sign_extend(uint32_t value, int bits) {
  return static_cast<int32_t>(value << (32 - bits)) >> (32 - bits);
}

float unorm_to_float(uint32_t value, int bits) {
  // Both operands are exact floats (at most 24 bits), so one division is correctly rounded.
  return static_cast<float>(value) / static_cast<float>(max_unsigned(bits));
}

float snorm_to_float(uint32_t value, int bits) {
  const float scale = static_cast<float>(max_unsigned(bits - 1));
  return std::max(static_cast<float>(sign_extend(value, bits)) / scale, -1.0f);
}

// docs/reference/direct3d.md 3.3 step by step, each step in float as long as a float has enough bits.
constexpr int kFloatSteps = 16;

/// The exact product, rounded once.
uint32_t nearest_unorm(float value, int bits) {
  if (!(value > 0.0f)) return 0;  // also for NaN
  return static_cast<uint32_t>(std::min(double{value}, 1.0) * max_unsigned(bits) + 0.5);
}

uint32_t float_to_unorm(float value, int bits) {
  if (bits > kFloatSteps || !(value > 0.0f)) return nearest_unorm(value, bits);
  const float scaled = std::min(value, 1.0f) * static_cast<float>(max_unsigned(bits));
  return static_cast<uint32_t>(scaled + 0.5f);
}

uint32_t float_to_snorm(float value, int bits) {
  if (std::isnan(value)) return 0;
  const float scaled = std::clamp(value, -1.0f, 1.0f) * static_cast<float>(max_unsigned(bits - 1));
  const auto rounded = static_cast<int32_t>(scaled + (scaled < 0 ? -0.5f : 0.5f));
  return static_cast<uint32_t>(rounded) & max_unsigned(bits);
}

uint32_t decode_float(uint32_t value, int bits) {
  switch (bits) {
    case 16: return half_to_float_bits(value);
    case 11: return unsigned_float_to_float_bits(value, 6);
    case 10: return unsigned_float_to_float_bits(value, 5);
    default: return value;
  }
}

uint32_t encode_float(uint32_t value, int bits) {
  switch (bits) {
    case 16: return float_bits_to_half_toward_zero(value);
    case 11: return float_bits_to_unsigned_float(value, 6);
    case 10: return float_bits_to_unsigned_float(value, 5);
    default: return value;
  }
}

struct SrgbTable {
  std::array<float, 256> linear;
  SrgbTable() {
    for (int i = 0; i < 256; ++i) {
      const double c = i / 255.0;
      linear[i] = static_cast<float>(c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4));
    }
  }
};

uint32_t decode_component(const ComponentLayout& component, uint32_t value) {
  switch (component.kind) {
    case Kind::unorm: return std::bit_cast<uint32_t>(unorm_to_float(value, component.bits));
    case Kind::snorm: return std::bit_cast<uint32_t>(snorm_to_float(value, component.bits));
    case Kind::sint: return static_cast<uint32_t>(sign_extend(value, component.bits));
    case Kind::float_: return decode_float(value, component.bits);
    case Kind::uint:
    case Kind::shared_exponent:
    case Kind::none: break;
  }
  return value;
}

uint32_t encode_component(const ComponentLayout& component, uint32_t value) {
  const int bits = component.bits;
  switch (component.kind) {
    case Kind::unorm: return float_to_unorm(std::bit_cast<float>(value), bits);
    case Kind::snorm: return float_to_snorm(std::bit_cast<float>(value), bits);
    case Kind::uint: return std::min(value, max_unsigned(bits));
    case Kind::sint: {
      const auto high = static_cast<int32_t>(max_unsigned(bits - 1));
      return static_cast<uint32_t>(std::clamp(static_cast<int32_t>(value), -high - 1, high)) &
             max_unsigned(bits);
    }
    case Kind::float_: return encode_float(value, bits);
    case Kind::shared_exponent:
    case Kind::none: break;
  }
  return value;
}

constexpr int kSharedMantissaBits = 9;
constexpr int kSharedBias = 15;

Word4 decode_shared_exponent(uint32_t word) {
  const int exponent = static_cast<int>(word >> 27) - kSharedBias - kSharedMantissaBits;
  Word4 value{0, 0, 0, 0x3f800000u};
  for (int i = 0; i < 3; ++i) {
    const auto mantissa = static_cast<float>((word >> (9 * i)) & 0x1ffu);
    value[i] = std::bit_cast<uint32_t>(std::ldexp(mantissa, exponent));
  }
  return value;
}

// Shaders cannot write this format; used to fill textures. The algorithm of D3D11.3 functional specification
// 19.3.2.2.
uint32_t encode_shared_exponent(const Word4& value) {
  constexpr double kMax = 65408.0;  // 511/512 * 2^16
  std::array<double, 3> c{};
  for (int i = 0; i < 3; ++i) {
    const float f = std::bit_cast<float>(value[i]);
    c[i] = f > 0.0f ? std::min(static_cast<double>(f), kMax) : 0.0;
  }
  const double largest = std::max({c[0], c[1], c[2]});
  int exponent = largest > 0 ? std::max(-kSharedBias - 1, std::ilogb(largest)) + 1 + kSharedBias : 0;
  auto mantissa = [&exponent](double v) {
    return static_cast<uint32_t>(
        std::floor(std::ldexp(v, kSharedBias + kSharedMantissaBits - exponent) + 0.5));
  };
  if (mantissa(largest) == 512) ++exponent;
  return mantissa(c[0]) | mantissa(c[1]) << 9 | mantissa(c[2]) << 18 | static_cast<uint32_t>(exponent) << 27;
}

}  // namespace

float srgb_to_linear(uint32_t value) {
  static const SrgbTable table;
  return table.linear[value & 255];
}

uint32_t linear_to_srgb(float value) {
  if (!(value > 0.0f)) return 0;
  if (value >= 1.0f) return 255;
  const double c = value;
  const double encoded = c <= 0.0031308 ? 12.92 * c : 1.055 * std::pow(c, 1 / 2.4) - 0.055;
  return static_cast<uint32_t>(encoded * 255.0 + 0.5);
}

Word4 decode_texel(const FormatInfo& info, const std::byte* memory) {
  if (info.plain_words) {
    Word4 value{0, 0, 0, missing_component(info, 3)};
    std::memcpy(value.data(), memory, info.bytes);
    return value;
  }
  if (info.kind == Kind::shared_exponent) {
    uint32_t word = 0;
    std::memcpy(&word, memory, 4);
    return decode_shared_exponent(word);
  }
  Word4 value{};
  for (int i = 0; i < 4; ++i) {
    const ComponentLayout& component = info.layout.component[i];
    if (component.kind == Kind::none) {
      value[i] = missing_component(info, i);
      continue;
    }
    const uint32_t bits = field(memory, component, info.bytes);
    value[i] = info.layout.srgb && i < 3 ? std::bit_cast<uint32_t>(srgb_to_linear(bits))
                                         : decode_component(component, bits);
  }
  return value;
}

void encode_texel(const FormatInfo& info, const Word4& value, std::byte* memory) {
  if (info.plain_words) {
    std::memcpy(memory, value.data(), info.bytes);
    return;
  }
  if (info.kind == Kind::shared_exponent) {
    const uint32_t word = encode_shared_exponent(value);
    std::memcpy(memory, &word, 4);
    return;
  }
  for (int i = 0; i < 4; ++i) {
    const ComponentLayout& component = info.layout.component[i];
    if (component.kind == Kind::none) continue;
    const uint32_t bits = info.layout.srgb && i < 3 ? linear_to_srgb(std::bit_cast<float>(value[i]))
                                                    : encode_component(component, value[i]);
    set_field(memory, component, info.bytes, bits);
  }
}

float quantise_like(const ComponentLayout& component, float value) {
  switch (component.kind) {
    case Kind::unorm: return unorm_to_float(nearest_unorm(value, component.bits), component.bits);
    case Kind::snorm: return snorm_to_float(float_to_snorm(value, component.bits), component.bits);
    case Kind::uint:
    case Kind::sint:
    case Kind::float_:
    case Kind::shared_exponent:
    case Kind::none: break;
  }
  return value;
}

}  // namespace texlate::sim
