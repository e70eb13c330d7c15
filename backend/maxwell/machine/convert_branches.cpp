#include "backend/maxwell/machine/convert_branches.h"

#include <array>

#include "backend/maxwell/isa/table.h"
#include "backend/maxwell/machine/access.h"
#include "ir/base/all_ones.h"

namespace texlate::maxwell::machine {
namespace {

/// Up to this many issue slots of both arms together, guards are cheaper.
constexpr unsigned kDivergentLimit = 16;
constexpr unsigned kUniformLimit = 6;
/// An instruction that occupies its unit for longer counts as several.
constexpr unsigned kSlowCost = 3;

class BranchConverter {
 public:
  explicit BranchConverter(Function& function)
      : function_(function),
        next_(all_ones<uint32_t>(function.instructions.size(), function.scratch())),
        head_(all_ones<uint32_t>(function.blocks.size(), function.scratch())),
        tail_(all_ones<uint32_t>(function.blocks.size(), function.scratch())),
        entries_(function.blocks.size(), 0, function.scratch()),
        references_(function.blocks.size(), 0, function.scratch()),
        is_gone_(function.blocks.size(), false, function.scratch()),
        same_(all_ones<Value>(function.values.size(), function.scratch())),
        definition_(all_ones<uint32_t>(function.values.size(), function.scratch())),
        definition_way_(all_ones<BlockId>(function.values.size(), function.scratch())) {}

  void run() {
    for (const BlockId id : Indices<BlockId>(function_.blocks)) index(id);
    bool any = false;
    for (size_t id = function_.blocks.size(); id-- > 0;) any |= convert(BlockId(id));
    if (any) finish();
  }

 private:
  void index(BlockId id) {
    Block& b = function_.blocks[id];
    if (b.count != 0) {
      head_[id] = b.first;
      tail_[id] = b.first + b.count - 1;
      for (uint32_t i = head_[id]; i < tail_[id]; ++i) next_[i] = i + 1;
      next_[tail_[id]] = kNoIndex;
    }
    for (unsigned s = 0; s < successor_count(b); ++s) ++entries_[b.target[s]];
    if (b.construct != Construct::none) {
      ++references_[b.merge];
      if (b.continue_target != kNoBlock) ++references_[b.continue_target];
    }
  }

  void append(BlockId block, uint32_t instruction) {
    (tail_[block] == kNoIndex ? head_[block] : next_[tail_[block]]) = instruction;
    tail_[block] = instruction;
    next_[instruction] = kNoIndex;
  }

  bool convert(BlockId id) {
    Block& header = function_.blocks[id];
    if (header.terminator != Terminator::branch || header.target[0] == header.target[1]) return false;
    const BlockId ways[2] = {header.target[0], header.target[1]};
    const Block& first = function_.blocks[ways[0]];
    const Block& second = function_.blocks[ways[1]];
    if (first.terminator != Terminator::jump || second.terminator != Terminator::jump) return false;
    const BlockId merge = first.target[0];
    if (second.target[0] != merge || merge <= id || entries_[merge] != 2) return false;
    if (first.construct != Construct::none || second.construct != Construct::none) return false;
    // The merge block must belong to this selection only.
    const bool is_own = header.construct == Construct::selection && header.merge == merge;
    if (header.construct == Construct::selection && !is_own) return false;
    if (references_[merge] != (is_own ? 1u : 0u)) return false;
    for (const BlockId way : ways) {
      if (references_[way] != 0 || entries_[way] != 1) return false;
    }
    unsigned cost = 0;
    if (!can_guard(ways[0], cost) || !can_guard(ways[1], cost)) return false;
    if (cost > (header.uniform ? kUniformLimit : kDivergentLimit)) return false;

    const Value condition = header.condition;
    const bool negated = header.negated;
    guard(ways[0], condition, negated);
    guard(ways[1], condition, !negated);
    move_all(ways[1], id);
    // What the results of the first arm replace has been written by then.
    const uint32_t arguments[2] = {first.arguments, second.arguments};
    join(ways, arguments, merge, id, condition, negated);
    move_all(merge, id);
    take_end(id, merge);
    for (const BlockId gone : {ways[0], ways[1], merge}) is_gone_[gone] = true;
    return true;
  }

