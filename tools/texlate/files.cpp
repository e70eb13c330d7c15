#include "tools/texlate/files.h"

#include <CLI/CLI.hpp>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "ir/base/diagnostics.h"

namespace texlate::cli {

void usage_error(const std::string& message) {
  std::fprintf(stderr, "texlate: error: %s\n", message.c_str());
}

std::optional<std::string> read_file(const std::string& path) {
  std::ostringstream contents;
  if (path == "-") {
    std::string text;
    char buffer[65536];
    for (size_t n; (n = std::fread(buffer, 1, sizeof buffer, stdin)) != 0;) text.append(buffer, n);
    return text;
  }
  std::error_code error;
  if (std::filesystem::is_directory(path, error)) return std::nullopt;
  std::ifstream file(path, std::ios::binary);
  if (!file) return std::nullopt;
  contents << file.rdbuf();
  return std::move(contents).str();
}

bool write_file(const std::string& path, std::string_view data) {
  if (path.empty() || path == "-") return std::fwrite(data.data(), 1, data.size(), stdout) == data.size();
  std::ofstream file(path, std::ios::binary);
  file.write(data.data(), static_cast<std::streamsize>(data.size()));
  file.close();
  return file.good();
}

void add_strict(CLI::App& command, bool& strict) {
  command.add_flag("--strict", strict, "A container with a wrong digest is an error, not a warning");
}

api::Program read_shader(std::string_view source, bool strict) {
  texlate_parse_options options = TEXLATE_PARSE_OPTIONS_INIT;
  if (strict) options.digest = TEXLATE_DIGEST_REQUIRE;
  return api::Program(source, &options);
}

std::string rendered(const api::Diagnostic& diagnostic, const std::string& file, std::string_view source) {
  const SourceLocation at{diagnostic.line, diagnostic.column, diagnostic.length, diagnostic.offset};
  return render({static_cast<Severity>(diagnostic.severity), at, std::pmr::string(diagnostic.message)}, file,
                source);
}

}  // namespace texlate::cli
