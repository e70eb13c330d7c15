// The parameter block of an emitted kernel: what the host fills in before a launch. docs/launch_abi.md is the
// reference; the reflection (JSON) is its machine-readable form. Both give the offsets computed here.
#pragma once

#include <algorithm>
#include <cstdint>

#include "backend/view_format.h"
#include "ir/module.h"

namespace texlate::launch {

/// A binding record, 64 bytes. An unbound slot's record is all zeros.
namespace record {
inline constexpr uint32_t kSize = 64;
inline constexpr uint32_t kHandle = 0;  // u64: CUtexObject, CUsurfObject or device address
inline constexpr uint32_t kWidth = 8;   // u32 each: texels of mip 0; elements or structures of a buffer
inline constexpr uint32_t kHeight = 12;
inline constexpr uint32_t kDepth = 16;
inline constexpr uint32_t kLayers = 20;
inline constexpr uint32_t kLevels = 24;
inline constexpr uint32_t kSamples = 28;
inline constexpr uint32_t kKeep = 32;            // u32[4]: 0xffffffff for each component that the format has
inline constexpr uint32_t kMissingAlpha = 48;    // 0 where the format has alpha, else 1.0f or 1
inline constexpr uint32_t kReferenceScale = 52;  // textures: float, 2^n-1 for n-bit UNORM depth, 0 for float
inline constexpr uint32_t kRowPitch = 52;        // views in linear memory: bytes
inline constexpr uint32_t kSlicePitch = 56;
inline constexpr uint32_t kBytes = 8;     // raw buffers: size, instead of the width
inline constexpr uint32_t kCounter = 32;  // structured buffers: u64 address of the counter
}  // namespace record

/// A range of registers that is too long for the block is a table in memory: u64 device address of its
/// records, u32 number of records, u32 zero. A table of texture objects: u64 address, u32 textures, u32
/// samplers.
namespace table_record {
inline constexpr uint32_t kSize = 16;
inline constexpr uint32_t kAddress = 0;
inline constexpr uint32_t kCount = 8;
inline constexpr uint32_t kSamplers = 12;
}  // namespace table_record

/// Kernel parameters: 4,096 bytes (PTX ISA 5.1.6.1, before sm_70 with .version 8.1).
inline constexpr uint32_t kParameterLimit = 4096;
/// Registers that are passed in the block; longer ranges are tables.
inline constexpr uint32_t kLongestRange = kParameterLimit / 16;

/// A constant buffer's record, 16 bytes: u64 address, u32 rows (of 16 bytes) that are bound, u32 zero. It is
/// the start of a structured view's record.
namespace constant_buffer_record {
inline constexpr uint32_t kSize = 16;
inline constexpr uint32_t kAddress = record::kHandle;
inline constexpr uint32_t kRows = record::kWidth;
}  // namespace constant_buffer_record

/// A sampler's record, 64 bytes, for what the shader does instead of the texture object: the facts from
/// BindingFact::compare_function on, in their order, as words that are u32 or float bits.
namespace sampler_record {
inline constexpr uint32_t kSize = 64;
}

/// Pixel and vertex shaders: the head of the block. Planes are arrays of 32-bit words, one word per element:
/// component c of register n is plane 4 * n + c, and element e of plane p is at byte 4 * (p * count + e).
/// Outputs that are not o# (oDepth ...) count as registers 32 and up, in declaration order.
namespace stream_head {
inline constexpr uint32_t kSize = 48;
inline constexpr uint32_t kInputs = 0;    // u64: planes of the declared inputs, in declaration order
inline constexpr uint32_t kOutputs = 8;   // u64: planes of the declared outputs
inline constexpr uint32_t kCovered = 16;  // u64: u32 per element, 0: a helper pixel; null: none is
inline constexpr uint32_t kWritten = 24;  // u64: u32 per element, becomes 1 if outputs are written; or null
inline constexpr uint32_t kCount = 32;    // u32: elements; of pixels, 4 consecutive ones are a quad
inline constexpr uint32_t kSamples = 36;  // u32: samples of the render target
}  // namespace stream_head

/// Does a pixel shader ask for the word that the host gives for each pixel (kCovered)?
constexpr bool reads_coverage(const ir::Instruction& instruction) {
  if (instruction.op != ir::Op::system_value) return false;
  const auto value = static_cast<ir::SystemValue>(instruction.payload / 4);
  return value == ir::SystemValue::coverage || value == ir::SystemValue::inner_coverage;
}

/// Hull, domain and geometry shaders: what follows the stream head, whose count is that of the threads.
/// Planes of vertices (control points) have a word for each vertex of each primitive (patch): that of vertex
/// v of primitive p is number (plane * primitives + p) * vertices + v. Planes of patch constants have a word
/// for each patch.
namespace primitive_head {
inline constexpr uint32_t kVertices = 48;    // u64: planes of the vertices or control points that are read
inline constexpr uint32_t kConstants = 56;   // u64: planes of patch constants: hull writes, domain reads
inline constexpr uint32_t kIds = 64;         // u64: u32 per primitive, vPrim; null: its number
inline constexpr uint32_t kPrimitives = 72;  // u32: primitives or patches
inline constexpr uint32_t kSlots = 76;       // u32: geometry: vertices that there is room for
inline constexpr uint32_t kSize = 80;
// Geometry shaders.
inline constexpr uint32_t kEmitted = 80;  // u64: planes with a word for each slot; null: vertices are counted
inline constexpr uint32_t kTags = 88;     // u64: u32 per slot, see vertex_tag; may be null
inline constexpr uint32_t kFirst = 96;    // u64: u32 per thread, the slot of its first vertex; may be null
inline constexpr uint32_t kGeometrySize = 112;
// How a query of the binding record that would start at an address reaches the numbers after it.
inline constexpr ir::BindingFact kPrimitivesFact = ir::BindingFact::width;  // from kIds
inline constexpr ir::BindingFact kSlotsFact = ir::BindingFact::height;
inline constexpr ir::BindingFact kThreadsFact = ir::BindingFact::width;
inline constexpr uint32_t kThreadsPlace = stream_head::kCount - record::kWidth;
static_assert(kIds + record::kWidth == kPrimitives && kIds + record::kHeight == kSlots);
}  // namespace primitive_head

/// What the head takes at the start of the block.
constexpr uint32_t head_size(ir::Stage stage) {
  switch (stage) {
    case ir::Stage::compute: return 0;
    case ir::Stage::pixel:
    case ir::Stage::vertex: return stream_head::kSize;
    case ir::Stage::hull:
    case ir::Stage::domain: return primitive_head::kSize;
    case ir::Stage::geometry: return primitive_head::kGeometrySize;
  }
  return 0;
}

/// May the host choose the size of thread blocks? Otherwise the code is made for one size.
constexpr bool has_free_blocks(ir::Stage stage) {
  return stage != ir::Stage::compute && stage != ir::Stage::hull;
}

/// Domain shaders: the planes of a domain point. 0 to 2 are vDomain, 3 is the number of its patch.
namespace domain_plane {
inline constexpr uint32_t kPatch = 3;
}

/// Geometry shaders: of an emitted vertex. Bits 0 and 1 are the stream.
namespace vertex_tag {
inline constexpr uint32_t kStream = 3;
inline constexpr uint32_t kStartsStrip = 4;  // the first of its thread and stream, or the first after a cut
}  // namespace vertex_tag

inline constexpr uint32_t kFirstSpecialRegister = 32;

/// The register whose planes hold an output: its own, or one from kFirstSpecialRegister up.
uint32_t output_plane_register(const ir::Module& module, uint32_t parameter);

/// A component of an output. Several outputs may declare the same register.
struct OutputPlane {
  uint32_t plane;
  uint32_t payload;  // of op `output`
};
/// In the order of the planes.
std::pmr::vector<OutputPlane> output_planes(const ir::Module& module);

/// Does the kernel set no word of stream_head::kWritten, because every pixel's outputs are written?
bool writes_all_pixels(const ir::Module& module);

/// How a typed view's texels are stored.
struct SurfaceFormat : backend::ViewFormat {
  bool is_default = true;  // not given by the caller
};

/// A (t#, s#) pair that is sampled: one texture object each.
struct SampledPair {
  uint16_t resource;
  uint16_t sampler;
  uint32_t offset;  // of the u64 handles, resource range times sampler range of them; of a table's record
  bool is_table = false;
  bool compares = false;  // the object is a depth texture's, with the sampler's comparison
};

/// The pair of an access's texture and sampler; null: there is none.
template <typename Pairs>
auto* find_pair(Pairs& pairs, const ir::ResourceAccess& access) {
  const auto found = std::ranges::find_if(pairs, [&](const auto& pair) {
    return pair.resource == access.resource && pair.sampler == access.sampler;
  });
  return found == pairs.end() ? nullptr : &*found;
}

/// What a resource's handle is.
enum class BindingForm : uint8_t {
  texture,         // CUtexObject
  linear_texture,  // CUtexObject over linear memory
  surface,         // CUsurfObject
  memory,          // device address
};

struct Layout {
  explicit Layout(std::pmr::memory_resource* memory)
      : resources(memory),
        forms(memory),
        atomic(memory),
        constant_buffers(memory),
        samplers(memory),
        pairs(memory) {}
  std::pmr::vector<uint32_t> resources;  // offset of a resource's first record
  std::pmr::vector<BindingForm> forms;   // by resource
  std::pmr::vector<uint8_t> atomic;  // by resource: a typed view with atomics, one 32-bit component a texel
  std::pmr::vector<uint32_t> constant_buffers;
  std::pmr::vector<uint32_t> samplers;  // kNotUsed where no fact of it is read
  std::pmr::vector<SampledPair> pairs;
  uint32_t size = 0;       // of the whole block, a multiple of 16
  bool in_memory = false;  // the kernel's parameter is the block's address

  static constexpr uint32_t kNotUsed = 0xffffffffu;
};

/// Lays out the block. `comparing_objects`: texture objects compare with their sampler's function.
void make_layout(const ir::Module& module, bool comparing_objects, Layout& layout);

/// Bytes of a resource's record.
inline uint32_t record_size(const ir::Resource& resource) {
  return resource.is_constant_buffer ? constant_buffer_record::kSize : record::kSize;
}
/// Memory whose address a lowering finds at `offset` of the block: one more resource of the module.
uint16_t add_memory(ir::Module& module, Layout& layout, const ir::Resource& memory, uint32_t offset);

/// Offset of a fact inside its record. The width of a raw buffer is its size.
uint32_t fact_offset(ir::BindingFact fact);

/// Registers in a range; 1 for a single register. The host gives the length of a table.
template <typename Binding>
uint32_t range_size(const Binding& binding) {
  return binding.upper_bound - binding.lower_bound + 1;
}
template <typename Binding>
bool is_table(const Binding& binding) {
  return binding.upper_bound - binding.lower_bound >= kLongestRange;
}

}  // namespace texlate::launch
