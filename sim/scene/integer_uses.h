// Which constants and inputs a module reads as integers only. Registers have no types, and a float's bits
// read as an integer are a number of a thousand million: a loop count or an index that no default should
// have.
#pragma once

#include <cstdint>
#include <vector>

#include "ir/module.h"

namespace texlate::sim {

class IntegerUses {
 public:
  explicit IntegerUses(const ir::Module& module);

  /// Is word `word` (row * 4 + component) of the constant buffer only read by integer operations, and by
  /// some?
  bool constant(uint32_t buffer, uint32_t word) const { return is_integer(constants_[buffer], word); }
  /// The same of component `plane` % 4 of v# `plane` / 4.
  bool input(uint32_t plane) const { return is_integer(inputs_, plane); }

 private:
  struct Uses {
    bool integer = false, other = false;
  };
  using Places = std::vector<Uses>;
  static bool is_integer(const Places& places, size_t at) {
    return at < places.size() && places[at].integer && !places[at].other;
  }

  std::vector<Places> constants_;  // by buffer
  Places inputs_;
};

}  // namespace texlate::sim
