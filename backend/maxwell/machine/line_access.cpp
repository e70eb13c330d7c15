#include "backend/maxwell/machine/line_access.h"

#include <bit>
#include <cassert>

#include "backend/maxwell/isa/constraints.h"
#include "backend/maxwell/isa/table.h"
#include "backend/maxwell/machine/access.h"

namespace texlate::maxwell::machine {
namespace {

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

void find_any_access(const Instruction& instruction, const FormFacts& known, LineAccess& access) {
  uint16_t *reads = access.reads, *writes = access.writes;
  for (unsigned left = known.places; left != 0; left &= left - 1) {
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
