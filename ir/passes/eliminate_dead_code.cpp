#include "ir/passes/eliminate_dead_code.h"

#include "ir/base/zeroed.h"
#include "ir/passes/liveness.h"
#include "ir/passes/rewriter.h"

namespace texlate::ir {

namespace {

class DeadCodeElimination {
 public:
  explicit DeadCodeElimination(Module& module)
      : module_(module),
        scratch_(module.memory()),
        structure_(module, &scratch_, Structure::Extent::control),
        live_(module, structure_, scratch_) {}

  bool run() {
    // Results get new numbers while instructions are rewritten; the receivers of values are found by the old
    // numbers.
    received_ = zeroed<Received>(scratch_, structure_.constructs().size());
    for (uint32_t c = 0; c < received_.size(); ++c) {
      const Construct& construct = structure_[c];
      received_[c] = {module_.code[construct.marker].first_result, module_.code[construct.end].first_result};
    }
    return rewrite();
  }

 private:
  bool rewrite() {
    Replacements replacements(module_, &scratch_);
    bool changed = false;
    size_t kept = 0;
    const uint32_t count = static_cast<uint32_t>(module_.code.size());
    Instruction* const code = module_.code.data();
    for (uint32_t i = 0; i < count; ++i) {
      Instruction& instruction = code[i];
      const OpInfo& operation = info(instruction.op);
      const bool is_control = operation.has(kControl);
      if (is_control ? !live_.stays(i) : !live_.is_live(i)) continue;
      // Only results of markers get new numbers.
      if (is_control || live_.uses_marker(i)) replacements.apply(module_, instruction);
      if (is_control) {
        if (const Value first = receiver(i, instruction.op); first != kNoValue)
          changed |= keep_operands(instruction, first);
        if (operation.passes_results()) changed |= keep_results(instruction, replacements);
      }
      if (kept != i) code[kept] = instruction;
      ++kept;
    }
    module_.code.resize(kept);
    return changed || kept != count;
  }

  /// The first result, before renumbering, of the marker that receives the values that this instruction
  /// passes.
  Value receiver(uint32_t index, Op op) const {
    const uint32_t marker = receiver_of(structure_, index, op);
    if (marker == Structure::kNoIndex) return kNoValue;
    const Construct& construct = structure_.of(index);
    const Received& received = received_[structure_.construct_of(index)];
    return marker == construct.marker ? received.carried : received.leaving;
  }

  bool keep_operands(Instruction& instruction, Value received) {
    uint32_t kept = 0;
    for (uint32_t i = 0; i < instruction.operand_count; ++i) {
      if (!live_.is_value_live(received + i)) continue;
      module_.operands[instruction.first_operand + kept++] = module_.operands[instruction.first_operand + i];
    }
    const bool changed = kept != instruction.operand_count;
    instruction.operand_count = kept;
    return changed;
  }

  // Results are consecutive values, so the remaining ones get new numbers.
  bool keep_results(Instruction& instruction, Replacements& replacements) {
    uint32_t live = 0;
    for (uint32_t i = 0; i < instruction.result_count; ++i)
      live += live_.is_value_live(instruction.first_result + i) ? 1 : 0;
    if (live == instruction.result_count) return false;
    const Value first = module_.next_value();
    for (uint32_t i = 0; i < instruction.result_count; ++i) {
      const Value result = instruction.first_result + i;
      if (live_.is_value_live(result))
        replacements.replace(result, module_.new_values(module_.values[result].type));
    }
    instruction.result_count = static_cast<uint16_t>(live);
    instruction.first_result = live != 0 ? first : kNoValue;
    return true;
  }

  Module& module_;
  std::pmr::monotonic_buffer_resource scratch_;
  struct Received {
    Value carried, leaving;  // first results of both markers, as they were
  };
  const Structure structure_;
  const Liveness live_;
  std::span<Received> received_;  // by construct
};

}  // namespace

namespace {

/// Without constructs one walk backwards meets every use before its definition.
bool sweep_straight_line(Module& module) {
  std::pmr::monotonic_buffer_resource scratch(module.memory());
  uint8_t* const live = zeroed<uint8_t>(scratch, module.values.size()).data();
  Instruction* const code = module.code.data();
  const size_t count = module.code.size();
  size_t kept = count;
  for (size_t i = count; i-- != 0;) {
    const Instruction& instruction = code[i];
    bool stays = instruction.op == Op::return_ || info(instruction.op).has(kWritesMemory);
    for (uint32_t r = 0; r < instruction.result_count && !stays; ++r)
      stays = live[instruction.first_result + r] != 0;
    if (!stays) continue;
    const Value* const operands = module.operands.data() + instruction.first_operand;
    const uint32_t operand_count = instruction.operand_count;
    for (uint32_t o = 0; o < operand_count; ++o) live[operands[o]] = 1;
    if (--kept != i) code[kept] = instruction;
  }
  module.code.drop_front(kept);
  return kept != 0;
}

}  // namespace

bool eliminate_dead_code(Module& module) {
  if (is_straight_line(module)) return sweep_straight_line(module);
  return DeadCodeElimination(module).run();
}

}  // namespace texlate::ir
