// Conversions. The sizes are in bits 8..11 (0 = 8, 1 = 16, 2 = 32, 3 = 64 bits), the signs in 12 and 13. The
// sizes determine which part of the source can be selected and what the rounding field means, so there is one
// form for each source size. Encodings: docs/reference/maxwell.md 6; parts and spaced constants:
// docs/maxwell-isa.md.
#include "backend/maxwell/isa/table/builder.h"

namespace texlate::maxwell::table {
namespace {

constexpr uint64_t kSourceSize = 10;

/// Only conversions from or to F64 go through the operand cache, on sm_60 and later.
Slot source(uint8_t size, bool to_f64 = false) {
  const Slot slot = b().neg(45).abs(49);
  if (size == 3) return slot.spans(Span::two);
  return to_f64 ? slot : slot.no_reuse();
}

/// Half-precision immediates are left out: they would be an f16 in the low bits; no compiler emits one.
uint16_t immediate(uint8_t size, uint16_t encoding) {
  return size == 1 ? uint16_t{0} : encoding;
}

// F2F: 1 = F16, 2 = F32, 3 = F64.
void add_f2f(Builder& t) {
  using M = Modifier;
  constexpr std::string_view kNames[] = {"", "F16", "F32", "F64"};
  for (uint8_t size = 1; size <= 3; ++size) {
    // Only a half-precision source can be an upper half, and only then is there a space in the constant.
    const auto b = [size](uint8_t result) {
      const Slot slot = source(size, result == 3);
      return size == 1 ? slot.half(PartKind::h1, 41) : slot;
    };
    const Slot d = rd().write_cc(47);
    // Same size: bit 42 makes the rounding an integer rounding.
    t.rows(Opcode::f2f, {0x5ca8, 0x4ca8, immediate(size, 0x38a8)},
           size == 3 ? SlotKind::double20 : SlotKind::float20,
           {mod(M::ftz, 44), lit(kNames[size]), lit(kNames[size]), mod(M::integer_rounding, 39, 2, 42),
            mod(M::sat, 50)},
           {size == 3 ? d.spans(Span::two) : d, b(size)}, at(size, 8) | at(size, kSourceSize), 0, size == 1);
    for (uint8_t result = 1; result <= 3; ++result) {
      if (result == size) continue;
      t.rows(
          Opcode::f2f, {0x5ca8, 0x4ca8, immediate(size, 0x38a8)},
          size == 3 ? SlotKind::double20 : SlotKind::float20,
          {mod(M::ftz, 44), lit(kNames[result]), lit(kNames[size]), mod(M::rounding, 39, 2), mod(M::sat, 50)},
          {result == 3 ? d.spans(Span::two) : d, b(result)}, at(result, 8) | at(size, kSourceSize), 0,
          size == 1);
    }
  }
}

void add_f2i(Builder& t) {
  using M = Modifier;
  constexpr std::string_view kNames[] = {"", "F16", "F32", "F64"};
  for (uint8_t size = 1; size <= 3; ++size) {
    const Slot b = size == 1 ? source(size).half(PartKind::h1, 41) : source(size);
    t.rows(Opcode::f2i, {0x5cb0, 0x4cb0, immediate(size, 0x38b0)},
           size == 3 ? SlotKind::double20 : SlotKind::float20,
           {mod(M::ftz, 44), mod(M::f2i_type, 8, 2, 12), lit(kNames[size]), mod(M::f2i_rounding, 39, 2)},
           {rd().write_cc(47).spans(Span::by_result_type), b}, at(size, kSourceSize), 0, true);
  }
}

/// The source of I2F and I2I: bytes and halves can be selected.
Slot integer_source(uint8_t size) {
  if (size == 0) return source(size, true).half(PartKind::byte_, 41);
  if (size == 1) return source(size, true).half(PartKind::half_byte, 41);
  return source(size, true);
}

constexpr Modifier kSourceSign[] = {Modifier::source_sign_8, Modifier::source_sign_16,
                                    Modifier::source_sign_32, Modifier::source_sign_64};

}  // namespace

void add_convert(Builder& t) {
  using M = Modifier;
  add_f2f(t);
  add_f2i(t);
  for (uint8_t size = 0; size <= 3; ++size) {
    t.rows(Opcode::i2f, {0x5cb8, 0x4cb8, 0x38b8}, SlotKind::imm20,
           {mod(M::float_type, 8, 2), mod(kSourceSign[size], 13), mod(M::rounding, 39, 2)},
           {rd().write_cc(47).spans(Span::by_result_type), integer_source(size)}, at(size, kSourceSize), 0,
           true);
  }
  for (uint8_t size = 0; size <= 2; ++size) {
    t.rows(Opcode::i2i, {0x5ce0, 0x4ce0, 0x38e0}, SlotKind::imm20,
           {mod(M::i2i_type, 8, 2, 12), mod(kSourceSign[size], 13), mod(M::sat, 50)},
           {rd().write_cc(47), integer_source(size)}, at(size, kSourceSize), 0, true);
  }
  t.without_reuse({Opcode::i2i});
}

}  // namespace texlate::maxwell::table
