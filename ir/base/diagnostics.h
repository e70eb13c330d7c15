// Located messages, collected by every part that can refuse its input.
#pragma once

#include <fmt/core.h>

#include <cstdint>
#include <memory_resource>
#include <string>
#include <string_view>
#include <vector>

namespace texlate {

enum class Severity : uint8_t { note, warning, error };

/// A location in the input. In text: the 1-based line and column (in bytes) and the length of the marked
/// range, all on one line. In bytes: the offset from the start of the input. A location with neither stands
/// for the input as a whole.
struct SourceLocation {
  uint32_t line = 0;    // 0: not a location in text
  uint32_t column = 0;  // 1-based
  uint32_t length = 0;  // characters to underline; 0 and 1 give a lone caret
  uint32_t offset = kNoOffset;

  static constexpr uint32_t kNoOffset = 0xffffffffu;
  static constexpr SourceLocation text(uint32_t line, uint32_t column, uint32_t length = 0) {
    return {line, column, length, kNoOffset};
  }
  static constexpr SourceLocation bytes(uint32_t offset) { return {0, 0, 0, offset}; }
  bool operator==(const SourceLocation&) const = default;
};

struct Diagnostic {
  Severity severity;
  SourceLocation location;
  std::pmr::string message;  // lower case, no full stop
};

/// The messages of one run, in the order they were found. Stops collecting errors after `limit` of them (the
/// last one says so), so that hostile input cannot make the list long.
class Diagnostics {
 public:
  explicit Diagnostics(std::pmr::memory_resource* memory = std::pmr::get_default_resource(),
                       uint32_t limit = 100)
      : list_(memory), limit_(limit) {}

  // Cold: keeps the formatting out of the code path without errors.
  [[gnu::cold]] void add(Severity severity, SourceLocation location, std::string_view message);

  template <typename... Args>
  [[gnu::cold, gnu::noinline]] void error(SourceLocation location, fmt::format_string<Args...> format,
                                          Args&&... args) {
    add(Severity::error, location, fmt::format(format, std::forward<Args>(args)...));
  }
  template <typename... Args>
  [[gnu::cold, gnu::noinline]] void warning(SourceLocation location, fmt::format_string<Args...> format,
                                            Args&&... args) {
    add(Severity::warning, location, fmt::format(format, std::forward<Args>(args)...));
  }
  template <typename... Args>
  [[gnu::cold, gnu::noinline]] void note(SourceLocation location, fmt::format_string<Args...> format,
                                         Args&&... args) {
    add(Severity::note, location, fmt::format(format, std::forward<Args>(args)...));
  }

  bool has_errors() const { return error_count_ != 0; }
  uint32_t error_count() const { return error_count_; }
  /// True once `limit` errors were recorded; a parser that recovers from errors stops then.
  bool full() const { return error_count_ >= limit_; }
  const std::pmr::vector<Diagnostic>& list() const { return list_; }

 private:
  std::pmr::vector<Diagnostic> list_;
  uint32_t limit_;
  uint32_t error_count_ = 0;
};

/// One diagnostic as a compiler prints it, with a trailing newline:
///   file:line:column: error: message
///       the source line
///       ^~~~
/// `source` is the input's text; if it is empty, there is no excerpt. In bytes: `file:0x1f4: error: message`.
std::string render(const Diagnostic& diagnostic, std::string_view file_name, std::string_view source);

/// Text without a UTF-8 byte order mark at its beginning, which Windows' editors write. Columns do not count
/// it.
std::string_view without_byte_order_mark(std::string_view text);

}  // namespace texlate
