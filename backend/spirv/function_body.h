// The body of a function under construction: its entry code, then its blocks.
#pragma once

#include "backend/spirv/module_builder.h"
#include "backend/spirv/operation_rows.h"

namespace texlate::spirv {

class FunctionBody {
 public:
  FunctionBody(ModuleBuilder& builder, std::pmr::memory_resource* memory)
      : builder_(builder), blocks_(memory), entry_(memory), block_(builder.entry_label()) {}

  Id type_of(As as) {
    switch (as) {
      case As::float_: return builder_.float_type();
      case As::uint: return builder_.uint_type();
      case As::boolean: return builder_.bool_type();
      case As::double_: return builder_.double_type();
      case As::int_: return builder_.int_type();
    }
    return Id::none;
  }
  Id type_of(Kind kind) { return kind == Kind::float_ ? builder_.float_type() : builder_.uint_type(); }

  // Instructions. C++ orders the arguments of a call only within braces, and id numbers must not depend on
  // the compiler of this program: a type given by name is declared after the operands. These have a result:
  template <OperandList List = std::initializer_list<Operand>>
  Id emit(spv::Op op, Id type, const List& operands) {
    const Id id = builder_.new_id();
    uint32_t* const words = words_->start(op, std::ranges::size(operands) + 3);
    words[1] = word_of(type);
    words[2] = word_of(id);
    put(words + 3, operands);
    return id;
  }
  template <OperandList List = std::initializer_list<Operand>>
  Id emit(spv::Op op, As type, const List& operands) {
    return emit(op, type_of(type), operands);
  }
  /// from GLSL.std.450,
  Id extended(uint32_t instruction, Id type, std::initializer_list<Id> operands);
  /// from a row;
  Id operation(const OperationRow& row, Id type, const Id* operands) {
    const Id id = builder_.new_id();
    const bool is_extended = row.core == spv::OpExtInst;
    uint32_t* words = words_->start(row.core, row.operands + (is_extended ? 5u : 3u));
    words[1] = word_of(type);
    words[2] = word_of(id);
    words += 3;
    if (is_extended) {
      *words++ = word_of(builder_.glsl());
      *words++ = row.glsl;
    }
    // Not a loop, which the compiler would make a call of memcpy.
    words[0] = word_of(operands[0]);
    if (row.operands > 1) words[1] = word_of(operands[1]);
    if (row.operands > 2) words[2] = word_of(operands[2]);
    return id;
  }
  /// these have none.
  template <OperandList List = std::initializer_list<Operand>>
  void effect(spv::Op op, const List& operands) {
    append(*words_, op, operands);
  }

  /// Bits as another type of the same size.
  Id bitcast(Id type, Id id) { return emit(spv::OpBitcast, type, {id}); }
  Id convert(Id id, Kind from, Kind to) { return from == to ? id : bitcast(type_of(to), id); }
  Id access_chain(spv::StorageClass storage, Id type, std::initializer_list<Id> operands) {
    return emit(spv::OpAccessChain, builder_.pointer_type(storage, type), operands);
  }
  /// a + b, unsigned.
  Id add(Id a, uint32_t b) { return b == 0 ? a : emit(spv::OpIAdd, As::uint, {a, builder_.constant(b)}); }
  /// Puts what `make` emits into the entry.
  template <typename Make>
  auto at_entry(Make make) {
    Words* const here = words_;
    words_ = &entry_;
    const auto result = make();
    words_ = here;
    return result;
  }

  // Blocks
  /// Label of the current block.
  Id block() const { return block_; }
  /// Can control reach the end of that block?
  bool reached() const { return reached_; }
  void start_block(Id label) {
    append(blocks_, spv::OpLabel, {label});
    block_ = label;
    reached_ = true;
    line_ = 0;  // OpLine ends with its block
  }
  /// Ends the block, unless it has ended already.
  void branch(Id label) {
    if (reached_) append(blocks_, spv::OpBranch, {label});
    reached_ = false;
  }
  /// Both branches lead to `merge`, or one of them is it.
  void branch(Id condition, Id then, Id otherwise, Id merge) {
    effect(spv::OpSelectionMerge, {merge, spv::SelectionControlMaskNone});
    effect(spv::OpBranchConditional, {condition, then, otherwise});
  }
  /// The last emitted instruction ends the block.
  void end_block() { reached_ = false; }

  /// A guard is an `if` around code that must not run if `holds` is false. Guards do not nest.
  void begin_guard(Id holds);
  /// The value, or the fallback if the guard failed; type none: there is no value.
  Id end_guard(Id type = Id::none, Id value = Id::none, Id fallback = Id::none);
  /// The block from which control reaches the end of a guard that failed; valid after end_guard().
  Id guard_failed_in() const { return guard_from_; }

  void line(Id source, uint32_t line, uint32_t column) {
    if (line == line_) return;
    line_ = line;
    effect(spv::OpLine, {source, literal(line), literal(column)});
  }

  // The whole function
  void reserve(size_t words) { blocks_.reserve(words); }
  /// See Words::too_long.
  size_t too_long() const { return blocks_.too_long(); }
  /// Where the next instruction goes, so that an id in it that is not known yet can be filled in
  /// later.
  size_t position() const { return blocks_.size(); }
  Id id_at(size_t position) const { return Id{blocks_[position]}; }
  void fill_in(size_t position, Id id) { blocks_[position] = word_of(id); }
  /// The same in the words being written: the blocks, or the entry.
  size_t here() const { return words_->size(); }
  bool is_at_entry() const { return words_ == &entry_; }
  const Words& entry() const { return entry_; }
  const Words& blocks() const { return blocks_; }
  /// Starts a new function, whose first block has this label; the label is not written.
  void start_function(Id label) {
    entry_.clear();
    blocks_.clear();
    block_ = label;
    reached_ = true;
    line_ = 0;
  }
  /// The function's blocks, without the first label.
  Words& finish() {
    if (entry_.empty()) return blocks_;
    entry_.append(blocks_);
    return entry_;
  }

 private:
  ModuleBuilder& builder_;
  Words blocks_, entry_;
  Words* words_ = &blocks_;
  Id block_;
  bool reached_ = true;
  uint32_t line_ = 0;
  Id guard_merge_{}, guard_from_{};
};

}  // namespace texlate::spirv
