#include "tools/texlate/binding_map.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <optional>

#include "ir/base/json_location.h"
#include "ir/base/number_text.h"
#include "library/register_ranges.h"
#include "sim/scene/json_parse.h"

namespace texlate::cli {

namespace {

using Json = nlohmann::json;

struct Register {
  texlate_register_class register_class;
  uint32_t number;
};

/// "t3", "s0", "cb12", "u1", and with `counter` also "u1.counter".
std::optional<Register> parse_register(std::string_view text) {
  struct Prefix {
    std::string_view text;
    texlate_register_class register_class;
  };
  static constexpr Prefix kPrefixes[] = {{"cb", TEXLATE_REGISTER_CONSTANT_BUFFER},
                                         {"s", TEXLATE_REGISTER_SAMPLER},
                                         {"t", TEXLATE_REGISTER_RESOURCE},
                                         {"u", TEXLATE_REGISTER_UAV}};
  static constexpr std::string_view kCounter = ".counter";
  for (const Prefix& prefix : kPrefixes) {
    if (!text.starts_with(prefix.text)) continue;
    Register result{prefix.register_class, 0};
    text.remove_prefix(prefix.text.size());
    if (result.register_class == TEXLATE_REGISTER_UAV && text.ends_with(kCounter)) {
      result.register_class = TEXLATE_REGISTER_COUNTER;
      text.remove_suffix(kCounter.size());
    }
    if (!read_number(text, result.number)) return std::nullopt;
    return result;
  }
  return std::nullopt;
}

/// The file as it was read, and the destination of its messages: only the first one is kept.
struct Source {
  std::string_view text;
  Diagnostics& diagnostics;

  bool good() const { return !diagnostics.has_errors(); }
  void fail(std::span<const std::string> path, const std::string& message) {
    if (good()) diagnostics.error(locate_in_json(text, path), "{}", message);
  }
};

/// One entry of the file, "bindings[2]".
class Entry {
 public:
  Entry(const Json& json, const char* list, size_t index, Source& source)
      : json_(json), path_{list, std::to_string(index), ""}, source_(source) {
    if (!json_.is_object()) fail("is not an object");
  }

  bool good() const { return source_.good(); }
  bool has(const char* key) const { return good() && json_.contains(key); }

  void fail(std::string_view what, const std::string& key = {}) {
    path_[2] = key;
    source_.fail(path_, fmt::format("{}[{}] {}", path_[0], path_[1], what));
  }

  uint32_t number(const char* key, std::optional<uint32_t> otherwise = {}) {
    if (!good()) return 0;
    if (!json_.contains(key) && otherwise) return *otherwise;
    if (!json_.contains(key) || !json_[key].is_number_unsigned() ||
        json_[key].get<uint64_t>() > 0xffffffffu) {
      fail(fmt::format("needs '{}', a number from 0 to 4294967295", key), key);
      return 0;
    }
    return json_[key].get<uint32_t>();
  }

  std::string text(const char* key, const char* otherwise) {
    if (!good() || !json_.contains(key)) return otherwise;
    if (json_[key].is_string()) return json_[key].get<std::string>();
    fail(fmt::format("has a '{}' that is not a string", key), key);
    return otherwise;
  }

  Register reg(const char* key, std::initializer_list<texlate_register_class> allowed) {
    const std::string name = text(key, "");
    const std::optional<Register> parsed = parse_register(name);
    if (parsed && (allowed.size() == 0 ||
                   std::find(allowed.begin(), allowed.end(), parsed->register_class) != allowed.end())) {
      return *parsed;
    }
    fail(fmt::format("needs '{}', a register such as {}", key,
                     allowed.size() == 0                            ? "t0, s1, cb2, u3 or u3.counter"
                     : *allowed.begin() == TEXLATE_REGISTER_SAMPLER ? "s0"
                                                                    : "t0"),
         key);
    return {};
  }

  /// A misspelt key would otherwise silently give a default place.
  void only(std::initializer_list<std::string_view> keys) {
    if (!good()) return;
    for (const auto& item : json_.items()) {
      if (std::find(keys.begin(), keys.end(), item.key()) == keys.end()) {
        return fail(fmt::format("has an unknown key '{}'", item.key()), item.key());
      }
    }
  }

