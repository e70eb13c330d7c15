// Memory for passes.
#pragma once

#include <memory_resource>

#include "ir/base/stack_arena.h"

namespace texlate::maxwell::machine {

/// Memory for one pass; the next pass reuses it, still in the cache.
class Scratch {
 public:
  explicit Scratch(std::pmr::memory_resource* memory) : memory_(kFirstChunk, memory) {}

  /// Calls run() while `user` (a Function, a Layout) has scratch memory.
  template <typename User, typename Run>
  auto lend(User& user, Run run) {
    StackArena arena(kFirstChunk, &memory_);
    user.scratch_memory = &arena;
    struct End {
      User& user;
      ~End() { user.scratch_memory = nullptr; }
    } const end{user};
    return run();
  }

 private:
  static constexpr size_t kFirstChunk = 16 * 1024;
  StackArena memory_;
};

}  // namespace texlate::maxwell::machine
