#include "ir/base/json_location.h"

#include <algorithm>
#include <charconv>

namespace texlate {

namespace {

class Scanner {
 public:
  explicit Scanner(std::string_view text) : text_(text) {}

  SourceLocation find(std::span<const std::string> path) {
    skip_space();
    size_t place = at_, length = 1;
    for (const std::string& part : path) {
      const bool found = peek() == '{' ? enter_member(part, place, length)
                                       : peek() == '[' && enter_element(part, place, length);
      if (!found) break;
    }
    return location_of_byte(text_, std::min(place, text_.size()), length);
  }

  /// In valid JSON, a string in front of a colon is a key.
  SourceLocation find_key(size_t number) {
    for (skip_space(); at_ < text_.size(); skip_space()) {
      if (peek() != '"') {
        ++at_;
        continue;
      }
      const size_t start = at_;
      take_string();
      const size_t end = at_;
      skip_space();
      if (peek() == ':' && number-- == 0) return location_of_byte(text_, start, end - start);
    }
    return {};
  }

 private:
  char peek() const { return at_ < text_.size() ? text_[at_] : '\0'; }

  void skip_space() {
    while (at_ < text_.size()) {
      if (std::string_view(" \t\r\n").find(text_[at_]) != std::string_view::npos) {
        ++at_;
      } else if (text_.substr(at_).starts_with("//")) {
        at_ = std::min(text_.find('\n', at_), text_.size());
      } else if (text_.substr(at_).starts_with("/*")) {
        const size_t end = text_.find("*/", at_ + 2);
        at_ = end == std::string_view::npos ? text_.size() : end + 2;
      } else {
        return;
      }
    }
  }

  /// The string at the cursor without its quotes; escapes are not resolved.
  std::string_view take_string() {
    const size_t first = ++at_;
    while (at_ < text_.size() && text_[at_] != '"') at_ += text_[at_] == '\\' ? 2 : 1;
    at_ = std::min(at_, text_.size());
    const std::string_view string = text_.substr(first, at_ - first);
    if (at_ < text_.size()) ++at_;
    return string;
  }

  /// Skips one value with everything in it: brackets are counted, strings and comments skipped.
  void skip_value() {
    for (int depth = 0; at_ < text_.size();) {
      skip_space();
      const char c = peek();
      if (c == '"') {
        take_string();
      } else if (c == '{' || c == '[') {
        ++depth, ++at_;
      } else if (c == '}' || c == ']') {
        if (depth == 0) return;
        --depth, ++at_;
      } else if (c == ',' && depth == 0) {
        return;
      } else {
        ++at_;
        continue;
      }
      if (depth == 0 && c != ',') return;
    }
  }

  bool enter_member(const std::string& name, size_t& place, size_t& length) {
    for (++at_; skip_space(), peek() == '"';) {
      const size_t start = at_;
      const bool is_it = take_string() == name;
      const size_t end = at_;
      skip_space();
      if (peek() == ':') ++at_;
      skip_space();
      if (is_it) {
        place = start;
        length = end - start;
        return true;
      }
      skip_value();
      skip_space();
      if (peek() == ',') ++at_;
    }
    return false;
  }

  bool enter_element(const std::string& number, size_t& place, size_t& length) {
    size_t index = 0;
    if (std::from_chars(number.data(), number.data() + number.size(), index).ec != std::errc{}) return false;
    ++at_;
    for (skip_space(); at_ < text_.size() && peek() != ']'; skip_space()) {
      if (index-- == 0) {
        place = at_;
        length = 1;
        return true;
      }
      skip_value();
      skip_space();
      if (peek() == ',') ++at_;
    }
    return false;
  }

  std::string_view text_;
  size_t at_ = 0;
};

}  // namespace

SourceLocation locate_in_json(std::string_view text, std::span<const std::string> path) {
  return Scanner(text).find(path);
}

SourceLocation locate_key_in_json(std::string_view text, size_t number) {
  return Scanner(text).find_key(number);
}

SourceLocation location_of_byte(std::string_view text, size_t at, size_t length) {
  const std::string_view before = text.substr(0, std::min(at, text.size()));
  const auto lines = static_cast<uint32_t>(std::count(before.begin(), before.end(), '\n'));
  const size_t start = before.rfind('\n');
  const auto column =
      static_cast<uint32_t>(before.size() - (start == std::string_view::npos ? 0 : start + 1));
  return SourceLocation::text(lines + 1, column + 1, static_cast<uint32_t>(length));
}

}  // namespace texlate
