// Which registers, predicates and condition code an instruction with register numbers reads and writes.
#pragma once

#include <bit>
#include <cstdint>

#include "backend/maxwell/machine/function.h"
#include "backend/maxwell/machine/place.h"

namespace texlate::maxwell::machine {

/// The condition code in the numbering of places, and the number of places including it.
inline constexpr Place kConditionCode = kPlaceEnd;
inline constexpr Place kAccessEnd = kConditionCode + 1;
inline constexpr unsigned kAccessCount = kAccessEnd - kFirstRegister;

/// The places that a line accesses, in any order.
struct LineAccess {
  // No form has more operands, with a guard and the condition code (line_access.cpp).
  static constexpr unsigned kMostReads = 11, kMostWrites = 9;
  uint8_t read_count;
  uint8_t write_count;
  uint16_t reads[kMostReads];
  uint16_t writes[kMostWrites];

  template <typename Visit>
  void visit_reads(Visit visit) const {
    for (unsigned i = 0; i < read_count; ++i) visit(Place(reads[i]));
  }
  template <typename Visit>
  void visit_writes(Visit visit) const {
    for (unsigned i = 0; i < write_count; ++i) visit(Place(writes[i]));
  }
};

inline uint16_t* add_predicate(unsigned number, uint16_t* out) {
  if (number != kPT) *out++ = static_cast<uint16_t>(kFirstPredicate.number() + number);
  return out;
}
/// Appends the places of the operands with a bit in `registers` or `predicates`, one each.
inline uint16_t* add_places(uint64_t word, const FormFacts& known, unsigned registers, unsigned predicates,
                            uint16_t* out) {
  for (; registers != 0; registers &= registers - 1) {
    const auto number = static_cast<uint8_t>(word >> known.register_at[std::countr_zero(registers)]);
    if (number != kRZ) *out++ = number;
  }
  for (; predicates != 0; predicates &= predicates - 1) {
    const auto k = static_cast<unsigned>(std::countr_zero(predicates));
    const uint64_t field = word >> known.register_at[k];
    out = add_predicate(((known.inverted >> k & 1) != 0 ? ~field : field) & 7, out);
  }
  return out;
}

/// find_access() for any form.
void find_any_access(const Instruction& instruction, const FormFacts& known, LineAccess& access);
/// Of an instruction whose form has these facts.
inline void find_access(const Instruction& instruction, const FormFacts& known, LineAccess& access) {
  const uint64_t word = instruction.code.word;
  if (!known.has_plain_places || (word & (known.carry_in | known.carry_out)) != 0)
    return find_any_access(instruction, known, access);
  uint16_t* reads =
      add_places(word, known, known.source_registers, known.predicates & known.sources, access.reads);
  reads = add_predicate(instruction.code.guard() & 7, reads);
  uint16_t* const writes = add_places(word, known, known.destination_registers,
                                      known.predicates & known.destinations, access.writes);
  access.read_count = static_cast<uint8_t>(reads - access.reads);
  access.write_count = static_cast<uint8_t>(writes - access.writes);
}

}  // namespace texlate::maxwell::machine
