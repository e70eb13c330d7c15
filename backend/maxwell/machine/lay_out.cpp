#include "backend/maxwell/machine/lay_out.h"

#include <cassert>

#include "backend/maxwell/isa/table.h"
#include "backend/maxwell/machine/constructs.h"

namespace texlate::maxwell::machine {

void set_target(Code& code, int32_t value) {
  maxwell::Instruction decoded = code;
  for (Operand& operand : decoded.operands) {
    if (operand.kind == OperandKind::target) operand.value = value;
  }
  code = decoded;
}

namespace {

/// How lanes continue from a block's end.
struct Jump {
  Opcode opcode = Opcode::bra;
  BlockId target = kNoBlock;
};

/// For one block: PCNT, SSY or another entry, two exits.
constexpr size_t kMaxControl = 4;

class LayoutBuilder {
 public:
  explicit LayoutBuilder(Function& function)
      : function_(function),
        constructs_(find_constructs(function)),
        opened_(function.blocks.size(), kNoConstruct, function.scratch()),
        vanished_(function.blocks.size(), false, function.scratch()),
        out_(function.memory()) {
    for (uint32_t c = 0; c < constructs_.list.size(); ++c) opened_[constructs_.list[c].header] = c;
  }

  Layout run() {
    find_vanishing();
    out_.lines.reserve(function_.instructions.size() + 3 * function_.blocks.size());
    // Lines point into the list: it must not grow.
    function_.spare.clear();
    function_.spare.reserve(kMaxControl * function_.blocks.size());
    out_.blocks.resize(function_.blocks.size());
    for (const BlockId b : Indices<BlockId>(function_.blocks)) block(b);
    out_.stack_depth = constructs_.stack_depth;
    out_.exit_registers = function_.exit_registers;
    return std::move(out_);
  }

 private:
  /// If the target of a branch only jumps, it has no lines: the branch itself performs the jump.
  void find_vanishing() {
    for (const Block& b : function_.blocks) {
      if (b.terminator != Terminator::branch) continue;
      for (const BlockId target : b.target) {
        const Block& t = function_.blocks[target];
        vanished_[target] = t.count == 0 && t.construct == Construct::none &&
                            t.terminator != Terminator::branch && t.terminator != Terminator::call &&
                            !is_loop_header(target);
      }
    }
  }

  Opcode leaving() const { return function_.is_routine ? Opcode::ret : Opcode::exit; }

  bool is_loop_header(BlockId b) const {
    return b != kEntryBlock && function_.blocks[b - 1].construct == Construct::loop;
  }

  void block(BlockId id) {
    LineBlock& place = out_.blocks[id];
    place.first = static_cast<uint32_t>(out_.lines.size());
    if (vanished_[id]) {
      place.falls_through = true;
      return;
    }
    const Block& b = function_.blocks[id];
    if (is_loop_header(id)) {
      const ConstructInfo& loop = constructs_.list[opened_[id - 1]];
      if (loop.has_continue_entry) append(Opcode::pcnt, loop.continue_target);
    }
    for (uint32_t i = b.first; i < b.first + b.count; ++i)
      out_.lines.emplace_back(function_.instructions[i], kNoBlock);
    place.body_count = static_cast<uint32_t>(out_.lines.size()) - place.first;
    if (opened_[id] != kNoConstruct) {
      const ConstructInfo& info = constructs_.list[opened_[id]];
      if (info.leave == Opcode::sync) append(Opcode::ssy, info.merge);
      if (info.leave == Opcode::brk) append(Opcode::pbk, info.merge);
      if (info.leave == Opcode::ret) {
        append(Opcode::pret, info.merge);
        let_increment(out_.lines.back().code());
      }
    }
    place.falls_through = end(id);
    place.count = static_cast<uint32_t>(out_.lines.size()) - place.first;
  }

  bool end(BlockId id) {
    const Block& b = function_.blocks[id];
    switch (b.terminator) {
      case Terminator::exit: append(leaving(), kNoBlock); return false;
      case Terminator::call:
        append(Opcode::cal, kNoBlock);
        let_increment(out_.lines.back().code());
        set_target(out_.lines.back().code(),
                   static_cast<int32_t>(b.routine));  // until link() knows its address
        return true;
      case Terminator::jump: return append_way(find_way(id, b.target[0]), id, kPT);
      case Terminator::branch: break;
    }
    const Jump taken = find_branch_way(id, b.target[0]);
    const Jump other = find_branch_way(id, b.target[1]);
    const uint8_t predicate = number_in_code(b.predicate);
    if (falls(taken, id)) {
      if (falls(other, id)) return true;
      append_way(other, id, make_guard(predicate, !b.negated));
      return true;
    }
    append_way(taken, id, make_guard(predicate, b.negated));
    return append_way(other, id, kPT);
  }

  static void let_increment(Code& code) {
    maxwell::Instruction decoded = code;
    set(decoded, Modifier::inc, IncrementDepth::inc);
    code = decoded;
  }

  Jump find_way(BlockId from, BlockId target) const { return {find_jump(constructs_, from, target), target}; }

  Jump find_branch_way(BlockId from, BlockId target) const {
    if (!vanished_[target]) return find_way(from, target);
    const Block& t = function_.blocks[target];
    return t.terminator == Terminator::exit ? Jump{leaving(), kNoBlock} : find_way(target, t.target[0]);
  }

  bool falls(const Jump& way, BlockId from) const {
    if (way.opcode != Opcode::bra || way.target <= from) return false;
    for (BlockId b = from + 1; b < way.target; ++b) {
      if (!vanished_[b]) return false;
    }
    return true;
  }

  /// Returns true if lanes may reach the next line.
  bool append_way(const Jump& way, BlockId from, uint8_t guard) {
    if (guard == kPT && falls(way, from)) return true;
    append(way.opcode, way.target, guard);
    return guard != kPT;
  }

  void append(Opcode opcode, BlockId target, uint8_t guard = kPT) {
    assert(function_.spare.size() < function_.spare.capacity());
    Instruction& instruction = function_.spare.emplace_back();
    instruction.code = make_instruction(opcode);
    instruction.code.set_guard(guard);
    out_.lines.emplace_back(instruction, target);
  }

  Function& function_;
  Constructs constructs_;
  std::pmr::vector<uint32_t> opened_;  // by block: the construct whose header it is
  std::pmr::vector<bool> vanished_;
  Layout out_;
};

}  // namespace

Layout lay_out(Function& function) {
  return LayoutBuilder(function).run();
}

}  // namespace texlate::maxwell::machine
