#include <spirv/unified1/NonSemanticDebugPrintf.h>

#include "backend/spirv/families.h"
#include "backend/spirv/printf_format.h"

namespace texlate::spirv {

void Effects::emit_cycle_counter(const Instruction& instruction) {
  builder_.require(spv::CapabilityShaderClockKHR);
  builder_.require_extension("SPV_KHR_shader_clock");
  const Id uint = builder_.uint_type();
  const Id pair = builder_.vector_type(uint, 2);
  const Id clock = emit(spv::OpReadClockKHR, pair, {constant(spv::ScopeSubgroup)});
  define_lanes(instruction.first_result, clock, 2, As::uint);
}

/// Values that the text does not ask for are left out; zeros take the place of missing ones.
void Effects::emit_message(const Instruction& instruction) {
  if (!device_has(Feature::non_semantic)) return;
  const auto [text, kinds, refused] = printf_format(module_.name_at(instruction.payload), module_.memory());
  if (!refused.empty()) return refuse(instruction, "the conversion '" + std::string(refused) + "' of printf");
  const Id set = builder_.non_semantic_set("NonSemantic.DebugPrintf");
  std::pmr::vector<Operand> words({set, NonSemanticDebugPrintfDebugPrintf, builder_.string(text)},
                                  module_.memory());
  for (uint32_t i = 0; i < kinds.size(); ++i) {
    const Id bits = i < instruction.operand_count ? as_uint(operand(instruction, i)) : constant(0);
    words.push_back(convert(bits, Kind::uint, kinds[i]));
  }
  emit(spv::OpExtInst, builder_.void_type(), words);
}

}  // namespace texlate::spirv
