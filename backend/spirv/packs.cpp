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
  for (uint32_t i = 0; i < count; ++i) visit(i);
  count_uses();
  prune();
}

void PackFinder::visit(uint32_t i) {
  const Instruction& instruction = code_[i];
  if (ir::is_arithmetic(ir::info(instruction.op).family)) return add_operation(i, instruction);
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
      if (ir::info(instruction.op).has(ir::kControl)) block_ = i + 1;
      want_operands(instruction);
      define(i, instruction);
      break;
  }
}

void PackFinder::define(uint32_t i, const Instruction& instruction) {
  for (uint32_t r = 0; r < instruction.result_count; ++r)
    known_[instruction.first_result + r] = {i + 1, 0, 0, false};
}

uint32_t PackFinder::new_vector(uint32_t size) {
  vectors_.push_back({0, static_cast<uint8_t>(size)});
  return static_cast<uint32_t>(vectors_.size() - 1);
}

/// The first `size` results are the components of a vector, further ones by themselves.
void PackFinder::define_vector(uint32_t i, const Instruction& instruction, uint32_t size) {
  const uint32_t vector = new_vector(size);
  for (uint32_t r = 0; r < instruction.result_count; ++r) {
    known_[instruction.first_result + r] = {i + 1, r < size ? vector : 0, static_cast<uint8_t>(r % size),
                                            false};
  }
}

void PackFinder::want_operands(const Instruction& instruction) {
  for (const Value value : module_.operands_of(instruction)) want(value);
}

// ---- where vectors come from by nature ----

/// A row of which several components are used is loaded as a whole.
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
  // Coordinates and layer stand together, and so do the values that are stored.
  const auto group = [&](uint32_t slots) {
    const uint32_t group_slots = contract.slots & slots;
    const uint32_t count = static_cast<uint32_t>(std::popcount(group_slots));
    if (count < 2 || count > kMostLanes) return 0u;
    const uint32_t first = static_cast<uint32_t>(std::popcount(contract.slots & (lowest_bit(slots) - 1)));
    use_together({operands + first, count});
    return group_slots;
  };
  uint32_t grouped = group(bit(Slot::coordinate0) | bit(Slot::coordinate1) | bit(Slot::coordinate2) |
                           bit(Slot::layer));
  grouped |= group(bit(Slot::value0) | bit(Slot::value1) | bit(Slot::value2) | bit(Slot::value3));
  if (contract.lod == ir::LodRule::gradient) {
    grouped |= group(bit(Slot::ddx0) | bit(Slot::ddx1) | bit(Slot::ddx2));
    grouped |= group(bit(Slot::ddy0) | bit(Slot::ddy1) | bit(Slot::ddy2));
  }
  uint32_t slots = contract.slots;
  for (uint32_t o = 0; o < instruction.operand_count; ++o, slots &= slots - 1) {
    if ((grouped & lowest_bit(slots)) == 0) want(operands[o]);
  }
  const bool is_texel = instruction.result_count >= 4 &&
                        !(instruction.op == Op::tex_sample && contract.compare);
  if (is_texel) return define_vector(i, instruction, 4);
  define(i, instruction);
}

/// Plain inputs are loaded at entry, each register once.
void PackFinder::add_input(uint32_t i, const Instruction& instruction) {
  if (instruction.has(ir::kVertexOperand)) return add_row(i, instruction);
  want_operands(instruction);
  const uint32_t component = instruction.payload % 4;
  const Element* const element =
      instruction.has(ir::kIndexOperand)
          ? nullptr
          : find_element(interface_.inputs, instruction.payload / 4, component);
  if (element == nullptr) return define(i, instruction);
  const bool is_position = element->system_value == ir::SystemValue::position && component != 3;
  if (!is_position && (element->system_value != ir::SystemValue::none || element->count == 1))
    return define(i, instruction);
  uint32_t& vector = input_vectors_[static_cast<size_t>(element - interface_.inputs.data())];
  if (vector == 0) vector = new_vector(element->count);
  known_[instruction.first_result] = {entry_at(i), vector, static_cast<uint8_t>(component - element->first),
                                      false};
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
  known_[instruction.first_result] = {entry_at(i), system_vectors_[which],
                                      static_cast<uint8_t>(instruction.payload % 4), false};
}

/// Components of one register of a vertex, a control point or a patch that are read one after the other make
/// one load.
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
  known_[instruction.first_result] = {i + 1, row_vector_, static_cast<uint8_t>(instruction.payload % 4),
                                      false};
}

