// fcall and `this` (D3D11.3 7.19, 22.7): interfaces, resolved by the instances that the caller binds to their
// slots.
//
// A method is expanded once for each class instance that it may be called on, so `this` is always constant.
// Registers that hold copies of it are tracked, because methods use them as indices of their resources
// (`t[r0.z + 0]`). A run-time interface number becomes a switch over the instances.

#include <fmt/format.h>

#include <algorithm>

#include "frontend/lower/families.h"

namespace texlate::lower {

namespace {

using sm4::Instruction;
using sm4::Operand;

/// The declaration of this opcode whose first dword is `id`.
const Instruction* find_declaration(const Lowering& lowering, Opcode opcode, uint32_t id) {
  for (const Instruction& dcl : lowering.program.instructions) {
    if (dcl.opcode == opcode && dcl.word_count != 0 && lowering.program.words[dcl.first_word] == id)
      return &dcl;
  }
  return nullptr;
}

/// The declaration of the array that has the interface fp`number`: fp4[2] is fp5[1] (D3D11.3 22.7.19).
const Instruction* find_interface(const Lowering& lowering, uint32_t number) {
  if (const Instruction* const dcl = find_declaration(lowering, Opcode::dcl_interface, number)) return dcl;
  for (const Instruction& dcl : lowering.program.instructions) {
    if (dcl.opcode != Opcode::dcl_interface || dcl.word_count < 3) continue;
    const auto words = lowering.program.words_of(dcl);
    if (number - words[0] < words[2] >> 16) return &dcl;
  }
  return nullptr;
}

/// Words of a dcl_function_table: number, count, fb#... Words of a dcl_interface: number, call sites, array
/// length in the upper half, ft#...
std::span<const uint32_t> ids_of(const Lowering& lowering, const Instruction& dcl, size_t head) {
  const auto words = lowering.program.words_of(dcl);
  return words.size() > head ? words.subspan(head) : std::span<const uint32_t>{};
}

/// Calls the method of `call_site` on an instance.
void call_method(Lowering& lowering, const Instruction& call, const Instruction& interface_,
                 const ClassInstance& instance) {
  const auto tables = ids_of(lowering, interface_, 3);
  const Instruction* table = find_declaration(lowering, Opcode::dcl_function_table, instance.table);
  if (std::ranges::find(tables, instance.table) == tables.end() || table == nullptr) {
    return lowering.unsupported(
        call, fmt::format("resolves to ft{}, which is not a class of its interface", instance.table));
  }
  const auto bodies = ids_of(lowering, *table, 2);
  const uint32_t call_site = lowering.program.words[call.first_word];
  if (call_site >= bodies.size())
    return lowering.unsupported(call, fmt::format("names call site {} of {}", call_site, bodies.size()));
  const ClassInstance* const outer = lowering.this_instance;
  lowering.this_instance = &instance;
  call_label(lowering, call, bodies[call_site] | kFunctionBody);
  lowering.this_instance = outer;
}

/// One arm for each instance that the run-time number may select. Any other number calls nothing.
void call_chosen(Lowering& lowering, const Instruction& call, const Instruction& interface_, uint32_t first,
                 uint32_t length) {
  Construct chosen{Construct::Kind::switch_};
  chosen.location = call.location;
  lowering.constructs.push_back(chosen);
  lowering.emit_control(Op::switch_, {lowering.load_index(lowering.operand(call, 0).index[1])});
  for (const ClassInstance& instance : lowering.classes) {
    if (instance.slot - first >= length) continue;
    lowering.emit_control(Op::case_, {}, instance.slot - first);
    lowering.reachable = true;
    call_method(lowering, call, interface_, instance);
    lowering.builder.set_location(call.location);
    if (lowering.reachable) lowering.emit_control(Op::break_);
  }
  lowering.emit_control(Op::default_);
  lowering.emit_control(Op::break_);
  lowering.emit_control(Op::endswitch);
  lowering.constructs.pop_back();
  lowering.reachable = true;
}

}  // namespace

void lower_fcall(Lowering& lowering, const Instruction& instruction) {
  const Operand& target = lowering.operand(instruction, 0);
  const uint32_t first = target.index[0].immediate;
  const Instruction* const interface_ = find_interface(lowering, first);
  if (target.index_count != 2 || interface_ == nullptr || interface_->word_count < 3 ||
      instruction.word_count == 0) {
    return lowering.unsupported(instruction, target, "needs a declared interface");
  }
  const auto words = lowering.program.words_of(*interface_);
  const uint32_t length = (words[2] >> 16) - (first - words[0]);  // from fp`first` on
  const bool dynamic = target.index[1].relative != sm4::kNoOperand;
  bool found = false;
  for (const ClassInstance& instance : lowering.classes) {
    const bool in_range = instance.slot - first < length;
    const bool is_it = in_range && (dynamic || instance.slot - first == target.index[1].immediate);
    found |= is_it;
    if (is_it && !dynamic) return call_method(lowering, instruction, *interface_, instance);
  }
  if (!found) {
    return lowering.unsupported(
        instruction, target,
        fmt::format("needs a class instance for fp{} (texlate translate --class)", first));
  }
  call_chosen(lowering, instruction, *interface_, first, length);
}

/// `this[slot]`: constant buffer, row in it, texture, sampler.
bool load_this(Lowering& lowering, const Operand& operand, uint8_t mask, Lanes& lanes) {
  const ClassInstance* instance = lowering.this_instance;
  if (operand.index_count != 0 && operand.index[0].relative == sm4::kNoOperand) {
    const auto found = std::ranges::find(lowering.classes, operand.index[0].immediate, &ClassInstance::slot);
    instance = found != lowering.classes.end() ? &*found : nullptr;
  }
  if (instance == nullptr) return false;
  const std::array<uint32_t, 4> data = {instance->constant_buffer, instance->constant_offset,
                                        instance->texture, instance->sampler};
  for (uint32_t lane = 0; lane < 4; ++lane) {
    if (((mask >> lane) & 1) != 0) lanes[lane] = lowering.constant(data[operand.source_component(lane)]);
  }
  return true;
}

bool Lowering::register_number(const sm4::OperandIndex& index, uint32_t& number) const {
  number = index.immediate;
  if (index.relative == sm4::kNoOperand) return true;
  const Operand& base = program.operands[index.relative];
  if (base.file != sm4::RegisterFile::temp || base.modifier != sm4::OperandModifier::none) return false;
  if (classes.empty()) return false;
  const Value value = registers.known(base.index[0].immediate * 4 + base.source_component(0));
  if (!module.is_constant(value)) return false;
  number += module.constant_bits(value);
  return true;
}

// A class's textures, samplers and constant buffers are not declared: the instance determines them. Nor are
// the textures that mod tools add, which a lenient program may use.

void declare_texture(Lowering& lowering, const Instruction& instruction, uint32_t id) {
  const bool may_be_undeclared = !lowering.classes.empty() || lowering.program.lenient;
  if (!may_be_undeclared || lowering.resources.has(id) || !instruction.has_dimension) return;
  ir::Resource resource;
  resource.id = resource.lower_bound = resource.upper_bound = id;
  resource.dimension = dimension_of(instruction.dimension);
  resource.stride = instruction.stride;
  for (uint32_t i = 0; i < 4; ++i) {
    resource.component_types[i] = component_type_of(sm4::return_type(instruction.return_types, i));
  }
  if (lowering.resources.set(id, static_cast<uint32_t>(lowering.module.resources.size())))
    lowering.module.resources.push_back(resource);
}

void declare_sampler(Lowering& lowering, const Instruction& instruction, uint32_t id) {
  if (lowering.classes.empty() || lowering.samplers.has(id)) return;
  const bool compares = sm4::info(instruction.opcode).has(sm4::kCompare);
  if (lowering.samplers.set(id, static_cast<uint32_t>(lowering.module.samplers.size())))
    lowering.module.samplers.push_back({id, id, id, 0, compares});
}

void declare_constant_buffer(Lowering& lowering, uint32_t id) {
  if (lowering.classes.empty() || lowering.constant_buffers.has(id)) return;
  if (lowering.constant_buffers.set(id, static_cast<uint32_t>(lowering.module.constant_buffers.size())))
    lowering.module.constant_buffers.push_back({id, id, id, 0, 0, true});
}

}  // namespace texlate::lower
