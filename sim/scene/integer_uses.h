// Finds the constants and inputs that a module reads only as integers. Registers have no types, and the bits
// of a float read as an integer are around a thousand million: no default for a loop count or an index may be
// that large.
#pragma once

#include <cstdint>
#include <vector>

#include "ir/module.h"

namespace texlate::sim {

class IntegerUses {
 public:
  explicit IntegerUses(const ir::Module& module);

  /// True if word `word` (row * 4 + component) of the constant buffer is read by integer operations and by no
  /// others.
  bool constant(uint32_t buffer, uint32_t word) const { return is_integer(constants_[buffer], word); }
  /// The same for component `plane` % 4 of v# `plane` / 4.
  bool input(uint32_t plane) const { return is_integer(inputs_, plane); }
  bool patch_constant(uint32_t plane) const { return is_integer(patch_constants_, plane); }

 private:
  struct Uses {
    bool integer = false, other = false;
  };
  using Places = std::vector<Uses>;
  static bool is_integer(const Places& places, size_t at) {
    return at < places.size() && places[at].integer && !places[at].other;
  }

  std::vector<Places> constants_;  // by buffer
  Places inputs_, patch_constants_;
};

}  // namespace texlate::sim
