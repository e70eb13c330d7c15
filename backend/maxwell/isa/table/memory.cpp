// Loads and stores. Encodings: docs/reference/maxwell.md 6. Addresses are bytes; .E = 64-bit address
// in a pair.
#include "backend/maxwell/isa/table/builder.h"

namespace texlate::maxwell::table {

void add_memory(Builder& t) {
  using enum SlotKind;
  using M = Modifier;
  const Slot d = rd().spans(Span::by_memory_size);
  const Slot data = reg_at(0).spans(Span::by_memory_size);
  const Slot global = address_at(20, 24).spans(Span::by_address);
  const Slot generic = address_at(20, 32).spans(Span::by_address);

  t.row(Opcode::ldc, top(0xef90), {mod(M::constant_size, 48, 3), mod(M::constant_mode, 44, 2)},
        {d, field(constant_index, 20, 16)}, Shape::cbuf);

  t.row(Opcode::ldg, top(0xeed0), {mod(M::e, 45), mod(M::load_cache, 46, 2), mod(M::load_size, 48, 3)},
        {d, global});
  t.row(Opcode::stg, top(0xeed8), {mod(M::e, 45), mod(M::store_cache, 46, 2), mod(M::memory_size, 48, 3)},
        {global, data});
  t.row(Opcode::ld, top(0x8000), {mod(M::e, 52), mod(M::load_cache, 56, 2), mod(M::load_size, 53, 3)},
        {d, generic, pred_at(58).omit_if(Omit::pt)});
  t.row(Opcode::st, top(0xa000), {mod(M::e, 52), mod(M::store_cache, 56, 2), mod(M::memory_size, 53, 3)},
        {generic, data, pred_at(58).omit_if(Omit::pt)});

  const Slot window = address_at(20, 24);
  t.row(Opcode::lds, top(0xef48), {mod(M::memory_size, 48, 3)}, {d, window});
  t.row(Opcode::lds_u, top(0xef48) | at(1, 44), {mod(M::explicit_size, 48, 3)}, {d, window});
  t.row(Opcode::sts, top(0xef58), {mod(M::memory_size, 48, 3)}, {window, data});
  t.row(Opcode::ldl, top(0xef40), {mod(M::local_cache, 44, 2), mod(M::memory_size, 48, 3)}, {d, window});
  t.row(Opcode::stl, top(0xef50), {mod(M::store_cache, 44, 2), mod(M::memory_size, 48, 3)}, {window, data});

  t.row(Opcode::cctl, top(0xef60), {mod(M::e, 52), mod(M::cache_kind, 4, 3), mod(M::cache_operation, 0, 4)},
        {address_at(22, 30, 2).spans(Span::by_address)});
  t.row(Opcode::membar, top(0xef98), {mod(M::membar_level, 8, 2), mod(M::invalidate, 0, 2)}, {});
}

}  // namespace texlate::maxwell::table
