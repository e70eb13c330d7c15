// Reads dwords from unchecked bytes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>

namespace texlate::dxbc {

class ByteReader {
 public:
  explicit ByteReader(std::span<const std::byte> bytes) : bytes_(bytes) {}

  size_t size() const { return bytes_.size(); }
  bool has(uint64_t offset, uint64_t size) const {
    return offset <= bytes_.size() && size <= bytes_.size() - offset;
  }
  /// The dword at a byte offset; 0 if out of range.
  uint32_t dword(uint64_t offset) const {
    if (!has(offset, 4)) return 0;
    uint32_t value = 0;
    std::memcpy(&value, bytes_.data() + offset, 4);
    return value;
  }
  uint16_t word(uint64_t offset) const {
    if (!has(offset, 2)) return 0;
    uint16_t value = 0;
    std::memcpy(&value, bytes_.data() + offset, 2);
    return value;
  }
  uint8_t byte(uint64_t offset) const {
    return has(offset, 1) ? static_cast<uint8_t>(bytes_[offset]) : uint8_t{0};
  }
  /// The zero-terminated string at an offset; truncated at the end of the bytes.
  std::string_view string(uint64_t offset) const {
    if (!has(offset, 1)) return {};
    const auto* begin = reinterpret_cast<const char*>(bytes_.data() + offset);
    const size_t limit = bytes_.size() - offset;
    const void* zero = std::memchr(begin, 0, limit);
    return {begin, zero != nullptr ? static_cast<size_t>(static_cast<const char*>(zero) - begin) : limit};
  }

 private:
  std::span<const std::byte> bytes_;
};

}  // namespace texlate::dxbc
