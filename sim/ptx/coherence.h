// Finds reads of data that another lane wrote in the same launch without the necessary synchronisation.
//
// Surface accesses are outside the memory consistency model (PTX ISA 8.1): a surface read at an address
// that any lane of the launch wrote gives undefined data (CUDA C++ programming guide, "Texture and surface
// memory"). Weak reads and writes of global memory by different blocks race (PTX ISA 8.7.1), unless fences
// are between them.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <unordered_map>
#include <unordered_set>

namespace texlate::sim::ptx {

class Coherence {
 public:
  /// With a single block, there are no other blocks to race with.
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
    for (uint64_t at = address; at != address + size; ++at) writers_[at / 4][at % 4] = {now_, block, strong};
  }
  bool is_readable(uint64_t address, uint32_t size, uint32_t block, bool strong) const {
    if (!several_blocks_ || writers_.empty()) return true;
    for (uint64_t at = address; at < address + size;) {
      const auto word = writers_.find(at / 4);
      const uint64_t next = std::min((at / 4 + 1) * 4, address + size);
      for (; at != next; ++at) {
        if (word != writers_.end() && !sees(word->second[at % 4], block, strong)) return false;
      }
    }
    return true;
  }
  /// membar.gl, fence.gpu and fences of wider scope.
  void fence(uint32_t block) {
    if (several_blocks_) fences_[block] = ++now_;
  }

 private:
  struct Writer {
    uint64_t time = 0;  // 0: never
    uint32_t block = 0;
    bool strong = false;
  };
  /// True if a read by the block sees what the writer wrote.
  bool sees(const Writer& writer, uint32_t block, bool strong) const {
    if (writer.time == 0 || writer.block == block || (strong && writer.strong)) return true;
    // The writer's fence comes after its write, and the reader's fence comes after the writer's.
    const uint64_t writer_fence = fence_of(writer.block), reader_fence = fence_of(block);
    return writer_fence > writer.time && reader_fence > writer_fence;
  }
  uint64_t fence_of(uint32_t block) const {
    const auto found = fences_.find(block);
    return found == fences_.end() ? 0 : found->second;
  }

  bool several_blocks_ = false;
  uint64_t now_ = 0;
  std::unordered_set<const void*> written_texels_;
  // Indexed by word of global memory, with an entry per byte: neighbors of 8 and 16 bits do not race.
  std::unordered_map<uint64_t, std::array<Writer, 4>> writers_;
  std::unordered_map<uint32_t, uint64_t> fences_;  // by block: the time of its last fence
};

}  // namespace texlate::sim::ptx
