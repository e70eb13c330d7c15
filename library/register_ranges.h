// Finds in logarithmic time whether something is said of a register twice.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <tuple>

namespace texlate::library {

/// Ranges of registers of which none overlaps another about the same subject.
class RegisterRanges {
 public:
  /// What is said: of which file and space, and which fact, row or the like.
  struct Subject {
    uint32_t file = 0, space = 0, what = 0;
  };

  /// Adds the range with a number. If a range of this subject is there that overlaps it, returns that one's
  /// number and adds nothing.
  std::optional<size_t> add(const Subject& subject, uint32_t first, uint32_t last, size_t number = 0) {
    const auto place = [&](uint32_t at) { return std::tuple(subject.file, subject.space, subject.what, at); };
    // Of ranges that do not overlap, only the one that begins last can reach into this one.
    const auto after = ranges_.upper_bound(place(last));
    if (after != ranges_.begin()) {
      const auto before = std::prev(after);
      const auto [file, space, what, start] = before->first;
      const bool is_same = file == subject.file && space == subject.space && what == subject.what;
      if (is_same && before->second.last >= first) return before->second.number;
    }
    ranges_.emplace(place(first), Range{last, number});
    return std::nullopt;
  }

 private:
  struct Range {
    uint32_t last;
    size_t number;
  };
  std::map<std::tuple<uint32_t, uint32_t, uint32_t, uint32_t>, Range> ranges_;
};

}  // namespace texlate::library
