// What the standard library does not say about files.
#pragma once

#include <cstdio>
#include <string>
#include <string_view>

namespace texlate::platform {

bool is_terminal(std::FILE* file);

/// To be called first: afterwards, the standard streams carry bytes as they are, and a terminal obeys escape
/// sequences.
void prepare_standard_streams();

enum class FileKind : unsigned char { none, regular, other };
/// Whether there is such a file. For a regular one, `identity` is the same for all of its names.
FileKind identify(const std::string& path, std::string& identity);

/// The path of a file that something in `folder` names: `name` itself if it is absolute. An empty folder is
/// the current one. (std::filesystem is not there on every system that we build for.)
std::string path_in(const std::string& folder, const std::string& name);

/// Appends the file's bytes. Returns false, with the reason in errno, if it cannot be read.
bool read_file(const std::string& path, std::string& bytes);
/// Returns false, with the reason in errno, if the file cannot be written as a whole. Then there is none,
/// unless it is a device.
bool write_file(const std::string& path, std::string_view bytes);
/// Removes a folder and what it contains, if it can.
void remove_folder(const std::string& path);

}  // namespace texlate::platform
