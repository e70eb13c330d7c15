// Memory for one translation. Allocations are stacked; the topmost one is reused as soon as
// it is released.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory_resource>

#include "ir/base/failure.h"

namespace texlate {

/// Like std::pmr::monotonic_buffer_resource, but memory released at the top is used again. Passes that take
/// scratch one after the other (an arena on top of this one) thus get the same memory, still in the cache.
/// Everything else goes back to `upstream` with the arena, except large blocks: these come from `upstream`
/// one by one and go back as soon as they are released. In a long program lists that have grown, and what a
/// pass needed, are thus not kept until the end.
class StackArena final : public std::pmr::memory_resource {
 public:
  /// The least size of a large block: below it are all lists of all but the longest programs.
  static constexpr size_t kLarge = 1 << 20;

  /// The first chunk has `first` bytes. It is requested at the first allocation.
  StackArena(size_t first, std::pmr::memory_resource* upstream)
      : upstream_(upstream), next_size_(std::max<size_t>(first, 1024)) {}
  StackArena(const StackArena&) = delete;
  StackArena& operator=(const StackArena&) = delete;
  ~StackArena() override {
    release_large_blocks();
    release_all();
  }

  /// Takes back everything that was allocated. What the next allocations need is then likely to be there: one
  /// chunk as large as all of these together is kept or, if there are several, requested next. Chunks of more
  /// than `most` bytes are not kept, nor large blocks.
  void reset(size_t most) {
    release_large_blocks();
    if (chunk_ == nullptr) return;
    const bool is_one = chunk_->before == nullptr && spare_ == nullptr;
    if (is_one && chunk_->size <= most) {
      top_ = chunk_->start();
      return;
    }
    const size_t all = release_all();
    next_size_ = std::max<size_t>(std::min(all, most), 1024);
  }

 private:
  static constexpr size_t kMostChunk = 4 * kLarge;  // unless more is needed at once

  /// At the start of each chunk.
  struct alignas(std::max_align_t) Chunk {
    Chunk* before;
    char* top_before;  // the top in that chunk
    size_t size;
    char* start() { return reinterpret_cast<char*>(this) + sizeof(Chunk); }
    char* end() { return reinterpret_cast<char*>(this) + size; }
  };

  /// At the start of each large block.
  struct alignas(std::max_align_t) Large {
    Large* before;
    Large* after;
    size_t size;
    char* start() { return reinterpret_cast<char*>(this) + sizeof(Large); }
  };

  static bool is_large(size_t bytes, size_t alignment) {
    return bytes >= kLarge && alignment <= alignof(std::max_align_t);
  }

  static char* aligned(char* at, size_t alignment) {
    return at + (-reinterpret_cast<uintptr_t>(at) & (alignment - 1));
  }

  void* do_allocate(size_t bytes, size_t alignment) override {
    char* const here = aligned(top_, alignment);
    if (chunk_ == nullptr || here > chunk_->end() || bytes > static_cast<size_t>(chunk_->end() - here))
      return allocate_in_new_chunk(bytes, alignment);
    top_ = here + bytes;
    return here;
  }

  [[gnu::cold, gnu::noinline]] void* allocate_in_new_chunk(size_t bytes, size_t alignment) {
    const size_t least = sizeof(Chunk) + bytes + alignment;
    if (least < bytes) fail_for_memory();
    if (is_large(bytes, alignment)) return allocate_large(bytes);
    Chunk* chunk = spare_;
    if (chunk != nullptr && chunk->size >= least) {
      spare_ = nullptr;
    } else {
      const size_t size = std::max(least, next_size_);
      chunk = static_cast<Chunk*>(upstream_->allocate(size, alignof(Chunk)));
      chunk->size = size;
      next_size_ = std::min(2 * size, kMostChunk);
    }
    chunk->before = chunk_;
    chunk->top_before = top_;
    chunk_ = chunk;
    char* const here = aligned(chunk->start(), alignment);
    top_ = here + bytes;
    return here;
  }

  [[gnu::cold, gnu::noinline]] void* allocate_large(size_t bytes) {
    const size_t size = sizeof(Large) + bytes;
    auto* const block = static_cast<Large*>(upstream_->allocate(size, alignof(Large)));
    *block = {large_, nullptr, size};
    if (large_ != nullptr) large_->after = block;
    large_ = block;
    return block->start();
  }

  void release_large(Large* block) {
    if (block->before != nullptr) block->before->after = block->after;
    (block->after != nullptr ? block->after->before : large_) = block->before;
    upstream_->deallocate(block, block->size, alignof(Large));
  }

  void release_large_blocks() {
    while (large_ != nullptr) release_large(large_);
  }

  /// Large blocks in a chunk that was there already are like all others.
  bool release_if_large(char* start) {
    for (Large* block = large_; block != nullptr; block = block->before) {
      if (block->start() != start) continue;
      release_large(block);
      return true;
    }
    return false;
  }

  void do_deallocate(void* memory, size_t bytes, size_t alignment) override {
    char* const here = static_cast<char*>(memory);
    if (is_large(bytes, alignment) && release_if_large(here)) return;
    if (here + bytes != top_) return;
    top_ = here;
    if (here == chunk_->start() && chunk_->before != nullptr) leave_chunk();
  }

  /// The previous chunk becomes the current one again; this one is kept for what does not fit there.
  void leave_chunk() {
    Chunk* const empty = chunk_;
    chunk_ = empty->before;
    top_ = empty->top_before;
    if (spare_ != nullptr && spare_->size >= empty->size) return release(empty);
    if (spare_ != nullptr) release(spare_);
    spare_ = empty;
  }

  /// Returns the number of bytes.
  size_t release_all() {
    size_t bytes = 0;
    if (spare_ != nullptr) {
      bytes += spare_->size;
      release(spare_);
    }
    while (chunk_ != nullptr) {
      Chunk* const before = chunk_->before;
      bytes += chunk_->size;
      release(chunk_);
      chunk_ = before;
    }
    spare_ = nullptr;
    top_ = nullptr;
    return bytes;
  }

  void release(Chunk* chunk) { upstream_->deallocate(chunk, chunk->size, alignof(Chunk)); }

  bool do_is_equal(const std::pmr::memory_resource& other) const noexcept override { return this == &other; }

  std::pmr::memory_resource* upstream_;
  size_t next_size_;
  Large* large_ = nullptr;  // the newest one
  Chunk* chunk_ = nullptr;
  Chunk* spare_ = nullptr;
  char* top_ = nullptr;
};

}  // namespace texlate
