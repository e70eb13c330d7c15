#include "ir/base/diagnostics.h"

#include <algorithm>

namespace texlate {

namespace {

constexpr size_t kExcerptWidth = 120;  // of a longer source line, only the part around the caret is shown
constexpr std::string_view kCut = "...";

std::string_view severity_name(Severity severity) {
  switch (severity) {
    case Severity::note: return "note";
    case Severity::warning: return "warning";
    case Severity::error: return "error";
  }
  return "error";
}

std::string_view find_line(std::string_view source, uint32_t line) {
  source = without_byte_order_mark(source);
  size_t begin = 0;
  for (uint32_t i = 1; i < line; ++i) {
    begin = source.find('\n', begin);
    if (begin == std::string_view::npos) return {};
    ++begin;
  }
  std::string_view text = source.substr(begin, source.find('\n', begin) - begin);
  while (!text.empty() && (text.back() == '\r' || text.back() == '\0')) text.remove_suffix(1);
  return text;
}

void append_excerpt(std::string& out, std::string_view line, uint32_t column, uint32_t length) {
  if (line.empty() || column == 0 || column > line.size() + 1) return;
  size_t caret = column - 1;
  std::string_view before;
  std::string_view behind;
  if (line.size() > kExcerptWidth) {
    const size_t last = line.size() - kExcerptWidth;
    const size_t begin = std::min(caret - std::min(caret, kExcerptWidth / 2), last);
    if (begin != 0) before = kCut;
    if (begin != last) behind = kCut;
    line = line.substr(begin, kExcerptWidth);
    caret -= begin;
  }
  out += "    ";
  out += before;
  // Unprintable bytes would move the caret, or the terminal's cursor.
  for (char c : line) out += (c >= 0x20 && c < 0x7f) ? c : ' ';
  out += behind;
  out += "\n    ";
  out.append(before.size() + caret, ' ');
  out += '^';
  size_t tail = std::min<size_t>(length, line.size() - std::min(caret, line.size()));
  if (tail > 1) out.append(tail - 1, '~');
  out += '\n';
}

/// A message may quote the input, which may be long, and hold what would command a terminal.
std::pmr::string printable(std::string_view message, std::pmr::memory_resource* memory) {
  constexpr size_t kMostBytes = 2000;
  const bool is_cut = message.size() > kMostBytes;
  if (is_cut) {
    const auto continues = [](char c) { return (static_cast<unsigned char>(c) & 0xc0) == 0x80; };  // UTF-8
    size_t end = kMostBytes;
    while (end > 0 && continues(message[end])) --end;
    message = message.substr(0, end);
  }
  std::pmr::string text(message, memory);
  const auto is_control = [](char c) {
    const auto code = static_cast<unsigned char>(c);
    return (code < ' ' && c != '\n' && c != '\t') || code == 0x7f;
  };
  std::ranges::replace_if(text, is_control, ' ');
  if (is_cut) text += kCut;
  return text;
}

}  // namespace

void Diagnostics::add(Severity severity, SourceLocation location, std::string_view message) {
  if (severity == Severity::error) {
    if (error_count_ >= limit_) return;
    ++error_count_;
  }
  auto* memory = list_.get_allocator().resource();
  list_.push_back({severity, location, printable(message, memory)});
  if (severity == Severity::error && error_count_ == limit_) {
    list_.push_back({Severity::note, {}, std::pmr::string("too many errors, giving up", memory)});
  }
}

std::string render(const Diagnostic& diagnostic, std::string_view file_name, std::string_view source) {
  const SourceLocation& at = diagnostic.location;
  std::string out(file_name);
  if (at.line != 0) {
    out += fmt::format(":{}:{}", at.line, at.column);
  } else if (at.offset != SourceLocation::kNoOffset) {
    out += fmt::format(":0x{:x}", at.offset);
  }
  out += fmt::format(": {}: {}\n", severity_name(diagnostic.severity), std::string_view(diagnostic.message));
  if (at.line != 0) append_excerpt(out, find_line(source, at.line), at.column, at.length);
  return out;
}

std::string_view without_byte_order_mark(std::string_view text) {
  constexpr std::string_view kMark = "\xef\xbb\xbf";
  if (text.starts_with(kMark)) text.remove_prefix(kMark.size());
  return text;
}

}  // namespace texlate
