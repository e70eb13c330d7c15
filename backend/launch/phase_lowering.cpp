#include "backend/launch/phase_lowering.h"

namespace texlate::launch {

std::pmr::vector<PhaseCode> PhaseLowering::find_phases() {
  structure_.emplace(module_, &scratch_);
  leaves_.resize(structure_->constructs().size(), false);
  std::pmr::vector<PhaseCode> phases(&scratch_);
  for (uint32_t i = 0; i < module_.code.size(); ++i) {
    const Instruction& instruction = module_.code[i];
    if (instruction.op == Op::phase) phases.emplace_back().first = i + 1;
    if (phases.empty()) continue;
    phases.back().end = i + 1;
    if (instruction.op != Op::return_ || structure_->around(i) == ir::Structure::kNoIndex) continue;
    phases.back().returns_early = true;
    mark_exits(structure_->around(i));
  }
  return phases;
}

void PhaseLowering::lower_phase(const PhaseCode& phase, uint32_t instances, uint32_t threads, Value lane) {
  if (instances == 0) return;
  if (instances <= threads && !phase.returns_early) {
    instance_ = lane;
    mark(Op::if_, {emit(Op::ult, {lane, word(instances)})});
    lower_body(phase);
    end_if();
    return;
  }
  // The thread's instances, one after the other. A return from one goes on with the next. From a known number
  // on, a thread counts before the test: the old number is then not needed any more.
  const bool counts_first = module_.is_constant(lane);
  emit(Op::reg_store, {counts_first ? word(module_.constant_bits(lane) - threads) : lane}, kNext);
  mark(Op::loop);
  instance_ = emit(Op::reg_load, {}, kNext);
  const auto advance = [&] {
    const Value next = emit(Op::iadd, {instance_, word(threads)});
    emit(Op::reg_store, {next}, kNext);
    return next;
  };
  if (counts_first) instance_ = advance();
  mark(Op::if_, {emit(Op::uge, {instance_, word(instances)})});
  mark(Op::break_);
  end_if();
  if (!counts_first) advance();
  emit(Op::reg_store, {word(0)}, kLeft);
  lower_body(phase);
  mark(Op::endloop);
}

void PhaseLowering::lower_body(const PhaseCode& phase) {
  for (uint32_t i = phase.first; i < phase.end; ++i) {
    const Instruction& instruction = module_.code[i];
    replacements_.apply(module_, instruction);
    builder_.set_location(instruction);
    if (instruction.op == Op::return_) {
      leave(i);
    } else if (instruction.op == Op::endloop || instruction.op == Op::endswitch) {
      builder_.append(instruction);
      const uint32_t construct = structure_->construct_of(i);
      if (leaves_[construct]) leave_further(construct, structure_->continues(i));
    } else {
      lower(instruction);
    }
  }
}

// ---- returns from inside constructs: jumps to the next instance, one loop or switch after the other

/// The innermost loop or switch from `construct` outwards, or none.
uint32_t PhaseLowering::breakable(uint32_t construct) const {
  while (construct != ir::Structure::kNoIndex && at(construct).op == Op::if_)
    construct = at(construct).parent;
  return construct;
}

bool PhaseLowering::is_in_loop(uint32_t construct) const {
  while (construct != ir::Structure::kNoIndex && at(construct).op != Op::loop)
    construct = at(construct).parent;
  return construct != ir::Structure::kNoIndex;
}

/// Up to the outermost loop, a return leaves loops and switches one by one.
void PhaseLowering::mark_exits(uint32_t construct) {
  for (construct = breakable(construct); is_in_loop(construct); construct = breakable(at(construct).parent)) {
    if (leaves_[construct]) return;
    leaves_[construct] = true;
  }
}

void PhaseLowering::leave(uint32_t number) {
  const uint32_t construct = structure_->around(number);
  if (construct == ir::Structure::kNoIndex) return;  // the end of the phase
  if (is_in_loop(construct)) emit(Op::reg_store, {word(1)}, kLeft);
  jump_out(construct);
}

/// After a loop or switch from which a return may have come.
void PhaseLowering::leave_further(uint32_t construct, bool continues) {
  const uint32_t around = at(construct).parent;
  if (!continues) return jump_out(around);
  const Value left = emit(Op::reg_load, {}, kLeft);
  mark(Op::if_, {emit(Op::ine, {left, word(0)})});
  jump_out(around);
  end_if();
}

void PhaseLowering::jump_out(uint32_t construct) {
  if (!is_in_loop(construct)) return mark(Op::continue_);
  const Instruction& end = module_.code[at(breakable(construct)).end];
  std::pmr::vector<Value> nothing(&scratch_);  // nobody reads them
  for (uint32_t r = 0; r < end.result_count; ++r)
    nothing.push_back(module_.constant(module_.values[end.first_result + r].type, 0));
  builder_.emit_variadic(Op::break_, nothing, 0);
}

}  // namespace texlate::launch
