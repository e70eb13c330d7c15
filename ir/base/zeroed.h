// Arrays of plain data in an arena.
#pragma once

#include <cstddef>
#include <cstring>
#include <memory_resource>
#include <span>
#include <type_traits>

namespace texlate {

/// `count` elements, all bits 0. Only the end of `arena` releases the memory.
template <typename T>
std::span<T> zeroed(std::pmr::monotonic_buffer_resource& arena, size_t count) {
  static_assert(std::is_trivially_copyable_v<T> && std::is_trivially_destructible_v<T>);
  if (count == 0) return {};
  void* const memory = arena.allocate(count * sizeof(T), alignof(T));
  std::memset(memory, 0, count * sizeof(T));
  return {static_cast<T*>(memory), count};
}

}  // namespace texlate
