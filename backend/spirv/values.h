// The ids that values of the IR have in a function.
#pragma once

#include "backend/spirv/function_body.h"
#include "backend/spirv/value_needs.h"
#include "ir/base/diagnostics.h"

namespace texlate::spirv {

class Values {
 public:
  Values(const ir::Module& module, ModuleBuilder& builder, FunctionBody& body,
         std::pmr::monotonic_buffer_resource& arena);

  /// Before the first definition.
  void set(const ValueTypes& types, const ValueNeeds& needs) {
    types_ = types;
    needs_ = needs;
  }
  const ValueTypes& types() const { return types_; }
  const ValueNeeds& needs() const { return needs_; }
  ValueNeeds& needs() { return needs_; }
  Kind kind(ir::Value value) const { return types_.kind[value]; }
  bool is_used(ir::Value value) const { return needs_.is_used(value); }
  /// SPIR-V's type of a value.
  Id type(ir::Value value);

  // The id of a value; constants get theirs here.
  Id as_float(ir::Value value) { return use(value, Kind::float_); }
  Id as_uint(ir::Value value) { return use(value, Kind::uint); }
  Id as_bool(ir::Value value);
  Id as_double(ir::Value value);
  Id use(ir::Value value, Kind kind) {
    const Id known = kind == Kind::float_ ? ids_[value].float_ : ids_[value].uint;
    return known != 0 ? known : first_use(value, kind);
  }
  /// As its type says: of 32 bits with that kind.
  Id use_as(ir::Value value, ir::Type type, Kind kind);

  /// The value is `id`, and as the other kind too where something needs it so.
  void define(ir::Value value, Kind kind, Id id) {
    (kind == Kind::float_ ? ids_[value].float_ : ids_[value].uint) = id;
    const uint8_t other = kind == Kind::float_ ? ValueNeeds::kNeedsUint : ValueNeeds::kNeedsFloat;
    if ((needs_.flags[value] & other) != 0) define_other(value, kind);
  }
  void define_bool(ir::Value value, Id id) { ids_[value].uint = id; }
  void define_double(ir::Value value, Id id) { ids_[value].float_ = id; }
  /// As its type says.
  void define_as(ir::Value value, Id id);
  /// The same without the other kind, which `define` gives it later: phis stand together.
  void define_phi(ir::Value value, Id id);
  Id phi(ir::Value value) const;
  /// `result` is `value`, in a block that only `value`'s comes to.
  void define_same(ir::Value result, ir::Value value);
  void complete_same(ir::Value result);
  /// Zeros, for what could not be expressed.
  void define_nothing(ir::Value value);

 private:
  struct Ids {
    Id float_ = 0;  // of a b64: the double
    Id uint = 0;    // of a b1: the boolean
  };

  Id first_use(ir::Value value, Kind kind);
  /// With the kind given, the value as the other one.
  void define_other(ir::Value value, Kind kind);

  const ir::Module& module_;
  ModuleBuilder& builder_;
  FunctionBody& body_;
  ValueTypes types_;
  ValueNeeds needs_;
  std::span<Ids> ids_;
};

}  // namespace texlate::spirv
