// Comparing samples as routines that a kernel calls if it has many (docs/maxwell.md, "Comparisons").
#pragma once

#include <memory_resource>
#include <optional>
#include <span>
#include <vector>

#include "backend/maxwell/kernel.h"

namespace texlate::maxwell {

/// The routines of one kernel. A routine serves all comparisons with the same texture, sampler and offset: it
/// reads the records of the texture and the sampler from the parameter block.
class CompareRoutines {
 public:
  /// The least register limit with calls: a routine and the values that its caller keeps must fit into it.
  static constexpr uint32_t kLeastLimit = 64;

  /// The references must outlive this object.
  CompareRoutines(const ir::Module& module, const launch::Layout& layout, const KernelOptions& options,
                  Diagnostics& diagnostics)
      : module_(module),
        layout_(layout),
        options_(options),
        diagnostics_(diagnostics),
        samples_(module.memory()),
        programs_(module.memory()) {}

  struct Call {
    uint32_t routine = 0;
    uint16_t clobbers = 0;                  // registers
    std::pmr::vector<ir::Value> arguments;  // of the module
  };
  /// The call for `sample`, a comparison at a given level. Creates its routine at the first call. Nothing if
  /// there are errors.
  std::optional<Call> find(const ir::Instruction& sample);

  /// By routine number.
  std::span<const machine::Program> programs() const { return programs_; }
  /// Bytes of a thread's local memory that they use, from 0 on, including the module's own arrays.
  uint32_t local_bytes() const;

 private:
  bool make(const ir::ResourceAccess& sample);
  bool take_kept(const ir::ResourceAccess& sample, machine::Program& program) const;

  const ir::Module& module_;
  const launch::Layout& layout_;
  const KernelOptions& options_;
  Diagnostics& diagnostics_;
  std::pmr::vector<ir::ResourceAccess> samples_;  // by routine
  std::pmr::vector<machine::Program> programs_;
};

}  // namespace texlate::maxwell
