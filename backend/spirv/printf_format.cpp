#include "backend/spirv/printf_format.h"

#include <algorithm>

namespace texlate::spirv {

namespace {

// C17 7.21.6.1. DebugPrintf has those of integers and floats (the validation layer describes them).
constexpr std::string_view kFlags = "-+ #0123456789.", kLengths = "hljztL", kIntegers = "diouxX",
                           kFloats = "aAeEfFgG";

}  // namespace

PrintfFormat printf_format(std::string_view format, std::pmr::memory_resource* memory) {
  PrintfFormat result{std::pmr::string(memory), std::pmr::vector<Kind>(memory)};
  auto& [text, kinds, refused] = result;
  for (size_t at = 0; at < format.size();) {
    const size_t percent = std::min(format.find('%', at), format.size());
    text += format.substr(at, percent - at);
    at = percent;
    if (at == format.size()) return result;
    if (format.substr(at).starts_with("%%")) {
      text += "%%";
      at += 2;
      continue;
    }
    const size_t length = std::min(format.find_first_not_of(kFlags, at + 1), format.size());
    const size_t last = std::min(format.find_first_not_of(kLengths, length), format.size() - 1);
    const char conversion = format[last];
    const bool is_integer = kIntegers.find(conversion) != std::string_view::npos;
    if (!is_integer && kFloats.find(conversion) == std::string_view::npos) {
      refused = format.substr(at, last - at + 1);
      return result;
    }
    text += format.substr(at, length - at);
    text += conversion;
    kinds.push_back(is_integer ? Kind::uint : Kind::float_);
    at = last + 1;
  }
  return result;
}

}  // namespace texlate::spirv
