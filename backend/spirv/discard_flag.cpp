#include "backend/spirv/discard_flag.h"

#include <algorithm>

namespace texlate::spirv {

DiscardFlag::DiscardFlag(Core& core) : Writer(core) {
  if (options_.discard != Discard::flag) return;
  const auto discards = [](const Instruction& instruction) { return instruction.op == Op::discard; };
  if (std::ranges::none_of(module_.code, discards)) return;
  const Id never = builder_.constant_bool(false);
  variable_ = builder_.variable(spv::StorageClassPrivate, builder_.bool_type(), never);
  if (options_.names) builder_.name(variable_, "discarded");
}

Id DiscardFlag::load() {
  return emit(spv::OpLoad, As::boolean, {variable_});
}

void DiscardFlag::set(Value condition) {
  if (module_.is_constant(condition)) {
    if (module_.values[condition].bits != 0) effect(spv::OpStore, {variable_, builder_.constant_bool(true)});
    return;
  }
  const Id holds = as_bool(condition);
  const Id before = load();
  const Id now = emit(spv::OpLogicalOr, As::boolean, {before, holds});
  effect(spv::OpStore, {variable_, now});
}

void DiscardFlag::begin(const Instruction& instruction) {
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
void DiscardFlag::end(const Instruction& instruction) {
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
  define(first, kind, emit(spv::OpPhi, type_of(kind), {result, inside, zero, from_}));
}

void DiscardFlag::leave() {
  if (variable_ == Id::none) return;
  body_.begin_guard(load());
  effect(spv::OpKill, {});
  body_.end_block();
  end_guard();
}

}  // namespace texlate::spirv
