// The parameter block of an emitted kernel, filled from the interpreter's bindings. Only tools may depend on
// both the launch ABI (docs/launch_abi.md) and the simulators.
#pragma once

#include <array>
#include <cstddef>
#include <deque>
#include <vector>

#include "backend/launch/launch_abi.h"
#include "sim/ir/bindings.h"
#include "sim/ir/interpreter.h"
#include "tools/executor/launch_device.h"

namespace texlate::executor {

/// Threads per block for pixels or vertices; whole quads.
constexpr uint32_t kStreamBlock = 32;
constexpr uint32_t stream_blocks(const sim::StreamLaunch& launch) {
  return (launch.count + kStreamBlock - 1) / kStreamBlock;
}

/// What the head of the block of a hull, domain or geometry kernel says (launch::primitive_head), and the
/// grid. Empty memory is a null address.
struct PrimitiveLaunch {
  std::span<const uint32_t> inputs;  // domain shaders: planes of domain points
  std::span<uint32_t> outputs;       // planes of control points or domain points, or counts of vertices
  std::span<const uint32_t> vertices, ids;
  std::span<const uint32_t> read_constants;  // domain shaders
  std::span<uint32_t> written_constants;     // hull shaders
  std::span<uint32_t> emitted, tags;         // geometry shaders
  std::span<const uint32_t> first;
  uint32_t threads = 0, primitives = 0, slots = 0;
  std::array<uint32_t, 3> grid{1, 1, 1}, block{kStreamBlock, 1, 1};
};

/// Places the bindings on a device and packs handles and facts. Owns the copies that a target needs (samples
/// as slices, typed buffers as linear textures) until the launch is over.
class ParameterBlock {
 public:
  ParameterBlock(const ir::Module& module, const launch::Layout& layout, const sim::Bindings& bindings,
                 LaunchDevice& device);

  /// What the kernel is launched with: the block itself, or its address.
  std::vector<std::byte> parameters();
  /// The head of the block of a pixel or vertex kernel: its planes, mapped, and counts.
  void put_streams(const sim::StreamLaunch& launch);
  void put_primitives(const PrimitiveLaunch& launch);
  void put32(uint32_t offset, uint32_t value);
  void put64(uint32_t offset, uint64_t value);

 private:
  template <typename Binding>
  uint32_t begin_range(const Binding& binding, uint32_t place, size_t records, uint32_t record_size);
  uint32_t begin_table(bool is_table, uint32_t place, size_t bytes);
  void end_range(uint32_t place, size_t count, size_t samplers = 0);
  uint64_t map_words(std::span<const uint32_t> words, bool writable);
  void put_constant_buffers();
  void put_resources();
  void put_texture(uint32_t resource, uint32_t record, const sim::TextureView& view);
  void put_buffer(uint32_t resource, uint32_t record, const sim::BufferView& view);
  void put_facts(uint32_t resource, uint32_t record, const sim::BoundResource& bound);
  void put_samplers();
  void put_pairs();
  sim::TextureView as_bound(uint32_t resource, const sim::TextureView& view);
  sim::TextureView samples_as_slices(const sim::TextureView& view);
  sim::TextureView buffer_as_texture(const sim::BufferView& view);

  const ir::Module& module_;
  const launch::Layout& layout_;
  const sim::Bindings& bindings_;
  LaunchDevice& device_;
  std::vector<std::byte> bytes_;
  std::deque<std::vector<std::byte>> tables_;  // of long ranges; kept until the launch is over
  std::vector<std::byte>* into_ = &bytes_;
  std::deque<sim::Texture> copies_;
  std::vector<std::vector<sim::TextureView>> views_;  // as bound, by resource and register
};

/// The PTX packing format of a view's format; false if the emitter has none.
bool view_format_of(sim::Format format, backend::ViewFormat& result);

}  // namespace texlate::executor
