// The results of translation_bench as a table, JSON and a picture.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace texlate::bench {

/// Shaders are counted by their number of instructions: below kSizeLimits[0], below kSizeLimits[1] ... and
/// the rest.
inline constexpr std::array<uint32_t, 4> kSizeLimits = {10, 50, 200, 1000};
inline constexpr size_t kSizeClasses = kSizeLimits.size() + 1;

struct Result {
  std::string engine;
  std::array<double, kSizeClasses> microseconds;  // of processor time, in the best round
  std::array<size_t, kSizeClasses> bytes;
};
struct Report {
  std::array<size_t, kSizeClasses> shaders;
  std::array<size_t, kSizeClasses> instructions;  // of Direct3D
  std::vector<Result> results;
};

void print_table(const Report& report);
std::string to_json(const Report& report);
/// A bar for each engine and size class: processor time for each Direct3D instruction.
std::string to_svg(const Report& report);

}  // namespace texlate::bench
