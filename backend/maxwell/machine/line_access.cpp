#include "backend/maxwell/machine/line_access.h"

#include <bit>

#include "backend/maxwell/isa/constraints.h"
#include "backend/maxwell/isa/table.h"
#include "backend/maxwell/machine/access.h"

namespace texlate::maxwell::machine {
namespace {

/// The range of an operand that is registers or predicates; if its count is 0, nothing is accessed.
PlaceRange operand_range(const Code& code, unsigned index, const FormFacts& known) {
  const auto has = [index](uint8_t operands) { return (operands >> index & 1) != 0; };
  if (has(known.predicate_words)) return PlaceRange(kFirstPredicate, kPredicateCount);
  const uint64_t field = code.word >> known.register_at[index];
  if (has(known.predicates)) {
    const unsigned number = (has(known.inverted) ? ~field : field) & 7;
    return PlaceRange(kFirstPredicate + number, number == kPT ? 0 : 1);
  }
  const unsigned number = field & 0xff;
  if (number == kRZ) return {};
  return PlaceRange(kFirstRegister + number, has(known.scalars) ? 1 : register_count(code.decode(), index));
}

}  // namespace

LineAccess find_access(const Code& code) {
  const FormFacts& known = facts(code);
  LineAccess out;
  for (unsigned left = known.places; left != 0; left &= left - 1) {
    const auto k = static_cast<unsigned>(std::countr_zero(left));
    const PlaceRange range = operand_range(code, k, known);
    if (range.count() == 0) continue;
    if ((known.destinations >> k & 1) != 0) out.writes[out.write_count++] = range;
    if ((known.sources >> k & 1) != 0) out.reads[out.read_count++] = range;
  }
  const unsigned guard = code.guard() & 7;
  if (known.is_guarded && guard != kPT) out.reads[out.read_count++] = PlaceRange(kFirstPredicate + guard, 1);
  if (reads_condition_code(code)) out.reads[out.read_count++] = PlaceRange(kConditionCode, 1);
  if (writes_condition_code(code)) out.writes[out.write_count++] = PlaceRange(kConditionCode, 1);
  return out;
}

}  // namespace texlate::maxwell::machine