  bool can_guard(BlockId block, unsigned& cost) const {
    for (uint32_t i = head_[block]; i != kNoIndex; i = next_[i]) {
      const Instruction& instruction = function_.instructions[i];
      const Code& code = instruction.code;
      const Opcode op = opcode(code);
      if (instruction.guard != kNoValue || code.guard() != kPT || !form(code).guarded) return false;
      if (instruction.effect == Effect::barrier || writes_condition_code(code)) return false;
      if (op == Opcode::shfl || op == Opcode::vote || op == Opcode::fswzadd) return false;
      if (reads_condition_code(code)) return false;
      const LatencyClass latency_class = opcode_info(op).latency_class;
      if (latency_class == LatencyClass::control || latency_class == LatencyClass::synchronise) return false;
      cost += latency(code).write_barrier ? kSlowCost : 1;
    }
    return true;
  }

  /// Of one way. What it defines is known from here on.
  void guard(BlockId way, Value condition, bool negated) {
    for (uint32_t i = head_[way]; i != kNoIndex; i = next_[i]) {
      Instruction& instruction = function_.instructions[i];
      instruction.guard = condition;
      instruction.code.set_guard(make_guard(kVirtual, negated));
      visit_results(function_, instruction, [&](Value v) {
        definition_[v] = i;
        definition_way_[v] = way;
      });
    }
  }

  void move_all(BlockId from, BlockId to) {
    if (head_[from] == kNoIndex) return;
    (tail_[to] == kNoIndex ? head_[to] : next_[tail_[to]]) = head_[from];
    tail_[to] = tail_[from];
    head_[from] = tail_[from] = kNoIndex;
  }

  /// Gives each parameter of the merge block its value.
  void join(const BlockId (&ways)[2], const uint32_t (&arguments)[2], BlockId merge, BlockId header,
            Value condition, bool negated) {
    const Block& m = function_.blocks[merge];
    const uint32_t count = m.parameter_count;
    const uint32_t parameters = m.parameters;
    std::pmr::vector<uint32_t> selections(function_.scratch());
    for (uint32_t n = 0; n < count; ++n) {
      const Value parameter = function_.operands[parameters + n];
      const Value x = resolve(function_.operands[arguments[0] + n]);
      const Value y = resolve(function_.operands[arguments[1] + n]);
      if (x == kNoValue || y == kNoValue || x == y) {
        same_[parameter] = x == kNoValue ? y : x;
      } else if (replaces(ways[0], x, y)) {
        same_[parameter] = x;
      } else if (definition_way_[x] != ways[0] && replaces(ways[1], y, x)) {
        same_[parameter] = y;
      } else {
        selections.push_back(select(parameter, x, y, condition, negated));
      }
    }
    move_all(ways[0], header);
    for (const uint32_t i : selections) append(header, i);
  }

  /// The current representative of a value: parameters of joined blocks are replaced by their arguments.
  Value resolve(Value v) const {
    while (v != kNoValue && same_[v] != kNoValue) v = same_[v];
    return v;
  }

  /// Makes the instruction that defines `v` in block `way` leave `other` as its result if its guard is false.
  bool replaces(BlockId way, Value v, Value other) {
    if (definition_way_[v] != way) return false;
    Instruction& instruction = function_.instructions[definition_[v]];
    if (facts(instruction.code).same_as_rd != 0) return false;
    const unsigned results = instruction.result_count;
    if (instruction.merge == kNoIndex) {
      instruction.merge = static_cast<uint32_t>(function_.operands.size());
      function_.operands.resize(function_.operands.size() + results, kNoValue);
    }
    bool done = false;
    visit_merges(function_, instruction, [&](Value result, Value& before) {
      if (result == v && before == kNoValue) before = other, done = true;
    });
    return done;
  }

