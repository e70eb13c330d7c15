// RFC 4648, section 4.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace texlate::page {

inline constexpr std::string_view kBase64 =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

inline std::string base64(std::string_view bytes) {
  std::string out;
  out.reserve((bytes.size() + 2) / 3 * 4);
  for (size_t i = 0; i < bytes.size(); i += 3) {
    uint32_t group = 0;
    for (size_t j = 0; j < 3; ++j)
      group = group << 8 | (i + j < bytes.size() ? static_cast<uint8_t>(bytes[i + j]) : 0u);
    for (size_t j = 0; j < 4; ++j) out += i + j <= bytes.size() ? kBase64[group >> (18 - 6 * j) & 63] : '=';
  }
  return out;
}

/// Other characters than the alphabet's are skipped.
inline std::string from_base64(std::string_view text) {
  std::string out;
  uint32_t group = 0, bits = 0;
  for (const char c : text) {
    const size_t digit = kBase64.find(c);
    if (digit == kBase64.npos) continue;
    group = group << 6 | static_cast<uint32_t>(digit);
    bits += 6;
    if (bits < 8) continue;
    bits -= 8;
    out += static_cast<char>(group >> bits & 255);
  }
  return out;
}

}  // namespace texlate::page
