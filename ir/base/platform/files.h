// What the standard library does not say about files.
#pragma once

#include <cstdio>
#include <string>

namespace texlate::platform {

bool is_terminal(std::FILE* file);

enum class FileKind : unsigned char { none, regular, other };
/// Whether there is such a file. For a regular one, `identity` is the same for all of its names.
FileKind identify(const std::string& path, std::string& identity);

}  // namespace texlate::platform
