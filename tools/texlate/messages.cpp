#include "tools/texlate/messages.h"

#include <cstdio>
#include <cstdlib>

#include "ir/base/json_writer.h"
#include "ir/base/platform/files.h"

namespace texlate::cli {

namespace {

MessageStyle g_style;

constexpr std::string_view kBold = "\033[1m", kRed = "\033[1;31m", kMagenta = "\033[1;35m",
                           kCyan = "\033[1;36m", kGreen = "\033[1;32m", kPlain = "\033[0m";

struct Severities {
  std::string_view name, color;
};
constexpr Severities kSeverities[] = {{"note", kCyan}, {"warning", kMagenta}, {"error", kRed}};

/// "file:1:2: error: message\n    line\n    ^~~\n" with the colors that compilers use.
std::string colored(std::string_view text, const Severities& severity) {
  const std::string word = fmt::format(": {}: ", severity.name);
  const size_t at = text.find(word);
  if (at == std::string_view::npos) return std::string(text);
  const size_t end = text.find('\n', at);
  std::string out =
      fmt::format("{}{}:{} {}{}:{} {}{}{}", kBold, text.substr(0, at), kPlain, severity.color, severity.name,
                  kPlain, kBold, text.substr(at + word.size(), end - at - word.size()), kPlain);
  const std::string_view excerpt = text.substr(end);
  // The line with the caret is the last one.
  const size_t caret = excerpt.size() > 1 ? excerpt.rfind('\n', excerpt.size() - 2) : std::string_view::npos;
  if (caret == std::string_view::npos) return out + std::string(excerpt);
  return out + fmt::format("{}{}{}{}\n", excerpt.substr(0, caret + 1), kGreen,
                           excerpt.substr(caret + 1, excerpt.size() - caret - 2), kPlain);
}

std::string as_json(const Diagnostic& diagnostic, const std::string& file) {
  std::string place;
  const SourceLocation& at = diagnostic.location;
  if (at.line != 0)
    place = fmt::format(R"(, "line": {}, "column": {}, "length": {})", at.line, at.column, at.length);
  if (at.line == 0 && at.offset != SourceLocation::kNoOffset)
    place = fmt::format(R"(, "offset": {})", at.offset);
  return fmt::format(R"({{"schema": {}, "file": {}{}, "severity": "{}", "message": {}}})"
                     "\n",
                     kSchema, json_string(file), place,
                     kSeverities[static_cast<size_t>(diagnostic.severity)].name,
                     json_string(diagnostic.message));
}

}  // namespace

void choose_message_style(std::string_view when, std::string_view form) {
  const char* const no_color = std::getenv("NO_COLOR");
  const char* const terminal = std::getenv("TERM");
  const bool plain = (no_color != nullptr && *no_color != '\0') || terminal == nullptr ||
                     std::string_view(terminal) == "dumb";
  g_style.color = when == "always" || (when == "auto" && !plain && platform::is_terminal(stderr));
  g_style.json = form == "json";
}

const MessageStyle& message_style() {
  return g_style;
}

std::string rendered(const Diagnostic& diagnostic, const std::string& file, std::string_view source) {
  if (g_style.json) return as_json(diagnostic, file);
  Diagnostic shown = diagnostic;
  shown.message = printable(diagnostic.message);
  std::string text = render(shown, printable(file), source);
  return g_style.color ? colored(text, kSeverities[static_cast<size_t>(diagnostic.severity)]) : text;
}

std::string rendered(const api::Diagnostic& diagnostic, const std::string& file, std::string_view source) {
  const SourceLocation at{diagnostic.line, diagnostic.column, diagnostic.length, diagnostic.offset};
  return rendered(
      Diagnostic{static_cast<Severity>(diagnostic.severity), at, std::pmr::string(diagnostic.message)}, file,
      source);
}

std::string file_error_text(const std::string& file, const std::string& message) {
  return rendered(Diagnostic{Severity::error, {}, std::pmr::string(message)}, file, {});
}

void file_error(const std::string& file, const std::string& message) {
  write_messages(file_error_text(file, message));
}

void usage_error(const std::string& message) {
  file_error("texlate", message);
}

void write_messages(std::string_view text) {
  std::fwrite(text.data(), 1, text.size(), stderr);
}

std::string printable(std::string_view text) {
  std::string out(text);
  for (size_t i = 0; i < out.size(); ++i) {
    const auto c = static_cast<unsigned char>(out[i]);
    const auto next = static_cast<unsigned char>(i + 1 < out.size() ? out[i + 1] : 0);
    if ((c < 0x20 && c != '\n') || c == 0x7f) out[i] = ' ';
    if (c == 0xc2 && next >= 0x80 && next < 0xa0) out[i] = out[i + 1] = ' ';  // U+0080 to U+009F
  }
  return out;
}

std::string json_string(std::string_view text) {
  std::pmr::string out;
  JsonWriter(out).value(text);
  return std::string(out);
}

}  // namespace texlate::cli
