#include "tools/texlate/files.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>

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

bool write_all(const std::string& path, std::string_view data) {
  std::FILE* const file = std::fopen(path.c_str(), "wb");
  if (file == nullptr) return false;
  const bool good = std::fwrite(data.data(), 1, data.size(), file) == data.size();
  const int error = errno;
  if (std::fclose(file) == 0 && good) return true;
  if (!good) errno = error;
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
  errno = 0;
  if (is_standard_output(path)) {
    if (std::fwrite(data.data(), 1, data.size(), stdout) == data.size()) return true;
    remember_output_error();
    why = std::strerror(g_output_error);
    return false;
  }
  if (write_all(path, data)) return true;
  why = std::strerror(errno);
  std::error_code ignored;
  if (std::filesystem::is_regular_file(path, ignored)) std::filesystem::remove(path, ignored);
  return false;
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
  return g_output_error == 0;
}

std::string file_identity(const std::string& path) {
  if (is_standard_output(path)) return {};
  struct stat status {};
  if (stat(path.c_str(), &status) == 0) {
    return S_ISREG(status.st_mode) ? fmt::format("{}:{}", status.st_dev, status.st_ino) : std::string();
  }
  std::error_code error;
  return std::filesystem::weakly_canonical(path, error).string();
}

bool is_same_file(const std::string& a, const std::string& b) {
  const std::string identity = file_identity(a);
  return !identity.empty() && identity == file_identity(b);
}

std::string suffix_of(const std::string& path) {
  std::error_code error;
  if (is_standard_output(path) || std::filesystem::is_character_file(path, error)) return {};
  return std::filesystem::path(path).extension().string();
}

Option strict_option(bool& strict) {
  return {.names = "--strict",
          .to = &strict,
          .help = "A container with a wrong digest is an error, not a warning",
          .topic = "Input"};
}

api::Program read_shader(std::string_view source, bool strict) {
  texlate_parse_options options = TEXLATE_PARSE_OPTIONS_INIT;
  if (strict) options.digest = TEXLATE_DIGEST_REQUIRE;
  return api::Program(source, &options);
}

}  // namespace texlate::cli
