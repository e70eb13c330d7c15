#include "backend/spirv/packs.h"

#include <algorithm>
#include <bit>

#include "backend/spirv/pack_finder.h"
#include "ir/base/zeroed.h"

namespace texlate::spirv {

using ir::Instruction;
using ir::Op;
using ir::Slot;
using ir::Value;

// ---- the walk ----

void PackFinder::run() {
  const uint32_t count = static_cast<uint32_t>(code_.size());
  for (uint32_t i = 0; i < count;) {
    if (ir::is_arithmetic(code_[i].op)) {
      i = add_operations(i);
    } else {
      visit(i, code_[i]);
      ++i;
    }
  }
  count_uses();
  prune();
}

/// Instructions other than arithmetic.
void PackFinder::visit(uint32_t i, const Instruction& instruction) {
  switch (instruction.op) {
    case Op::cb_load:
    case Op::table_load: add_row_load(i, instruction); break;
    case Op::tex_fetch:
    case Op::tex_sample:
    case Op::tex_gather:
    case Op::surf_load:
    case Op::surf_store:
    case Op::surf_atomic: add_access(i, instruction); break;
    case Op::tex_lod:
    case Op::tex_size:
      want_operands(instruction);
      define_vector(i, instruction, instruction.result_count);
      break;
    case Op::input: add_input(i, instruction); break;
    case Op::system_value: add_system_value(i, instruction); break;
    case Op::patch_input:
    case Op::output_control_point: add_row(i, instruction); break;
    case Op::output:
    case Op::patch_output: add_output(i, instruction); break;
    default:
      if (ir::info(instruction.op).has(ir::kControl)) {
        block_ = i + 1;
        want_passed(i, instruction);
      } else {
        want_operands(instruction);
      }
      define(i, instruction);
      break;
  }
}

void PackFinder::want_passed(uint32_t i, const Instruction& instruction) {
  const Value first = control_.passes_to.empty() ? ir::kNoValue : control_.passes_to[i];
  const auto operands = module_.operands_of(instruction);
  for (uint32_t o = 0; o < operands.size(); ++o) {
    if (first == ir::kNoValue || needs_.is_used(first + o)) want(operands[o]);
  }
}

void PackFinder::define(uint32_t i, const Instruction& instruction) {
  for (uint32_t r = 0; r < instruction.result_count; ++r)
    known_[instruction.first_result + r] = {i + 1, 0, false};
}

uint32_t PackFinder::new_vector(uint32_t size) {
  vectors_.push_back({0, static_cast<uint8_t>(size)});
  return static_cast<uint32_t>(vectors_.size() - 1);
}

/// The first `size` results are the components of a vector, further ones are scalars.
void PackFinder::define_vector(uint32_t i, const Instruction& instruction, uint32_t size) {
  const uint32_t vector = new_vector(size);
  for (uint32_t r = 0; r < instruction.result_count; ++r) {
    known_[instruction.first_result + r] = {i + 1, r < size ? part_of(vector, r) : 0, false};
  }
}

void PackFinder::want_operands(const Instruction& instruction) {
  for (const Value value : module_.operands_of(instruction)) want(value);
}

// ---- values that are vectors from the start ----

/// A row with several used components is loaded as a whole.
void PackFinder::add_row_load(uint32_t i, const Instruction& instruction) {
  want_operands(instruction);
  uint32_t used = 0;
  for (uint32_t r = 0; r < 4; ++r) used += needs_.is_used(instruction.first_result + r) ? 1 : 0;
  const bool in_words = instruction.op == Op::cb_load &&
                        places_.constant_buffers[instruction.payload].passing == Passing::push_constants;
  if (used > 1 && !in_words) return define_vector(i, instruction, 4);
  define(i, instruction);
}

namespace {

constexpr uint32_t bit(Slot slot) {
  return 1u << static_cast<uint32_t>(slot);
}
constexpr uint32_t lowest_bit(uint32_t bits) {
  return bits & (~bits + 1);
}

}  // namespace

void PackFinder::add_access(uint32_t i, const Instruction& instruction) {
  const ir::ResourceAccess& contract = module_.access_of(instruction);
  const Value* const operands = operands_ + instruction.first_operand;
  // Coordinates and layer are one vector, and so are the values that are stored.
  const auto group = [&](uint32_t slots) {
    const uint32_t group_slots = contract.slots & slots;
    const uint32_t count = static_cast<uint32_t>(std::popcount(group_slots));
    if (count < 2 || count > kMostLanes) return 0u;
    const uint32_t first = static_cast<uint32_t>(std::popcount(contract.slots & (lowest_bit(slots) - 1)));
    use_together({operands + first, count});
    return group_slots;
  };
  uint32_t grouped =
      group(bit(Slot::coordinate0) | bit(Slot::coordinate1) | bit(Slot::coordinate2) | bit(Slot::layer));
  grouped |= group(bit(Slot::value0) | bit(Slot::value1) | bit(Slot::value2) | bit(Slot::value3));
  if (contract.lod == ir::LodRule::gradient) {
    grouped |= group(bit(Slot::ddx0) | bit(Slot::ddx1) | bit(Slot::ddx2));
    grouped |= group(bit(Slot::ddy0) | bit(Slot::ddy1) | bit(Slot::ddy2));
  }
  uint32_t slots = contract.slots;
  for (uint32_t o = 0; o < instruction.operand_count; ++o, slots &= slots - 1) {
    if ((grouped & lowest_bit(slots)) == 0) want(operands[o]);
  }
  const bool is_texel =
      instruction.result_count >= 4 && !(instruction.op == Op::tex_sample && contract.compare);
  if (is_texel) return define_vector(i, instruction, 4);
  define(i, instruction);
}

/// Plain inputs are loaded at entry, each register once.
void PackFinder::add_input(uint32_t i, const Instruction& instruction) {
  if (instruction.has(ir::kVertexOperand)) return add_row(i, instruction);
  want_operands(instruction);
  const uint32_t component = instruction.payload % 4;
  const Element* const element = instruction.has(ir::kIndexOperand)
                                     ? nullptr
                                     : find_element(interface_.inputs, instruction.payload / 4, component);
  if (element == nullptr) return define(i, instruction);
  const bool is_position = element->system_value == ir::SystemValue::position && component != 3;
  if (!is_position && (element->system_value != ir::SystemValue::none || element->count == 1))
    return define(i, instruction);
  uint32_t& vector = input_vectors_[static_cast<size_t>(element - interface_.inputs.data())];
  if (vector == 0) vector = new_vector(element->count);
  known_[instruction.first_result] = {entry_at(i), part_of(vector, component - element->first), false};
}

void PackFinder::add_system_value(uint32_t i, const Instruction& instruction) {
  switch (static_cast<ir::SystemValue>(instruction.payload / 4)) {
    case ir::SystemValue::thread_id:
    case ir::SystemValue::thread_group_id:
    case ir::SystemValue::thread_id_in_group:
    case ir::SystemValue::domain_point: break;
    default: return define(i, instruction);
  }
  const uint32_t which = instruction.payload / 4 % system_vectors_.size();
  if (system_vectors_[which] == 0) system_vectors_[which] = new_vector(3);
  known_[instruction.first_result] = {entry_at(i), part_of(system_vectors_[which], instruction.payload % 4),
                                      false};
}

/// Components of one register of a vertex, a control point or a patch that are read consecutively are one
/// load.
void PackFinder::add_row(uint32_t i, const Instruction& instruction) {
  want_operands(instruction);
  const auto goes_on = [&](uint32_t first) {
    if (first + 1 >= code_.size()) return false;
    const Instruction &a = code_[first], &b = code_[first + 1];
    return a.op == b.op && a.flags == b.flags && a.payload / 4 == b.payload / 4 &&
           std::ranges::equal(module_.operands_of(a), module_.operands_of(b));
  };
  const bool continues = row_vector_ != 0 && i != 0 && goes_on(i - 1);
  if (!continues) row_vector_ = !instruction.has(ir::kIndexOperand) && goes_on(i) ? new_vector(4) : 0;
  known_[instruction.first_result] = {
      i + 1, row_vector_ == 0 ? 0 : part_of(row_vector_, instruction.payload % 4), false};
}

/// Components of one register that are written consecutively are stored together.
void PackFinder::add_output(uint32_t i, const Instruction& instruction) {
  if (instruction.has(ir::kIndexOperand)) return want_operands(instruction);
  if (i < outputs_end_) return;
  Lanes lanes{};
  uint32_t count = 0;
  uint32_t end = i;
  for (; end < code_.size() && count < kMostLanes; ++end) {
    const Instruction& next = code_[end];
    if (next.op != instruction.op || next.flags != instruction.flags ||
        next.payload / 4 != instruction.payload / 4)
      break;
    lanes[count++] = operands_[next.first_operand];
  }
  outputs_end_ = end;
  const Elements& elements = instruction.op == Op::output ? interface_.outputs : interface_.patch_constants;
  const Element* const element = find_element(elements, instruction.payload / 4, instruction.payload % 4);
  const bool together = element != nullptr && element->is_vector() && element->count > 1;
  const std::span<const Value> values(lanes.data(), count);
  if (together) return use_together(values);
  for (const Value value : values) want(value);
}

/// The last instruction of a product emits it, but an output that is held may name an earlier sum.
void PackFinder::add_product(uint32_t i, const Product& product) {
  if (i == product.chains[0]) {
    const uint32_t vector = new_vector(product.count);
    for (uint32_t r = 0; r < product.count; ++r) {
      const Value sum = code_[product.chains[r] + product.length - 1].first_result;
      known_[sum] = {product.last() + 1, part_of(vector, r), false};
    }
  }
  if (i != product.last()) return;
  Lanes lanes{};
  for (uint32_t r = 0; r < product.count; ++r) {
    for (uint32_t c = 0; c < product.width; ++c) lanes[c] = product.rows[r] + c;
    use_together({lanes.data(), product.width});
  }
  for (uint32_t k = 0; k < product.length; ++k) want(product.factors[k]);
}

}  // namespace texlate::spirv
