// Expanded comparisons as functions: in a program with many, each is a call. The function's body is the
// legalized form of one such sample. Facts of the texture and the sampler are parameters, because a function
// cannot read the kernel's parameters (PTX ISA 7.1).

#include <algorithm>

#include "backend/launch/compare_body.h"
#include "backend/ptx/emitter.h"
#include "backend/ptx/guarantees.h"

namespace texlate::ptx {

namespace {

using ir::Slot;

using launch::kCompareArguments;

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

/// The number of the function for this access. The first call writes the function.
uint32_t Emitter::compare_function(const Instruction& instruction) {
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
  options.debug = false;
  if (!make_body(contract, module_.resources[contract.resource], functions_[number].known, body,
                 diagnostics_))
    return number;
  const auto arguments = static_cast<uint32_t>(
      std::ranges::count_if(kCompareArguments, [&](Slot slot) { return contract.has(slot); }));
  Emitter(body, options, layout, function_text_, diagnostics_)
      .run_function(functions_[number], number, arguments);
  return number;
}

// Writes the function into out_.
bool Emitter::run_function(CompareFunction& function, uint32_t number, uint32_t arguments) {
  function_ = &function;
  scan();
  find_structure();
  for (current_ = 0; current_ < module_.code.size(); ++current_) {
    if (deferred_[current_] == 0) emit_instruction(module_.code[current_]);
  }
  Buffer<char> code(module_.memory());
  code.swap(body_);
  put(".func (.param .b32 texlate_result) texlate_compare");
  put(number);
  put("(\n");
  const auto facts = static_cast<uint32_t>(function.facts.size());
  for (uint32_t i = 0; i < arguments + facts; ++i) {
    put("\t.param .b32 texlate_a");
    put(i);
    put(",\n");
  }
  put("\t.param .b64 texlate_object\n)\n{\n");
  line(".reg .b32 %a<", arguments + facts, ">, %result");
  line(".reg .b64 %object");
  is_stream_ = false;
  emit_prologue();
  for (uint32_t i = 0; i < arguments + facts; ++i) line("ld.param.b32 %a", i, ", [texlate_a", i, "]");
  line("ld.param.u64 %object, [texlate_object]");
  put(std::string_view(code.data(), code.size()));
  put("LEXIT:\n");
  line("st.param.b32 [texlate_result], %result");
  put("\tret;\n}\n\n");
  out_.append(body_.data(), body_.size());
  return true;
}

// Inputs are the arguments; facts follow them, in the order in which the body queries them.
void Emitter::emit_function_fact(const Instruction& instruction) {
  const auto argument_count = static_cast<uint32_t>(
      std::ranges::count_if(kCompareArguments, [&](Slot slot) { return function_->contract.has(slot); }));
  const Value result = instruction.first_result;
  switch (instruction.op) {
    case Op::input: return line("mov.b32 ", Int{result}, ", %a", instruction.payload);
    case Op::output: return line("mov.b32 %result, ", Int{operand(instruction, 0)});
    case Op::bound: return line("setp.ne.u64 ", Pred{result}, ", %object, 0");
    case Op::binding: {
      auto& facts = function_->facts;
      const auto known = std::ranges::find(facts, instruction.payload);
      const auto index = static_cast<uint32_t>(known - facts.begin());
      if (known == facts.end()) facts.push_back(instruction.payload);
      return line("mov.b32 ", Int{result}, ", %a", argument_count + index);
    }
    default: return refuse(instruction, "this operation in a function");
  }
}

// The call, with what it needs from the parameter block. The function handles an unbound texture: its facts
// are zeros.
void Emitter::emit_compare_call(const Instruction& instruction) {
  const ir::ResourceAccess& contract = access(instruction);
  const uint32_t number = compare_function(instruction);
  const CompareFunction& function = functions_[number];
  const Temp64 object = handle(instruction, false);
  const Record texture = resource_record(instruction);
  const Record sampler = find_record(module_.samplers[contract.sampler], layout_.samplers[contract.sampler],
                                     sampler_record::kSize, slot(instruction, Slot::sampler_index));
  put("\t{\n");
  uint32_t argument = 0;
  const auto declare = [&] { line(".param .b32 texlate_a", argument); };
  for (const Slot which : kCompareArguments) {
    if (!contract.has(which)) continue;
    declare();
    line("st.param.b32 [texlate_a", argument++, "], ", Int{slot(instruction, which)});
  }
  for (const uint32_t packed : function.facts) {
    const ir::BindingQuery query = ir::BindingQuery::unpack(packed);
    const Temp fact = field32(query.is_sampler_fact() ? sampler : texture, fact_offset(query.fact, false));
    declare();
    line("st.param.b32 [texlate_a", argument++, "], ", fact);
  }
  line(".param .b64 texlate_object");
  line("st.param.b64 [texlate_object], ", object);
  line(".param .b32 texlate_result");
  put("\tcall (texlate_result), texlate_compare");
  put(number);
  put(", (");
  for (uint32_t i = 0; i < argument; ++i) {
    put("texlate_a");
    put(i);
    put(", ");
  }
  put("texlate_object);\n");
  bool first = true;
  for (uint32_t i = 0; i < 4; ++i) {
    const Value result = instruction.first_result + i;
    if (!is_used(result)) continue;
    if (first) {
      line("ld.param.b32 ", Int{result}, ", [texlate_result]");
    } else {
      line("mov.b32 ", Int{result}, ", ", Int{instruction.first_result});
    }
    if (first && i != 0) line("mov.b32 ", Int{instruction.first_result}, ", ", Int{result});
    first = false;
  }
  put("\t}\n");
}

}  // namespace texlate::ptx
