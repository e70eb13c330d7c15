// Checked access to the values of a scene. A value of the wrong type or out of its range is a located error
// that names the key, what was expected and what was found; nothing is replaced by a default in silence.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace texlate {
class Diagnostics;
}

namespace texlate::sim {

/// A value with the path that leads to it: names of members, and numbers of items as text.
struct SceneValue {
  const nlohmann::json* json = nullptr;  // null: the scene does not have the value
  std::vector<std::string> path;

  bool given() const { return json != nullptr; }
  bool is_null() const { return given() && json->is_null(); }
  bool is_list() const { return given() && json->is_array(); }
  size_t size() const { return given() ? json->size() : 0; }
};

struct WholeRange {
  uint32_t least = 0, most = 0x7fffffff;
};
inline constexpr size_t kAnyCount = ~size_t{0};

class SceneReader {
 public:
  explicit SceneReader(Diagnostics& diagnostics) : diagnostics_(diagnostics) {}

  /// Reads the JSON text, which must stay in memory. An empty text is an empty scene.
  bool parse(std::string_view text);
  bool good() const { return good_; }
  /// Reports an error at the value, or at the part of its path that exists. Returns false.
  bool fail(const SceneValue& at, const std::string& message);

  SceneValue root() const { return {&json_, {}}; }
  /// Without a value if the object is not given or is none, or does not have the key.
  SceneValue member(const SceneValue& object, const std::string& key) const;
  SceneValue item(const SceneValue& list, size_t index) const;

  /// An object, if given, with no other keys than the words of `keys`.
  bool check_object(const SceneValue& value, std::string_view keys);
  /// An object, if given, whose keys are registers: the prefix and a number; with `ranges` also t3[5].
  bool check_slots(const SceneValue& value, std::string_view prefix, bool ranges);
  /// A list of `least` to `most` items; `items` is their name in messages.
  bool check_list(const SceneValue& value, size_t least, size_t most, std::string_view items);

  // These return `otherwise` if the value is not given, and also after an error.
  bool boolean(const SceneValue& value, bool otherwise);
  uint32_t whole(const SceneValue& value, uint32_t otherwise, WholeRange range = {});
  float number(const SceneValue& value, float otherwise);
  std::string text(const SceneValue& value, const std::string& otherwise = {});
  /// The number of a word in `names`; `what` is what the others are not.
  size_t choice(const SceneValue& value, std::span<const std::string_view> names, size_t otherwise,
                std::string_view what);

  // Lists of `least` items up to the size of `to`; the rest of `to` stays as it is. The last kind stores
  // registers: integers as integers, true as ~0, everything else as float bits.
  void wholes(const SceneValue& value, std::span<uint32_t> to, size_t least, WholeRange range = {});
  void numbers(const SceneValue& value, std::span<float> to, size_t least);
  void words(const SceneValue& value, std::span<uint32_t> to, size_t least);

 private:
  bool refuse(const SceneValue& value, const std::string& expected);
  uint32_t word(const SceneValue& value);

  Diagnostics& diagnostics_;
  std::string_view text_;
  nlohmann::json json_ = nlohmann::json::object();
  bool good_ = true;
};

}  // namespace texlate::sim
