#include "sim/scene/integer_uses.h"

#include "ir/base/direct3d_limits.h"

namespace texlate::sim {

namespace {

using ir::Op;

/// Logic operations are used for masks and for bits of floats too. Halves and doubles are stored in words
/// that are not integers.
bool reads_integers(Op op) {
  if (op == Op::tex_fetch || op == Op::tex_size) return true;
  if (ir::is_bitwise(op) || op == Op::f16tof32 || op == Op::pack64) return false;
  const std::string_view operands = ir::info(op).operands;
  return operands.starts_with('i') &&
         operands.find('w') == std::string_view::npos;  // w: the value of a store
}

}  // namespace

IntegerUses::IntegerUses(const ir::Module& module) : constants_(module.constant_buffers.size()) {
  // The source of a value: a word of a list. The word is given by its index, because lists grow.
  struct Source {
    Places* places = nullptr;
    size_t at = 0;
  };
  std::vector<Source> sources(module.values.size());
  auto remember = [&](ir::Value value, Places& places, size_t at) {
    if (places.size() <= at) places.resize(at + 1);
    sources[value] = {&places, at};
  };
  for (const ir::Instruction& instruction : module.code) {
    const auto operands = module.operands_of(instruction);
    for (ir::Value operand : operands) {
      const Source& source = sources[operand];
      if (source.places == nullptr) continue;
      Uses& uses = (*source.places)[source.at];
      (reads_integers(instruction.op) ? uses.integer : uses.other) = true;
    }
    if (instruction.op == Op::cb_load && module.is_constant(operands[0])) {
      const uint32_t row = module.constant_bits(operands[0]);
      for (uint32_t c = 0; c < 4 && row < kMaxConstantRows; ++c) {
        remember(instruction.first_result + c, constants_[instruction.payload], size_t{row} * 4 + c);
      }
    }
    if (instruction.op == Op::input && !instruction.has(ir::kIndexOperand))
      remember(instruction.first_result, inputs_, instruction.payload);
    if (instruction.op == Op::patch_input && operands.empty())
      remember(instruction.first_result, patch_constants_, instruction.payload);
  }
}

}  // namespace texlate::sim
