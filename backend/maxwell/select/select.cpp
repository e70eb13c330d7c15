// Instruction selection: the walk over the module, and what all families share.

#include <algorithm>
#include <bit>

#include "backend/maxwell/select/selector.h"
#include "ir/structure.h"

namespace texlate::maxwell::select {

using ir::Op;

Selector::Selector(const ir::Module& source, const launch::Layout& abi, const Options& choices,
                   machine::Function& function, Diagnostics& sink)
    : module(source),
      layout(abi),
      options(choices),
      diagnostics(sink),
      assembler(function),
      known_arena_(source.memory()),
      known_(source, known_arena_),
      uses_(source.memory()),
      definition_(source.memory()),
      user_(source.memory()),
      region_(source.memory()),
      done_(source.memory()),
      sources_(source.memory()),
      high_(source.memory()),
      predicates_(source.memory()),
      end_of_(source.memory()),
      leaves_(source.memory()),
      parts_(source.memory()),
      open_(source.memory()),
      variables_(source.memory()),
      assigned_(source.memory()),
      assigned_at_(source.memory()),
      saved_(source.memory()),
      arms_(source.memory()),
      scratch_(source.memory()),
      offset_uses_(source.memory()),
      arguments_(source.memory()),
      input_masks_(source.memory()),
      used_components_(source.memory()),
      errors_before_(sink.error_count()) {}

void Selector::scan() {
  const size_t values = module.values.size();
  const size_t instructions = module.code.size();
  uses_.assign(values, 0);
  definition_.assign(values, kNoInstruction);
  user_.assign(values, kNoInstruction);
  sources_.assign(values, {});
  high_.assign(values, kNone);
  predicates_.assign(values, {});
  region_.assign(instructions, 0);
  done_.assign(instructions, 0);
  end_of_.assign(instructions, 0);
  leaves_.assign(instructions, 0);
  const ir::Structure structure(module, module.memory());
  ir::find_ends(structure, end_of_);
  uint32_t markers = 0;
  uint32_t depth = 0;
  for (uint32_t i = 0; i < instructions; ++i) {
    const ir::Instruction& instruction = module.code[i];
    const ir::OpInfo& info = ir::info(instruction.op);
    for (const ir::Value value : module.operands_of(instruction)) {
      ++uses_[value];
      user_[value] = i;
    }
    for (uint32_t r = 0; r < instruction.result_count; ++r) definition_[instruction.first_result + r] = i;
    leaves_[i] = structure.continues(i) ? 1 : 0;
    if (info.has(ir::kControl)) ++markers;
    region_[i] = markers;
    if (ir::opens_construct(instruction.op)) ++depth;
    if (ir::closes_construct(instruction.op)) --depth;
    if (instruction.op == Op::return_ && depth != 0) returns_early_ = true;
    if (instruction.op == Op::discard) discards_ = true;
    if (instruction.op == Op::if_ || instruction.op == Op::switch_) selects_ = true;
  }
  // The arguments of a routine are not inputs that the analysis would know.
  if (selects_ && !is_routine()) parts_ = ir::find_uniformity(module, structure).parts;
}

bool Selector::run() {
  scan();
  find_variables();
  machine::Builder& builder = assembler.builder();
  if (is_routine()) {
    begin_routine();
  } else {
    builder.begin(builder.block());
  }
  if (is_stream()) begin_stream();
  // If a pixel or vertex program may return early, its code is a body that is left for the code that stores
  // the outputs.
  if (is_stream() && returns_early_ && module.stage != ir::Stage::hull) {
    exit_block_ = builder.block();
    const machine::BlockId body = builder.block();
    builder.loop(exit_block_, body);
    builder.jump(body);
    assembler.enter_region();  // registers filled at the body's end are not available at every return
    builder.begin(body);
  }
  for (uint32_t i = 0; i < module.code.size(); ++i) {
    const ir::Instruction& instruction = module.code[i];
    if (done_[i] != 0 || !(builder.is_open() || ir::info(instruction.op).has(ir::kControl))) continue;
    assembler.set_origin(i + 1);
    select(instruction);
    if (assembler.is_stuck())
      refuse(instruction, "internal error: an operand that no form of the instruction accepts");
    if (diagnostics.error_count() != errors_before_) return false;
  }
  if (module.stage == ir::Stage::hull) {
    finish_phases();
  } else {
    if (builder.is_open()) leave_program();
    finish_entry();
  }
  builder.finish();
  return diagnostics.error_count() == errors_before_;
}

void Selector::finish_entry() {
  if (exit_block_ == machine::kNoBlock) return;
  assembler.leave_region();
  std::pmr::vector<MachineValue> parameters(module.memory());
  for (Variable& variable : variables_) {
    variable.value = variable.is_predicate ? assembler.predicate() : assembler.general();
    parameters.push_back(variable.value);
  }
  assembler.builder().begin(exit_block_, parameters);
  exit_stream();
}

void Selector::select(const ir::Instruction& instruction) {
  switch (ir::info(instruction.op).family) {
    case ir::Family::float32: return select_float(instruction);
    case ir::Family::conversion: return select_conversion(instruction);
    case ir::Family::integer: return select_integer(instruction);
    case ir::Family::predicate: return select_predicate(instruction);
    case ir::Family::float64: return select_double(instruction);
    case ir::Family::derivative: return select_derivative(instruction);
    case ir::Family::source_register:
      return refuse(instruction, "a source register, which SSA construction removes");
    case ir::Family::interface: return select_interface(instruction);
    case ir::Family::memory: return select_memory(instruction);
    case ir::Family::texture: return select_texture(instruction);
    case ir::Family::surface: return select_surface(instruction);
    case ir::Family::buffer: return select_buffer(instruction);
    case ir::Family::binding: return select_binding(instruction);
    case ir::Family::control: return select_control(instruction);
    case ir::Family::effect: return select_interface(instruction);
  }
}

void Selector::refuse(const ir::Instruction& instruction, std::string_view what) {
  diagnostics.error(module.location_of(instruction), "{} cannot be expressed on maxwell", what);
}

// ---- values

Source Selector::word(ir::Value value) {
  if (module.is_constant(value)) return Source::immediate(module.constant_bits(value));
  return sources_[value];
}

Source Selector::float_source(ir::Value value) {
  if (module.is_constant(value)) return Source::immediate(module.constant_bits(value));
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

Source Selector::integer_source(ir::Value value) {
  const ir::Instruction* definer = module.is_constant(value) ? nullptr : definition(value);
  if (definer == nullptr || definer->op != Op::ineg) return word(value);
  Source source = word(operand(*definer, 0));
  if (source.is_immediate()) return sources_[value];
  source.flags ^= kNegate;
  source.plain = sources_[value].value;
  return source;
}

Source Selector::logic_source(ir::Value value) {
  const ir::Instruction* definer = module.is_constant(value) ? nullptr : definition(value);
  if (definer == nullptr || definer->op != Op::not_) return word(value);
  Source source = word(operand(*definer, 0));
  if (source.is_immediate()) return sources_[value];
  source.flags ^= kInvert;
  source.plain = sources_[value].value;
  return source;
}

Predicate Selector::predicate(ir::Value value) {
  if (module.is_constant(value)) return Predicate::constant(module.values[value].bits != 0);
  const ir::Instruction* definer = definition(value);
  if (definer->op == Op::pnot) return !predicate(operand(*definer, 0));
  // A comparison that was left to its user.
  if (predicates_[value].value == kNone && is_compare(definer->op)) {
    predicates_[value] = emit_compare(*definer, Predicate::constant(true), Boolean::and_);
  }
  return predicates_[value];
}

Pair Selector::pair(ir::Value value) {
  if (module.is_constant(value)) {
    const uint64_t bits = module.values[value].bits;
    return {assembler.immediate(static_cast<uint32_t>(bits)),
            assembler.immediate(static_cast<uint32_t>(bits >> 32))};
  }
  return {sources_[value].value, high_[value]};
}

const ir::Instruction* Selector::only_user(ir::Value value) const {
  return has_one_use(value) && user_[value] != kNoInstruction ? &module.code[user_[value]] : nullptr;
}

const ir::Instruction* Selector::absorbable(ir::Value value, Op op) const {
  if (module.is_constant(value) || !has_one_use(value)) return nullptr;
  const ir::Instruction* definer = definition(value);
  if (definer == nullptr || definer->op != op || region_[definition_[value]] != region_[user_[value]])
    return nullptr;
  return definer;
}

Predicate Selector::live() const {
  if (!is_stream()) return Predicate::constant(true);
  return discards_ ? Predicate{variables_[0].value, false} : entry_live_;
}

void Selector::set_live(Predicate condition) {
  if (discards_) {
    variables_[0].value = assembler.predicate_value(condition);
  } else {
    entry_live_ = condition;
  }
}

Predicate Selector::effective(Predicate guard) {
  const Predicate lives = live();
  if (lives.is_true()) return guard;
  if (guard.is_true()) return lives;
  return both(guard, lives);
}

Predicate Selector::both(Predicate first, Predicate second) {
  const MachineValue result = assembler.predicate();
  emit({Opcode::psetp, {Predicate{result, false}, Arg(), first, second, Predicate::constant(true)}});
  return {result, false};
}

MachineValue Selector::emit_select(Predicate condition, const Source& yes, const Source& no) {
  const Draft straight{Opcode::sel, {Arg(), yes, no, condition}};
  const Draft swapped{Opcode::sel, {Arg(), no, yes, !condition}};
  return assembler.emit_word(assembler.cheaper(straight, swapped));
}

}  // namespace texlate::maxwell::select
