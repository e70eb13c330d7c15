#include "backend/maxwell/machine/line_access.h"

#include <bit>

#include "backend/maxwell/isa/constraints.h"
#include "backend/maxwell/isa/table.h"
#include "backend/maxwell/machine/access.h"

namespace texlate::maxwell::machine {
namespace {

void add(Place first, unsigned count, bool reads, bool writes, LineAccess& out) {
  for (unsigned n = first.number(); n < first.number() + count; ++n) {
    if (writes) out.writes[out.write_count++] = static_cast<uint16_t>(n);
    if (reads) out.reads[out.read_count++] = static_cast<uint16_t>(n);
  }
}

/// Of an operand that may cover several registers.
unsigned covered_registers(const Instruction& instruction, unsigned operand) {
  const unsigned listed = instruction.count(operand);
  return listed != 0 ? listed : register_count(instruction.code.decode(), operand);
}

}  // namespace

void find_access(const Instruction& instruction, LineAccess& access) {
  const Code& code = instruction.code;
  const FormFacts& known = facts(code);
  for (unsigned left = known.places; left != 0; left &= left - 1) {
    const auto k = static_cast<unsigned>(std::countr_zero(left));
    const unsigned bit = left & -left;
    const uint64_t field = code.word >> known.register_at[k];
    Place first = kFirstPredicate;
    unsigned count = 1;
    if ((known.predicate_words & bit) != 0) {
      count = kPredicateCount;
    } else if ((known.predicates & bit) != 0) {
      const unsigned number = ((known.inverted & bit) != 0 ? ~field : field) & 7;
      if (number == kPT) continue;
      first = kFirstPredicate + number;
    } else {
      const unsigned number = field & 0xff;
      if (number == kRZ) continue;
      first = kFirstRegister + number;
      if ((known.scalars & bit) == 0) count = covered_registers(instruction, k);
    }
    add(first, count, (known.sources & bit) != 0, (known.destinations & bit) != 0, access);
  }
  const unsigned guard = code.guard() & 7;
  if (known.is_guarded && guard != kPT) add(kFirstPredicate + guard, 1, true, false, access);
  if (reads_condition_code(code)) add(kConditionCode, 1, true, false, access);
  if (writes_condition_code(code)) add(kConditionCode, 1, false, true, access);
}

}  // namespace texlate::maxwell::machine
