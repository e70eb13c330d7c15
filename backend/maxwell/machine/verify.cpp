#include "backend/maxwell/machine/verify.h"

#include "backend/maxwell/isa/constraints.h"
#include "backend/maxwell/isa/table.h"
#include "backend/maxwell/machine/access.h"
#include "backend/maxwell/machine/liveness.h"
#include "ir/base/all_ones.h"

namespace texlate::maxwell::machine {
namespace {

class Verifier {
 public:
  explicit Verifier(Function& function)
      : function_(function),
        definition_(all_ones<uint32_t>(function.values.size(), function.scratch())),
        block_of_(all_ones<BlockId>(function.values.size(), function.scratch())) {}

  FunctionViolation run() {
    // Everything must exist before it can be checked further.
    uint32_t next = 0;
    for (BlockId b = kEntryBlock; b < function_.blocks.size() && ok(); ++b) {
      const Block& block = function_.blocks[b];
      if (block.first != next) fail(FunctionRule::block_order, b, block.first);
      next = block.first + block.count;
      numbers(b);
    }
    if (ok() && next != function_.instructions.size()) fail(FunctionRule::block_order, kEntryBlock, next);
    if (function_.has_registers) {
      for (BlockId b = kEntryBlock; b < function_.blocks.size() && ok(); ++b) codes(b);
      return violation_;
    }
    for (BlockId b = kEntryBlock; b < function_.blocks.size() && ok(); ++b) definitions(b);
    for (BlockId b = kEntryBlock; b < function_.blocks.size() && ok(); ++b) uses(b);
    if (ok()) edges();
    return violation_;
  }

 private:
  bool ok() const { return violation_.rule == FunctionRule::none; }
  void fail(FunctionRule rule, BlockId block, uint32_t instruction = kNoIndex) {
    if (ok()) violation_ = {rule, block, instruction};
  }
  bool exists(Value v) const { return v == kNoValue || v < function_.values.size(); }
  bool block_exists(BlockId b) const { return b < function_.blocks.size(); }

  void numbers(BlockId id) {
    const Block& b = function_.blocks[id];
    for (unsigned s = 0; s < successor_count(b); ++s) {
      if (!block_exists(b.target[s])) fail(FunctionRule::block_number, id);
    }
    if (b.construct != Construct::none) {
      if (!block_exists(b.merge) || b.merge <= id) fail(FunctionRule::construct, id);
      if (b.construct == Construct::loop) {
        if (!block_exists(b.continue_target) || b.continue_target <= id) fail(FunctionRule::construct, id);
        if (b.terminator != Terminator::jump || b.target[0] != id + 1) fail(FunctionRule::loop_entry, id);
      }
    }
    if (b.terminator == Terminator::branch && !has_condition(b)) fail(FunctionRule::value_class, id);
    if (b.terminator == Terminator::call &&
        (b.target[0] != id + 1 || b.construct != Construct::none || b.clobbers < b.argument_count ||
         b.clobbers < function_.blocks[id + 1].parameter_count)) {
      fail(FunctionRule::call, id);
    }
    for (const Value v : function_.arguments(b)) {
      if (!exists(v)) fail(FunctionRule::value_number, id);
    }
    if (function_.has_registers) return;
    for (uint32_t i = b.first; i < b.first + b.count && ok(); ++i) instruction_numbers(id, i);
  }

  bool has_condition(const Block& b) const {
    if (function_.has_registers) return kPredicates.contains(b.predicate);
    return b.condition < function_.values.size() && function_.values[b.condition] == ValueClass::predicate;
  }

  /// The instructions of a block with registers.
  void codes(BlockId id) {
    const Block& b = function_.blocks[id];
    bool has_carry = false;
    for (uint32_t i = b.first; i < b.first + b.count; ++i) {
      const maxwell::Instruction code = function_.instructions[i].code;
      if (check_encodable(code) || check_constraints(code)) fail(FunctionRule::encoding, id, i);
      if (reads_condition_code(code) && !has_carry) fail(FunctionRule::carry, id, i);
      has_carry |= writes_condition_code(code);
    }
  }

