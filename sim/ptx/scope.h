// The names of a PTX module and their meanings.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "sim/ptx/module.h"

namespace texlate::sim::ptx {

struct Symbol {
  enum class Kind : uint8_t { reg, variable, function, label, table, opaque };
  Kind kind = Kind::reg;
  Type type = Type::none;
  Space space = Space::generic;
  uint32_t index = 0;   // register, global or opaque variable, function, instruction, branch table
  uint64_t offset = 0;  // offset of a variable in its space
  uint32_t size = 0;    // size of a variable in bytes
  uint32_t count = 0;   // number of registers declared as %r<count>; 0: a single name
};

/// Nested scopes: the module, a function, its blocks. Parameterised registers (`%r<10>`) are stored once,
/// under their prefix.
class Scopes {
 public:
  void push() { scopes_.emplace_back(); }
  void pop() { scopes_.pop_back(); }
  bool declare(std::string_view name, const Symbol& symbol) {
    return scopes_.back().names.emplace(name, symbol).second;
  }
  bool declare_range(std::string_view prefix, const Symbol& symbol) {
    return scopes_.back().ranges.emplace(prefix, symbol).second;
  }
  /// The innermost meaning. A register of a range is returned as a single register.
  const Symbol* find(std::string_view name, Symbol& storage) const;

 private:
  struct Scope {
    std::unordered_map<std::string_view, Symbol> names, ranges;
  };
  std::vector<Scope> scopes_;
};

}  // namespace texlate::sim::ptx
