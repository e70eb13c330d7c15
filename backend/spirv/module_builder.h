// A SPIR-V module under construction: one list of words per section; types and constants are made once.
#pragma once

#include <array>
#include <concepts>
#include <cstdint>
#include <initializer_list>
#include <memory_resource>
#include <ranges>
#include <span>
#include <spirv/unified1/spirv.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "backend/spirv/limits.h"
#include "ir/base/buffer.h"

namespace texlate::spirv {

/// The number of a result in the module; none: there is none, or none yet. Values of the IR and literals are
/// numbers, too, but no ids.
enum class Id : uint32_t { none };
constexpr uint32_t word_of(Id id) {
  return static_cast<uint32_t>(id);
}

/// What SPIR-V numbers by its enumerations, which are unscoped.
template <typename T>
concept Enumeration = std::is_enum_v<T> && std::is_convertible_v<T, uint32_t>;

/// A word of an instruction after the first: an id, a number of an enumeration, or a literal().
class Operand {
 public:
  Operand() = default;
  constexpr Operand(Id id) : word_(word_of(id)) {}
  constexpr Operand(Enumeration auto number) : word_(static_cast<uint32_t>(number)) {}
  constexpr uint32_t word() const { return word_; }

 private:
  friend constexpr Operand literal(uint32_t);

  uint32_t word_;
};
constexpr Operand literal(uint32_t word) {
  Operand operand;
  operand.word_ = word;
  return operand;
}

/// A list of ids or of operands.
template <typename List>
concept OperandList =
    std::ranges::contiguous_range<List> && std::convertible_to<std::ranges::range_value_t<List>, Operand>;

/// Writes them from `here` on; returns where they end.
template <OperandList List>
uint32_t* put(uint32_t* here, const List& operands) {
  for (const Operand operand : operands) *here++ = operand.word();
  return here;
}

/// The instructions of a section.
class Words : public Buffer<uint32_t> {
 public:
  using Buffer::Buffer;

  /// Room for one instruction with this total number of words; the caller writes those after the first.
  uint32_t* start(spv::Op op, size_t count) {
    uint32_t* const here = extend(count);
    if (count > kMostInstructionWords) [[unlikely]]
      too_long_ = count;
    here[0] = static_cast<uint32_t>(count) << 16 | static_cast<uint32_t>(op);
    return here;
  }
  /// Number of words of an instruction that is too long for SPIR-V; 0: there is none. If there is one, the
  /// list of instructions cannot be walked.
  size_t too_long() const { return too_long_; }

 private:
  size_t too_long_ = 0;
};

/// Appends one instruction.
template <OperandList List = std::initializer_list<Operand>>
void append(Words& words, spv::Op op, const List& operands) {
  put(words.start(op, std::ranges::size(operands) + 1) + 1, operands);
}
/// Appends one instruction that has a literal string (SPIR-V 2.2.1, "Literal") after the operands.
void append_string(Words& words, spv::Op op, std::initializer_list<Operand> operands, std::string_view text,
                   std::span<const Id> tail = {});

/// A capability that the module declares.
struct Required {
  uint32_t capability;
  uint32_t position;  // what ModuleBuilder::set_position() gave when it was first needed
};

class ModuleBuilder {
 public:
  /// `version`: as in the module's header, 0x00010300 for 1.3.
  ModuleBuilder(uint32_t version, std::pmr::memory_resource* memory);

  Id new_id() { return Id{bound_++}; }

  void require(spv::Capability capability);
  /// Where the writer of the module is, to say what needs a capability.
  void set_position(const uint32_t* position) { position_ = position; }
  std::span<const Required> required() const { return capabilities_; }
  void require_extension(std::string_view name);
  Id glsl() {
    uses_glsl_ = true;
    return glsl_;
  }

  /// A further set of extended instructions, whose results nothing needs (SPV_KHR_non_semantic_info).
  Id non_semantic_set(std::string_view name);

  uint32_t bound() const { return bound_; }

  // Types, each once
  Id void_type() { return type(spv::OpTypeVoid, {}); }
  Id bool_type() { return bool_ != Id::none ? bool_ : bool_ = type(spv::OpTypeBool, {}); }
  Id uint_type() {
    return uint_ != Id::none ? uint_ : uint_ = type(spv::OpTypeInt, {literal(32), literal(0)});
  }
  Id int_type() { return int_ != Id::none ? int_ : int_ = type(spv::OpTypeInt, {literal(32), literal(1)}); }
  Id float_type() { return float_ != Id::none ? float_ : float_ = type(spv::OpTypeFloat, {literal(32)}); }
  Id double_type();
  bool has_double() const { return double_ != Id::none; }
  Id vector_type(Id component, uint32_t count) {
    if (count == 1) return component;
    const uint32_t row = component == float_ ? 0 : component == uint_ ? 1 : component == bool_ ? 2 : 3;
    if (row == 3) return type(spv::OpTypeVector, {component, literal(count)});
    Id& known = vectors_[row][count - 2];
    return known != Id::none ? known : known = type(spv::OpTypeVector, {component, literal(count)});
  }
  Id matrix_type(Id column, uint32_t count) { return type(spv::OpTypeMatrix, {column, literal(count)}); }
  Id array_type(Id element, uint32_t length) { return type(spv::OpTypeArray, {element, constant(length)}); }
  Id pointer_type(spv::StorageClass storage, Id pointee) {
    if (storage >= kUsualStorage) return type(spv::OpTypePointer, {storage, pointee});
    Pointer& last = pointers_[storage];
    if (last.pointee != pointee) last = {pointee, type(spv::OpTypePointer, {storage, pointee})};
    return last.type;
  }
  Id type(spv::Op op, std::initializer_list<Operand> operands) {
    return intern(op, Id::none, std::span<const Operand>(operands.begin(), operands.size()));
  }
  /// A type that is not shared, so that it can be decorated.
  Id own_type(spv::Op op, std::span<const Id> operands);
  Id own_type(spv::Op op, std::initializer_list<Id> operands) {
    return own_type(op, std::span<const Id>(operands.begin(), operands.size()));
  }

