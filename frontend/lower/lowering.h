// State and helpers shared by the instruction families of frontend/lower.
#pragma once

#include <array>
#include <optional>

#include "frontend/lower/lower.h"
#include "frontend/lower/registers.h"
#include "frontend/sm4/declaration.h"
#include "frontend/sm4/program.h"
#include "ir/passes/folding_builder.h"

namespace texlate::lower {

using ir::Op;
using ir::Value;
using sm4::Opcode;

/// One value per lane (x y z w). Lanes that were not requested hold kNoValue.
using Lanes = std::array<Value, 4>;
inline constexpr Lanes kNoLanes = {ir::kNoValue, ir::kNoValue, ir::kNoValue, ir::kNoValue};

/// The meaning of an operand's modifiers: `-` and `|x|` on floats, two's complement negation on integers.
enum class Reading : uint8_t { float_, integer };

/// Register number -> index in a table of the module.
class SlotMap {
 public:
  static constexpr uint32_t kLimit = 4096;  // more than any file has; 5.1's range ids are small, too
  explicit SlotMap(std::pmr::memory_resource* memory) : index_(memory) {}
  bool set(uint32_t id, uint32_t index) {
    if (id >= kLimit) return false;
    if (id >= index_.size()) index_.resize(id + 1, kAbsent);
    index_[id] = static_cast<uint16_t>(index);
    return true;
  }
  bool has(uint32_t id) const { return id < index_.size() && index_[id] != kAbsent; }
  uint16_t operator[](uint32_t id) const { return index_[id]; }
  void clear() { index_.clear(); }

 private:
  static constexpr uint16_t kAbsent = 0xffff;
  std::pmr::vector<uint16_t> index_;
};

/// The current part of a hull shader. Other stages have only one part.
enum class Part : uint8_t { whole, control_points, patch };

/// An open if, loop or switch, or the body of a subroutine.
struct Construct {
  enum class Kind : uint8_t { if_, loop, switch_, subroutine } kind;
  bool has_else = false;
  bool has_default = false;
  bool entry_reachable = true;       // the construct can be entered
  bool first_arm_reachable = false;  // if: the end of the first arm can be reached
  bool broken_out_of = false;        // loop, switch: some reachable break leaves it
  bool after_label = false;          // switch: only labels since the last arm ended
  bool returned_from = false;        // loop, switch: a ret of its subroutine leaves it
  SourceLocation location = {};
  size_t first_case = 0;  // switch: in Lowering::cases
};

class Lowering {
 public:
  Lowering(const sm4::Program& source, ir::Module& target, Diagnostics& sink);

  const sm4::Program& program;
  ir::Module& module;
  Diagnostics& diagnostics;
  ir::FoldingBuilder builder;

  SlotMap resources, views, samplers, constant_buffers, locals, shared;
  std::pmr::vector<Construct> constructs;
  static constexpr uint32_t kNoTable = 0xffffffffu;
  uint32_t icb_table = kNoTable;  // index into Module::tables
  bool reachable = true;
  uint32_t stream = 0;  // the geometry stream that outputs are being declared for
  Part part = Part::whole;
  /// dcl_indexrange of inputs and outputs: registers that a run-time index may address.
  struct IndexRange {
    sm4::RegisterFile file;
    uint32_t first, count;
  };
  std::pmr::vector<IndexRange> index_ranges;  // of the current part
  /// The local array that counts the vertices of a geometry shader that ends with the last; void: none does.
  std::optional<uint32_t> vertex_count;
  size_t current = 0;  // index of the instruction being lowered
  /// Subroutines: the position of each label, the calls that are being expanded, the number of expanded
  /// instructions.
  struct Label {
    uint32_t number;
    size_t index;
  };
  std::pmr::vector<Label> labels;
  std::pmr::vector<uint32_t> calls;
  size_t expanded = 0;
  /// The labels of the open switches.
  struct Case {
    uint32_t value;
    uint32_t location;  // see ir::Instruction::location
  };
  std::pmr::vector<Case> cases;
  Registers registers;
  const uint32_t errors_before;
  /// Class linkage: the bound instances, and the instance for which a method is being expanded.
  std::span<const ClassInstance> classes;
  const ClassInstance* this_instance = nullptr;
  Log* log = nullptr;
  bool keeps_messages = false;
  uint32_t program_registers = 0;  // number of r# that the program declares, over all its parts

  const sm4::Operand& operand(const sm4::Instruction& instruction, uint32_t i) const {
    return program.operands[instruction.first_operand + i];
  }
  /// "file:line: error: <mnemonic> ...": an error at this instruction.
  void unsupported(const sm4::Instruction& instruction, std::string_view what);
  /// The same, at one of its operands.
  void unsupported(const sm4::Instruction& instruction, const sm4::Operand& operand, std::string_view what);
  /// The end of the program or of a hull phase: constructs must be closed. If the end is reachable, it
  /// returns.
  void finish_code();

  /// The dcl_indexrange of the current part that contains this register; null if there is none.
  const IndexRange* index_range(sm4::RegisterFile file, uint32_t reg) const {
    for (const IndexRange& range : index_ranges) {
      if (range.file == file && reg - range.first < range.count) return &range;
    }
    return nullptr;
  }

