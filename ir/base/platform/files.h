// What the standard library does not say about files.
#pragma once

#include <cstdio>
#include <string>

namespace texlate::platform {

bool is_terminal(std::FILE* file);

/// To be called first: afterwards, the standard streams carry bytes as they are, and a terminal obeys escape
/// sequences.
void prepare_standard_streams();

enum class FileKind : unsigned char { none, regular, other };
/// Whether there is such a file. For a regular one, `identity` is the same for all of its names.
FileKind identify(const std::string& path, std::string& identity);

}  // namespace texlate::platform
