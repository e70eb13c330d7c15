#include "tools/texlate/files.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <unordered_map>

#include "ir/base/platform/files.h"
#include "tools/texlate/messages.h"

namespace texlate::cli {

namespace {

struct Closer {
  void operator()(std::FILE* file) const { std::fclose(file); }
};
using File = std::unique_ptr<std::FILE, Closer>;

bool read_all(std::FILE* file, std::string& text) {
  char buffer[65536];
  for (size_t n; (n = std::fread(buffer, 1, sizeof buffer, file)) != 0;) text.append(buffer, n);
  return std::ferror(file) == 0;
}

constexpr const char* kForTerminal =
    "binary data would spoil the terminal; name a file with -o, or redirect the output";
bool g_spared_terminal = false;

/// Control sequences among machine code would change the terminal's state. Every binary form has zeros.
bool would_spoil_terminal(std::FILE* file, std::string_view data) {
  return data.find('\0') != std::string_view::npos && platform::is_terminal(file);
}

/// Returns false if that fails, and `why` has the reason. A part that was written is removed; a file that
/// could not be opened is left as it was.
bool write_all(const std::string& path, std::string_view data, std::string& why) {
  errno = 0;
  std::FILE* const file = std::fopen(path.c_str(), "wb");
  if (file == nullptr) {
    why = std::strerror(errno);
    return false;
  }
  if (would_spoil_terminal(file, data)) {
    std::fclose(file);
    why = kForTerminal;
    return false;
  }
  const bool written = std::fwrite(data.data(), 1, data.size(), file) == data.size();
  int error = errno;
  if (std::fclose(file) == 0 && written) return true;
  if (written) error = errno;
  std::error_code ignored;
  if (std::filesystem::is_regular_file(path, ignored)) std::filesystem::remove(path, ignored);
  why = std::strerror(error);
  return false;
}

int g_output_error = 0;  // the system's error when standard output first failed

void remember_output_error() {
  if (g_output_error == 0) g_output_error = errno != 0 ? errno : EIO;
}

}  // namespace

std::optional<std::string> read_file(const std::string& path, std::string& why) {
  std::string text;
  errno = 0;
  bool good;
  if (path == "-") {
    good = read_all(stdin, text);
  } else {
    const File file(std::fopen(path.c_str(), "rb"));
    good = file != nullptr && read_all(file.get(), text);
  }
  if (good) return text;
  why = std::strerror(errno);
  return std::nullopt;
}

std::optional<std::string> read_file(const std::string& path) {
  std::string why;
  auto text = read_file(path, why);
  if (!text) file_error(path, "cannot be read: " + why);
  return text;
}

bool write_file(const std::string& path, std::string_view data, std::string& why) {
  if (is_standard_output(path)) {
    if (would_spoil_terminal(stdout, data)) {
      g_spared_terminal = true;
      why = kForTerminal;
      return false;
    }
    errno = 0;
    if (std::fwrite(data.data(), 1, data.size(), stdout) == data.size()) return true;
    remember_output_error();
    why = std::strerror(g_output_error);
    return false;
  }
  return write_all(path, data, why);
}

bool write_file(const std::string& path, std::string_view data) {
  std::string why;
  if (write_file(path, data, why)) return true;
  if (is_standard_output(path)) return false;  // reported once, when the command ends
  file_error(path, "cannot be written: " + why);
  return false;
}

bool finish_standard_output(std::string& why) {
  errno = 0;
  if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0) remember_output_error();
  if (g_output_error != 0) why = std::strerror(g_output_error);
  if (g_output_error == 0 && g_spared_terminal) why = kForTerminal;
  return g_output_error == 0 && !g_spared_terminal;
}

std::string file_identity(const std::string& path) {
  if (is_standard_output(path)) return {};
  std::string identity;
  switch (platform::identify(path, identity)) {
    case platform::FileKind::regular: return identity;
    case platform::FileKind::other: return {};
    case platform::FileKind::none: break;
  }
  std::error_code error;
  // Absolute first: a relative path of which nothing exists would remain relative.
  return std::filesystem::weakly_canonical(std::filesystem::absolute(path, error), error).string();
}

bool are_distinct(const std::vector<std::string>& read, const std::vector<WrittenFile>& written) {
  std::unordered_map<std::string, const WrittenFile*> writers;  // by identity
  std::string wrong;
  for (const WrittenFile& file : written) {
    const std::string identity = file.path == "-" ? "-" : file_identity(file.path);
    if (identity.empty()) continue;
    const auto [place, is_first] = writers.emplace(identity, &file);
    if (!is_first && wrong.empty())
      wrong = fmt::format("{} and {} would both be written to {}", place->second->by, file.by,
                          identity == "-" ? "standard output" : file.path);
  }
  for (const std::string& path : read) {
    if (!wrong.empty()) break;
    const std::string identity = file_identity(path);
    const auto writer = identity.empty() ? writers.end() : writers.find(identity);
    if (writer != writers.end())
      wrong = fmt::format("'{}' would be overwritten by {}; give another file", path, writer->second->by);
  }
  if (!wrong.empty()) usage_error(wrong);
  return wrong.empty();
}

std::string suffix_of(const std::string& path) {
  std::error_code error;
  if (is_standard_output(path) || std::filesystem::is_character_file(path, error)) return {};
  const std::filesystem::path name = std::filesystem::path(path).filename();
  // To the library, a name such as ".spv" is all stem.
  const std::string text = name.string();
  const bool is_suffix = text.rfind('.') == 0 && text.size() > 1;
  return is_suffix ? text : name.extension().string();
}

Option strict_option(bool& strict) {
  return {.names = "--strict",
          .to = &strict,
          .help = "A container with a wrong digest is an error, not a warning",
          .topic = "Input"};
}

Option lenient_option(bool& lenient) {
  return {.names = "--lenient",
          .to = &lenient,
          .help =
              "Only warn about mistakes that Direct3D's drivers accept and published game fixes contain: r# "
              "beyond dcl_temps, rows of cb# beyond the declaration, undeclared t#, declarations after the "
              "first instruction (docs/frontend.md)",
          .topic = "Input"};
}

api::Program read_shader(std::string_view source, bool strict, bool lenient) {
  texlate_parse_options options = TEXLATE_PARSE_OPTIONS_INIT;
  if (strict) options.digest = TEXLATE_DIGEST_REQUIRE;
  options.lenient = lenient ? 1 : 0;
  return api::Program(source, &options);
}

}  // namespace texlate::cli