  // class_linkage.cpp
  /// The value of an index, if it is known. Run-time indices are known if they come from `this`.
  bool register_number(const sm4::OperandIndex& index, uint32_t& number) const;

  // operands.cpp
  /// Values of the lanes of `mask` of a source operand: lane i reads the component that the swizzle selects.
  Lanes load(const sm4::Operand& operand, uint8_t mask, Reading reading);
  /// The same, but ignores modifiers.
  Lanes load_raw(const sm4::Operand& operand, uint8_t mask);
  /// Value of one lane.
  Value load_lane(const sm4::Operand& operand, uint32_t lane, Reading reading) {
    return load(operand, static_cast<uint8_t>(1u << lane), reading)[lane];
  }
  /// The scalar of an operand that selects one component.
  Value load_scalar(const sm4::Operand& operand, Reading reading) { return load_lane(operand, 0, reading); }
  /// Immediate plus relative register, as a value.
  Value load_index(const sm4::OperandIndex& index);
  /// What selects the register of an x# or of indexed outputs; kNoValue for other destinations.
  Value load_destination_index(const sm4::Operand& destination);
  /// Writes the lanes of the destination's mask, saturated if the instruction requests it. `index`: that of
  /// the destination, for an instruction whose first destination may hold the index of its second.
  void store(const sm4::Instruction& instruction, const sm4::Operand& destination, Lanes values,
             Value index = ir::kNoValue);

  Value emit(Op op, std::initializer_list<Value> operands = {}, uint32_t payload = 0) {
    return builder.emit(op, operands, payload);
  }
  Value constant(uint32_t bits) { return module.constant(bits); }
  /// Emits a marker or jump. `reachable` says whether control reaches it; after a marker, the caller sets it
  /// for what follows.
  void emit_control(Op op, std::initializer_list<Value> operands = {}, uint32_t payload = 0);
  /// Marks the operations emitted next as precise if the instruction is precise for this lane.
  void begin_lane(const sm4::Instruction& instruction, uint32_t lane) {
    builder.set_flags(((instruction.precise_mask() >> lane) & 1) != 0 ? ir::kPrecise : 0);
  }
  /// value != 0 or value == 0, depending on the instruction's _nz or _z.
  Value test(const sm4::Instruction& instruction, const sm4::Operand& operand) {
    const Value value = load_scalar(operand, Reading::integer);
    const Value zero = constant(0);
    return instruction.test_nonzero() ? builder.emit_test(value, zero) : emit(Op::ieq, {value, zero});
  }

 private:
  Lanes load_other(const sm4::Operand& operand, uint8_t mask, Reading reading);
  Lanes load_memory_row(const sm4::Operand& operand, uint8_t mask);
  Lanes load_temp(const sm4::Operand& operand, uint8_t mask);
  Lanes zero_unwritten(Lanes lanes, uint8_t mask);
  Lanes load_literal(const sm4::Operand& operand, uint8_t mask);
  Lanes load_cycle_counter(const sm4::Operand& operand, uint8_t mask);
  Value load_component(const sm4::Operand& operand, uint32_t component);
  Value load_input(const sm4::Operand& operand, Op op, uint32_t component);
  /// The register that a run-time index of an input or output counts from.
  uint32_t first_indexed(const sm4::Operand& operand) const;
  void store_other(const sm4::Instruction& instruction, const sm4::Operand& destination, const Lanes& values,
                   Value index, bool saturate);
  void store_component(const sm4::Operand& destination, Value index, uint32_t component, Value value);
  void log_store(const sm4::Operand& destination, Value index, uint32_t component, Value value);
};

/// System value of a register that is a register file by itself (vThreadID, oDepth ...); none for others.
ir::SystemValue special_register(sm4::RegisterFile file);

/// Lowers instructions [begin, end) of the program.
void lower_code(Lowering& lowering, size_t begin, size_t end);

using Handler = void (*)(Lowering&, const sm4::Instruction&);

// One per family. Each lowers the opcodes listed at the head of its file; see kHandlers in lower.cpp.
/// Lowers declarations from instruction `first` on: all of them, or in a hull shader those up to the next
/// phase.
void lower_declarations(Lowering& lowering, size_t first);
void complete_distances(Lowering& lowering);
void extend_declarations(Lowering& lowering);
void count_vertices(Lowering& lowering);
void add_parameter(Lowering& lowering, const sm4::Instruction& dcl, bool is_input);
void name_parameter(Lowering& lowering, ir::Parameter& parameter,
                    const std::pmr::vector<sm4::SignatureElement>& signature);

// hull.cpp
constexpr bool starts_phase(Opcode opcode) {
  return opcode == Opcode::hs_control_point_phase || opcode == Opcode::hs_fork_phase ||
         opcode == Opcode::hs_join_phase;
}
/// Ends the previous phase and starts the one whose marker is instruction `index`.
void start_phase(Lowering& lowering, size_t index);
/// A hull shader's input, output or patch constant. It is merged with the declarations of other phases.
void add_hull_parameter(Lowering& lowering, const sm4::Instruction& dcl);

}  // namespace texlate::lower
