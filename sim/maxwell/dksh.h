// Reads a program out of a .dksh file, deko3d's container: code, constants, and the header that says which
// attributes the hardware hands over and which registers hold results. docs/reference/maxwell-graphics.md.
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <string>

#include "sim/maxwell/machine.h"

namespace texlate::sim::maxwell {

struct Dksh {
  enum class Stage : uint32_t { vertex, pixel, geometry, hull, domain, compute };

  Program program;  // c[1] is in its banks
  Stage stage = Stage::vertex;
  /// By attribute word (address / 4). Of pixels' inputs a mode: 1 constant, 2 perspective, 3 screen linear.
  std::array<uint8_t, kAttributeWords> inputs{}, outputs{};
  // Pixels: components of each render target; each that is not 0 has four registers, in order.
  std::array<uint8_t, 8> targets{};
  bool writes_sample_mask = false, writes_depth = false;
  bool kills_pixels = false;
  bool loads_or_stores = false, stores = false;
  // Compute.
  Dim3 block;
};

/// False with what is wrong in `error`.
bool read_dksh(std::span<const std::byte> file, Dksh& result, std::string& error);

}  // namespace texlate::sim::maxwell
