// Numbers in the text form of SPIR-V.
#pragma once

#include <cstdint>
#include <memory_resource>
#include <span>
#include <string>
#include <string_view>

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

/// The characters of a literal string, whose first byte is the lowest of its word (SPIR-V, 2.2.1 "Literal").
std::string_view characters(std::span<const uint32_t> words);

}  // namespace texlate::spirv
