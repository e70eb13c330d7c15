// A SPIR-V module under construction: one list of words per section; types and constants are made once.
#pragma once

#include <array>
#include <cstdint>
#include <initializer_list>
#include <memory_resource>
#include <span>
#include <spirv/unified1/spirv.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "backend/spirv/limits.h"
#include "ir/base/buffer.h"

namespace texlate::spirv {

using Id = uint32_t;

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
inline void append(Words& words, spv::Op op, std::span<const uint32_t> operands) {
  uint32_t* const here = words.start(op, operands.size() + 1);
  for (size_t i = 0; i < operands.size(); ++i) here[i + 1] = operands[i];
}
inline void append(Words& words, spv::Op op, std::initializer_list<uint32_t> operands) {
  append(words, op, std::span<const uint32_t>(operands.begin(), operands.size()));
}
/// Appends one instruction that ends in a literal string (SPIR-V 2.2.1, "Literal").
void append_string(Words& words, spv::Op op, std::span<const uint32_t> operands, std::string_view text,
                   std::span<const uint32_t> tail = {});

/// A capability that the module declares.
struct Required {
  uint32_t capability;
  uint32_t position;  // what ModuleBuilder::set_position() gave when it was first needed
};

class ModuleBuilder {
 public:
  /// `version`: as in the module's header, 0x00010300 for 1.3.
  ModuleBuilder(uint32_t version, std::pmr::memory_resource* memory);

  Id new_id() { return bound_++; }

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

  Id bound() const { return bound_; }

  // Types, each once
  Id void_type() { return type(spv::OpTypeVoid, {}); }
  Id bool_type() { return bool_ != 0 ? bool_ : bool_ = type(spv::OpTypeBool, {}); }
  Id uint_type() { return uint_ != 0 ? uint_ : uint_ = type(spv::OpTypeInt, {32, 0}); }
  Id int_type() { return int_ != 0 ? int_ : int_ = type(spv::OpTypeInt, {32, 1}); }
  Id float_type() { return float_ != 0 ? float_ : float_ = type(spv::OpTypeFloat, {32}); }
  Id double_type();
  bool has_double() const { return double_ != 0; }
  Id vector_type(Id component, uint32_t count) {
    if (count == 1) return component;
    const uint32_t row = component == float_ ? 0 : component == uint_ ? 1 : component == bool_ ? 2 : 3;
    if (row == 3) return type(spv::OpTypeVector, {component, count});
    Id& known = vectors_[row][count - 2];
    return known != 0 ? known : known = type(spv::OpTypeVector, {component, count});
  }
  Id matrix_type(Id column, uint32_t count) { return type(spv::OpTypeMatrix, {column, count}); }
  Id array_type(Id element, uint32_t length) { return type(spv::OpTypeArray, {element, constant(length)}); }
  Id pointer_type(spv::StorageClass storage, Id pointee) {
    return type(spv::OpTypePointer, {static_cast<uint32_t>(storage), pointee});
  }
  Id type(spv::Op op, std::span<const uint32_t> operands) { return intern(op, 0, operands); }
  Id type(spv::Op op, std::initializer_list<uint32_t> operands) {
    return intern(op, 0, std::span<const uint32_t>(operands.begin(), operands.size()));
  }
  /// A type that is not shared, so that it can be decorated.
  Id own_type(spv::Op op, std::span<const uint32_t> operands);
  Id own_type(spv::Op op, std::initializer_list<uint32_t> operands) {
    return own_type(op, std::span<const uint32_t>(operands.begin(), operands.size()));
  }

  // Constants, each once
  Id constant(uint32_t bits) { return constant(uint_type(), bits); }
  Id constant(Id type, uint32_t bits) {
    return intern(spv::OpConstant, type, std::span<const uint32_t>(&bits, 1));
  }
  Id constant_int(int32_t value) { return constant(int_type(), static_cast<uint32_t>(value)); }
  Id constant_float(float value);
  Id constant_double(uint64_t bits);
  Id constant_bool(bool value) {
    return intern(value ? spv::OpConstantTrue : spv::OpConstantFalse, bool_type(), {});
  }
  Id null(Id type) { return intern(spv::OpConstantNull, type, {}); }
  Id undefined(Id type) { return intern(spv::OpUndef, type, {}); }
  /// A composite of zeros only needs no constants for its parts.
  Id composite(Id type, std::span<const Id> parts) {
    bool zero = true;
    for (const Id part : parts) zero &= part < is_zero_.size() && is_zero_[part] != 0;
    return zero ? null(type) : intern(spv::OpConstantComposite, type, parts);
  }
  /// A vector of up to four 32-bit constants, which are declared only if the vector needs them.
  Id constants(Id type, Id part_type, std::span<const uint32_t> bits);
  /// A specialization constant with its id.
  Id specialization(spv::Op op, Id type, std::initializer_list<uint32_t> value, uint32_t id);

  /// A variable of the module; it joins the entry point's interface if its storage class requires that.
  Id variable(spv::StorageClass storage, Id pointee, Id initializer = 0);

  void name(Id id, std::string_view text) {
    append_string(names_, spv::OpName, std::span<const uint32_t>(&id, 1), text);
  }
  void decorate(Id id, spv::Decoration decoration) {
    append(decorations_, spv::OpDecorate, {id, static_cast<uint32_t>(decoration)});
  }
  void decorate(Id id, spv::Decoration decoration, uint32_t value) {
    append(decorations_, spv::OpDecorate, {id, static_cast<uint32_t>(decoration), value});
  }
  void decorate_member(Id id, uint32_t member, spv::Decoration decoration, uint32_t value) {
    append(decorations_, spv::OpMemberDecorate, {id, member, static_cast<uint32_t>(decoration), value});
  }
  void execution_mode(Id entry, spv::ExecutionMode mode, std::initializer_list<uint32_t> values = {});
  Id string(std::string_view text);
  /// An instruction of a non-semantic set among types and constants.
  Id extended(Id set, uint32_t instruction, std::initializer_list<uint32_t> operands);

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
  static bool is_specialization(spv::Op op) {
    return op >= spv::OpSpecConstantTrue && op <= spv::OpSpecConstantOp;
  }
  Id intern(spv::Op op, Id type, std::span<const uint32_t> operands);
  void note_global(spv::Op op, Id id, std::span<const uint32_t> operands);
  void note_zero(Id id) {
    if (id >= is_zero_.size()) is_zero_.extend_zeroed(size_t{id} + 64 - is_zero_.size());
    is_zero_[id] = 1;
  }
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
  Buffer<uint8_t> is_zero_;  // by id: a constant that is 0
  bool uses_glsl_ = false;
  uint32_t interned_ = 0;
  uint32_t variables_ = 0;
  uint32_t version_;
  const uint32_t* position_ = nullptr;
  Id bound_ = 1;
  Id glsl_, entry_label_;
  std::array<std::array<Id, 3>, 3> vectors_{};  // of float, uint and bool
  Id bool_ = 0, uint_ = 0, int_ = 0, float_ = 0, double_ = 0;
};

}  // namespace texlate::spirv
