// Names of shaders in C headers.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace texlate::cli {

/// `name` as an identifier for C and C++: other characters become `_`, and keywords and macros of windows.h
/// end with `_`.
std::string c_identifier(std::string_view name);

/// FNV-1a (http://www.isthe.com/chongo/tech/comp/fnv), 64 bits.
uint64_t hash_of(std::string_view text);

}  // namespace texlate::cli
