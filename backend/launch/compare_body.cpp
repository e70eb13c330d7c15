#include "backend/launch/compare_body.h"

#include <algorithm>

#include "ir/builder.h"
#include "ir/passes/apply_known_state.h"
#include "ir/passes/optimize.h"

namespace texlate::launch {

bool is_same_comparison(const ir::ResourceAccess& a, const ir::ResourceAccess& b) {
  return a.dimension == b.dimension && a.has_offset == b.has_offset &&
         std::ranges::equal(a.offset, b.offset) && a.has(ir::Slot::layer) == b.has(ir::Slot::layer);
}

std::pmr::vector<ir::KnownFact> known_of_comparison(const ir::Module& module, const ir::Instruction& sample) {
  const ir::ResourceAccess& access = module.access_of(sample);
  const auto registers = [&](ir::RegisterFile file, const auto& declared, ir::Slot slot) {
    ir::KnownRegisters of{file, declared.space, declared.lower_bound, declared.upper_bound};
    const ir::Value index = module.operand(sample, slot);
    if (index == ir::kNoValue || module.is_constant(index))
      of.first = of.last = of.first + (index == ir::kNoValue ? 0 : module.constant_bits(index));
    return of;
  };
  const ir::KnownRegisters asked[] = {
      registers(ir::RegisterFile::resource, module.resources[access.resource], ir::Slot::resource_index),
      registers(ir::RegisterFile::sampler, module.samplers[access.sampler], ir::Slot::sampler_index)};
  std::pmr::vector<ir::KnownFact> known(module.memory());
  for (const ir::KnownFact& fact : module.relied.facts) {
    for (const ir::KnownRegisters& of : asked) {
      if (fact.of == of) known.push_back({{of.file, 0, 0, 0}, fact.fact, fact.value});
    }
  }
  return known;
}

bool make_compare_body(const ir::ResourceAccess& sample, std::span<const ir::Slot> arguments,
                       const ir::Guarantees& promises, const ir::KnownState& known, ir::Module& body,
                       Diagnostics& diagnostics) {
  body.stage = ir::Stage::compute;
  ir::Builder builder(body, body.code);
  ir::ResourceAccess contract = sample;
  contract.slots = 0;
  contract.non_uniform = false;
  ir::AccessBuilder access(contract);
  uint32_t argument = 0;
  for (const ir::Slot slot : arguments) {
    if (sample.has(slot)) access.set(slot, builder.emit(ir::Op::input, {}, argument++));
  }
  const ir::Value first = access.emit(builder, ir::Op::tex_sample);
  builder.emit(ir::Op::output, {first}, 0);
  ir::KnownFacts facts(body, known);
  if (!ir::legalize(body, promises, diagnostics, nullptr, nullptr, known.empty() ? nullptr : &facts))
    return false;
  ir::optimize(body);
  if (!known.empty() && ir::settle_guards(body)) ir::optimize(body);
  return true;
}

}  // namespace texlate::launch