/// Components of one register that are written one after the other are stored together.
void PackFinder::add_output(uint32_t i, const Instruction& instruction) {
  if (instruction.has(ir::kIndexOperand)) return want_operands(instruction);
  if (i < outputs_end_) return;
  Lanes lanes;
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
  const Elements& elements =
      instruction.op == Op::output ? interface_.outputs : interface_.patch_constants;
  const Element* const element =
      find_element(elements, instruction.payload / 4, instruction.payload % 4);
  const bool together = element != nullptr && element->is_vector() && element->count > 1;
  const std::span<const Value> values(lanes.data(), count);
  if (together) return use_together(values);
  for (const Value value : values) want(value);
}

// ---- arithmetic ----

/// What the operation is as an instruction; false: it is none.
inline bool PackFinder::read(const Instruction& instruction, Operation& operation) const {
  const Value* const operands = operands_ + instruction.first_operand;
  operation.row = row_of(instruction.op);
  const auto set = [&operation](Row row, uint8_t count, Value a, Value b, Value c = kLiteralZero) {
    operation.row = row;
    operation.count = count;
    operation.operands = {a, b, c};
    return true;
  };
  switch (instruction.op) {
    case Op::fadd: {
      const ValueNeeds::Addends sum = needs_.addends({operands, 2});
      return set(sum.subtracts ? kDifference : row_of(Op::fadd), 2, sum.values[0], sum.values[1]);
    }
    case Op::fmin:
    case Op::dmin:
      if (const Instruction* const maximum = needs_.clamped_maximum(module_, instruction)) {
        const auto bounded = module_.operands_of(*maximum);
        return set(row_of(instruction.op == Op::fmin ? Op::fsat : Op::dsat), 3, bounded[0], bounded[1],
                   operands[1]);
      }
      break;
    case Op::fsat:
    case Op::dsat: return set(row_of(instruction.op), 3, operands[0], kLiteralZero, kLiteralOne);
    case Op::frcp: return set(row_of(Op::fdiv), 2, kLiteralOne, operands[0]);
    case Op::drcp: return set(row_of(Op::ddiv), 2, kLiteralOne, operands[0]);
    case Op::mask: return set(row_of(Op::select), 3, operands[0], kLiteralOnes, kLiteralZero);
    case Op::select:
      if (types_.kind[instruction.first_result] == Kind::float_) operation.row = kFloatSelect;
      break;
    default: break;
  }
  if (operation_row(operation.row).core == spv::OpNop) return false;
  operation.count = static_cast<uint8_t>(instruction.operand_count);
  for (uint32_t o = 0; o < operation.count; ++o) operation.operands[o] = operands[o];
  return true;
}

void PackFinder::add_operation(uint32_t i, const Instruction& instruction) {
  const uint32_t before = by_instruction_[i];
  if (before != Packs::kOther && before != kAlone) return;  // of a dot product
  if (!products_.by_instruction.empty() && products_.by_instruction[i] != kNoIndex)
    return add_product(i, products_.all[products_.by_instruction[i]]);
  Operation operation;
  if (!read(instruction, operation)) {
    want_operands(instruction);
    if (instruction.op == Op::unpack64) return define_vector(i, instruction, 2);
    return define(i, instruction);
  }
  const uint32_t needs = flags_[instruction.first_result];
  if ((needs & ValueNeeds::kUsed) == 0) {
    by_instruction_[i] = Packs::kNothing;
    return;
  }
  const uint32_t exact = (needs & ValueNeeds::kExact) != 0 ? 1 : 0;
  if (instruction.op == Op::fmul && exact == 0 && join_ && add_dot(i)) return;
  place(i, operation, operation.row * 2u + exact, !join_ || by_instruction_[i] == kAlone);
}

/// The last instruction of a product makes it, but an output that is held may name a sum before.
void PackFinder::add_product(uint32_t i, const Product& product) {
  if (i == product.chains[0]) {
    const uint32_t vector = new_vector(product.count);
    for (uint32_t r = 0; r < product.count; ++r) {
      const Value sum = code_[product.chains[r] + product.length - 1].first_result;
      known_[sum] = {product.last() + 1, vector, static_cast<uint8_t>(r), false};
    }
  }
  if (i != product.last()) return;
  Lanes lanes;
  for (uint32_t r = 0; r < product.count; ++r) {
    for (uint32_t c = 0; c < product.width; ++c) lanes[c] = product.rows[r] + c;
    use_together({lanes.data(), product.width});
  }
  for (uint32_t k = 0; k < product.length; ++k) want(product.factors[k]);
}

}  // namespace texlate::spirv
