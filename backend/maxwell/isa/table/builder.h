// For writing the table's rows. Bit positions are those of docs/reference/maxwell.md; opcodes are given as
// bits 63..48 of the word, as in that document.
#pragma once

#include <initializer_list>
#include <vector>

#include "backend/maxwell/isa/form.h"

namespace texlate::maxwell::table {

// ---- operand slots
constexpr Slot reg_at(uint8_t at, uint8_t reuse = 0) {
  Slot slot;
  slot.kind = SlotKind::reg;
  slot.at = at;
  slot.width = 8;
  slot.reuse = reuse;
  return slot;
}
constexpr Slot rd() {
  return reg_at(0).as(Role::destination);
}
constexpr Slot ra() {
  return reg_at(8, 1);
}
constexpr Slot rb() {
  return reg_at(20, 2);
}
constexpr Slot rc() {
  return reg_at(39, 3);
}

constexpr Slot field(SlotKind kind, uint8_t at, uint8_t width, uint8_t scale = 0) {
  Slot slot;
  slot.kind = kind;
  slot.at = at;
  slot.width = width;
  slot.scale = scale;
  return slot;
}
constexpr Slot pred_at(uint8_t at) {
  return field(SlotKind::predicate, at, 3);
}
/// A predicate source with its negation, as in the boolean combine of comparisons: p at 39, not at 42.
constexpr Slot pred_source(uint8_t at = 39, uint8_t not_bit = 42) {
  return pred_at(at).inv(not_bit);
}
constexpr Slot pred_result(uint8_t at) {
  return pred_at(at).as(Role::destination);
}
constexpr Slot cbuf() {
  return field(SlotKind::constant, 20, 14);
}
constexpr Slot uimm(uint8_t at, uint8_t width) {
  return field(SlotKind::unsigned_imm, at, width);
}
constexpr Slot simm(uint8_t at, uint8_t width) {
  return field(SlotKind::signed_imm, at, width);
}
/// The highest bit is apart from the others.
constexpr Slot split(SlotKind kind, uint8_t at, uint8_t width) {
  Slot slot = field(kind, at, width);
  slot.high = 56;
  return slot;
}
constexpr Slot imm(SlotKind kind) {
  return split(kind, 20, 19);
}
constexpr Slot fixed_word(std::string_view text) {
  Slot slot;
  slot.kind = SlotKind::literal;
  slot.text = text;
  return slot;
}
constexpr Slot address_at(uint8_t at, uint8_t width, uint8_t scale = 0) {
  return field(SlotKind::address, at, width, scale);
}

/// The B register of FADD, DADD and FSWZADD: their second source goes through the third operand port
/// (docs/maxwell-isa.md).
constexpr Slot in_third_port(Slot slot) {
  slot.reuse = 3;
  return slot;
}

/// The B operand; the row's encodings replace it by a register, a constant or an immediate. In the reg_cbuf
/// encoding it is the register at 39, and c() becomes the constant.
constexpr Slot b() {
  return reg_at(20, 2);
}
constexpr Slot c() {
  return reg_at(39, 3);
}

// ---- modifiers
constexpr ModifierField mod(Modifier kind, uint8_t at, uint8_t width = 1, uint8_t high = 0) {
  return {kind, at, width, high, {}};
}
constexpr ModifierField lit(std::string_view text) {
  return {Modifier::literal, 0, 0, 0, text};
}

using Modifiers = std::initializer_list<ModifierField>;
using Slots = std::initializer_list<Slot>;

constexpr uint64_t top(uint16_t bits_63_48) {
  return static_cast<uint64_t>(bits_63_48) << 48;
}
constexpr uint64_t at(uint64_t value, unsigned bit) {
  return value << bit;
}

class Builder {
 public:
  /// Adds one encoding and returns it, so that a row can add rare properties (no guard, forbidden bits).
  Form& row(Opcode opcode, uint64_t value, Modifiers modifiers, Slots slots, Shape shape = Shape::reg);

  /// The encodings of a two-source operation: B as register, constant, immediate (opcode 0: does not exist).
  /// `b_index` is the index of B among the slots.
  struct Encodings {
    uint16_t r, c, i, rc = 0;
  };
  void rows(Opcode opcode, Encodings encodings, SlotKind immediate, Modifiers modifiers, Slots slots,
            uint64_t fixed = 0, uint64_t forbidden = 0, bool spaced = false);

  /// Marks operations outside the operand cache: nvdisasm shows no .reuse on them (docs/maxwell-isa.md).
  void without_reuse(std::initializer_list<Opcode> opcodes);

  std::vector<Form> forms;
};

// One function per file of this folder.
void add_float(Builder& t);
void add_double(Builder& t);
void add_half(Builder& t);
void add_video(Builder& t);
void add_integer(Builder& t);
void add_logic(Builder& t);
void add_convert(Builder& t);
void add_move(Builder& t);
void add_memory(Builder& t);
void add_atomic(Builder& t);
void add_control(Builder& t);
void add_attribute(Builder& t);
void add_texture(Builder& t);
void add_surface(Builder& t);

}  // namespace texlate::maxwell::table
