// Appends instructions to a module: to its code, or to a list that a pass builds to replace it.
#pragma once

#include <array>
#include <bit>
#include <initializer_list>
#include <span>

#include "ir/module.h"

namespace texlate::ir {

/// The types of an operation's results, from the ops table; none for markers, whose results it leaves open.
struct ResultTypes {
  uint8_t count = 0;
  std::array<Type, 7> types{};
};
namespace detail {
inline constexpr std::array<ResultTypes, kOpCount> kResultTypes = [] {
  std::array<ResultTypes, kOpCount> table{};
  for (uint32_t op = 0; op < kOpCount; ++op) {
    const OpInfo& operation = info(static_cast<Op>(op));
    if (operation.passes_results()) continue;
    for (const char letter : operation.results) table[op].types[table[op].count++] = type_of_letter(letter);
  }
  return table;
}();
}  // namespace detail
constexpr const ResultTypes& result_types_of(Op op) {
  return detail::kResultTypes[static_cast<uint32_t>(op)];
}

class Builder {
 public:
  /// Appends to `code`, which is module.code or a pass's own list.
  Builder(Module& module, Code& code) : module_(module), code_(code) {}

  Module& module() { return module_; }
  /// Sets the location of instructions appended from now on: a new one, or that of another instruction.
  void set_location(SourceLocation location) { location_ = module_.add_location(location); }
  void set_location(const Instruction& instruction) { location_ = instruction.location; }
  /// Sets the flags (InstructionFlags) of instructions appended from now on.
  void set_flags(uint8_t flags) { flags_ = flags; }

  /// Appends `op`. Result types come from the ops table. Returns the first result, or kNoValue if there is
  /// none. A marker whose results the table leaves open gets none.
  Value emit(Op op, std::span<const Value> operands, uint32_t payload = 0);
  Value emit(Op op, std::initializer_list<Value> operands = {}, uint32_t payload = 0) {
    return emit(op, std::span<const Value>(operands.begin(), operands.size()), payload);
  }
  /// Appends a marker or other operation whose results the table leaves open: `results` b32 values.
  Value emit_variadic(Op op, std::span<const Value> operands, uint32_t results, uint32_t payload = 0);

  /// Appends a resource access. `operands` are in slot order: operands[i] belongs to the i-th set bit of
  /// access.slots.
  Value emit_access(Op op, const ResourceAccess& access, std::span<const Value> operands);

  /// Copies an instruction unchanged; its results keep their numbers.
  void append(const Instruction& instruction) { code_.push_back(instruction); }

  Instruction& last() { return code_.back(); }

  Value constant(uint32_t bits) { return module_.constant(bits); }
  Value constant_float(float value) { return module_.constant_float(value); }

 private:
  void add(Op op, std::span<const Value> operands, uint32_t results, Value first_result, uint32_t payload);

  Module& module_;
  Code& code_;
  uint32_t location_ = 0;
  uint8_t flags_ = 0;
};

/// Slots and operands of one access while it is built or changed.
class AccessBuilder {
 public:
  explicit AccessBuilder(const ResourceAccess& access = {}) : contract(access) {}
  AccessBuilder(const Module& module, const Instruction& instruction)
      : contract(module.access_of(instruction)), present_(contract.slots) {
    const Value* next = module.operands_of(instruction).data();
    for (uint32_t slots = present_; slots != 0; slots &= slots - 1)
      operands_[std::countr_zero(slots)] = *next++;
  }

  ResourceAccess contract;

  Value get(Slot slot) const { return has(slot) ? operands_[static_cast<uint32_t>(slot)] : kNoValue; }
  bool has(Slot slot) const { return (present_ & bit(slot)) != 0; }
  void set(Slot slot, Value value) {
    operands_[static_cast<uint32_t>(slot)] = value;
    present_ = value == kNoValue ? present_ & ~bit(slot) : present_ | bit(slot);
  }
  void clear(Slot slot) { present_ &= ~bit(slot); }

  /// Appends the access to a Builder or FoldingBuilder; returns the first result.
  template <typename AnyBuilder>
  Value emit(AnyBuilder& builder, Op op) {
    std::array<Value, kSlotCount> packed;
    const uint32_t count = pack(packed);
    return builder.emit_access(op, contract, std::span<const Value>(packed.data(), count));
  }
  /// Is `instruction` equal to this access?
  bool is(const Module& module, const Instruction& instruction) const;
  /// Rewrites `instruction` in place with the present fields and operands; results keep their numbers.
  void replace(Module& module, Instruction& instruction);

 private:
  static constexpr uint32_t bit(Slot slot) { return 1u << static_cast<uint32_t>(slot); }
  uint32_t pack(std::array<Value, kSlotCount>& packed);

  uint32_t present_ = 0;                    // bit Slot
  std::array<Value, kSlotCount> operands_;  // of slots that are present
};

}  // namespace texlate::ir
