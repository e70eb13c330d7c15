#include "backend/maxwell/select/variables.h"

#include <algorithm>

#include "ir/structure.h"

namespace texlate::maxwell::select {

using ir::Op;

namespace {

constexpr uint32_t kNoPayload = 0xffffffffu;

uint32_t row_words(size_t variables) {
  return static_cast<uint32_t>((variables + 63) / 64);
}

bool is_assignment(Op op) {
  return op == Op::output || op == Op::discard || op == Op::patch_output || op == Op::emit || op == Op::cut;
}

}  // namespace

Variables::Variables(const ir::Module& module, Assembler& assembler)
    : module_(module),
      assembler_(assembler),
      variables_(module.memory()),
      assigned_(module.memory()),
      assigned_at_(module.code.size(), 0, module.memory()),
      discards_(
          std::ranges::any_of(module.code, [](const ir::Instruction& i) { return i.op == Op::discard; })) {
  if (discards_) variables_.push_back({kNoPayload, true, kNone});
  add(module.outputs, 0);
  if (module.stage == ir::Stage::hull) add(module.patch_constants, Variable::kPatchFile);
  if (module.stage == ir::Stage::geometry) variables_.push_back({Variable::kHandlePayload, false, kNone});
  find_assignments();
}

/// One for each component. Several streams may declare the same registers.
void Variables::add(std::span<const ir::Parameter> parameters, uint32_t file) {
  for (const ir::Parameter& parameter : parameters) {
    for (uint32_t c = 0; c < 4; ++c) {
      const uint32_t payload = file + parameter.reg * 4 + c;
      if (((parameter.mask >> c) & 1) == 0 || find(payload) != nullptr) continue;
      variables_.push_back({payload, false, kNone});
    }
  }
}

/// Which constructs assign which variables.
void Variables::find_assignments() {
  const uint32_t words = row_words(variables_.size());
  std::pmr::vector<uint32_t> open(module_.memory());
  uint32_t rows = 0;
  for (uint32_t i = 0; i < module_.code.size(); ++i) {
    const ir::Instruction& instruction = module_.code[i];
    if (ir::opens_construct(instruction.op) || instruction.op == Op::phase) {
      // A phase lasts until the next one begins.
      if (instruction.op == Op::phase) open.clear();
      assigned_at_[i] = rows++;
      assigned_.resize(size_t{rows} * words, 0);
      open.push_back(i);
    } else if (ir::closes_construct(instruction.op)) {
      const uint32_t inner = assigned_at_[open.back()];
      open.pop_back();
      for (uint32_t w = 0; !open.empty() && w < words; ++w) {
        assigned_[size_t{assigned_at_[open.back()]} * words + w] |= assigned_[size_t{inner} * words + w];
      }
    } else if (is_assignment(instruction.op) && !open.empty()) {
      for (uint32_t v = 0; v < variables_.size(); ++v) {
        if (!may_assign(instruction, variables_[v])) continue;
        assigned_[size_t{assigned_at_[open.back()]} * words + v / 64] |= uint64_t{1} << (v % 64);
      }
    }
  }
}

Variable* Variables::find(uint32_t payload) {
  const auto found = std::ranges::find_if(variables_, [&](const Variable& variable) {
    return variable.payload == payload && !variable.is_predicate;
  });
  return found == variables_.end() ? nullptr : &*found;
}

uint32_t Variables::assigned_payload(const ir::Instruction& instruction) {
  if (instruction.op == Op::emit || instruction.op == Op::cut) return Variable::kHandlePayload;
  return instruction.payload + (instruction.op == Op::patch_output ? Variable::kPatchFile : 0);
}

/// Does `output`, `patch.output`, `emit`, `cut` or `discard` write the variable? A run-time register number
/// may be any register of the same kind from its base on.
bool Variables::may_assign(const ir::Instruction& instruction, const Variable& written) {
  if (instruction.op == Op::discard || written.is_predicate)
    return instruction.op == Op::discard && written.is_predicate;
  const uint32_t payload = assigned_payload(instruction);
  if (!instruction.has(ir::kIndexOperand)) return written.payload == payload;
  const uint32_t file = instruction.op == Op::patch_output ? Variable::kPatchFile : 0;
  return written.payload >= payload && written.payload < file + 4 * ir::kSpecialRegister &&
         written.payload % 4 == payload % 4;
}

bool Variables::assigns(uint32_t marker, size_t variable) const {
  const size_t row = size_t{assigned_at_[marker]} * row_words(variables_.size());
  return ((assigned_[row + variable / 64] >> (variable % 64)) & 1) != 0;
}

void Variables::clear() {
  for (Variable& variable : variables_) {
    if (!variable.is_predicate) variable.value = assembler_.immediate(0);
  }
}

void Variables::set_live(Predicate condition) {
  if (discards_) {
    variables_[0].value = assembler_.predicate_value(condition);
  } else {
    entry_live_ = condition;
  }
}

void Variables::pass(uint32_t marker, std::pmr::vector<MachineValue>& list) const {
  for (size_t i = 0; i < variables_.size(); ++i) {
    if (assigns(marker, i)) list.push_back(variables_[i].value);
  }
}

void Variables::make(uint32_t marker, std::pmr::vector<MachineValue>& list, bool keep) {
  for (size_t i = 0; i < variables_.size(); ++i) {
    if (!assigns(marker, i)) continue;
    list.push_back(fresh(variables_[i]));
    if (keep) variables_[i].value = list.back();
  }
}

void Variables::pass_all(std::pmr::vector<MachineValue>& list) const {
  for (const Variable& variable : variables_) list.push_back(variable.value);
}

void Variables::make_all(std::pmr::vector<MachineValue>& list) {
  for (Variable& variable : variables_) list.push_back(variable.value = fresh(variable));
}

void Variables::restore(std::span<const MachineValue> saved) {
  for (size_t i = 0; i < variables_.size(); ++i) variables_[i].value = saved[i];
}

}  // namespace texlate::maxwell::select
