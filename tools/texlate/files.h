// Files, standard input and output, as every command reads and writes them.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "texlate/texlate.hpp"
#include "tools/texlate/options.h"

namespace texlate::cli {

/// The whole file, `-` for standard input. Nothing when it cannot be read: `why` is what the system says.
std::optional<std::string> read_file(const std::string& path, std::string& why);
/// The same, and the message is printed.
std::optional<std::string> read_file(const std::string& path);

/// To the file, or to standard output where `path` is empty or `-`. False when it cannot be written: `why` is
/// what the system says, and no half of a file stays.
bool write_file(const std::string& path, std::string_view data, std::string& why);
/// The same, and the message is printed.
bool write_file(const std::string& path, std::string_view data);

inline bool is_standard_output(const std::string& path) {
  return path.empty() || path == "-";
}

/// Takes to the system what standard output still holds. False when that, or anything written before, was
/// refused.
bool finish_standard_output(std::string& why);

/// The same for all names of one file; files that are not there yet count by their paths. Empty for what is
/// no file: standard output, devices.
std::string file_identity(const std::string& path);
/// Do both name one file?
bool is_same_file(const std::string& a, const std::string& b);

/// ".ptx" of "out/a.ptx"; empty where the name has none, and of devices.
std::string suffix_of(const std::string& path);

/// The option --strict, which every command that reads containers has.
Option strict_option(bool& strict);

/// Reads assembly, a container or IR text. `strict`: a wrong digest is an error, not a warning.
api::Program read_shader(std::string_view source, bool strict);

}  // namespace texlate::cli
