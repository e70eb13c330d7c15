// Files, standard input and standard output for all commands.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "texlate/texlate.hpp"
#include "tools/texlate/options.h"

namespace texlate::cli {

/// The whole file; `-` is standard input. Nothing if it cannot be read: `why` is the system's message.
std::optional<std::string> read_file(const std::string& path, std::string& why);
/// The same, but prints the message.
std::optional<std::string> read_file(const std::string& path);

/// Writes to the file, or to standard output if `path` is empty or `-`. Returns false if that fails: `why` is
/// the system's message, and no partial file remains. A file that cannot be opened is not changed.
bool write_file(const std::string& path, std::string_view data, std::string& why);
/// The same, but prints the message.
bool write_file(const std::string& path, std::string_view data);

inline bool is_standard_output(const std::string& path) {
  return path.empty() || path == "-";
}

/// Flushes standard output. Returns false if this, or any previous write to it,
/// failed.
bool finish_standard_output(std::string& why);

/// An identity that is the same for all names of one file. A file that does not exist yet is identified by
/// its path. Empty for what is not a file: standard output, devices.
std::string file_identity(const std::string& path);

/// A file that a command will write.
struct WrittenFile {
  std::string path;  // empty or `-`: standard output
  std::string by;    // what writes it, for messages: "--depfile"
};
/// Checks that no file is written twice, or both read and written. Returns false if a message was printed.
bool are_distinct(const std::vector<std::string>& read, const std::vector<WrittenFile>& written);

/// ".ptx" of "out/a.ptx"; empty if the name has no suffix, and for devices.
std::string suffix_of(const std::string& path);

/// The option --strict, which every command that reads containers has.
Option strict_option(bool& strict);
/// The option --lenient, which every command that checks shaders has.
Option lenient_option(bool& lenient);

/// Reads assembly, a container or IR text. `strict`: a wrong digest is an error, not a warning. `lenient`:
/// see texlate_parse_options.
api::Program read_shader(std::string_view source, bool strict, bool lenient = false);

}  // namespace texlate::cli
