#include "backend/spirv/discards.h"

#include <algorithm>

namespace texlate::spirv {

Discards::Discards(Core& core) : Writer(core) {
  if (options_.discard != Discard::flag) return;
  const auto discards = [](const Instruction& instruction) { return instruction.op == Op::discard; };
  if (std::ranges::none_of(module_.code, discards)) return;
  const Id never = builder_.constant_bool(false);
  variable_ = builder_.variable(spv::StorageClassPrivate, builder_.bool_type(), never);
  if (options_.names) builder_.name(variable_, "discarded");
}

Id Discards::load() {
  return Writer::emit(spv::OpLoad, As::boolean, {variable_});
}

void Discards::emit(const Instruction& instruction) {
  const bool flags = options_.discard == Discard::flag;
  if (!flags) {
    builder_.require(spv::CapabilityDemoteToHelperInvocationEXT);
    builder_.require_extension("SPV_EXT_demote_to_helper_invocation");
  }
  const Value condition = operand(instruction, 0);
  if (module_.is_constant(condition)) {
    if (module_.values[condition].bits == 0) return;
    if (flags) return effect(spv::OpStore, {variable_, builder_.constant_bool(true)});
    return effect(spv::OpDemoteToHelperInvocationEXT, {});
  }
  if (flags) {
    const Id holds = as_bool(condition);
    const Id before = load();
    const Id now = Writer::emit(spv::OpLogicalOr, As::boolean, {before, holds});
    return effect(spv::OpStore, {variable_, now});
  }
  begin_guard(condition);
  effect(spv::OpDemoteToHelperInvocationEXT, {});
  end_guard();
}

void Discards::begin(const Instruction& instruction) {
  if (variable_ == Id::none || !body_.reached()) return;
  const ir::OpInfo& info = ir::info(instruction.op);
  if (!info.has(ir::kWritesMemory) || !info.has(ir::kResource)) return;
  is_open_ = true;
  const Id flag = load();
  const Id inside = builder_.new_id();
  after_ = builder_.new_id();
  from_ = body_.block();
  body_.branch(flag, after_, inside, after_);
  body_.start_block(inside);
}

/// What an atomic operation that did not happen returns is read by nobody but a discarded pixel: zero.
void Discards::end(const Instruction& instruction) {
  if (!is_open_) return;
  is_open_ = false;
  const Value first = instruction.first_result;
  const bool has_result = instruction.result_count == 1 && is_used(first);
  const Kind kind = has_result ? values_.kind(first) : Kind::uint;
  const Id result = has_result ? use(first, kind) : Id::none;
  const Id inside = body_.block();
  body_.branch(after_);
  body_.start_block(after_);
  if (!has_result) return;
  const Id zero = kind == Kind::float_ ? real(0.0f) : constant(0);
  define(first, kind, Writer::emit(spv::OpPhi, type_of(kind), {result, inside, zero, from_}));
}

void Discards::leave() {
  if (variable_ == Id::none) return;
  body_.begin_guard(load());
  effect(spv::OpKill, {});
  body_.end_block();
  end_guard();
}

}  // namespace texlate::spirv
