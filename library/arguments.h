// Arguments of the C interface: structures from callers compiled with another version of texlate.h, and
// messages about wrong calls.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <iterator>
#include <new>
#include <string>
#if __has_include(<cxxabi.h>)
#include <cxxabi.h>
#endif

#include "ir/base/failure.h"
#include "library/float_environment.h"
#include "library/structure_sizes.h"
#include "texlate/texlate.h"

namespace texlate::library {

/// Stores the text for this thread's texlate_argument_error(), truncated if it is too long.
texlate_status argument_error(std::string_view text) noexcept;

/// Ends the call: guarded() returns TEXLATE_ERROR_ARGUMENT.
[[noreturn]] void fail_for_argument(std::string_view text);

template <typename... Args>
[[noreturn, gnu::cold]] void refuse_argument(fmt::format_string<Args...> format, Args&&... args) {
  fmt::memory_buffer text;  // lives on the stack
  fmt::format_to(std::back_inserter(text), format, std::forward<Args>(args)...);
  fail_for_argument({text.data(), text.size()});
}

/// Runs `body`, which returns a status, and converts failures to a status. Every entry of the interface
/// that reads, writes or translates goes through it. Callbacks run in its floating-point environment, too.
template <typename Body>
texlate_status guarded(Body body);

#if defined(__cpp_exceptions)

/// Thrown by fail_for_argument(), which has stored the text.
struct BadArgument {};

template <typename Body>
texlate_status guarded(Body body) {
  const FloatEnvironment environment;
  try {
    return body();
  } catch (const BadArgument&) {
    return TEXLATE_ERROR_ARGUMENT;
  } catch (const std::bad_alloc&) {
    return TEXLATE_ERROR_MEMORY;
#ifdef __GLIBCXX__
  } catch (const abi::__forced_unwind&) {
    throw;  // a callback ends its thread: pthread_exit()
#endif
  } catch (...) {
    return TEXLATE_ERROR_INTERNAL;  // also what a callback throws
  }
}

#else

template <typename Body>
texlate_status guarded(Body body) {
  const FloatEnvironment environment;
  Recovery recovery;
  switch (setjmp(recovery.target)) {
    case static_cast<int>(Failure::none): return body();
    case static_cast<int>(Failure::memory): return TEXLATE_ERROR_MEMORY;
    default: return TEXLATE_ERROR_ARGUMENT;
  }
}

#endif

inline void require(bool holds, const char* what) {
  if (!holds) refuse_argument("{}", what);
}

/// A size that a caller passes for a structure or for an element of an array. `oldest`: a constant of
/// structure_sizes.h. What is larger than the structures of any version is no size. `name` and `rest`
/// together are its name in messages.
void require_size(size_t size, size_t oldest, std::string_view name, std::string_view rest);

/// The bytes of `given` after the members that this library knows must be zero; they belong to a newer
/// caller's structure.
void require_zeros(const void* given, size_t known, size_t size, std::string_view name);

/// Reads a structure whose first member is its size. Members that the caller does not know are zero.
template <typename T>
T versioned(const T* given, size_t oldest, std::string_view name) {
  size_t size = 0;
  std::memcpy(&size, given, sizeof size);
  require_size(size, oldest, name, ".struct_size");
  require_zeros(given, sizeof(T), size, name);
  T copy{};
  std::memcpy(&copy, given, std::min(size, sizeof(T)));
  return copy;
}

/// Copies to the caller as much of `made` as its structure has room for, except struct_size.
template <typename T>
void copy_out(const T& made, T* wanted, size_t oldest, std::string_view name) {
  size_t size = 0;
  std::memcpy(&size, wanted, sizeof size);
  require_size(size, oldest, name, ".struct_size");
  constexpr size_t kAfterSize = sizeof(size_t);
  const size_t known = std::min(size, sizeof(T));
  std::memcpy(reinterpret_cast<char*>(wanted) + kAfterSize, reinterpret_cast<const char*>(&made) + kAfterSize,
              known - kAfterSize);
  std::memset(reinterpret_cast<char*>(wanted) + known, 0, size - known);
}

/// A caller's array, whose elements may be shorter or longer than this library's.
template <typename T>
class Elements {
 public:
  /// If `has_stride` is false, the caller's structure has no such member and its elements have `oldest`
  /// bytes.
  Elements(const T* first, size_t count, size_t stride, bool has_stride, size_t oldest, std::string name)
      : first_(reinterpret_cast<const char*>(first)),
        count_(count),
        stride_(has_stride ? stride : oldest),
        name_(std::move(name)) {
    if (count == 0) return;
    if (first == nullptr) refuse_argument("{} is null but its count is {}", name_, count);
    require_size(stride_, oldest, "the stride of ", name_);
  }

  size_t size() const { return count_; }
  std::string name(size_t index) const { return fmt::format("{}[{}]", name_, index); }
  /// Members that the caller does not know are zero.
  T operator[](size_t index) const {
    const char* const given = first_ + index * stride_;
    require_zeros(given, sizeof(T), stride_, name_);
    T copy{};
    std::memcpy(&copy, given, std::min(stride_, sizeof(T)));
    return copy;
  }

 private:
  const char* first_;
  size_t count_, stride_;
  std::string name_;
};

/// The number in a caller's enumerator. In C it may be any number; loading it as a C++ enumerator would be
/// undefined.
template <typename Enum>
uint32_t number_in(const Enum& enumerator) {
  static_assert(sizeof(Enum) == sizeof(uint32_t));
  uint32_t number;
  std::memcpy(&number, &enumerator, sizeof number);
  return number;
}

template <typename Enum>
void require_enumerator(const Enum& enumerator, Enum last, std::string_view name) {
  if (number_in(enumerator) > static_cast<uint32_t>(last))
    refuse_argument("{} is {}, which is not an enumerator", name, number_in(enumerator));
}

}  // namespace texlate::library
