// Names of a module's ids for its text form.
#pragma once

#include <memory_resource>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "backend/spirv/literal.h"

namespace texlate::spirv {

/// Ids are named as `spirv-dis` names them: by OpName, by their built-in (gl_Position), types and constants
/// by what they are (v4float, _ptr_Input_v4float, float_0_5), everything else by its number. Characters that
/// are neither letters nor digits become '_', and of several equal names all but the first get a number:
/// float_0, float_0_0.
class IdNames {
 public:
  IdNames(uint32_t bound, std::pmr::memory_resource* memory);

  /// To be called for each instruction in order: `words` are all of its words, `result` and `type` are its
  /// ids or 0.
  void add(std::span<const uint32_t> words, uint32_t result, uint32_t type);

  bool has(uint32_t id) const { return id < names_.size(); }
  std::string_view name(uint32_t id) const { return names_[id]; }
  /// How a literal of this type is written. The type of a type is the type itself.
  const NumberType& number_type(uint32_t type) const { return number_types_[type]; }
  /// The type of a value, or 0.
  uint32_t type_of(uint32_t id) const { return types_[id]; }

 private:
  void save(uint32_t id, std::string_view suggested);
  void add_type(std::span<const uint32_t> words, uint32_t id);
  std::string_view known(uint32_t id);
  std::string_view keep(std::string_view text);

  std::pmr::monotonic_buffer_resource arena_;
  std::pmr::vector<std::string_view> names_;
  std::pmr::vector<uint32_t> types_;
  std::pmr::vector<NumberType> number_types_;
  std::pmr::unordered_map<std::string_view, uint32_t> next_;  // for each name in use, the number to try next
  std::pmr::string scratch_;
  std::pmr::string sanitized_;
};

}  // namespace texlate::spirv
