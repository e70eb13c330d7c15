// Numbers inside l(...), d(...) and immediate constant buffers, read and printed
// (docs/reference/assembly-text.md, "Literals").
#pragma once

#include <cstdint>
#include <memory_resource>
#include <string>

namespace texlate::assembly {

enum class LiteralError : uint8_t { none, not_a_number, too_large };

/// Reads one number at `at` and moves `at` past it. A number with a point or an exponent gives the bits of a
/// float, one without gives an integer's; hexadecimal gives bits. Also reads MSVC's 1.#INF00, -1.#IND00,
/// 1.#QNAN0, `inf` and `nan`, suffixes `f` and `l`, and the double minus sign of old dumps.
LiteralError read_literal(const char*& at, const char* end, uint32_t& bits);

/// Reads a decimal number of a register name or declaration: `12` of `r12.x`.
LiteralError read_unsigned(const char*& at, const char* end, uint32_t& value);

/// Like read_literal, but for a double.
LiteralError read_double(const char*& at, const char* end, uint64_t& bits);

/// How the type of a literal in an untyped instruction (mov, movc, stores) or row of constants is guessed.
enum class LiteralKind : uint8_t { float_, integer, untyped };

struct LiteralStyle {
  bool exact = false;         // reads back to the same bits
  bool ties_to_even = false;  // a final 5 at the seventh decimal rounds to even, as in newer C runtimes
};

/// Appends one number as fxc prints it.
void print_literal(uint32_t bits, LiteralKind kind, LiteralStyle style, std::pmr::string& out);

/// Appends `0x3f800000`.
void append_hex(uint32_t bits, std::pmr::string& out);

/// Appends `1.000000l`.
void print_double(uint64_t bits, LiteralStyle style, std::pmr::string& out);

}  // namespace texlate::assembly
