#include "backend/maxwell/machine/line_access.h"

#include <bit>

#include "backend/maxwell/isa/constraints.h"
#include "backend/maxwell/isa/table.h"
#include "backend/maxwell/machine/access.h"

namespace texlate::maxwell::machine {
namespace {

/// Of an operand that may cover several registers, of an instruction that lists no values.
[[gnu::noinline]] unsigned covered_registers(const Code& code, unsigned operand) {
  return register_count(code.decode(), operand);
}

/// Appends the registers of the operands with a bit in `operands`.
uint16_t* add_registers(const Instruction& instruction, const FormFacts& known, unsigned operands,
                        uint16_t* out) {
  for (unsigned left = operands; left != 0; left &= left - 1) {
    const auto k = static_cast<unsigned>(std::countr_zero(left));
    const auto number = static_cast<uint8_t>(instruction.code.word >> known.register_at[k]);
    if (number == kRZ) continue;
    *out++ = number;
    if ((known.scalars >> k & 1) != 0) continue;
    const unsigned listed = instruction.count(k);
    const unsigned count = listed != 0 ? listed : covered_registers(instruction.code, k);
    for (unsigned n = 1; n < count; ++n) *out++ = static_cast<uint16_t>(number + n);
  }
  return out;
}

uint16_t* add_predicate(unsigned number, uint16_t* out) {
  if (number != kPT) *out++ = static_cast<uint16_t>(kFirstPredicate.number() + number);
  return out;
}

/// The same for predicates.
uint16_t* add_predicates(const Instruction& instruction, const FormFacts& known, unsigned operands,
                         uint16_t* out) {
  for (unsigned left = operands & known.predicates; left != 0; left &= left - 1) {
    const auto k = static_cast<unsigned>(std::countr_zero(left));
    const uint64_t field = instruction.code.word >> known.register_at[k];
    out = add_predicate(((known.inverted >> k & 1) != 0 ? ~field : field) & 7, out);
  }
  if ((operands & known.predicate_words) != 0) {
    for (unsigned n = 0; n < kPredicateCount; ++n) out = add_predicate(n, out);
  }
  return out;
}

}  // namespace

void find_access(const Instruction& instruction, const FormFacts& known, LineAccess& access) {
  const unsigned others = known.predicates | known.predicate_words;
  uint16_t* reads = add_registers(instruction, known, known.places & known.sources & ~others, access.reads);
  uint16_t* writes =
      add_registers(instruction, known, known.places & known.destinations & ~others, access.writes);
  if (others != 0) {
    reads = add_predicates(instruction, known, known.places & known.sources & others, reads);
    writes = add_predicates(instruction, known, known.places & known.destinations & others, writes);
  }
  if (known.is_guarded) reads = add_predicate(instruction.code.guard() & 7, reads);
  if (reads_condition_code(instruction.code, known))
    *reads++ = static_cast<uint16_t>(kConditionCode.number());
  if (writes_condition_code(instruction.code, known))
    *writes++ = static_cast<uint16_t>(kConditionCode.number());
  access.read_count = static_cast<uint8_t>(reads - access.reads);
  access.write_count = static_cast<uint8_t>(writes - access.writes);
}

}  // namespace texlate::maxwell::machine
