// A growing list of plain data.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <memory_resource>
#include <span>
#include <type_traits>
#include <utility>

namespace texlate {

/// Like std::vector, but several elements can be appended at once without being initialized first, and
/// elements are copied as bytes. In an arena (see ArenaBuffer) nothing is released.
template <typename T, typename Memory = std::pmr::memory_resource>
class Buffer {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  explicit Buffer(Memory* memory) : memory_(memory) {}
  Buffer(size_t count, const T& value, Memory* memory) : memory_(memory) { assign(count, value); }
  /// Copies are explicit or assigned. An assigned copy stays in its own memory.
  explicit Buffer(const Buffer& other) : memory_(other.memory_) { append(std::span<const T>(other)); }
  Buffer& operator=(const Buffer& other) {
    if (this == &other) return *this;
    clear();
    append(std::span<const T>(other));
    return *this;
  }
  Buffer(Buffer&& other) noexcept : memory_(other.memory_) { swap(other); }
  // NOLINTNEXTLINE(performance-noexcept-move-constructor): a list from other memory is copied
  Buffer& operator=(Buffer&& other) {
    if (memory_ != other.memory_) return *this = std::as_const(other);
    swap(other);
    return *this;
  }
  ~Buffer() { release(); }

  operator std::span<const T>() const { return {data_, size_}; }
  operator std::span<T>() { return {data_, size_}; }

  Memory* memory() const { return memory_; }

  size_t size() const { return size_; }
  size_t capacity() const { return capacity_; }
  bool empty() const { return size_ == 0; }
  const T* data() const { return data_; }
  T* data() { return data_; }
  const T* begin() const { return data_; }
  const T* end() const { return data_ + size_; }
  T* begin() { return data_; }
  T* end() { return data_ + size_; }
  const T& operator[](size_t i) const { return data_[i]; }
  T& operator[](size_t i) { return data_[i]; }
  const T& front() const { return data_[0]; }
  T& front() { return data_[0]; }
  const T& back() const { return data_[size_ - 1]; }
  T& back() { return data_[size_ - 1]; }

  /// Adds room for `count` elements at the end; the caller must write all of them.
  T* extend(size_t count) {
    if (size_ + count > capacity_) [[unlikely]]
      grow(size_ + count);
    T* const here = data_ + size_;
    size_ += count;
    return here;
  }
  /// Appends `count` elements with all bits 0.
  void extend_zeroed(size_t count) {
    if (count != 0) std::memset(static_cast<void*>(extend(count)), 0, count * sizeof(T));
  }
  void push_back(const T& element) {
    const T copy = element;  // it may be an element of this buffer
    *extend(1) = copy;
  }
  /// Returns the new last element.
  T& emplace_back(const T& element = T{}) {
    push_back(element);
    return back();
  }
  void pop_back() { --size_; }
  /// Removes the last `count` elements.
  void shrink(size_t count) { size_ -= count; }
  /// Removes from the end, or appends copies of `value`.
  void resize(size_t size, const T& value = T{}) {
    if (size > size_) {
      const T copy = value;
      const size_t count = size - size_;
      T* const here = extend(count);
      for (size_t i = 0; i < count; ++i) here[i] = copy;
    }
    size_ = size;
  }
  /// For a few elements: copied in line, without a call.
  void append(const T* elements, size_t count) {
    T* const here = extend(count);
    for (size_t i = 0; i < count; ++i) here[i] = elements[i];
  }
  /// For any number of elements, none of which may be in this buffer.
  void append(std::span<const T> elements) {
    if (!elements.empty()) std::memcpy(extend(elements.size()), elements.data(), elements.size_bytes());
  }
  void reserve(size_t capacity) {
    if (capacity > capacity_) reallocate(capacity);
  }
  /// Replaces the contents by `count` elements equal to `value`.
  void assign(size_t count, const T& value) {
    size_ = 0;
    resize(count, value);
  }
  void clear() { size_ = 0; }
  /// Removes the first `count` elements.
  void drop_front(size_t count) {
    size_ -= count;
    if (count != 0 && size_ != 0) std::memmove(static_cast<void*>(data_), data_ + count, size_ * sizeof(T));
  }
  template <typename Predicate>
  void erase_if(Predicate is_removed) {
    size_ = static_cast<size_t>(std::remove_if(begin(), end(), is_removed) - begin());
  }
  void swap(Buffer& other) {
    std::swap(memory_, other.memory_);
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
    std::swap(capacity_, other.capacity_);
  }

 private:
  void release() {
    if constexpr (std::is_same_v<Memory, std::pmr::monotonic_buffer_resource>) return;
    if (data_ != nullptr) memory_->deallocate(data_, capacity_ * sizeof(T), alignof(T));
  }
  // Not cold: the compiler would then treat the code after a list's first element or reservation as cold,
  // too.
  [[gnu::noinline]] void grow(size_t least) {
    reallocate(least > 2 * capacity_ ? least + 16 : 2 * capacity_);
  }
  [[gnu::noinline]] void reallocate(size_t capacity) {
    auto* const data = static_cast<T*>(memory_->allocate(capacity * sizeof(T), alignof(T)));
    if (size_ != 0) std::memcpy(data, data_, size_ * sizeof(T));
    release();
    data_ = data;
    capacity_ = capacity;
  }

  Memory* memory_;
  T* data_ = nullptr;
  size_t size_ = 0, capacity_ = 0;
};

/// For scratch: nothing is released when it is dropped.
template <typename T>
using ArenaBuffer = Buffer<T, std::pmr::monotonic_buffer_resource>;

}  // namespace texlate
