#include "ir/base/stack_arena.h"

#include <gtest/gtest.h>

#include <cstring>
#include <random>
#include <vector>

namespace texlate {
namespace {

/// Counts requests, and checks that everything is returned with its size and alignment.
class Counting final : public std::pmr::memory_resource {
 public:
  ~Counting() override { EXPECT_EQ(bytes, 0u) << "everything came back"; }
  size_t bytes = 0, calls = 0;

 private:
  void* do_allocate(size_t size, size_t alignment) override {
    bytes += size;
    ++calls;
    return std::pmr::new_delete_resource()->allocate(size, alignment);
  }
  void do_deallocate(void* memory, size_t size, size_t alignment) override {
    bytes -= size;
    std::pmr::new_delete_resource()->deallocate(memory, size, alignment);
  }
  bool do_is_equal(const memory_resource& other) const noexcept override { return this == &other; }
};

TEST(StackArena, AsksForNothingUntilSomethingIsNeeded) {
  Counting upstream;
  StackArena arena(1 << 20, &upstream);
  EXPECT_EQ(upstream.calls, 0u);
}

TEST(StackArena, WhatIsGivenBackOnTopIsUsedAgain) {
  Counting upstream;
  StackArena arena(4096, &upstream);
  void* const first = arena.allocate(100, 4);
  void* const second = arena.allocate(200, 8);
  EXPECT_NE(first, second);
  arena.deallocate(second, 200, 8);
  EXPECT_EQ(arena.allocate(150, 8), second);
  arena.deallocate(first, 100, 4);  // not the last block
  EXPECT_NE(arena.allocate(100, 4), first);
}

TEST(StackArena, ScratchOfOnePassAfterTheOtherIsTheSameMemory) {
  Counting upstream;
  StackArena arena(1 << 16, &upstream);
  void* kept = arena.allocate(64, 8);
  std::memset(kept, 1, 64);
  std::vector<void*> first, second;
  for (auto* pointers : {&first, &second}) {
    std::pmr::monotonic_buffer_resource scratch(&arena);
    for (size_t size : {100u, 5000u, 30u, 20000u}) pointers->push_back(scratch.allocate(size, 8));
  }
  EXPECT_EQ(first, second);
  EXPECT_EQ(upstream.calls, 1u);
}

TEST(StackArena, GoesBackToTheChunkBefore) {
  Counting upstream;
  StackArena arena(2048, &upstream);
  void* const first = arena.allocate(1000, 8);
  for (int round = 0; round < 10; ++round) {
    void* const large = arena.allocate(5000, 16);
    arena.deallocate(large, 5000, 16);
  }
  EXPECT_EQ(upstream.calls, 2u) << "the second chunk is kept for the next round";
  void* const next = arena.allocate(8, 8);
  EXPECT_EQ(static_cast<char*>(next), static_cast<char*>(first) + 1000);
}

TEST(StackArena, AResetKeepsOneChunkForTheNextUse) {
  Counting upstream;
  StackArena arena(2048, &upstream);
  void* const first = arena.allocate(1000, 8);
  arena.reset(1 << 20);
  EXPECT_EQ(arena.allocate(1000, 8), first);
  EXPECT_EQ(upstream.calls, 1u);
  // Several chunks become one that has room for all.
  for (const size_t size : {1000u, 5000u, 20000u}) static_cast<void>(arena.allocate(size, 8));
  arena.reset(1 << 20);
  EXPECT_EQ(upstream.bytes, 0u);
  for (int round = 0; round < 3; ++round) {
    upstream.calls = 0;
    for (const size_t size : {1000u, 1000u, 5000u, 20000u}) static_cast<void>(arena.allocate(size, 8));
    EXPECT_EQ(upstream.calls, round == 0 ? 1u : 0u);
    arena.reset(1 << 20);
  }
}

TEST(StackArena, AResetForgetsTheChunkOfALargeBlockThatWasGivenBack) {
  Counting upstream;
  StackArena arena(2048, &upstream);
  static_cast<void>(arena.allocate(1000, 8));
  void* const large = arena.allocate(5000, 8);
  arena.deallocate(large, 5000, 8);
  arena.reset(1 << 20);
  upstream.calls = 0;
  static_cast<void>(arena.allocate(1000, 8));
  static_cast<void>(arena.allocate(5000, 8));
  EXPECT_EQ(upstream.calls, 1u);
}

TEST(StackArena, AResetKeepsNoMoreThanAllowed) {
  Counting upstream;
  StackArena arena(1024, &upstream);
  arena.reset(0);  // nothing was requested
  static_cast<void>(arena.allocate(100000, 8));
  arena.reset(50000);
  EXPECT_EQ(upstream.bytes, 0u);
  static_cast<void>(arena.allocate(100, 8));
  EXPECT_LE(upstream.bytes, 50000u);
}

TEST(StackArena, BlocksNeverOverlapAndAreAligned) {
  Counting upstream;
  StackArena arena(1024, &upstream);
  struct Block {
    unsigned char* at;
    size_t size, alignment;
    unsigned char mark;
  };
  std::vector<Block> blocks;
  std::mt19937 random(1);
  for (int step = 0; step < 20000; ++step) {
    if (!blocks.empty() && random() % 5 < 2) {
      const size_t which = random() % 3 == 0 ? random() % blocks.size() : blocks.size() - 1;
      const Block block = blocks[which];
      for (size_t i = 0; i < block.size; ++i) ASSERT_EQ(block.at[i], block.mark);
      arena.deallocate(block.at, block.size, block.alignment);
      blocks.erase(blocks.begin() + static_cast<std::ptrdiff_t>(which));
      continue;
    }
    if (blocks.size() > 200) continue;
    const size_t size = 1 + random() % (random() % 50 == 0 ? 20000 : 200),
                 alignment = size_t{1} << random() % 7;
    auto* const at = static_cast<unsigned char*>(arena.allocate(size, alignment));
    ASSERT_EQ(reinterpret_cast<uintptr_t>(at) % alignment, 0u);
    blocks.push_back({at, size, alignment, static_cast<unsigned char>(random())});
    std::memset(at, blocks.back().mark, size);
  }
}

TEST(StackArena, LargeBlocksGoBackInAnyOrder) {
  Counting upstream;
  StackArena arena(1024, &upstream);
  static_cast<void>(arena.allocate(100, 8));
  const size_t before = upstream.bytes;
  std::vector<void*> blocks;
  for (size_t i = 0; i < 4; ++i) blocks.push_back(arena.allocate(StackArena::kLarge + i, 8));
  for (const size_t i : {1u, 3u, 0u}) arena.deallocate(blocks[i], StackArena::kLarge + i, 8);
  EXPECT_LT(upstream.bytes, before + StackArena::kLarge + 1000) << "one is left";
  arena.reset(1 << 20);
  EXPECT_LE(upstream.bytes, before);
  // What is used again has room for one.
  StackArena warm(1024, &upstream);
  static_cast<void>(warm.allocate(10 * StackArena::kLarge, 64));
  warm.reset(100 * StackArena::kLarge);
  void* const inside = warm.allocate(StackArena::kLarge, 8);
  const size_t calls = upstream.calls;
  warm.deallocate(inside, StackArena::kLarge, 8);
  EXPECT_EQ(warm.allocate(StackArena::kLarge, 8), inside);
  EXPECT_EQ(upstream.calls, calls);
}

TEST(StackArena, TooMuchIsBadAlloc) {
  StackArena arena(1024, std::pmr::new_delete_resource());
  EXPECT_THROW((void)arena.allocate(~size_t{0} - 8, 8), std::bad_alloc);
}

}  // namespace
}  // namespace texlate
