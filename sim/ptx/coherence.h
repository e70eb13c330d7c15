// What one lane may not expect to read of what another one wrote in the same launch.
//
// Surface accesses are outside of the memory consistency model (PTX ISA 8.1): a surface read at an address
// that the launch wrote, by whomever, gives undefined data (CUDA C++ programming guide, "Texture and surface
// memory"). Weak reads and writes of global memory by different blocks race (PTX ISA 8.5), unless fences
// stand between them.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <unordered_set>

namespace texlate::sim::ptx {

class Coherence {
 public:
  /// A launch of one block has no other blocks.
  void start(bool several_blocks) {
    several_blocks_ = several_blocks;
    written_texels_.clear();
    writers_.clear();
    fences_.clear();
    now_ = 0;
  }

  void surface_written(const void* texel) { written_texels_.insert(texel); }
  bool surface_is_readable(const void* texel) const { return !written_texels_.contains(texel); }

  void written(uint64_t address, uint32_t size, uint32_t block, bool strong) {
    if (!several_blocks_) return;
    ++now_;
    for (uint64_t word = address / 4; word <= (address + size - 1) / 4; ++word)
      writers_[word] = {now_, block, strong};
  }
  bool is_readable(uint64_t address, uint32_t size, uint32_t block, bool strong) const {
    if (!several_blocks_ || writers_.empty()) return true;
    for (uint64_t word = address / 4; word <= (address + size - 1) / 4; ++word) {
      const auto found = writers_.find(word);
      if (found == writers_.end() || found->second.block == block || (strong && found->second.strong))
        continue;
      // The writer's fence comes after its write, the reader's after that.
      const uint64_t writer_fence = fence_of(found->second.block), reader_fence = fence_of(block);
      if (writer_fence <= found->second.time || reader_fence <= writer_fence) return false;
    }
    return true;
  }
  /// membar.gl, fence.gpu and wider ones.
  void fence(uint32_t block) {
    if (several_blocks_) fences_[block] = ++now_;
  }

 private:
  struct Writer {
    uint64_t time;
    uint32_t block;
    bool strong;
  };
  uint64_t fence_of(uint32_t block) const {
    const auto found = fences_.find(block);
    return found == fences_.end() ? 0 : found->second;
  }

  bool several_blocks_ = false;
  uint64_t now_ = 0;
  std::unordered_set<const void*> written_texels_;
  std::unordered_map<uint64_t, Writer> writers_;   // by word of global memory
  std::unordered_map<uint32_t, uint64_t> fences_;  // by block: when its last one was
};

}  // namespace texlate::sim::ptx
