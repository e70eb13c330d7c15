// Which keys of a scene's sections belong to which registers. A shader model 5.1 register has its range's
// number and its own, T0[5]; a range of one register may be meant by either part alone.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "sim/scene/scene_reader.h"

namespace texlate::sim {

struct SlotRegister {
  std::string_view prefix;  // t, u, s, cb, v
  uint32_t id = 0;          // of the range
  uint32_t reg = 0;         // equal to `id` before shader model 5.1
  bool is_range = false;    // of more than one register

  /// The name in messages and results: t0, t0[5].
  std::string name() const;
};

class SlotNames {
 public:
  explicit SlotNames(SceneReader& reader) : reader_(reader) {}

  /// The description of a register that the shader has.
  SceneValue find(const SceneValue& section, const SlotRegister& slot);
  /// Reports the keys of the section that belong to no register of the shader. Returns false if there are
  /// some.
  bool check_all_found(const SceneValue& section);

 private:
  struct Known {
    std::set<std::string> keys;  // that were found in the scene
    std::vector<SlotRegister> slots;
  };
  static std::string suggestion(const std::string& key, const Known& known);

  SceneReader& reader_;
  std::map<std::string, Known> sections_;  // by name
};

}  // namespace texlate::sim
