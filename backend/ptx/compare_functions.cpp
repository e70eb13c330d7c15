#include "backend/ptx/compare_functions.h"

#include <algorithm>

#include "backend/launch/compare_body.h"
#include "backend/ptx/guarantees.h"

namespace texlate::ptx {

namespace {

using ir::Slot;

/// One sample of t0 through s0.
bool make_body(const ir::ResourceAccess& of, const ir::Resource& resource,
               std::span<const ir::KnownFact> known, ir::Module& body, Diagnostics& diagnostics) {
  ir::Resource texture;
  texture.dimension = of.dimension;
  std::ranges::copy(resource.component_types, texture.component_types);
  body.resources.push_back(texture);
  ir::Sampler sampler;
  sampler.comparison = true;
  body.samplers.push_back(sampler);
  ir::ResourceAccess sample = of;
  sample.resource = sample.sampler = 0;
  return launch::make_compare_body(sample, kCompareArguments, guarantees(), {known, {}, {}}, body,
                                   diagnostics);
}

}  // namespace

uint32_t CompareFunction::argument_count() const {
  return static_cast<uint32_t>(
      std::ranges::count_if(kCompareArguments, [&](Slot slot) { return contract.has(slot); }));
}

/// The number of the function for this access. The first call writes the function.
uint32_t CompareFunctions::find(const Instruction& instruction) {
  const ir::ResourceAccess& contract = access(instruction);
  std::pmr::vector<ir::KnownFact> known = launch::known_of_comparison(module_, instruction);
  for (uint32_t i = 0; i < functions_.size(); ++i) {
    if (functions_[i].known == known && launch::is_same_comparison(functions_[i].contract, contract))
      return i;
  }
  const auto number = static_cast<uint32_t>(functions_.size());
  functions_.push_back({contract, std::move(known), std::pmr::vector<uint32_t>(module_.memory())});
  ir::Module body(module_.memory());
  Layout layout(module_.memory());
  layout.resources.push_back(0);
  layout.forms.push_back(BindingForm::texture);
  layout.atomic.push_back(0);
  layout.samplers.push_back(0);
  Options options = options_;
  options.lines = nullptr;
  options.own.debug = false;
  if (!make_body(contract, module_.resources[contract.resource], functions_[number].known, body,
                 core_.diagnostics))
    return number;
  emit_function(body, options, layout, number, functions_[number], text_, core_.diagnostics);
  return number;
}

void CompareFunctions::emit_call(const Instruction& instruction) {
  const ir::ResourceAccess& contract = access(instruction);
  const uint32_t number = find(instruction);
  const CompareFunction& function = functions_[number];
  const Temp64 object = records_.handle(instruction);
  const Record texture = records_.resource_of(instruction);
  const Record sampler = records_.sampler(contract.sampler, slot(instruction, Slot::sampler_index));
  put("\t{\n");
  uint32_t argument = 0;
  const auto pass = [&](const auto& value) {
    line(".param .b32 texlate_a", argument);
    line("st.param.b32 [texlate_a", argument++, "], ", value);
  };
  for (const Slot which : kCompareArguments) {
    if (contract.has(which)) pass(Int{slot(instruction, which)});
  }
  for (const uint32_t packed : function.facts) {
    const ir::BindingQuery query = ir::BindingQuery::unpack(packed);
    pass(records_.field32(query.is_sampler_fact() ? sampler : texture, fact_offset(query.fact)));
  }
  line(".param .b64 texlate_object");
  line("st.param.b64 [texlate_object], ", object);
  line(".param .b32 texlate_result");
  put("\tcall (texlate_result), texlate_compare", number, ", (");
  for (uint32_t i = 0; i < argument; ++i) put("texlate_a", i, ", ");
  put("texlate_object);\n");
  line("ld.param.b32 ", Int{instruction.first_result}, ", [texlate_result]");
  copy_comparison(instruction);
  put("\t}\n");
}

}  // namespace texlate::ptx