  // Constants, each once
  Id constant(uint32_t bits) {
    if (bits >= kSmall) return constant(uint_type(), bits);
    Id& known = small_[bits];
    return known != Id::none ? known : known = constant(uint_type(), bits);
  }
  Id constant(Id type, uint32_t bits) {
    const Operand operand = literal(bits);
    return intern(spv::OpConstant, type, std::span<const Operand>(&operand, 1));
  }
  Id constant_int(int32_t value) { return constant(int_type(), static_cast<uint32_t>(value)); }
  Id constant_float(float value);
  Id constant_double(uint64_t bits);
  Id constant_bool(bool value) {
    return intern(value ? spv::OpConstantTrue : spv::OpConstantFalse, bool_type());
  }
  Id null(Id type) { return intern(spv::OpConstantNull, type); }
  Id undefined(Id type) { return intern(spv::OpUndef, type); }
  /// Zeros only are null() instead.
  Id composite(Id type, std::span<const Id> parts) { return intern(spv::OpConstantComposite, type, parts); }
  /// A vector of up to four 32-bit constants, which are declared only if the vector needs them.
  Id constants(Id type, Id part_type, std::span<const uint32_t> bits);
  /// A specialization constant with its id.
  Id specialization(spv::Op op, Id type, std::initializer_list<uint32_t> value, uint32_t id);

  /// A variable of the module; it joins the entry point's interface if its storage class requires that.
  Id variable(spv::StorageClass storage, Id pointee, Id initializer = Id::none);

  void name(Id id, std::string_view text) { append_string(names_, spv::OpName, {id}, text); }
  void decorate(Id id, spv::Decoration decoration) {
    append(decorations_, spv::OpDecorate, {id, decoration});
  }
  void decorate(Id id, spv::Decoration decoration, uint32_t value) {
    append(decorations_, spv::OpDecorate, {id, decoration, literal(value)});
  }
  void decorate_member(Id id, uint32_t member, spv::Decoration decoration, uint32_t value) {
    append(decorations_, spv::OpMemberDecorate, {id, literal(member), decoration, literal(value)});
  }
  void execution_mode(Id entry, spv::ExecutionMode mode, std::initializer_list<uint32_t> values = {});
  Id string(std::string_view text);
  /// An instruction of a non-semantic set among types and constants.
  Id extended(Id set, uint32_t instruction, std::initializer_list<Id> operands);

  /// Describes the SPIR-V limit that the module exceeds, for an error; empty: none.
  std::string excess(std::string_view entry_name) const;
  /// Writes the header and the sections in the order of SPIR-V 2.4, around the body of the entry point's
  /// function; the functions that it calls follow. Only for modules within the limits.
  void assemble(std::pmr::vector<uint32_t>& result, spv::ExecutionModel model, Id entry,
                std::string_view entry_name, const Words& code, const Words& functions);
  /// Label of the function's first block.
  Id entry_label() const { return entry_label_; }

 private:
  static bool is_constant(spv::Op op) {
    return op == spv::OpUndef || (op >= spv::OpConstantTrue && op <= spv::OpConstantNull);
  }
  /// One of each; type none: it is a type itself.
  template <OperandList List>
  Id intern(spv::Op op, Id type, List operands);
  Id intern(spv::Op op, Id type) { return intern(op, type, std::span<const Id>()); }
  void grow();

  struct Slot {
    uint32_t offset;  // of the instruction in globals_, plus 1; 0: empty
    uint32_t hash;
  };

  std::pmr::memory_resource* memory_;
  Words names_, decorations_, globals_, modes_, strings_;
  std::pmr::vector<Required> capabilities_;
  std::pmr::vector<std::string_view> extensions_;
  struct Import {
    std::string_view name;
    Id id;
  };
  std::pmr::vector<Import> imports_;
  std::pmr::vector<Id> interface_;
  Buffer<Slot> slots_;
  bool uses_glsl_ = false;
  uint32_t interned_ = 0;
  uint32_t variables_ = 0;
  uint32_t version_;
  const uint32_t* position_ = nullptr;
  uint32_t bound_ = 1;
  Id glsl_, entry_label_;
  std::array<std::array<Id, 3>, 3> vectors_{};  // of float, uint and bool
  static constexpr uint32_t kSmall = 8, kUsualStorage = spv::StorageClassStorageBuffer + 1;
  std::array<Id, kSmall> small_{};  // unsigned constants
  struct Pointer {
    Id pointee, type;
  };
  std::array<Pointer, kUsualStorage> pointers_{};  // by storage class: the last one that was asked for
  Id bool_{}, uint_{}, int_{}, float_{}, double_{};
};

}  // namespace texlate::spirv
