// Tables in which nothing is known yet.
#pragma once

#include <cstring>
#include <memory_resource>
#include <type_traits>
#include <vector>

namespace texlate {

/// `count` elements with all bits set, which is what kNoValue, kNoIndex and the like are. Faster than
/// vector(count, value), which writes one element at a time.
template <typename T>
std::pmr::vector<T> all_ones(size_t count, std::pmr::memory_resource* memory) {
  static_assert(std::is_trivially_copyable_v<T>);
  std::pmr::vector<T> out(count, memory);
  if (count != 0) std::memset(static_cast<void*>(out.data()), 0xff, count * sizeof(T));
  return out;
}

}  // namespace texlate
