#include "tools/texlate/response_file.h"

#include <fmt/format.h>

#include "tools/texlate/files.h"
#include "tools/texlate/messages.h"

namespace texlate::cli {

namespace {

bool is_blank(char c) {
  return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

/// Reads words from a text, character by character.
class WordReader {
 public:
  explicit WordReader(std::string_view text) : text_(text) {
    if (text_.starts_with("\xef\xbb\xbf")) text_.remove_prefix(3);  // a byte order mark
  }

  /// False at the end of the text, and if a quote is not closed.
  bool next(std::string& word) {
    skip_blanks();
    word.clear();
    if (at_ == text_.size()) return false;
    while (at_ < text_.size() && !is_blank(text_[at_])) {
      const char c = text_[at_];
      if (c == '"' || c == '\'') {
        if (!take_quoted(c, word)) return false;
      } else {
        word += c;
        ++at_;
      }
    }
    return true;
  }
  bool is_open() const { return open_at_ != std::string_view::npos; }
  size_t open_line() const {
    size_t line = 1;
    for (const char c : text_.substr(0, open_at_)) line += c == '\n';
    return line;
  }

 private:
  bool is_line_start() const { return at_ == 0 || text_[at_ - 1] == '\n'; }

  void skip_blanks() {
    while (at_ < text_.size()) {
      if (is_line_start() && text_[at_] == '#') {
        at_ = std::min(text_.find('\n', at_), text_.size());
      } else if (is_blank(text_[at_])) {
        ++at_;
      } else {
        return;
      }
    }
  }

  bool take_quoted(char quote, std::string& word) {
    open_at_ = at_++;
    while (at_ < text_.size() && text_[at_] != quote) {
      const bool escapes = quote == '"' && text_[at_] == '\\' && at_ + 1 < text_.size() &&
                           (text_[at_ + 1] == '"' || text_[at_ + 1] == '\\');
      if (escapes) ++at_;
      word += text_[at_++];
    }
    if (at_ == text_.size()) return false;
    ++at_;
    open_at_ = std::string_view::npos;
    return true;
  }

  std::string_view text_;
  size_t at_ = 0;
  size_t open_at_ = std::string_view::npos;  // of a quote that is not closed yet
};

}  // namespace

bool split_words(std::string_view text, std::vector<std::string>& words, size_t& line) {
  WordReader reader(text);
  for (std::string word; reader.next(word);) words.push_back(word);
  if (reader.is_open()) line = reader.open_line();
  return !reader.is_open();
}

bool expand_response_files(int argc, char** argv, std::vector<std::string>& arguments) {
  bool ended = false;
  for (int i = 0; i < argc; ++i) {
    const std::string_view argument = argv[i];
    ended = ended || argument == "--";
    if (i == 0 || ended || argument.size() < 2 || argument[0] != '@') {
      arguments.emplace_back(argument);
      continue;
    }
    const std::string file(argument.substr(1));
    std::string why;
    const auto text = read_file(file, why);
    if (!text) {
      usage_error(fmt::format("{} cannot be read: {} (a file of this name is ./{})", file, why, argument));
      return false;
    }
    size_t line = 0;
    if (!split_words(*text, arguments, line)) {
      usage_error(fmt::format("{}:{}: a quote is not closed", file, line));
      return false;
    }
  }
  return true;
}

}  // namespace texlate::cli
