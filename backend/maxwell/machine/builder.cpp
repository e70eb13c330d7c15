#include <cassert>

#include "backend/maxwell/isa/constraints.h"
#include "backend/maxwell/isa/table.h"
#include "backend/maxwell/machine/function.h"
#include "ir/base/all_ones.h"

namespace texlate::maxwell::machine {

void Function::assign(const Function& other, std::span<const uint32_t> order) {
  values = other.values;
  operands = other.operands;
  blocks.assign(other.blocks.begin(), other.blocks.end());
  local_bytes = other.local_bytes;
  is_routine = other.is_routine;
  separates_fetches = other.separates_fetches;
  has_registers = other.has_registers;
  exit_registers = other.exit_registers;
  if (order.empty()) {
    instructions = other.instructions;
    return;
  }
  instructions.clear();
  Instruction* at = instructions.extend(order.size());
  for (const uint32_t i : order) *at++ = other.instructions[i];
}

static inline unsigned value_count(const maxwell::Instruction& code, unsigned index, const FormFacts& known) {
  const Operand& operand = code.operands[index];
  switch (operand.kind) {
    case OperandKind::predicate: return operand.reg == kPT ? 0 : 1;
    case OperandKind::constant: return operand.reg == kRZ ? 0 : 1;
    case OperandKind::reg:
    case OperandKind::address:
      if (operand.reg == kRZ || (known.pair_seconds >> index & 1) != 0) return 0;
      return (known.scalars >> index & 1) != 0 ? 1 : register_count(code, index);
    case OperandKind::none:
    case OperandKind::immediate:
    case OperandKind::target:
    case OperandKind::word: return 0;
  }
  return 0;
}

unsigned value_count(const maxwell::Instruction& code, unsigned index) {
  return value_count(code, index, facts(code));
}

void fill_instruction(Function& function, const maxwell::Instruction& code, std::span<const Value> values,
                      Instruction& instruction) {
  const FormFacts& known = facts(code);
  instruction.code = code;
  instruction.result_count = 0;
  instruction.counts = 0;
  unsigned count = 0;
  for (unsigned i = 0; i < known.operand_count; ++i) {
    const unsigned own = value_count(code, i, known);
    instruction.counts |= own << (4 * i);
    count += own;
    if ((known.destinations >> i & 1) == 0 || own == 0) continue;
    assert(instruction.result_count + own == count && "a result after a source");
    instruction.result_count = static_cast<uint8_t>(count);
  }
  instruction.value_count = static_cast<uint8_t>(count);
  assert(values.size() == count && "the list does not match the instruction");
  instruction.values = static_cast<uint32_t>(function.operands.size());
  for (const Value v : values) function.operands.push_back(v);
}

BlockId Builder::block() {
  function_.blocks.emplace_back();
  return static_cast<BlockId>(function_.blocks.size() - 1);
}

uint32_t Builder::list(std::span<const Value> values) {
  const uint32_t first = static_cast<uint32_t>(function_.operands.size());
  function_.operands.append(values);
  return first;
}

void Builder::begin(BlockId block, std::span<const Value> parameters) {
  assert(!is_open() && "the block before is not ended");
  open_ = block;
  order_.push_back(block);
  Block& b = function_.blocks[block];
  b.first = static_cast<uint32_t>(function_.instructions.size());
  b.parameters = list(parameters);
  b.parameter_count = static_cast<uint32_t>(parameters.size());
}

Instruction& Builder::append(const Instruction& made, std::span<const Value> values) {
  assert(is_open() && "no block is open");
  assert(values.size() == made.value_count && "the list does not match the instruction");
  Instruction& out = *function_.instructions.extend(1) = made;
  out.values = static_cast<uint32_t>(function_.operands.size());
  function_.operands.append(values.data(), values.size());
  return out;
}

Instruction& Builder::append(const maxwell::Instruction& code, std::span<const Value> values, Value guard,
                             bool guard_negated) {
  assert(is_open() && "no block is open");
  Instruction& out = function_.instructions.emplace_back();
  fill_instruction(function_, code, values, out);
  out.guard = guard;
  if (guard != kNoValue) out.code.set_guard(make_guard(kVirtual, guard_negated));
  return out;
}

void Builder::merge(std::span<const Value> values) {
  Instruction& last = function_.instructions.back();
  assert(last.guard != kNoValue && values.size() == last.result_count);
  last.merge = list(values);
}

void Builder::close(Terminator terminator, std::span<const Value> arguments) {
  assert(is_open() && "no block is open");
  Block& b = function_.blocks[open_];
  b.arguments = list(arguments);
  b.argument_count = static_cast<uint32_t>(arguments.size());
  b.count = static_cast<uint32_t>(function_.instructions.size()) - b.first;
  b.terminator = terminator;
  open_ = kNoBlock;
}

void Builder::jump(BlockId target, std::span<const Value> arguments) {
  function_.blocks[open_].target[0] = target;
  close(Terminator::jump, arguments);
}

void Builder::branch(Value condition, bool negated, BlockId then_block, BlockId else_block, bool uniform) {
  Block& b = function_.blocks[open_];
  b.condition = condition;
  b.negated = negated;
  b.uniform = uniform;
  b.target[0] = then_block;
  b.target[1] = else_block;
  close(Terminator::branch, {});
}

void Builder::exit(std::span<const Value> outputs) {
  close(Terminator::exit, outputs);
}

void Builder::call(uint32_t routine, uint16_t clobbers, std::span<const Value> arguments,
                   std::span<const Value> results) {
  const BlockId next = block();
  Block& b = function_.blocks[open_];
  b.target[0] = next;
  b.routine = routine;
  b.clobbers = clobbers;
  close(Terminator::call, arguments);
  begin(next, results);
}

void Builder::selection(BlockId merge) {
  function_.blocks[open_].construct = Construct::selection;
  function_.blocks[open_].merge = merge;
}

void Builder::loop(BlockId merge, BlockId continue_target) {
  function_.blocks[open_].construct = Construct::loop;
  function_.blocks[open_].merge = merge;
  function_.blocks[open_].continue_target = continue_target;
}

void Builder::finish() {
  assert(!is_open() && "the last block is not ended");
  // A reserved block that was never begun either has no predecessor, or the caller forgot it. Both are
  // removed here, and verify() reports the second case.
  auto place = all_ones<BlockId>(function_.blocks.size(), function_.memory());
  std::pmr::vector<Block> ordered(function_.memory());
  ordered.reserve(order_.size());
  for (const BlockId id : order_) {
    place[id] = static_cast<BlockId>(ordered.size());
    ordered.push_back(function_.blocks[id]);
  }
  for (Block& b : ordered) b.renumber(place);
  function_.blocks = std::move(ordered);
  order_.clear();
}

}  // namespace texlate::maxwell::machine
