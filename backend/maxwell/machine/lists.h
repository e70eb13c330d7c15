// Short lists of each of many things, in one array.
#pragma once

#include <cstdint>
#include <memory_resource>
#include <span>
#include <vector>

namespace texlate::maxwell::machine {

/// The list of `key` is items[first[key]] .. items[first[key + 1] - 1].
template <typename Key, typename T>
struct Lists {
  explicit Lists(std::pmr::memory_resource* memory) : first(memory), items(memory) {}

  std::pmr::vector<uint32_t> first;
  std::pmr::vector<T> items;

  std::span<const T> operator[](Key key) const {
    return std::span(items).subspan(first[key], first[key + 1] - first[key]);
  }

  /// Makes the lists of `keys` keys: each(add) calls add(key, item) for every item in their order. It is run
  /// twice.
  template <typename Each>
  void assign(size_t keys, Each each) {
    // While the items are placed, first[key + 1] is where the next one of the key goes.
    first.assign(keys + 2, 0);
    each([&](Key key, const T&) { ++first[key + 2]; });
    for (size_t k = 2; k < first.size(); ++k) first[k] += first[k - 1];
    items.resize(first.back());
    each([&](Key key, const T& item) { items[first[key + 1]++] = item; });
    first.pop_back();
  }
};

}  // namespace texlate::maxwell::machine
