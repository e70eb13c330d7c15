#include "backend/spirv/values.h"

#include "ir/base/zeroed.h"

namespace texlate::spirv {

using ir::Value;

Values::Values(const ir::Module& module, ModuleBuilder& builder, FunctionBody& body,
               std::pmr::monotonic_buffer_resource& arena)
    : module_(module), builder_(builder), body_(body), ids_(zeroed<Ids>(arena, module.values.size())) {}

Id Values::type(Value value) {
  switch (module_.values[value].type) {
    case ir::Type::b1: return builder_.bool_type();
    case ir::Type::b64: return builder_.double_type();
    case ir::Type::b32: return body_.type_of(kind(value));
  }
  return 0;
}

Id Values::as_bool(Value value) {
  Ids& ids = ids_[value];
  if (ids.uint == 0 && module_.is_constant(value))
    ids.uint = builder_.constant_bool(module_.values[value].bits != 0);
  return ids.uint;
}

Id Values::as_double(Value value) {
  Ids& ids = ids_[value];
  if (ids.float_ == 0 && module_.is_constant(value))
    ids.float_ = builder_.constant_double(module_.values[value].bits);
  return ids.float_;
}

Id Values::first_use(Value value, Kind kind) {
  Ids& ids = ids_[value];
  if (module_.is_constant(value)) {
    const Id id = builder_.constant(body_.type_of(kind), module_.constant_bits(value));
    return (kind == Kind::float_ ? ids.float_ : ids.uint) = id;
  }
  // find_needs() foresees every use; this one is for uses inside an operation's own expansion.
  return body_.bitcast(body_.type_of(kind), kind == Kind::float_ ? ids.uint : ids.float_);
}

Id Values::use_as(Value value, ir::Type type, Kind kind) {
  switch (type) {
    case ir::Type::b1: return as_bool(value);
    case ir::Type::b64: return as_double(value);
    case ir::Type::b32: return use(value, kind);
  }
  return 0;
}

void Values::define_other(Value value, Kind kind) {
  Ids& ids = ids_[value];
  if (kind == Kind::float_) {
    ids.uint = body_.bitcast(builder_.uint_type(), ids.float_);
  } else {
    ids.float_ = body_.bitcast(builder_.float_type(), ids.uint);
  }
}

void Values::define_as(Value value, Id id) {
  switch (module_.values[value].type) {
    case ir::Type::b1: return define_bool(value, id);
    case ir::Type::b64: return define_double(value, id);
    case ir::Type::b32: return define(value, kind(value), id);
  }
}

void Values::define_phi(Value value, Id id) {
  const ir::Type type = module_.values[value].type;
  const bool is_float = type == ir::Type::b64 || (type == ir::Type::b32 && kind(value) == Kind::float_);
  (is_float ? ids_[value].float_ : ids_[value].uint) = id;
}

Id Values::phi(Value value) const {
  return kind(value) == Kind::float_ ? ids_[value].float_ : ids_[value].uint;
}

void Values::define_same(Value result, Value value) {
  if (module_.is_constant(value)) {
    const uint8_t needs = needs_.flags[result];
    switch (module_.values[value].type) {
      case ir::Type::b1: as_bool(value); break;
      case ir::Type::b64: as_double(value); break;
      case ir::Type::b32:
        if ((needs & ValueNeeds::kNeedsFloat) != 0) as_float(value);
        if ((needs & ValueNeeds::kNeedsUint) != 0) as_uint(value);
        break;
    }
  }
  ids_[result] = ids_[value];
}

// The source may lack the other kind.
void Values::complete_same(Value result) {
  if (module_.values[result].type != ir::Type::b32) return;
  Ids& ids = ids_[result];
  if (ids.float_ == 0 && ids.uint == 0) return;
  const uint8_t needs = needs_.flags[result];
  if ((needs & ValueNeeds::kNeedsFloat) != 0 && ids.float_ == 0)
    ids.float_ = body_.bitcast(builder_.float_type(), ids.uint);
  if ((needs & ValueNeeds::kNeedsUint) != 0 && ids.uint == 0)
    ids.uint = body_.bitcast(builder_.uint_type(), ids.float_);
}

void Values::define_nothing(Value value) {
  switch (module_.values[value].type) {
    case ir::Type::b1: return define_bool(value, builder_.constant_bool(false));
    case ir::Type::b64: return define_double(value, builder_.constant_double(0));
    case ir::Type::b32: {
      const Id zero = builder_.constant_float(0);
      ids_[value] = {zero, builder_.constant(0)};
      return;
    }
  }
}

}  // namespace texlate::spirv