 private:
  const Json& json_;
  std::array<std::string, 3> path_;
  Source& source_;
};

/// The element of an array of descriptors.
void parse_array(Entry& entry, texlate_spirv_binding& binding) {
  binding.array_size = entry.number("array_size", 0);
  binding.element = entry.number("element", 0);
  binding.has_element_offset = entry.has("element_offset_at") ? 1 : 0;
  binding.element_offset_at = entry.number("element_offset_at", 0);
  if (binding.element_offset_at % 4 != 0)
    entry.fail("has an 'element_offset_at' that is not a multiple of 4", "element_offset_at");
  const bool names_element = entry.has("element") || entry.has("element_offset_at");
  if (names_element && binding.array_size == 0) entry.fail("names an element but no 'array_size'");
  const uint64_t end = uint64_t{binding.element} + binding.count;
  if (binding.array_size != 0 && binding.array_size != TEXLATE_UNSIZED_ARRAY && end > binding.array_size)
    entry.fail("ends beyond its 'array_size'", "array_size");
}

texlate_spirv_binding parse_binding(Entry entry) {
  entry.only({"register", "space", "count", "as", "set", "binding", "offset", "size", "array_size", "element",
              "element_offset_at", "id"});
  texlate_spirv_binding binding{};
  const Register reg = entry.reg("register", {});
  binding.register_class = reg.register_class;
  binding.first = reg.number;
  binding.space = entry.number("space", 0);
  binding.count = entry.number("count", 1);
  if (binding.count == 0) entry.fail("has a 'count' of 0", "count");
  const std::string as = entry.text("as", "descriptor");
  const bool is_buffer = reg.register_class == TEXLATE_REGISTER_RESOURCE ||
                         reg.register_class == TEXLATE_REGISTER_UAV ||
                         reg.register_class == TEXLATE_REGISTER_COUNTER;
  if (as == "push-constants" && reg.register_class == TEXLATE_REGISTER_CONSTANT_BUFFER) {
    binding.passing = TEXLATE_PASSING_PUSH_CONSTANTS;
    binding.binding = entry.number("offset", 0);
    if (binding.binding % 4 != 0) entry.fail("has an 'offset' that is not a multiple of 4", "offset");
    binding.size = entry.number("size", 0);
    if (binding.size % 4 != 0) entry.fail("has a 'size' that is not a multiple of 4", "size");
    if (binding.count != 1 || entry.has("set") || entry.has("binding") || entry.has("array_size")) {
      entry.fail("is in push constants and cannot have 'count', 'set', 'binding' or 'array_size'");
    }
    return binding;
  }
  if (as == "specialization" && reg.register_class == TEXLATE_REGISTER_CONSTANT_BUFFER) {
    binding.passing = TEXLATE_PASSING_SPECIALIZATION;
    binding.binding = entry.number("id");
    for (const char* const other : {"set", "binding", "offset", "size", "array_size"}) {
      if (entry.has(other))
        entry.fail(fmt::format("is specialization constants and cannot have '{}'", other), other);
    }
    if (binding.count != 1) entry.fail("is specialization constants and cannot have a 'count'", "count");
    return binding;
  }
  if (entry.has("id")) entry.fail("has an 'id' but is not specialization constants", "id");
  if (entry.has("offset")) entry.fail("has an 'offset' but is not in push constants", "offset");
  if (entry.has("size")) entry.fail("has a 'size' but is not in push constants", "size");
  parse_array(entry, binding);
  if (as == "texel-buffer" && is_buffer) {
    binding.passing = TEXLATE_PASSING_TEXEL_BUFFER;
  } else if (as != "descriptor") {
    entry.fail(
        "has an 'as' that is not one of descriptor, texel-buffer (t#, u#, u#.counter), push-constants, "
        "specialization (cb#)",
        "as");
  }
  binding.set = entry.number("set", 0);
  binding.binding = entry.number("binding");
  return binding;
}

texlate_spirv_combined parse_combined(Entry entry) {
  entry.only({"texture", "texture_space", "sampler", "sampler_space", "set", "binding"});
  texlate_spirv_combined pair{};
  pair.texture = entry.reg("texture", {TEXLATE_REGISTER_RESOURCE}).number;
  pair.texture_space = entry.number("texture_space", 0);
  pair.sampler = entry.reg("sampler", {TEXLATE_REGISTER_SAMPLER}).number;
  pair.sampler_space = entry.number("sampler_space", 0);
  pair.set = entry.number("set", 0);
  pair.binding = entry.number("binding");
  return pair;
}

template <typename Parsed>
void parse_list(const Json& json, const char* key, Parsed (*parse)(Entry), std::vector<Parsed>& list,
                Source& source) {
  if (!json.contains(key) || !source.good()) return;
  const std::string path[] = {key};
  if (!json[key].is_array()) return source.fail(path, fmt::format("'{}' is not an array", key));
  for (size_t i = 0; i < json[key].size() && source.good(); ++i)
    list.push_back(parse(Entry(json[key][i], key, i, source)));
}

/// A register in two entries is an error of the library, too, which does not know the file's lines.
void refuse_duplicates(const std::vector<texlate_spirv_binding>& bindings, Source& source) {
  library::RegisterRanges ranges;
  for (size_t i = 0; i < bindings.size() && source.good(); ++i) {
    const texlate_spirv_binding& one = bindings[i];
    if (one.first > UINT32_MAX - (one.count - 1)) continue;  // refused by the library
    const auto before = ranges.add({static_cast<uint32_t>(one.register_class), one.space, 0}, one.first,
                                   one.first + (one.count - 1), i);
    const std::string path[] = {"bindings", std::to_string(i)};
    if (before)
      source.fail(path, fmt::format("bindings[{}] has a register that bindings[{}] has, too", i, *before));
  }
}

}  // namespace

bool parse_binding_map(std::string_view text, BindingMap& map, Diagnostics& diagnostics) {
  Source source{text, diagnostics};
  Json json;
  if (const auto error = parse_json(text, json)) {
    diagnostics.error(error->location, "{}", error->message);
    return false;
  }
  if (!json.is_object()) {
    diagnostics.error({}, "is not a JSON object");
    return false;
  }
  for (const auto& item : json.items()) {
    const std::string path[] = {item.key()};
    if (item.key() != "bindings" && item.key() != "combined")
      source.fail(path, fmt::format("unknown key '{}'", item.key()));
  }
  parse_list(json, "bindings", parse_binding, map.bindings, source);
  refuse_duplicates(map.bindings, source);
  parse_list(json, "combined", parse_combined, map.combined, source);
  return source.good();
}

}  // namespace texlate::cli
