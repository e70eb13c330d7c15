// Makes operations that are already folded: an operation whose result is known gives the earlier value, and
// one that was already computed is not made again.
#pragma once

#include "ir/base/buffer.h"
#include "ir/builder.h"
#include "ir/passes/available_values.h"
#include "ir/passes/folder.h"

namespace texlate::ir {

/// Appends to module.code like Builder, and applies the rules of fold() and of
/// eliminate_common_subexpressions() to each operation. Values are shared within their region: markers must
/// be appended by emit(), too.
class FoldingBuilder : private folding::Folder {
 public:
  /// `expected`: about how many operations will be made.
  FoldingBuilder(Module& module, size_t expected);

  Module& module() { return module_; }
  /// In line, because a front end calls it for each instruction.
  void set_location(const SourceLocation& location) {
    auto& locations = module_.locations;
    const bool is_known = location.line != 0 || location.offset != SourceLocation::kNoOffset;
    if (is_known && (locations.empty() || location != locations.back())) locations.push_back(location);
    location_ = is_known ? static_cast<uint32_t>(locations.size()) : 0;
  }
  void set_location(const Instruction& instruction) { location_ = instruction.location; }
  void set_flags(uint8_t flags) { flags_ = flags; }
  /// Appends an instruction of the module, which stays as it is.
  [[gnu::always_inline]] void append(const Instruction& instruction) {
    if (info(instruction.op).has(kControl)) available_.cross_region(instruction.op);
    module_.code.push_back(instruction);
  }

  /// Returns the first result: a new value, or an earlier one that is the same. kNoValue if there is none.
  /// `flags`: in addition to those that were set. Not for unpack64, whose two results need not be neighbors.
  Value emit(Op op, std::span<const Value> operands, uint32_t payload = 0, uint8_t flags = 0);
  Value emit(Op op, std::initializer_list<Value> operands = {}, uint32_t payload = 0, uint8_t flags = 0) {
    return emit(op, std::span<const Value>(operands.begin(), operands.size()), payload, flags);
  }
  /// ine(value, zero), where `zero` is the constant 0: mostly of a comparison, which gives its predicate
  /// back.
  Value emit_test(Value value, Value zero) {
    const Instruction* const mask = made_by(value, Op::mask);
    return mask != nullptr ? operand(*mask, 0) : emit(Op::ine, {value, zero});
  }
  /// Emits an operation on words or predicates for each lane of `mask`, 0 to 3: operand o of lane l is
  /// operands[o][l]. The lanes of `precise` are [precise]. The results of other lanes are kNoValue.
  std::array<Value, 4> emit_lanes(Op op, std::span<const std::array<Value, 4>> operands, uint32_t mask,
                                  uint32_t precise);
  /// The low and the high word of a double.
  std::array<Value, 2> unpack(Value value);
  Value emit_access(Op op, const ResourceAccess& access, std::span<const Value> operands);

 private:
  template <uint32_t kCount>
  void emit_each(Op op, const std::array<Value, 4>* operands, uint32_t mask, uint32_t precise,
                 std::array<Value, 4>& results);
  template <uint32_t kCount>
  bool may_fold(Op op, const std::array<Value, kCount>& operands) const;
  template <uint32_t kCount>
  Value make_value(Op op, std::array<Value, kCount> operands, uint8_t flags);
  template <uint32_t kCount>
  Value fold_or_share(Op op, const std::array<Value, kCount>& operands, uint8_t flags);
  Value append_value(Instruction instruction);
  Value emit_with_rules(Op op, std::span<const Value> operands, uint8_t flags);
  Value emit_shared(Op op, std::span<const Value> operands, uint32_t payload, uint8_t flags);
  Value emit_other(Op op, std::span<const Value> operands, uint32_t payload, uint8_t flags);
  Value share_or_keep(Instruction& instruction);
  void withdraw(const Instruction& instruction);
  void grow_definitions();

  std::pmr::monotonic_buffer_resource scratch_;
  AvailableValues available_;
  ArenaBuffer<uint32_t> definitions_;
  uint32_t location_ = 0;
  uint8_t flags_ = 0;
};

}  // namespace texlate::ir
