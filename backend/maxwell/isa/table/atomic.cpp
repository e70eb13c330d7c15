// Atomics on global and shared memory. Encodings: docs/reference/maxwell.md 6.
//
// A compare-and-swap takes compare and new value in an aligned pair; the text names both. Bit 50 (shared: 28)
// puts RZ in place of the new value, bit 51 (29) in place of the compare: docs/maxwell-isa.md, "Learned from
// nvdisasm".
#include "backend/maxwell/isa/table/builder.h"

namespace texlate::maxwell::table {

void add_atomic(Builder& t) {
  using enum SlotKind;
  using M = Modifier;
  const Slot d = rd().spans(Span::by_atomic_type);
  const Slot data = rb().no_reuse().spans(Span::by_atomic_type);
  const Slot global = address_at(28, 20).spans(Span::by_address);
  const Slot shared = address_at(30, 22, 2);
  const Slot pair = rb().no_reuse().spans(Span::cas_pair);
  // "RZ, RZ" is the form with a compare value.
  constexpr uint64_t kNoData = at(0xff, 20);
  const Slot second = field(pair_second, 0, 0);

  t.row(Opcode::atom, top(0xed00), {mod(M::e, 48), mod(M::global_atomic, 52, 4), mod(M::atomic_type, 49, 3)},
        {d, global, data});
  t.row(Opcode::atom_cas, top(0xeef0), {mod(M::e, 48), lit("CAS"), mod(M::cas_size, 49)},
        {d, global, pair, second});
  t.row(Opcode::atom_cas, top(0xeef4), {mod(M::e, 48), lit("CAS"), mod(M::cas_size, 49)},
        {d, global, data, fixed_word("RZ")});
  t.row(Opcode::atom_cas, top(0xeef8), {mod(M::e, 48), lit("CAS"), mod(M::cas_size, 49)},
        {d, global, fixed_word("RZ"), data})
      .forbidden = kNoData;

  t.row(Opcode::atoms, top(0xec00), {mod(M::atomic, 52, 4), mod(M::shared_type, 28, 2)}, {d, shared, data});
  t.row(Opcode::atoms_cas, top(0xee40), {mod(M::cas_size, 52)}, {d, shared, pair, second});
  t.row(Opcode::atoms_cas, top(0xee40) | at(1, 28), {mod(M::cas_size, 52)},
        {d, shared, data, fixed_word("RZ")});
  t.row(Opcode::atoms_cas, top(0xee40) | at(2, 28), {mod(M::cas_size, 52)},
        {d, shared, fixed_word("RZ"), data})
      .forbidden = kNoData;

  t.row(Opcode::red, top(0xebf8), {mod(M::e, 48), mod(M::reduction, 23, 3), mod(M::reduction_type, 20, 3)},
        {global, reg_at(0).spans(Span::by_atomic_type)});
}

}  // namespace texlate::maxwell::table