  void instruction_numbers(BlockId id, uint32_t index) {
    Instruction& i = function_.instructions[index];
    const maxwell::Instruction code = i.code;
    for (unsigned k = 0; k < facts(i.code).operand_count; ++k) {
      if (i.count(k) != value_count(code, k)) return fail(FunctionRule::value_list, id, index);
    }
    unsigned result = 0;
    const auto check = [&](Value v, ValueClass value_class) {
      if (v == kNoValue) return;
      if (v >= function_.values.size()) {
        fail(FunctionRule::value_number, id, index);
      } else if (function_.values[v] != value_class) {
        fail(FunctionRule::value_class, id, index);
      }
    };
    visit_operands(function_, i, [&](unsigned k, unsigned, Value v, bool is_result) {
      const bool is_predicate = i.is_predicate(k);
      const ValueClass value_class = is_predicate ? ValueClass::predicate : ValueClass::general;
      check(v, value_class);
      if (is_result && i.merge != kNoIndex) check(function_.operands[i.merge + result++], value_class);
      if (form(i.code).operands[k].kind == SlotKind::same_as_rd && i.merge != kNoIndex) {
        fail(FunctionRule::merge_tied, id, index);
      }
    });
    check(i.guard, ValueClass::predicate);
    if (i.merge != kNoIndex && i.guard == kNoValue) fail(FunctionRule::merge_unguarded, id, index);
  }

  void definitions(BlockId id) {
    const Block& b = function_.blocks[id];
    const auto define = [&](Value v, uint32_t position) {
      if (block_of_[v] != kNoBlock) fail(FunctionRule::defined_twice, id, position);
      block_of_[v] = id;
      definition_[v] = position;
    };
    for (const Value v : function_.parameters(b)) define(v, b.first);
    for (uint32_t i = b.first; i < b.first + b.count; ++i) {
      visit_results(function_, function_.instructions[i], [&](Value v) { define(v, i + 1); });
    }
  }

  void uses(BlockId id) {
    Block& b = function_.blocks[id];
    bool has_carry = false;
    const auto use = [&](Value v, uint32_t position) {
      if (block_of_[v] == kNoBlock || (block_of_[v] == id && definition_[v] > position)) {
        fail(FunctionRule::not_dominated, id, position);
      }
    };
    for (uint32_t i = b.first; i < b.first + b.count; ++i) {
      Instruction& instruction = function_.instructions[i];
      visit_uses(function_, instruction, [&](Value v) { use(v, i); });
      if (reads_condition_code(instruction.code) && !has_carry) fail(FunctionRule::carry, id, i);
      has_carry |= writes_condition_code(instruction.code);
    }
    visit_end_uses(function_, b, [&](Value v) { use(v, b.first + b.count); });
  }

  void edges() {
    const Predecessors predecessors = find_predecessors(function_);
    for (const BlockId id : Indices<BlockId>(function_.blocks)) {
      const Block& b = function_.blocks[id];
      if (b.terminator == Terminator::jump &&
          b.argument_count != function_.blocks[b.target[0]].parameter_count) {
        fail(FunctionRule::argument_count, id);
      }
      if (b.terminator == Terminator::call && predecessors[b.target[0]].size() != 1)
        fail(FunctionRule::call, id);
      if (b.terminator != Terminator::branch) continue;
      for (const BlockId target : b.target) {
        if (function_.blocks[target].parameter_count != 0 || predecessors[target].size() != 1)
          fail(FunctionRule::branch_target, id);
      }
    }
    if (!ok()) return;
    // A value alive where its definition does not reach is alive at the program's start. Code that is never
    // reached may use anything.
    const Liveness liveness = find_liveness(function_, predecessors);
    if (!liveness[kEntryBlock].empty()) fail(FunctionRule::not_dominated, kEntryBlock);
  }

  Function& function_;
  std::pmr::vector<uint32_t> definition_;  // position: of the instruction, plus one
  std::pmr::vector<BlockId> block_of_;
  FunctionViolation violation_;
};

}  // namespace

FunctionViolation verify(Function& function) {
  return Verifier(function).run();
}

}  // namespace texlate::maxwell::machine
