#include "backend/maxwell/machine/line_access.h"

#include <bit>
#include <cassert>

#include "backend/maxwell/isa/constraints.h"
#include "backend/maxwell/isa/table.h"
#include "backend/maxwell/machine/access.h"

namespace texlate::maxwell::machine {
namespace {

/// Appends the registers of the operands with a bit in `operands`, one each.
inline uint16_t* add_registers(uint64_t word, const FormFacts& known, unsigned operands, uint16_t* out) {
  for (; operands != 0; operands &= operands - 1) {
    const auto number = static_cast<uint8_t>(word >> known.register_at[std::countr_zero(operands)]);
    if (number != kRZ) *out++ = number;
  }
  return out;
}

inline uint16_t* add_predicate(unsigned number, uint16_t* out) {
  if (number != kPT) *out++ = static_cast<uint16_t>(kFirstPredicate.number() + number);
  return out;
}

/// What one operand accesses that is not a single register: several, or predicates.
uint16_t* add_operand(const Instruction& instruction, const FormFacts& known, unsigned k, uint16_t* out) {
  const uint64_t field = instruction.code.word >> known.register_at[k];
  if ((known.predicates >> k & 1) != 0)
    return add_predicate(((known.inverted >> k & 1) != 0 ? ~field : field) & 7, out);
  if ((known.predicate_words >> k & 1) != 0) {
    for (unsigned n = 0; n < kPredicateCount; ++n) out = add_predicate(n, out);
    return out;
  }
  const auto number = static_cast<uint8_t>(field);
  if (number == kRZ) return out;
  unsigned count = instruction.count(k);
  // It was not filled with values.
  if (count == 0) count = register_count(instruction.code.decode(), k);
  for (unsigned n = 0; n < count; ++n) *out++ = static_cast<uint16_t>(number + n);
  return out;
}

}  // namespace

void find_access(const Instruction& instruction, const FormFacts& known, LineAccess& access) {
  const uint64_t word = instruction.code.word;
  const unsigned others =
      known.places & (known.predicates | known.predicate_words | ~unsigned{known.scalars});
  const unsigned single = known.places & ~others;
  uint16_t* reads = add_registers(word, known, single & known.sources, access.reads);
  uint16_t* writes = add_registers(word, known, single & known.destinations, access.writes);
  for (unsigned left = others; left != 0; left &= left - 1) {
    const auto k = static_cast<unsigned>(std::countr_zero(left));
    if ((known.sources >> k & 1) != 0) reads = add_operand(instruction, known, k, reads);
    if ((known.destinations >> k & 1) != 0) writes = add_operand(instruction, known, k, writes);
  }
  if (known.is_guarded) reads = add_predicate(instruction.code.guard() & 7, reads);
  if (reads_condition_code(instruction.code, known))
    *reads++ = static_cast<uint16_t>(kConditionCode.number());
  if (writes_condition_code(instruction.code, known))
    *writes++ = static_cast<uint16_t>(kConditionCode.number());
  assert(reads - access.reads <= LineAccess::kMostReads && writes - access.writes <= LineAccess::kMostWrites);
  access.read_count = static_cast<uint8_t>(reads - access.reads);
  access.write_count = static_cast<uint8_t>(writes - access.writes);
}

}  // namespace texlate::maxwell::machine
