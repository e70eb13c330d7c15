// x * y + z with one rounding, to nearest.
#pragma once

#include <cmath>

namespace texlate {

/// In integers, whatever the C library does (IEEE 754-2008, 5.4.1). NaN gives a NaN.
float fused_in_integers(float x, float y, float z);
double fused_in_integers(double x, double y, double z);

/// The C library's fma(), where that rounds once. MinGW's computes with the 64 bits of the x87 and rounds
/// twice, which would make other constants on Windows than elsewhere.
inline float fused(float x, float y, float z) {
#ifdef __MINGW32__
  return fused_in_integers(x, y, z);
#else
  return std::fma(x, y, z);
#endif
}
inline double fused(double x, double y, double z) {
#ifdef __MINGW32__
  return fused_in_integers(x, y, z);
#else
  return std::fma(x, y, z);
#endif
}

}  // namespace texlate
