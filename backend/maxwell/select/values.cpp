#include "backend/maxwell/select/values.h"

namespace texlate::maxwell::select {

using ir::Op;

Values::Values(const ir::Module& module, Assembler& assembler)
    : module_(module),
      assembler_(assembler),
      known_arena_(module.memory()),
      known_(module, known_arena_),
      uses_(module.values.size(), 0, module.memory()),
      definition_(module.values.size(), kNoInstruction, module.memory()),
      user_(module.values.size(), kNoInstruction, module.memory()),
      region_(module.code.size(), 0, module.memory()),
      done_(module.code.size(), 0, module.memory()),
      sources_(module.values.size(), Source{}, module.memory()),
      high_of_(module.values.size(), 0, module.memory()),
      high_(module.memory()) {
  uint32_t markers = 0;
  for (uint32_t i = 0; i < module.code.size(); ++i) {
    const ir::Instruction& instruction = module.code[i];
    for (const ir::Value value : module.operands_of(instruction)) {
      ++uses_[value];
      user_[value] = i;
    }
    for (uint32_t r = 0; r < instruction.result_count; ++r) definition_[instruction.first_result + r] = i;
    if (ir::info(instruction.op).has(ir::kControl)) ++markers;
    region_[i] = markers;
  }
}

const ir::Instruction* Values::only_user(ir::Value value) const {
  return has_one_use(value) && user_[value] != kNoInstruction ? &module_.code[user_[value]] : nullptr;
}

const ir::Instruction* Values::absorbable(ir::Value value, Op op) const {
  const ir::Instruction* definer = definition(value);
  if (definer == nullptr || !has_one_use(value) || definer->op != op ||
      region_[definition_[value]] != region_[user_[value]])
    return nullptr;
  return definer;
}

Source Values::word(ir::Value value) const {
  if (module_.is_constant(value)) return Source::immediate(module_.constant_bits(value));
  return sources_[value];
}

Source Values::float_source(ir::Value value) const {
  if (module_.is_constant(value)) return Source::immediate(module_.constant_bits(value));
  const ir::Instruction* definer = definition(value);
  const bool negates = definer->op == Op::fneg;
  if (!negates && definer->op != Op::fabs) return sources_[value];
  Source source = float_source(operand(*definer, 0));
  if (source.is_immediate()) return sources_[value];
  if (negates) {
    source.flags ^= kNegate;
  } else {
    source.flags = static_cast<uint8_t>((source.flags & ~kNegate) | kAbsolute);
  }
  source.plain = sources_[value].value;
  return source;
}

/// The operand of the operation `change`, with `flag`, where it defines the value; otherwise the value
/// itself.
Source Values::changed(ir::Value value, Op change, uint8_t flag) const {
  const ir::Instruction* definer = definition(value);
  if (definer == nullptr || definer->op != change) return word(value);
  Source source = word(operand(*definer, 0));
  if (source.is_immediate()) return sources_[value];
  source.flags ^= flag;
  source.plain = sources_[value].value;
  return source;
}

Source Values::integer_source(ir::Value value) const {
  return changed(value, Op::ineg, kNegate);
}

Source Values::logic_source(ir::Value value) const {
  return changed(value, Op::not_, kInvert);
}

Arg Values::double_arg(ir::Value value) const {
  if (module_.is_constant(value)) {
    const uint64_t bits = module_.values[value].bits;
    if (bits == 0) return Arg::regs({kNone, kNone});
    if ((bits & 0xfffffffffffull) == 0) return Arg::upper_double(static_cast<uint32_t>(bits >> 32));
    return Arg::pair(pair(value));
  }
  uint8_t flags = 0;
  const ir::Instruction* definer = definition(value);
  while (definer != nullptr && (definer->op == Op::dneg || definer->op == Op::dabs)) {
    if ((flags & kAbsolute) == 0) {
      if (definer->op == Op::dabs) flags |= kAbsolute;
      if (definer->op == Op::dneg) flags ^= kNegate;
    }
    value = operand(*definer, 0);
    if (module_.is_constant(value)) break;
    definer = definition(value);
  }
  return Arg::pair(pair(value), flags);
}

Words Values::words(ir::Value value) const {
  if (!module_.is_constant(value)) return {sources_[value], high_[high_of_[value]]};
  const uint64_t bits = module_.values[value].bits;
  return {Source::immediate(static_cast<uint32_t>(bits)),
          Source::immediate(static_cast<uint32_t>(bits >> 32))};
}

Predicate Values::predicate(ir::Value value) {
  if (module_.is_constant(value)) return Predicate::constant(module_.values[value].bits != 0);
  const ir::Instruction* definer = definition(value);
  if (definer->op == Op::pnot) return !predicate(operand(*definer, 0));
  // A comparison that was left to its user.
  if (sources_[value].value == kNone && is_compare(definer->op))
    define(value, compare(*definer, kAlways, Boolean::and_));
  return sources_[value].condition();
}

}  // namespace texlate::maxwell::select
