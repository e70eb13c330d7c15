#include "backend/maxwell/machine/simplify.h"

#include "backend/maxwell/machine/access.h"

namespace texlate::maxwell::machine {
namespace {

/// A move of a whole register, or of a predicate, from one value to another.
bool is_plain_move(const Function& function, const Instruction& instruction) {
  if (instruction.guard != kNoValue || instruction.code.guard != kPT) return false;
  const maxwell::Instruction& code = instruction.code;
  switch (opcode(code)) {
    case Opcode::mov:
      return code.operands[1].kind == OperandKind::reg && code.operands[1].reg != kRZ &&
             code.operands[0].flags == 0 && code.operands[1].flags == 0 && code.operands[2].value == 15 &&
             function.operands[instruction.values] != kNoValue &&
             function.operands[instruction.values + 1] != kNoValue;
    case Opcode::psetp: {
      // Pd, PT = Ps and PT and PT
      if (get_modifier(code, Modifier::boolean) != 0 || get_modifier(code, Modifier::boolean_b) != 0)
        return false;
      for (const unsigned k : {1u, 3u, 4u}) {
        if (code.operands[k].reg != kPT || code.operands[k].flags != 0) return false;
      }
      return instruction.counts[0] == 1 && instruction.counts[2] == 1 && code.operands[2].flags == 0;
    }
    default: return false;
  }
}

}  // namespace

bool is_constant_move(const Instruction& instruction) {
  if (instruction.guard != kNoValue || instruction.code.guard != kPT) return false;
  switch (opcode(instruction.code)) {
    case Opcode::mov32i: return true;
    case Opcode::mov: {
      const Operand& source = instruction.code.operands[1];
      return instruction.code.operands[2].value == 15 &&
             (source.kind != OperandKind::reg || source.reg == kRZ);
    }
    default: return false;
  }
}

bool is_constant_comparison(const Instruction& instruction) {
  if (instruction.guard != kNoValue || instruction.code.guard != kPT) return false;
  const Opcode op = opcode(instruction.code);
  return (op == Opcode::isetp || op == Opcode::fsetp) && instruction.value_count == 1 &&
         instruction.result_values == 1 && !reads_condition_code(instruction.code);
}

void empty_unreachable_blocks(Function& function) {
  std::pmr::vector<bool> reached(function.blocks.size(), false, function.scratch());
  std::pmr::vector<BlockId> work(1, 0, function.scratch());
  reached[0] = true;
  while (!work.empty()) {
    const Block& b = function.blocks[work.back()];
    work.pop_back();
    for (unsigned s = 0; s < successor_count(b); ++s) {
      if (reached[b.target[s]]) continue;
      reached[b.target[s]] = true;
      work.push_back(b.target[s]);
    }
  }
  uint32_t to = 0;
  for (BlockId id = 0; id < function.blocks.size(); ++id) {
    Block& b = function.blocks[id];
    if (!reached[id]) {
      b.count = b.parameter_count = b.argument_count = 0;
      b.terminator = Terminator::exit;
      b.construct = Construct::none;
    }
    const uint32_t first = to;
    for (uint32_t i = b.first; i < b.first + b.count; ++i)
      function.instructions[to++] = function.instructions[i];
    b.first = first;
  }
  function.instructions.resize(to);
}

void propagate_moves(Function& function) {
  std::pmr::vector<Value> same(function.values.size(), kNoValue, function.scratch());
  bool any = false;
  for (const Instruction& i : function.instructions) {
    if (!is_plain_move(function, i)) continue;
    same[function.operands[i.values]] = function.operands[i.values + 1];
    any = true;
  }
  if (!any) return;
  // Definitions dominate uses, and the graph of moves has no cycles, so chains end.
  const auto resolve = [&](Value& v) {
    Value end = v;
    while (same[end] != kNoValue) end = same[end];
    while (same[v] != kNoValue) {
      const Value next = same[v];
      same[v] = end == next ? next : end;
      v = next;
    }
    v = end;
  };
  for (Instruction& i : function.instructions) visit_uses(function, i, resolve);
  for (Block& b : function.blocks) visit_end_uses(function, b, resolve);
}

void remove_dead_code(Function& function) {
  std::pmr::vector<uint32_t> uses(function.values.size(), 0, function.scratch());
  std::pmr::vector<uint32_t> definition(function.values.size(), kNoIndex, function.scratch());
  // A parameter is alive if anything other than jumps that pass it on uses it. Counting uses keeps dead
  // cycles of a loop, which the IR's own passes have removed.
  for (uint32_t i = 0; i < function.instructions.size(); ++i) {
    visit_uses(function, function.instructions[i], [&](Value v) { ++uses[v]; });
    visit_results(function, function.instructions[i], [&](Value v) { definition[v] = i; });
  }
  for (Block& b : function.blocks) visit_end_uses(function, b, [&](Value v) { ++uses[v]; });

  std::pmr::vector<bool> dead(function.instructions.size(), false, function.scratch());
  std::pmr::vector<uint32_t> work(function.scratch());
  const auto is_dead = [&](const Instruction& i) {
    if (i.effect == Effect::write || i.effect == Effect::barrier || writes_condition_code(i.code))
      return false;
    bool has_result = false;
    bool used = false;
    visit_operands(function, i, [&](unsigned, unsigned, Value v, bool is_result) {
      has_result |= is_result;
      used |= is_result && v != kNoValue && uses[v] != 0;
    });
    return has_result && !used;
  };
  for (uint32_t i = 0; i < function.instructions.size(); ++i) {
    if (is_dead(function.instructions[i])) work.push_back(i);
  }
  while (!work.empty()) {
    const uint32_t i = work.back();
    work.pop_back();
    if (dead[i]) continue;
    dead[i] = true;
    visit_uses(function, function.instructions[i], [&](Value v) {
      if (--uses[v] != 0 || definition[v] == kNoIndex) return;
      if (is_dead(function.instructions[definition[v]])) work.push_back(definition[v]);
    });
  }

  uint32_t to = 0;
  for (Block& b : function.blocks) {
    const uint32_t first = to;
    for (uint32_t i = b.first; i < b.first + b.count; ++i) {
      if (!dead[i]) function.instructions[to++] = function.instructions[i];
    }
    b.first = first;
    b.count = to - first;
  }
  function.instructions.resize(to);
  // An unused result may hold anything, and needs no place in a vector.
  for (const Instruction& i : function.instructions) {
    visit_operands(function, i, [&](unsigned, unsigned, Value& v, bool is_result) {
      if (is_result && v != kNoValue && uses[v] == 0) v = kNoValue;
    });
  }
}

}  // namespace texlate::maxwell::machine
