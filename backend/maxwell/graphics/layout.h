// Where a graphics or compute program of deko3d finds its data: attribute addresses of inputs and outputs,
// places in the driver's constant buffer c[0], banks of uniform buffers. docs/reference/maxwell-graphics.md 1
// and 4; docs/dksh.md describes it for hosts.
#pragma once

#include <array>
#include <cstdint>
#include <memory_resource>
#include <span>
#include <vector>

#include "ir/module.h"

namespace texlate::maxwell::graphics {

constexpr uint32_t kNotUsed = 0xffffffffu;

// Slots of a stage (docs/reference/maxwell-graphics.md 4).
constexpr uint32_t kTextureSlots = 32, kImageSlots = 8, kBufferSlots = 16;
constexpr uint32_t kRenderTargets = 8;
/// Offsets in a stage's block.
constexpr uint32_t kTextureHandles = 0x000, kImageHandles = 0x080, kBuffers = 0x0a0;
/// A storage buffer's descriptor: u64 address, u32 size, u32 zero.
constexpr uint32_t kBufferRecord = 16, kBufferSize = 8;
/// Uniform buffer n is bank n + 2. Compute programs have six such banks, and further buffers by address.
constexpr uint32_t kFirstUniformBank = 2, kUniformSlots = 16, kComputeUniformBanks = 6;
constexpr uint32_t kComputeUniforms = 0x20, kUniformAddress = 8;  // offset of their addresses, u64 each
/// The compiler's own constants.
constexpr uint8_t kConstantBank = 1;
/// Driver data: the base vertex of a draw.
constexpr uint32_t kBaseVertex = 0;

enum class SlotKind : uint8_t { none, texture, image, buffer, uniform };

/// The slots of a t# or u#, or of a uniform buffer in memory; `slot` is that of its first register.
struct Place {
  SlotKind kind = SlotKind::none;
  uint32_t slot = 0;
  uint32_t stride = 1;  // slots from one register of a range to the next
};

/// A (t#, s#) pair that is sampled has as many slots as the resource range times the sampler range.
struct TexturePair {
  uint16_t resource;
  uint16_t sampler;
  uint32_t slot;
};

/// Addresses of an input's or output's components; kNotUsed for those that are not attributes.
using Attribute = std::array<uint32_t, 4>;

struct Layout {
  explicit Layout(std::pmr::memory_resource* memory)
      : resources(memory),
        counters(memory),
        pairs(memory),
        uniforms(memory),
        inputs(memory),
        outputs(memory),
        patch_constants(memory) {}

  uint32_t block = 0;  // offset of the stage's block in c[0]
  std::pmr::vector<Place> resources;
  std::pmr::vector<uint32_t> counters;  // storage slot of a structured view's hidden counter, kNotUsed: none
  std::pmr::vector<TexturePair> pairs;
  std::pmr::vector<uint32_t> uniforms;          // uniform buffer of a constant buffer's first register
  std::pmr::vector<Attribute> inputs, outputs;  // as Module::inputs, Module::outputs
  std::pmr::vector<Attribute> patch_constants;  // as Module::patch_constants

  /// Offset in c[0] of a slot.
  uint32_t offset(SlotKind kind, uint32_t slot) const {
    switch (kind) {
      case SlotKind::texture: return block + kTextureHandles + 4 * slot;
      case SlotKind::image: return block + kImageHandles + 4 * slot;
      case SlotKind::buffer: return block + kBuffers + kBufferRecord * slot;
      case SlotKind::uniform: return kComputeUniforms + kUniformAddress * slot;
      case SlotKind::none: break;
    }
    return 0;
  }
};

constexpr bool is_depth(ir::SystemValue value) {
  return value == ir::SystemValue::depth || value == ir::SystemValue::depth_greater_equal ||
         value == ir::SystemValue::depth_less_equal;
}

/// The render targets that have registers at the end of a pixel program, a bit for each. Target 0 has them in
/// a program without colors and depth, too: otherwise the stage does not run
/// (docs/reference/maxwell-graphics.md 2).
uint32_t targets_of(const ir::Module& module);

/// Patch constant n is at this address + 16 n, below the primitive's number of other stages
/// (docs/reference/maxwell-graphics.md 1). Direct3D has 32; the last two have no place.
constexpr uint32_t kPatchVectors = 0x020, kPatchVectorCount = 30;
constexpr uint32_t kPrimitiveId = 0x060, kDomainPoint = 0x2f0;

/// Returns false, with errors, for what deko3d has no place for. `hull_constants`: for a domain program, what
/// its hull shader declares, which tells the tessellation factors among them; empty: the program's own
/// declarations.
bool make_layout(const ir::Module& module, std::span<const ir::Parameter> hull_constants, Layout& layout,
                 Diagnostics& diagnostics);

}  // namespace texlate::maxwell::graphics
