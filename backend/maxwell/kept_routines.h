// Comparison routines that the translations of one thread share (compare_routines.h).
#pragma once

#include <array>
#include <list>
#include <memory_resource>
#include <vector>

#include "backend/maxwell/machine/program.h"
#include "ir/module.h"

namespace texlate::maxwell {

/// What a routine of one texture is made of, if nothing is known of the texture and the sampler.
struct CommonComparison {
  ir::ResourceAccess sample;  // of resource 0 and sampler 0
  std::array<ir::ComponentType, 4> types{};
  bool refactoring_allowed = false;
  uint32_t sm = 0;

  bool operator==(const CommonComparison&) const = default;
};

/// A routine with its records at these places of the parameter block. Programs that compare in the same way
/// differ only in the places.
struct KeptRoutine {
  static constexpr uint32_t kTexture = 0x200, kSampler = 0x400;

  KeptRoutine(const CommonComparison& made_of, std::pmr::memory_resource* memory)
      : comparison(made_of), users(memory), program(memory) {}

  CommonComparison comparison;
  std::pmr::vector<uint32_t> users;  // instructions that have a place
  machine::Program program;
};

/// Not for several translations at once. There are few, and none is removed.
class KeptRoutines {
 public:
  explicit KeptRoutines(std::pmr::memory_resource* memory) : routines_(memory) {}

  /// The routine, which is made if it is not there; null if it cannot be made. What is needed only meanwhile
  /// is in `scratch`.
  const KeptRoutine* find(const CommonComparison& comparison, std::pmr::memory_resource* scratch);

 private:
  std::pmr::list<KeptRoutine> routines_;
};

}  // namespace texlate::maxwell
