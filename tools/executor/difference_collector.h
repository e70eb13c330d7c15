// Counts the differences that comparisons find.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>

#include "tools/executor/comparison.h"

namespace texlate::executor {

inline bool is_nan(uint32_t bits) {
  return (bits & 0x7fffffffu) > 0x7f800000u;
}

inline double absolute_difference(uint32_t a, uint32_t b) {
  return std::fabs(double{std::bit_cast<float>(a)} - double{std::bit_cast<float>(b)});
}

/// Counts the words that differ and remembers the first and the worst.
struct DifferenceCollector {
  Comparison result;
  Tolerance tolerance;

  /// True if the words differ.
  template <typename Where>
  bool word(uint32_t a, uint32_t b, WordType type, Where where) {
    return !is_near(a, b, type, tolerance) && record(a, b, type, where);
  }

  /// The same for a component of a texel, as a float. `step` is the distance to the next number of its
  /// format: a difference within the tolerance may have been rounded to it.
  template <typename Where>
  bool component(uint32_t a, uint32_t b, double step, Where where) {
    const bool is_tolerant = tolerance.ulp != 0 || tolerance.absolute != 0;
    const bool is_close =
        absolute_difference(a, b) <= tolerance.absolute + (is_tolerant ? 1.001 * step : 0.0);
    return a != b && !(is_nan(a) && is_nan(b)) && !is_close && record(a, b, WordType::float_, where);
  }

 private:
  static std::string both(std::string_view where, uint32_t a, uint32_t b) {
    return fmt::format("{}: {:g} ({:08x}) and {:g} ({:08x})", where, std::bit_cast<float>(a), a,
                       std::bit_cast<float>(b), b);
  }
  template <typename Where>
  bool record(uint32_t a, uint32_t b, WordType type, Where where) {
    const bool is_float = type == WordType::float_ || (type == WordType::any && !(is_nan(a) && is_nan(b)));
    const uint32_t ulp = is_float ? ulp_distance(a, b) : (a > b ? a - b : b - a);
    ++result.words;
    if (result.first.empty()) result.first = both(where(), a, b);
    if (ulp > result.worst_ulp) {
      result.worst_ulp = ulp;
      result.worst = both(where(), a, b);
    }
    const double difference = absolute_difference(a, b);
    if (is_float && std::isfinite(difference))
      result.worst_difference = std::max(result.worst_difference, difference);
    return true;
  }
};

}  // namespace texlate::executor
