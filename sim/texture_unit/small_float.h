// Floating-point formats narrower than 32 bits: half, and the unsigned 11- and 10-bit floats of
// R11G11B10_FLOAT.
#pragma once

#include <cstdint>

namespace texlate::sim {

/// Exact conversion to float. Half denormals become normal floats; infinities and NaN payloads are preserved
/// (docs/reference/direct3d.md 3.2).
uint32_t half_to_float_bits(uint32_t half);

/// Exact conversion of an unsigned float with a 5-bit exponent and `mantissa_bits` (6 or 5) bits of mantissa.
uint32_t unsigned_float_to_float_bits(uint32_t bits, int mantissa_bits);

/// Rounds toward zero. A finite value that is too large becomes the largest finite one; infinity and NaN are
/// preserved (docs/reference/direct3d.md 3.3, and 4.1 `f32tof16`).
uint32_t float_bits_to_half_toward_zero(uint32_t bits);

/// As above, for the unsigned formats: negative numbers and -INF give 0, NaN remains NaN.
uint32_t float_bits_to_unsigned_float(uint32_t bits, int mantissa_bits);

}  // namespace texlate::sim
