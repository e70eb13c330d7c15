// Accesses to memory that several families make. A guard is a predicate of the access: where it is false, a
// load gives zeros or fallbacks.
#pragma once

#include <optional>

#include "backend/maxwell/isa/texture_packing.h"
#include "backend/maxwell/select/writer.h"

namespace texlate::maxwell::select {

/// The result with the status, after four components; and the status if nothing is missing.
inline constexpr uint32_t kStatusResult = 4;

/// A place of what the host supplies: in bank 0, or in memory if the parameter block or a table is there.
struct Field {
  uint32_t offset = 0;
  MachineValue index = kNone;  // in bank 0: bytes, added to the offset; kNone: none
  Pair base = {};              // in memory: the address that the offset counts from
  Predicate inside = kAlways;  // in memory: if false, reads give 0
  bool is_in_memory() const { return base.low != kNone; }
  /// Can the place be an instruction's operand?
  bool is_constant() const { return index == kNone && !is_in_memory(); }
};

/// Of that many words, or of a texel of 1 or 2 bytes.
template <typename Size>
Size memory_size(uint32_t alignment, uint32_t words) {
  if (alignment < 4) return alignment == 1 ? Size::u8 : Size::u16;
  return words == 4 ? Size::b128 : words == 2 ? Size::b64 : Size::b32;
}

/// The dimension for texture instructions; a buffer is a 1D texture of linear memory. Nothing for other
/// buffers.
std::optional<TextureDim> texture_dim(Dimension dimension);

/// The machine's operation for a Direct3D atomic; compare_exchange is a separate instruction.
struct AtomicForm {
  Atomic operation;
  bool is_signed;
};
AtomicForm atomic_form(ir::AtomicOp op);

class Accesses : protected Writer {
 protected:
  using Writer::Writer;

  // fields.cpp
  /// `base`: an offset in bank 0. `index`: number of records to add, kNoValue: none.
  Field field_at(uint32_t base, uint32_t record_size, ir::Value index);
  Field add_index(Field field, uint32_t element_size, ir::Value index);
  Source load_word(const Field& field, uint32_t offset);
  Words words_at(const Field& field, uint32_t offset);
  void load_constant(uint8_t bank, uint32_t offset, std::span<const MachineValue> registers,
                     Predicate guard = {});
  Source load_memory_word(const Field& field, uint32_t offset);

  /// The guard of a memory operation; constant true if it has none.
  Predicate guard_of(const ir::Instruction& instruction) const;
  /// What a result is if a guard is false: a separate register; kNone without a guard.
  MachineValue otherwise_of(const ir::Instruction& instruction, uint32_t result, Predicate guard);
  /// Registers for those results from `first` on that are read, and what they hold if a guard is false.
  struct LoadedWords {
    std::array<MachineValue, 4> results{kNone, kNone, kNone, kNone};
    std::array<MachineValue, 4> otherwise{kNone, kNone, kNone, kNone};
  };
  LoadedWords define_loaded(const ir::Instruction& instruction, uint32_t first, uint32_t count,
                            Predicate guard);
  /// The result of an access that `append(register)` appends, kNone where it is not read: `otherwise` if the
  /// guard is false.
  template <typename Append>
  void define_guarded(ir::Value value, Predicate guard, Append append, uint32_t otherwise = 0) {
    if (guard.is_false()) return define(value, Source::immediate(otherwise));
    const bool used = is_used(value);
    const bool merges = used && guard.value != kNone;
    const MachineValue left = merges ? assembler_.fresh_immediate(otherwise) : kNone;
    const MachineValue result = used ? assembler_.general() : kNone;
    append(result);
    if (merges) leave_zeros(std::array{left});
    if (used) define(value, result);
  }
  /// One bit for each of the first `count` results that is used.
  uint32_t used_words(const ir::Instruction& instruction, uint32_t count) const;
  void define_zeros(const ir::Instruction& instruction) const;
  void define_fallbacks(const ir::Instruction& instruction) const;
  bool wants_status(const ir::Instruction& instruction) const;
  void define_status(const ir::Instruction& instruction) const;

  /// The registers of a texture instruction: of packed operands (Ra, then Rb), and of results by place (0..3
  /// from Rd or Rd0, 4.. from Rd1).
  struct TextureValues {
    std::array<MachineValue, 2 * kMaxTextureRegisters> sources{};
    std::array<MachineValue, 8> results{kNone, kNone, kNone, kNone, kNone, kNone, kNone, kNone};
    MachineValue resident = kNone;

    template <typename RegisterOf>
    void fill_sources(const TexturePacking& packing, RegisterOf register_of) {
      for (unsigned k = 0; k < packing.a_count; ++k) sources[k] = register_of(packing.a[k]);
      for (unsigned k = 0; k < packing.b_count; ++k) sources[packing.a_count + k] = register_of(packing.b[k]);
    }
  };
  std::array<MachineValue, 3> texture_coordinates(const ir::Instruction& instruction,
                                                  const int8_t* offset = nullptr);
  MachineValue offset_coordinate(ir::Value coordinate, int8_t offset);
  void append_texture(const TexturePacking& packing, const Field& handle, const TextureValues& texture,
                      Predicate guard = {});

  void load_constants(const ir::Instruction& instruction, uint8_t bank, uint32_t base, Predicate guard);
  /// The place of an access by address (backend/launch/lower_addresses.h).
  Arg memory_place(const ir::Instruction& instruction) const;
  void load_words(const ir::Instruction& instruction, Predicate guard);
  void store_words(const ir::Instruction& instruction, Predicate guard);
  void emit_global_atomic(const ir::Instruction& instruction, Predicate guard);
};

}  // namespace texlate::maxwell::select
