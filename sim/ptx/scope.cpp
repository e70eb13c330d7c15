#include "sim/ptx/scope.h"

#include <charconv>

namespace texlate::sim::ptx {

const Symbol* Scopes::find(std::string_view name, Symbol& storage) const {
  size_t digits = name.size();
  while (digits > 0 && name[digits - 1] >= '0' && name[digits - 1] <= '9') --digits;
  const bool padded = name.size() - digits > 1 && name[digits] == '0';  // %r01 is not a register of %r<10>
  uint32_t number = 0;
  const bool numbered = digits < name.size() && !padded && name.size() - digits < 9;
  if (numbered) std::from_chars(name.data() + digits, name.data() + name.size(), number);
  for (auto scope = scopes_.rbegin(); scope != scopes_.rend(); ++scope) {
    if (const auto found = scope->names.find(name); found != scope->names.end()) return &found->second;
    if (!numbered) continue;
    // A prefix may itself end in digits (`%r1<4>` does, `%p1_<4>` does not): try every split.
    for (size_t split = digits; split < name.size(); ++split) {
      const auto range = scope->ranges.find(name.substr(0, split));
      if (range == scope->ranges.end()) continue;
      uint32_t index = 0;
      std::from_chars(name.data() + split, name.data() + name.size(), index);
      if (index >= range->second.count || (name[split] == '0' && name.size() - split > 1)) continue;
      storage = range->second;
      storage.index += index;
      storage.count = 0;
      return &storage;
    }
  }
  return nullptr;
}

}  // namespace texlate::sim::ptx
