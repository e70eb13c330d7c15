// Answers the questions of passes from the known state, and records what was asked: that is what the code
// relies on.
#pragma once

#include <optional>
#include <vector>

#include "ir/known_state.h"
#include "ir/module.h"

namespace texlate::ir {

class KnownFacts {
 public:
  /// `state` must outlive this.
  KnownFacts(Module& module, const KnownState& state);

  /// A fact of a register: `index` counts from the start of the declaration's range. Without a register
  /// (`index` is not a constant) it must hold for the whole range.
  std::optional<uint32_t> find(BindingQuery query, std::optional<uint32_t> index);
  /// The same for the operand that selects a register; kNoValue: the declaration has only one.
  std::optional<uint32_t> find(BindingQuery query, Value index) { return find(query, register_of(index)); }

  /// The same as a specialization constant: an index into module.specialized, as of the next.
  std::optional<uint32_t> find_specialized(BindingQuery query, Value index);
  std::optional<uint32_t> find_specialized(uint32_t buffer, Value index, uint32_t row, uint32_t component);
  bool specializes() const { return specializes_; }

  /// One component of a row of a constant buffer.
  std::optional<uint32_t> word(uint32_t buffer, Value index, uint32_t row, uint32_t component);
  /// Are rows 0..row bound?
  bool has_row(uint32_t buffer, Value index, uint32_t row);

  /// Stores what was found in module.relied, in order and without repetitions.
  void conclude();

 private:
  using Facts = std::pmr::vector<KnownFact>;
  std::optional<uint32_t> register_of(Value index) const {
    if (index == kNoValue) return 0;
    if (!module_.is_constant(index)) return std::nullopt;
    return module_.constant_bits(index);
  }
  template <typename Declaration>
  static KnownRegisters registers(RegisterFile file, const Declaration& declaration,
                                  std::optional<uint32_t> index) {
    if (!index) return {file, declaration.space, declaration.lower_bound, declaration.upper_bound};
    const uint32_t reg = declaration.lower_bound + *index;
    return {file, declaration.space, reg, reg};
  }
  static std::optional<uint32_t> find_entry(const Facts& facts, const KnownRegisters& of, BindingFact fact);
  static std::optional<uint32_t> derive(const Facts& facts, const Resource& resource,
                                        const KnownRegisters& of, BindingFact fact);

  uint32_t add_specialized(const Specialized& wanted);

  Module& module_;
  const KnownState& state_;
  bool specializes_ = false;                      // anything at all
  std::pmr::vector<Facts> resources_, samplers_;  // by declaration: the facts of its registers
  Reliance relied_;
};

}  // namespace texlate::ir
