#include "tools/texlate/class_instance.h"

#include <charconv>

namespace texlate::cli {

namespace {

/// Removes `prefix` and the number after it from the beginning of `text`.
bool take(std::string_view& text, std::string_view prefix, uint32_t& number) {
  if (!text.starts_with(prefix)) return false;
  const char* const first = text.data() + prefix.size();
  const char* const last = text.data() + text.size();
  const auto [end, error] = std::from_chars(first, last, number);
  if (error != std::errc{}) return false;
  text.remove_prefix(static_cast<size_t>(end - text.data()));
  return true;
}

}  // namespace

std::optional<texlate_class_instance> parse_class_instance(std::string_view text) {
  texlate_class_instance instance{};
  if (!take(text, "fp", instance.slot) || !take(text, "=ft", instance.table)) return std::nullopt;
  if (take(text, ",cb", instance.constant_buffer) && take(text, "[", instance.constant_offset)) {
    if (!text.starts_with(']')) return std::nullopt;
    text.remove_prefix(1);
  }
  take(text, ",t", instance.texture);
  take(text, ",s", instance.sampler);
  return text.empty() ? std::optional(instance) : std::nullopt;
}

}  // namespace texlate::cli
