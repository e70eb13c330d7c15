// validate(): instructions with two results, doubles, and the extensions that dcl_globalFlags enables.
#include <bit>

#include "frontend/sm4/validate_uses.h"

namespace texlate::sm4 {

namespace {

/// The components that two operands have in common, if they are certainly the same register.
uint32_t common_components(const Operand& a, const Operand& b) {
  if (a.file != b.file || a.file == RegisterFile::null || a.index_count != b.index_count) return 0;
  for (uint32_t i = 0; i < a.index_count; ++i) {
    if (a.index[i] != b.index[i] || a.index[i].relative != kNoOperand) return 0;
  }
  return a.write_mask() & b.write_mask();
}

/// Lanes 2n and 2n + 1 of a swizzle are the words of one double.
bool is_pair(const Operand& operand, uint32_t n) {
  const uint32_t low = operand.source_component(2 * n);
  return low % 2 == 0 && operand.source_component(2 * n + 1) == low + 1;
}

/// The flags of dcl_globalFlags that an opcode needs (d3d12TokenizedProgramFormat.hpp,
/// D3D11_SB_GLOBAL_FLAG_ENABLE_*).
uint16_t needed_flags(const OpcodeRule& rule) {
  const bool doubles = (rule.tasks & kHasDoubles) != 0;
  uint16_t flags = 0;
  if (doubles) flags |= kEnableDoublePrecision;
  if ((rule.tasks & kNeedsExtension) != 0)
    flags |= static_cast<uint16_t>(doubles ? kEnable11_1DoubleExtensions : kEnable11_1ShaderExtensions);
  return flags;
}

/// D3D11.3 functional specification 22.14: a double is in xy or zw. 32-bit results for doubles are one
/// component for each.
void check_doubles(ValidationState& state, const Instruction& instruction) {
  const OpcodeInfo& opcode = info(instruction.opcode);
  const auto operands = state.program.operands_of(instruction);
  const bool gives_double = opcode.types[0] == OperandType::double_;
  const uint32_t mask = operands[0].write_mask();
  constexpr uint32_t kLow = 0x3, kHigh = 0xc;
  state.report.set_operand(&operands[0]);
  if (gives_double && mask != kLow && mask != kHigh && mask != kFullMask)
    return state.error(instruction, "a double is in xy or zw: {} cannot write {}", name_of(instruction),
                       spelled_components(mask));
  if (!gives_double && std::popcount(mask) > 2)
    return state.error(instruction, "{} has two results, but {} components", name_of(instruction),
                       std::popcount(mask));
  const uint32_t used = gives_double ? mask : std::popcount(mask) == 2 ? kFullMask : kLow;
  for (uint32_t i = 1; i < operands.size(); ++i) {
    if (opcode.types[i] != OperandType::double_ || operands[i].is_immediate()) continue;
    state.report.set_operand(&operands[i]);
    for (uint32_t n = 0; n < 2; ++n) {
      if ((used >> (2 * n) & 1) == 0 || is_pair(operands[i], n)) continue;
      state.error(instruction, "a double is in xy or zw: operand {} of {} mixes them", i + 1,
                  name_of(instruction));
      break;
    }
  }
  state.report.set_operand(nullptr);
}

}  // namespace

void check_results(ValidationState& state, const Instruction& instruction) {
  const OpcodeRule& rule = rule_of(instruction.opcode);
  if (instruction.operand_count != rule.operand_count) return;
  const auto operands = state.program.operands_of(instruction);
  if ((rule.tasks & kHasTwoResults) != 0) {
    const uint32_t common = common_components(operands[0], operands[1]);
    state.report.set_operand(&operands[1]);
    if (common != 0)
      state.error(instruction, "both results of {} are written to {}{}", name_of(instruction),
                  spelled(operands[1]), spelled_components(common));
    state.report.set_operand(nullptr);
  }
  const uint32_t missing = needed_flags(rule) & ~uint32_t{state.global_flags};
  for (const Keyword& flag : kGlobalFlagNames) {
    if ((missing & flag.value) != 0)
      state.error(instruction, "{} needs dcl_globalFlags {}", name_of(instruction), flag.name);
  }
  if ((rule.tasks & kHasDoubles) != 0) check_doubles(state, instruction);
}

}  // namespace texlate::sm4
