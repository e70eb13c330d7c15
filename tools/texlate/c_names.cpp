#include "tools/texlate/c_names.h"

#include <algorithm>
#include <iterator>

namespace texlate::cli {

namespace {

// Keywords of C11 and C++20 that HLSL allows as names, and macros that <windows.h> defines.
constexpr std::string_view kReserved[] = {
    "alignas",      "alignof",   "and",      "and_eq",   "auto",     "bitand",  "bitor",         "char8_t",
    "char16_t",     "char32_t",  "co_await", "co_yield", "compl",    "concept", "consteval",     "constexpr",
    "constinit",    "co_return", "decltype", "delete",   "explicit", "export",  "far",           "friend",
    "goto",         "interface", "long",     "mutable",  "near",     "new",     "noexcept",      "not",
    "not_eq",       "nullptr",   "operator", "or",       "or_eq",    "private", "protected",     "public",
    "requires",     "restrict",  "short",    "signed",   "sizeof",   "small",   "static_assert", "this",
    "thread_local", "throw",     "try",      "typeid",   "typename", "union",   "virtual",       "wchar_t",
    "xor",          "xor_eq",    "catch",    "char",     "class",    "enum",    "template",      "register",
};

bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

}  // namespace

std::string c_identifier(std::string_view name) {
  std::string made;
  if (name.empty() || (name.front() >= '0' && name.front() <= '9')) made += '_';
  for (const char c : name) made += is_letter(c) || (c >= '0' && c <= '9') ? c : '_';
  if (std::ranges::find(kReserved, std::string_view(made)) != std::end(kReserved)) made += '_';
  return made;
}

uint64_t hash_of(std::string_view text) {
  uint64_t hash = 0xcbf29ce484222325u;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
  return hash;
}

}  // namespace texlate::cli
