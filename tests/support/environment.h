// Numbers that long runs of a test take from the environment: the first seed, how many programs.
#pragma once

#include <cstdint>
#include <cstdlib>

namespace texlate::test {

inline uint64_t from_environment(const char* name, uint64_t otherwise) {
  const char* text = std::getenv(name);
  return text != nullptr ? std::strtoull(text, nullptr, 10) : otherwise;
}

}  // namespace texlate::test
