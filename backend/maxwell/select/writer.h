// Short names for code that selects instructions.
#pragma once

#include <optional>
#include <string_view>

#include "backend/maxwell/select/expressions.h"
#include "backend/maxwell/select/select.h"
#include "backend/maxwell/select/state.h"
#include "backend/maxwell/select/values.h"

namespace texlate::maxwell::select {

using ir::Dimension;
using ir::Op;
using ir::Slot;
using ir::SystemValue;
using ir::Value;

/// What everything that selects instructions of one program works with.
struct Core {
  Core(const ir::Module& source, const Options& choices, machine::Function& function, Diagnostics& sink)
      : module(source),
        options(choices),
        diagnostics(sink),
        assembler(function),
        values(source, assembler),
        state(source, assembler) {}

  const ir::Module& module;
  const Options& options;
  Diagnostics& diagnostics;
  Assembler assembler;
  Values values;
  State state;
};

/// Base of the parts and of the families of instructions.
class Writer : protected Expressions {
 protected:
  explicit Writer(Core& core)
      : Expressions(core.assembler),
        module_(core.module),
        options_(core.options),
        diagnostics_(core.diagnostics),
        values_(core.values),
        state_(core.state) {}

  // ---- the program
  ir::Value operand(const ir::Instruction& instruction, uint32_t i) const {
    return module_.operands[instruction.first_operand + i];
  }
  const ir::ResourceAccess& access(const ir::Instruction& instruction) const {
    return module_.access_of(instruction);
  }
  ir::Value slot(const ir::Instruction& instruction, ir::Slot which) const {
    return module_.operand(instruction, which);
  }
  uint32_t index_of(const ir::Instruction& instruction) const {
    return static_cast<uint32_t>(&instruction - module_.code.data());
  }
  bool is_stream() const { return module_.stage != ir::Stage::compute; }
  bool is_used(ir::Value value) const { return values_.is_used(value); }
  bool has_one_use(ir::Value value) const { return values_.has_one_use(value); }
  const ir::Instruction* definition(ir::Value value) const { return values_.definition(value); }
  const ir::Instruction* absorbable(ir::Value value, ir::Op op) const {
    return values_.absorbable(value, op);
  }
  uint32_t greatest(ir::Value value) const { return values_.greatest(value); }
  /// A shift by a number that is known.
  struct ConstantShift {
    ir::Value of;
    uint32_t count;
    Arg by() const { return Arg::word(static_cast<int32_t>(count)); }
  };
  std::optional<ConstantShift> constant_shift(const ir::Instruction* shift, ir::Op op = ir::Op::shl) const {
    if (shift == nullptr || shift->op != op || !module_.is_constant(operand(*shift, 1))) return std::nullopt;
    return ConstantShift{operand(*shift, 0), module_.constant_bits(operand(*shift, 1)) & 31u};
  }

  // ---- values
  Source word(ir::Value value) const { return values_.word(value); }
  Source float_source(ir::Value value) const { return values_.float_source(value); }
  MachineValue reg(ir::Value value) const { return assembler_.reg(word(value)); }
  Predicate predicate(ir::Value value) const { return values_.predicate(value); }
  Pair pair(ir::Value value) const { return values_.pair(value); }
  template <typename Result>
  void define(ir::Value value, const Result& result) const {
    values_.define(value, result);
  }
  /// Appends a draft whose first operand is a new register for the value.
  void emit_to(ir::Value result, const Draft& draft) { define(result, emit_word(draft)); }

  /// The condition, and that the pixel may write.
  Predicate effective(Predicate guard) { return both(guard, state_.live()); }

  void refuse(const ir::Instruction& instruction, std::string_view what) const {
    diagnostics_.error(module_.location_of(instruction), "{} cannot be expressed on {}", what,
                       options_.graphics != nullptr ? "dksh" : "maxwell");
  }

  const ir::Module& module_;
  const Options& options_;
  Diagnostics& diagnostics_;
  Values& values_;
  State& state_;
};

}  // namespace texlate::maxwell::select
