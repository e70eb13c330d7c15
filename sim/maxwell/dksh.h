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
  // Hull, domain, geometry: what the header and, for `mode`, the container say.
  uint32_t threads = 0;  // output control points, or instances
  uint32_t patch_words = 0, store_first = 0xff, store_last = 0;
  uint32_t streams = 0, topology = 0, max_vertices = 0;
  uint32_t mode = 0;  // of the tessellator: domain | spacing << 4 | primitives << 8
  bool reads_primitives() const {
    return stage == Stage::geometry || stage == Stage::hull || stage == Stage::domain;
  }
  // Compute.
  Dim3 block;
};

/// Where deko3d keeps the descriptors of a stage's slots in c[0], the driver's constant buffer
/// (docs/reference/maxwell-graphics.md 4). `slot` counts from 0 for each kind.
struct DriverBuffer {
  Dksh::Stage stage;
  /// Sampler index << 20 | image index.
  uint32_t texture_handle(uint32_t slot) const { return block() + 4 * slot; }
  uint32_t image_handle(uint32_t slot) const { return block() + 0x80 + 4 * slot; }
  /// u64 address, u32 size, u32 0.
  uint32_t storage_buffer(uint32_t slot) const { return block() + 0xa0 + 16 * slot; }
  /// Compute programs: the u64 address of a uniform buffer.
  static uint32_t uniform_address(uint32_t slot) { return 0x20 + 8 * slot; }
  /// Uniform buffers that are constant banks, from c[2] on.
  uint32_t uniform_banks() const { return stage == Dksh::Stage::compute ? 6 : 16; }
  static uint32_t uniform_bank(uint32_t slot) { return 2 + slot; }

 private:
  uint32_t block() const {
    switch (stage) {
      case Dksh::Stage::vertex: return 0x010;
      case Dksh::Stage::pixel: return 0x690;
      case Dksh::Stage::geometry: return 0x4f0;
      case Dksh::Stage::hull: return 0x1b0;
      case Dksh::Stage::domain: return 0x350;
      case Dksh::Stage::compute: return 0x0a0;
    }
    return 0;
  }
};

/// Returns false and describes the problem in `error`.
bool read_dksh(std::span<const std::byte> file, Dksh& result, std::string& error);

}  // namespace texlate::sim::maxwell
