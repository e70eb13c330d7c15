#include "backend/maxwell/select/state.h"

#include <algorithm>

#include "ir/structure.h"

namespace texlate::maxwell::select {

using ir::Op;

State::State(const ir::Module& module, Assembler& assembler)
    : assembler_(assembler),
      kind_(module.stage == ir::Stage::geometry ? Kind::handle : Kind::none),
      changes_(module.code.size(), false, module.memory()) {
  const auto changes_state = [](const ir::Instruction& instruction) {
    return instruction.op == Op::discard || instruction.op == Op::emit || instruction.op == Op::cut;
  };
  if (std::ranges::none_of(module.code, changes_state)) return;
  std::pmr::vector<uint32_t> open(module.memory());
  for (uint32_t i = 0; i < module.code.size(); ++i) {
    const Op op = module.code[i].op;
    if (ir::opens_construct(op)) open.push_back(i);
    if (ir::closes_construct(op)) open.pop_back();
    if (!changes_state(module.code[i])) continue;
    if (op == Op::discard) kind_ = Kind::live;
    for (size_t k = open.size(); k-- != 0 && !changes_[open[k]];) changes_[open[k]] = true;
  }
}

void State::begin(Predicate lives) {
  if (kind_ == Kind::handle) value_ = assembler_.immediate(0);
  set_live(lives);
}

void State::set_live(Predicate condition) {
  if (discards()) {
    value_ = assembler_.predicate_value(condition);
  } else {
    entry_live_ = condition;
  }
}

void State::pass(uint32_t marker, std::pmr::vector<MachineValue>& list) const {
  if (changes_[marker]) pass_always(list);
}

void State::make(uint32_t marker, std::pmr::vector<MachineValue>& list, bool keep) {
  if (!changes_[marker]) return;
  list.push_back(fresh());
  if (keep) value_ = list.back();
}

void State::pass_always(std::pmr::vector<MachineValue>& list) const {
  if (kind_ != Kind::none) list.push_back(value_);
}

void State::make_always(std::pmr::vector<MachineValue>& list) {
  if (kind_ != Kind::none) list.push_back(value_ = fresh());
}

}  // namespace texlate::maxwell::select
