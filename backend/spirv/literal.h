// Numbers in the text form of SPIR-V.
#pragma once

#include <cstdint>
#include <memory_resource>
#include <span>
#include <string>

namespace texlate::spirv {

struct NumberType {
  enum class Kind : uint8_t { none, unsigned_, signed_, float_ };
  Kind kind = Kind::none;
  uint8_t width = 0;  // in bits: 8, 16, 32 or 64

  uint32_t words() const { return width > 32 ? 2 : 1; }
};

/// Appends a literal as `spirv-as` reads it back, whatever the locale: floats have as many digits as they
/// need at most (9 or 17); those without decimal digits (halves, denormals, infinities, NaNs) are
/// hexadecimal.
void append_number(NumberType type, std::span<const uint32_t> words, std::pmr::string& text);

void append_integer(uint64_t value, std::pmr::string& text);

}  // namespace texlate::spirv
