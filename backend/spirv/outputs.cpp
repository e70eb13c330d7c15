#include "backend/spirv/outputs.h"

#include <algorithm>
#include <bit>
#include <bitset>
#include <utility>

#include "backend/spirv/system_values.h"

namespace texlate::spirv {

namespace {

/// Can an invocation emit more vertices than the shader declares? Emissions outside loops run once at most.
bool may_emit_too_many(const ir::Module& module) {
  uint32_t emissions = 0, loops = 0;
  for (const ir::Instruction& instruction : module.code) {
    if (instruction.op == Op::loop) ++loops;
    if (instruction.op == Op::endloop) --loops;
    if (instruction.op != Op::emit) continue;
    if (loops != 0) return true;
    ++emissions;
  }
  return emissions > module.max_vertex_count;
}

/// Are both tessellation factors, as far apart in their array as their registers are?
bool are_one_run(const Element& a, const Element& b) {
  if (a.system_value == SystemValue::none || b.system_value == SystemValue::none) return false;
  const ir::TessellationFactor x = factor_place(a.system_value), y = factor_place(b.system_value);
  return x.inner == y.inner && x.index - a.reg == y.index - b.reg;
}

}  // namespace

void Outputs::hold(Element& element, uint32_t component, Value value) {
  element.held[component] = value;
  holds_ = true;
}

void Outputs::store() {
  if (!holds_) return;
  holds_ = false;
  for (Element& element : interface_.elements().outputs) store(element);
  for (Element& element : interface_.elements().patch_constants) store(element);
}

Id Outputs::pointer_to(Element& element, uint32_t component) {
  return element.is_patch ? interface_.patch_pointer(element, component)
                          : interface_.output_pointer(element, component);
}

void Outputs::store(Element& element) {
  const Kind kind = output_kind(element);
  std::array<Value, 4> values{};
  uint32_t held = 0;
  for (uint32_t c = 0; c < 4; ++c) {
    values[c] = std::exchange(element.held[c], ir::kNoValue);
    if (values[c] != ir::kNoValue) held |= 1u << c;
  }
  if (held == 0) return;
  // A single component is not worth a vector if each has its own access chain anyway.
  const uint32_t worth = module_.stage == ir::Stage::hull ? 2 : 1;
  if (element.is_vector() && element.count > 1 && held == element.mask &&
      static_cast<uint32_t>(std::popcount(held)) >= worth) {
    // Undeclared components have no reader: any value will do there.
    const Value any = values[static_cast<uint32_t>(std::countr_zero(held))];
    for (Value& value : values) {
      if (value == ir::kNoValue) value = any;
    }
    Id all = vector(std::span<const Value>(values).subspan(element.first, element.count), as_of(kind));
    if (element.is_signed) all = bitcast(builder_.vector_type(builder_.int_type(), element.count), all);
    const Id whole = element.is_patch ? interface_.patch_vector(element) : interface_.output_vector(element);
    return effect(spv::OpStore, {whole, all});
  }
  for (uint32_t c = 0; c < 4; ++c) {
    if (values[c] == ir::kNoValue) continue;
    Id value = use(values[c], kind);
    Id pointer = pointer_to(element, c);
    if (pointer == Id::none) pointer = interface_.output_builtin(element);
    if (element.is_signed) value = bitcast(builder_.int_type(), value);
    effect(spv::OpStore, {pointer, value});
  }
}

void Outputs::store_of_block() {
  if (!holds_ || current_ < held_until_) return;
  if (control_.holds_over.empty() || control_.holds_over[current_] == 0) return store();
  const uint32_t end = control_.end_of[current_];
  held_until_ = (code_[current_].op == Op::if_ ? control_.end_of[end] : end) + 1;
}

/// Stores to the register with a run-time number: a switch over the registers that have the component.
/// Outside dcl_indexrange nothing is written. Tessellation factors that are consecutive in their array, as
/// their registers are, are one case.
void Outputs::store_indexed(Elements& elements, uint32_t component, Id reg, Id value) {
  struct Case {
    const Element* first;
    Id label;
    bool is_run;
  };
  const bool levels = &elements == &interface_.elements().patch_constants;
  const Id merge = builder_.new_id();
  std::pmr::vector<Operand> words({reg, merge}, module_.memory());
  std::pmr::vector<Case> cases(module_.memory());
  std::bitset<kFirstCapture> registers;  // that have a case; later numbers are captures, oDepth ...
  for (const Element& element : elements) {
    if (!element.has(component) || element.reg >= registers.size() || registers.test(element.reg)) continue;
    registers.set(element.reg);
    auto known =
        std::ranges::find_if(cases, [&](const Case& c) { return levels && are_one_run(*c.first, element); });
    if (known == cases.end()) {
      known = cases.insert(known, {&element, builder_.new_id(), false});
    } else {
      known->is_run = true;
    }
    words.push_back(literal(element.reg));
    words.push_back(known->label);
  }
  effect(spv::OpSelectionMerge, {merge, spv::SelectionControlMaskNone});
  effect(spv::OpSwitch, words);
  for (const Case& one : cases) {
    body_.start_block(one.label);
    if (one.is_run) {
      store_in_run(*one.first, reg, value);
    } else {
      store_in_register(elements, one.first->reg, component, value);
    }
    body_.branch(merge);
  }
  body_.start_block(merge);
}

/// Stores to the tessellation factor with a run-time register number, in the same array as `first`.
void Outputs::store_in_run(const Element& first, Id reg, Id value) {
  const ir::TessellationFactor factor = factor_place(first.system_value);
  const Id array = interface_.tessellation_levels(factor.inner, spv::StorageClassOutput);
  const Id index = add(reg, factor.index - first.reg);
  const Id place = access_chain(spv::StorageClassOutput, builder_.float_type(), {array, index});
  effect(spv::OpStore, {place, value});
}

/// Stores to a register in all streams that declare it, as emit_output does: an index range applies to the
/// union of the streams (D3D11.3 functional specification 22.3.30, restriction 7).
void Outputs::store_in_register(Elements& elements, uint32_t reg, uint32_t component, Id value) {
  for (Element& element : elements) {
    if (element.reg != reg || !element.has(component)) continue;
    const Id pointer = pointer_to(element, component);
    if (pointer == Id::none) continue;
    Id stored = convert(value, Kind::float_, element.kind);
    if (element.is_signed) stored = bitcast(builder_.int_type(), stored);
    effect(spv::OpStore, {pointer, stored});
  }
}

void Outputs::emit_output(const Instruction& instruction) {
  const uint32_t reg = instruction.payload / 4;
  const uint32_t component = instruction.payload % 4;
  if (instruction.has(ir::kIndexOperand)) {
    store();
    const Id at = add(as_uint(operand(instruction, 0)), reg);
    return store_indexed(interface_.elements().outputs, component, at, as_float(operand(instruction, 1)));
  }
  bool found = false;
  for (Element& element : interface_.elements().outputs) {
    // A register that several streams declare is written in all of them: only the emit determines the stream.
    if (element.reg != reg || !element.has(component)) continue;
    found = true;
    const bool writable = element.system_value == SystemValue::none ||
                          holds(stages_that_write(element.system_value), module_.stage);
    if (!writable || (!element.is_vector() && interface_.output_pointer(element, component) == Id::none &&
                      interface_.output_builtin(element) == Id::none)) {
      return refuse_system_value(instruction, element.system_value, "an output");
    }
    hold(element, component, operand(instruction, 0));
  }
  if (!found) refuse(instruction, "an undeclared output");
}

void Outputs::emit_patch_output(const Instruction& instruction) {
  const uint32_t component = instruction.payload % 4;
  const uint32_t reg = instruction.payload / 4;
  const Value value = operand(instruction, instruction.operand_count - 1);
  if (instruction.has(ir::kIndexOperand)) {
    store();
    const Id at = add(as_uint(operand(instruction, 0)), reg);
    return store_indexed(interface_.elements().patch_constants, component, at, as_float(value));
  }
  Element* element = find_element(interface_.elements().patch_constants, reg, component);
  const bool known = element != nullptr && (element->system_value != SystemValue::none ||
                                            interface_.patch_vector(*element) != Id::none);
  if (!known)
    return refuse(instruction, "an undeclared patch constant, or one beyond the last location of these");
  hold(*element, component, value);
}

/// The number of earlier emissions in the invocation; this one is counted.
Id Outputs::count_emission() {
  const Id uint = builder_.uint_type();
  if (emission_counter_ == Id::none)
    emission_counter_ = builder_.variable(spv::StorageClassPrivate, uint, builder_.constant(0));
  const Id before = emit(spv::OpLoad, uint, {emission_counter_});
  effect(spv::OpStore, {emission_counter_, body_.add(before, 1)});
  return before;
}

// Direct3D numbers streams from 0; a shader with one stream needs no capability for it. It drops emissions
// beyond the declared number (D3D11.3 functional specification 13.3), which Vulkan leaves undefined
// (GLSL 4.60, EmitVertex).
void Outputs::emit_vertex(const Instruction& instruction) {
  const bool emits = instruction.op == Op::emit;
  if (!emissions_are_counted_) emissions_are_counted_ = may_emit_too_many(module_);
  if (emits) store();
  const bool guarded = emits && *emissions_are_counted_;
  if (guarded) {
    const Id most = constant(module_.max_vertex_count);
    const Id before = count_emission();
    body_.begin_guard(emit(spv::OpULessThan, builder_.bool_type(), {before, most}));
  }
  const auto is_of_other = [](const Element& element) { return element.stream != 0; };
  if (std::ranges::none_of(interface_.elements().outputs, is_of_other) && instruction.payload == 0) {
    effect(emits ? spv::OpEmitVertex : spv::OpEndPrimitive, {});
  } else {
    builder_.require(spv::CapabilityGeometryStreams);
    effect(emits ? spv::OpEmitStreamVertex : spv::OpEndStreamPrimitive, {constant(instruction.payload)});
  }
  if (guarded) body_.end_guard();
}

}  // namespace texlate::spirv
