#include "library/arguments.h"

#include <array>

namespace texlate::library {

namespace {

constexpr size_t kMostText = 256;
/// Separate for each thread. It cannot be in an object, because there may be none.
thread_local std::array<char, kMostText> last_error{};

/// Larger than the structures of any version: a larger value is not a size.
constexpr size_t kMostStructure = 1 << 16;

}  // namespace

texlate_status argument_error(std::string_view text) noexcept {
  const size_t length = text.copy(last_error.data(), last_error.size() - 1);
  last_error[length] = '\0';
  return TEXLATE_ERROR_ARGUMENT;
}

void fail_for_argument(std::string_view text) {
  argument_error(text);
#if defined(__cpp_exceptions)
  throw BadArgument{};
#else
  Recovery::fail(Failure::argument);
#endif
}

void require_size(size_t size, size_t oldest, std::string_view name, std::string_view rest) {
  if (size < oldest) refuse_argument("{}{} is {}, less than {}", name, rest, size, oldest);
  if (size > kMostStructure)
    refuse_argument("{}{} is {}, larger than the structure of any version", name, rest, size);
}

void require_zeros(const void* given, size_t known, size_t size, std::string_view name) {
  if (size <= known) return;
  const char* const bytes = static_cast<const char*>(given);
  if (std::any_of(bytes + known, bytes + size, [](char byte) { return byte != 0; })) {
    refuse_argument("{} has members that texlate {} does not know, and they are not zero", name,
                    texlate_version());
  }
}

}  // namespace texlate::library

const char* texlate_argument_error(void) {
  return texlate::library::last_error.data();
}