  /// Emits parameter = condition ? x : y as a separate instruction.
  uint32_t select(Value parameter, Value x, Value y, Value condition, bool negated) {
    Instruction instruction;
    if (function_.values[parameter] == ValueClass::general) {
      maxwell::Instruction code = make_instruction(Opcode::sel);
      code.operands[0] = code.operands[1] = code.operands[2] = Operand::r(kVirtual);
      code.operands[3] = Operand::p(kVirtual, negated);
      const std::array<Value, 4> values{parameter, x, y, condition};
      fill_instruction(function_, code, values, instruction);
    } else {
      maxwell::Instruction code = make_instruction(Opcode::psetp);
      code.operands[0] = code.operands[2] = Operand::p(kVirtual);
      const std::array<Value, 2> values{parameter, x};
      fill_instruction(function_, code, values, instruction);
      instruction.guard = condition;
      instruction.code.set_guard(make_guard(kVirtual, negated));
      instruction.merge = static_cast<uint32_t>(function_.operands.size());
      function_.operands.push_back(y);
    }
    function_.instructions.push_back(instruction);
    next_.push_back(kNoIndex);
    return static_cast<uint32_t>(function_.instructions.size() - 1);
  }

  /// Gives the header the end of the merge block.
  void take_end(BlockId header, BlockId merge) {
    Block& h = function_.blocks[header];
    const Block& m = function_.blocks[merge];
    if (h.construct != Construct::none) --references_[h.merge];
    Block joined = m;
    joined.first = h.first;
    joined.count = h.count;
    joined.parameters = h.parameters;
    joined.parameter_count = h.parameter_count;
    h = joined;
  }

  void finish() {
    const auto replace = [&](Value& v) { v = resolve(v); };
    auto place = all_ones<BlockId>(function_.blocks.size(), function_.scratch());
    Buffer<Instruction>& instructions = function_.spare;
    instructions.clear();
    std::pmr::vector<Block> blocks(function_.memory());
    instructions.reserve(function_.instructions.size());
    for (const BlockId id : Indices<BlockId>(function_.blocks)) {
      if (is_gone_[id]) continue;
      place[id] = static_cast<BlockId>(blocks.size());
      Block b = function_.blocks[id];
      b.first = static_cast<uint32_t>(instructions.size());
      for (uint32_t i = head_[id]; i != kNoIndex; i = next_[i])
        instructions.push_back(function_.instructions[i]);
      b.count = static_cast<uint32_t>(instructions.size()) - b.first;
      blocks.push_back(b);
    }
    for (Block& b : blocks) b.renumber(place);
    function_.instructions.swap(instructions);
    function_.blocks = std::move(blocks);
    for (Instruction& i : function_.instructions) visit_uses(function_, i, replace);
    for (Block& b : function_.blocks) visit_end_uses(function_, b, replace);
  }

  Function& function_;
  // The instructions of each block as a list, so that blocks can be joined.
  std::pmr::vector<uint32_t> next_;
  std::pmr::vector<uint32_t> head_;
  std::pmr::vector<uint32_t> tail_;
  std::pmr::vector<uint32_t> entries_;     // of a block: jumps and branches to it
  std::pmr::vector<uint32_t> references_;  // constructs whose merge or continue block it is
  std::pmr::vector<bool> is_gone_;
  std::pmr::vector<Value> same_;  // what a parameter of a joined block has become
  // Of what a converted way has defined, by value: the instruction and the way.
  std::pmr::vector<uint32_t> definition_;
  std::pmr::vector<BlockId> definition_way_;
};

}  // namespace

void convert_branches(Function& function) {
  if (function.blocks.size() > 1) BranchConverter(function).run();
}

}  // namespace texlate::maxwell::machine
