#include "sim/scene/scene_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "ir/base/diagnostics.h"
#include "ir/base/json_location.h"
#include "sim/scene/json_parse.h"

namespace texlate::sim {

namespace {

using Json = nlohmann::json;

bool is_digits(std::string_view text) {
  return !text.empty() && text.find_first_not_of("0123456789") == text.npos;
}
/// A number without leading zeros.
bool is_register(std::string_view text) {
  return is_digits(text) && (text.size() == 1 || text[0] != '0');
}

/// 'viewport', t0, 'mips' of t0, item [1][3] of cb0. All keys above items are names, never numbers.
std::string name_of(const std::vector<std::string>& path) {
  std::string items;
  size_t keys = path.size();
  while (keys != 0 && is_digits(path[keys - 1])) items.insert(0, "[" + path[--keys] + "]");
  std::string name = keys == 0 ? "the scene" : keys == 2 ? path[1] : "'" + path[keys - 1] + "'";
  if (keys > 2) name += " of " + path[1];
  return items.empty() ? name : "item " + items + " of " + name;
}

/// The whole key: topology, blend.color.op, samplers.s0.address[1].
std::string key_of(const std::vector<std::string>& path) {
  std::string key;
  for (const std::string& part : path)
    key += is_digits(part) ? "[" + part + "]" : key.empty() ? part : "." + part;
  return key;
}

/// What a value is, in a few words: never the whole of a list or an object.
std::string found(const Json& value) {
  constexpr size_t kLongest = 40;
  if (value.is_array()) return fmt::format("a list of {}", value.size());
  if (value.is_object()) return "an object";
  if (!value.is_string()) return value.dump();
  const auto& text = value.get_ref<const std::string&>();
  return text.size() > kLongest ? "a text" : "the text '" + text + "'";
}

std::string range_text(WholeRange range) {
  if (range.least == range.most) return std::to_string(range.least);
  return fmt::format("a whole number from {} to {}", range.least, range.most);
}

}  // namespace

bool SceneReader::parse(std::string_view text) {
  text_ = text;
  if (text.empty()) return true;
  if (const auto error = parse_json(text, json_)) {
    diagnostics_.error(error->location, "{}", error->message);
    good_ = false;
  } else if (!json_.is_object()) {
    fail(root(), "the scene is not a JSON object");
  }
  return good_;
}

bool SceneReader::fail(const SceneValue& at, const std::string& message) {
  good_ = false;
  if (diagnostics_.full()) return false;  // to find the location takes time
  diagnostics_.error(text_.empty() ? SourceLocation{} : locate_in_json(text_, at.path), "{}", message);
  return false;
}

bool SceneReader::refuse(const SceneValue& value, const std::string& expected) {
  return fail(value, fmt::format("{} must be {}, not {}", name_of(value.path), expected, found(*value.json)));
}

SceneValue SceneReader::member(const SceneValue& object, const std::string& key) const {
  SceneValue value{nullptr, object.path};
  value.path.push_back(key);
  if (!object.given() || !object.json->is_object()) return value;
  const auto at = object.json->find(key);
  if (at != object.json->end()) value.json = &*at;
  return value;
}

SceneValue SceneReader::item(const SceneValue& list, size_t index) const {
  SceneValue value{nullptr, list.path};
  value.path.push_back(std::to_string(index));
  if (list.is_list() && index < list.size()) value.json = &(*list.json)[index];
  return value;
}

bool SceneReader::check_object(const SceneValue& value, std::string_view keys) {
  if (!value.given()) return true;
  if (!value.json->is_object()) return refuse(value, "an object");
  const std::string words = " " + std::string(keys) + " ";
  for (const auto& one : value.json->items()) {
    const std::string& key = one.key();
    if (key.find(' ') == key.npos && words.find(" " + key + " ") != words.npos) continue;
    return fail(member(value, key), fmt::format("unknown key '{}' in {}", key, name_of(value.path)));
  }
  return true;
}

bool SceneReader::check_slots(const SceneValue& value, std::string_view prefix, bool ranges) {
  if (!value.given()) return true;
  if (!value.json->is_object()) return refuse(value, "an object");
  for (const auto& one : value.json->items()) {
    const std::string_view key = one.key();
    const bool has_prefix = key.size() >= prefix.size() &&
                            std::equal(prefix.begin(), prefix.end(), key.begin(), [&](char a, char b) {
                              return a == b || (ranges && a - 'a' + 'A' == b);
                            });
    const std::string_view rest = key.substr(has_prefix ? prefix.size() : key.size());
    const size_t bracket = ranges && rest.ends_with(']') ? rest.find('[') : rest.npos;
    const bool known = bracket == rest.npos
                           ? is_register(rest)
                           : is_register(rest.substr(0, bracket)) &&
                                 is_register(rest.substr(bracket + 1, rest.size() - bracket - 2));
    if (known) continue;
    return fail(member(value, one.key()), fmt::format("unknown key '{}' in {}: expected {}0, {}1 ...", key,
                                                      name_of(value.path), prefix, prefix));
  }
  return true;
}

bool SceneReader::check_list(const SceneValue& value, size_t least, size_t most, std::string_view items) {
  if (value.is_list() && value.size() >= least && value.size() <= most) return true;
  const std::string count = least == most       ? fmt::format("{} ", most)
                            : most != kAnyCount ? fmt::format("up to {} ", most)
                                                : "";
  return refuse(value, fmt::format("a list of {}{}", count, items));
}

bool SceneReader::boolean(const SceneValue& value, bool otherwise) {
  if (!value.given()) return otherwise;
  if (value.json->is_boolean()) return value.json->get<bool>();
  return refuse(value, "true or false"), otherwise;
}

uint32_t SceneReader::whole(const SceneValue& value, uint32_t otherwise, WholeRange range) {
  if (!value.given()) return otherwise;
  if (value.json->is_number_unsigned()) {
    const auto number = value.json->get<uint64_t>();
    if (number >= range.least && number <= range.most) return static_cast<uint32_t>(number);
  }
  return refuse(value, range_text(range)), otherwise;
}

float SceneReader::number(const SceneValue& value, float otherwise) {
  if (!value.given()) return otherwise;
  if (!value.json->is_number()) return refuse(value, "a number"), otherwise;
  if (std::fabs(value.json->get<double>()) <= std::numeric_limits<float>::max())
    return value.json->get<float>();
  return refuse(value, "a number that a 32-bit float can hold"), otherwise;
}

std::string SceneReader::text(const SceneValue& value, const std::string& otherwise) {
  if (!value.given()) return otherwise;
  if (value.json->is_string()) return value.json->get<std::string>();
  return refuse(value, "a text"), otherwise;
}

size_t SceneReader::choice(const SceneValue& value, std::span<const std::string_view> names, size_t otherwise,
                           std::string_view what) {
  if (!value.given()) return otherwise;
  if (!value.json->is_string()) return refuse(value, "a text"), otherwise;
  const auto& wanted = value.json->get_ref<const std::string&>();
  const auto at = std::find(names.begin(), names.end(), wanted);
  if (at != names.end()) return static_cast<size_t>(at - names.begin());
  return fail(value, fmt::format("{}: '{}' is not {}", key_of(value.path), wanted, what)), otherwise;
}

void SceneReader::wholes(const SceneValue& value, std::span<uint32_t> to, size_t least, WholeRange range) {
  if (!value.given() || !check_list(value, least, to.size(), "whole numbers")) return;
  const uint32_t errors = diagnostics_.error_count();
  for (size_t i = 0; i < value.size() && diagnostics_.error_count() == errors; ++i)
    to[i] = whole(item(value, i), to[i], range);
}

void SceneReader::numbers(const SceneValue& value, std::span<float> to, size_t least) {
  if (!value.given() || !check_list(value, least, to.size(), "numbers")) return;
  const uint32_t errors = diagnostics_.error_count();
  for (size_t i = 0; i < value.size() && diagnostics_.error_count() == errors; ++i)
    to[i] = number(item(value, i), to[i]);
}

void SceneReader::words(const SceneValue& value, std::span<uint32_t> to, size_t least) {
  if (!value.given() || !check_list(value, least, to.size(), "numbers")) return;
  const uint32_t errors = diagnostics_.error_count();
  for (size_t i = 0; i < value.size() && diagnostics_.error_count() == errors; ++i)
    to[i] = word(item(value, i));
}

uint32_t SceneReader::word(const SceneValue& value) {
  const Json& json = *value.json;
  if (json.is_boolean()) return json.get<bool>() ? 0xffffffffu : 0u;
  if (json.is_number_float()) return std::bit_cast<uint32_t>(number(value, 0.0f));
  if (!json.is_number()) return refuse(value, "a number, true or false"), 0;
  const bool fits = json.is_number_unsigned() ? json.get<uint64_t>() <= UINT32_MAX
                                              : json.get<int64_t>() >= INT32_MIN;  // negative
  if (!fits) return refuse(value, "a whole number from -2147483648 to 4294967295"), 0;
  return json.is_number_unsigned() ? static_cast<uint32_t>(json.get<uint64_t>())
                                   : static_cast<uint32_t>(json.get<int64_t>());
}

}  // namespace texlate::sim
