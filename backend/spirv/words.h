// SPIR-V words while they are written.
#pragma once

#include <cstdint>
#include <cstring>
#include <memory_resource>
#include <span>
#include <utility>

namespace texlate::spirv {

/// A growing list of words. What a vector of the standard library does, but that words are appended several
/// at a time without being filled in first.
class Words {
 public:
  explicit Words(std::pmr::memory_resource* memory) : memory_(memory) {}
  Words(const Words&) = delete;
  Words& operator=(const Words&) = delete;
  ~Words() { release(); }

  size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  const uint32_t* data() const { return data_; }
  uint32_t* data() { return data_; }
  const uint32_t* begin() const { return data_; }
  const uint32_t* end() const { return data_ + size_; }
  uint32_t operator[](size_t i) const { return data_[i]; }
  uint32_t& operator[](size_t i) { return data_[i]; }

  /// Room for `count` more words at the end; the caller writes them all.
  uint32_t* extend(size_t count) {
    if (size_ + count > capacity_) [[unlikely]]
      grow(size_ + count);
    uint32_t* const here = data_ + size_;
    size_ += count;
    return here;
  }
  void push_back(uint32_t word) { *extend(1) = word; }
  void append(const uint32_t* words, size_t count) {
    uint32_t* const here = extend(count);
    for (size_t i = 0; i < count; ++i) here[i] = words[i];  // few: less than a call takes
  }
  void append(std::span<const uint32_t> words) { append(words.data(), words.size()); }
  void append(const Words& words) {
    if (!words.empty()) std::memcpy(extend(words.size()), words.data(), words.size() * sizeof(uint32_t));
  }
  void reserve(size_t capacity) {
    if (capacity > capacity_) grow(capacity);
  }
  void clear() { size_ = 0; }
  void swap(Words& other) {
    std::swap(memory_, other.memory_);
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
    std::swap(capacity_, other.capacity_);
  }

 private:
  void release() {
    if (data_ != nullptr) memory_->deallocate(data_, capacity_ * sizeof(uint32_t), alignof(uint32_t));
  }
  void grow(size_t least) {
    const size_t capacity = least > 2 * capacity_ ? least + 16 : 2 * capacity_;
    auto* const data =
        static_cast<uint32_t*>(memory_->allocate(capacity * sizeof(uint32_t), alignof(uint32_t)));
    if (size_ != 0) std::memcpy(data, data_, size_ * sizeof(uint32_t));
    release();
    data_ = data;
    capacity_ = capacity;
  }

  std::pmr::memory_resource* memory_;
  uint32_t* data_ = nullptr;
  size_t size_ = 0, capacity_ = 0;
};

}  // namespace texlate::spirv
