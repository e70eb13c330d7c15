// Reads a program from a .dksh file, deko3d's container: code, constants, and the header, which lists the
// attributes that the hardware provides and the registers that hold results.
// docs/reference/maxwell-graphics.md.
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <string>

#include "sim/maxwell/machine.h"

namespace texlate::sim::maxwell {

struct Dksh {
  enum class Stage : uint32_t { vertex, pixel, geometry, hull, domain, compute };

  Program program;  // its banks include c[1]
  Stage stage = Stage::vertex;
  /// Indexed by attribute word (address / 4). Inputs of pixels have a mode: 1 constant, 2 perspective, 3
  /// screen linear.
  std::array<uint8_t, kAttributeWords> inputs{}, outputs{};
  // Pixels: components of each render target. Each nonzero entry has four registers, in order.
  std::array<uint8_t, 8> targets{};
  bool writes_sample_mask = false, writes_depth = false;
  bool kills_pixels = false;
  bool loads_or_stores = false, stores = false;
  // Compute.
  Dim3 block;
};

/// Returns false and describes the problem in `error`.
bool read_dksh(std::span<const std::byte> file, Dksh& result, std::string& error);

}  // namespace texlate::sim::maxwell
