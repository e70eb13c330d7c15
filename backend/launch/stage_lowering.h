// What the lowerings of stages share (lower_primitives.h, lower_streams.h).
#pragma once

#include <initializer_list>
#include <memory_resource>
#include <span>

#include "backend/launch/launch_abi.h"
#include "ir/builder.h"
#include "ir/passes/rewriter.h"

namespace texlate::launch {

/// What emissions, writes of o[r#] and returns may become, so that hostile programs come to an end
/// (docs/limits.md).
inline constexpr uint64_t kMostOutputWords = uint64_t{1} << 16;

/// Four planes for each register up to the greatest that is declared.
uint32_t plane_count(std::span<const ir::Parameter> parameters);

/// The code of a stage while it becomes that of a kernel: a new list, in which operations of the stage are
/// replaced by accesses to memory that the head of the parameter block gives.
class StageLowering {
 public:
  /// `layout`: of the head; null for a program that has none.
  explicit StageLowering(ir::Module& module, Layout* layout = nullptr)
      : module_(module),
        layout_(layout),
        scratch_(module.memory()),
        replacements_(module, &scratch_),
        code_(module.memory()),
        builder_(module, code_) {
    code_.reserve(module.code.size() + module.code.size() / 2 + 64);
  }

 protected:
  ~StageLowering() = default;

  using Instruction = ir::Instruction;
  using Op = ir::Op;
  using Value = ir::Value;

  /// Appends what an instruction becomes.
  virtual void lower(const Instruction& instruction) = 0;
  /// Lowers the whole code.
  void lower_all();

  /// Memory of 32-bit words whose address is in the head at `offset`.
  using Place = uint16_t;
  Place add_place(uint32_t offset, bool is_written);
  /// An access to one of its words.
  static ir::AccessBuilder access_to(Place place);
  /// Does the host give the address?
  Value is_given(Place place) { return emit(Op::bound, {}, query(place, ir::BindingFact::bound)); }
  /// The u32 of the head that is `BindingFact` after the place's address.
  Value number(Place place, ir::BindingFact fact) { return emit(Op::binding, {}, query(place, fact)); }

  /// The word number index + more. If `guard` is false: `otherwise`.
  Value load(Place place, Value index, uint32_t more = 0, Value guard = ir::kNoValue,
             Value otherwise = ir::kNoValue);
  void store(Place place, Value index, Value value, Value guard = ir::kNoValue);

  /// Planes of vertices of primitives: vertex v of primitive p is word (plane * primitives + p) * vertices +
  /// v.
  struct VertexPlanes {
    Place place = 0;
    uint32_t planes = 0, vertices = 0;
    Value step = ir::kNoValue;   // words of a plane
    Value first = ir::kNoValue;  // the word of this primitive's first vertex in plane 0
  };
  VertexPlanes vertex_planes(Place place, uint32_t planes, uint32_t vertices, Value primitives,
                             Value primitive);
  /// v[vertex][register], vicp, vocp: the result of such an operation.
  Value load_vertex(const VertexPlanes& from, const Instruction& instruction);
  /// Planes of patch constants have a word for each patch.
  VertexPlanes constant_planes(Place place, Value patches, Value patch) const {
    return {place, plane_count(module_.patch_constants), 1, patches, patch};
  }
  Value load_constant(const VertexPlanes& from, const Instruction& instruction) {
    return load(from.place, word_of(plane_inside(instruction, 0, from.planes), from.step, from.first));
  }

  /// The number of the plane that an operation names: its register and component, and operand `index` in
  /// addition, if it has kIndexOperand.
  Value plane_of(const Instruction& instruction, uint32_t index);
  /// The same for a read, where Direct3D leaves a register out of range undefined: any plane.
  Value plane_inside(const Instruction& instruction, uint32_t index, uint32_t planes);
  /// plane * step + first
  Value word_of(Value plane, Value step, Value first);

  /// Keeps what is written to a component of `parameters` in the register of the same number, counted from
  /// `file` on. o[r#] is one of the declared registers.
  void keep(const Instruction& instruction, std::span<const ir::Parameter> parameters, uint32_t file);
  void keep_output(const Instruction& instruction) { keep(instruction, module_.outputs, 0); }
  template <typename Use>
  static void for_components(std::span<const ir::Parameter> parameters, const Use& use) {
    for (uint32_t i = 0; i < parameters.size(); ++i) {
      for (uint32_t c = 0; c < 4; ++c) {
        if (parameters[i].has(c)) use(parameters[i], i, c);
      }
    }
  }

  /// vPrim: what the host gives, or the primitive's own number.
  Value primitive_id(Place ids, Value primitive) { return load(ids, primitive, 0, is_given(ids), primitive); }
  void replace(const Instruction& instruction, Value by) {
    replacements_.replace(instruction.first_result, by);
  }

  Value operand(const Instruction& instruction, uint32_t i) const {
    return module_.operands[instruction.first_operand + i];
  }
  Value last_operand(const Instruction& instruction) const {
    return operand(instruction, instruction.operand_count - 1);
  }
  Value word(uint32_t bits) { return module_.constant(bits); }
  Value ask(ir::SystemValue value, uint32_t component = 0) {
    return emit(Op::system_value, {}, static_cast<uint32_t>(value) * 4 + component);
  }
  Value emit(Op op, std::initializer_list<Value> operands, uint32_t payload = 0) {
    return builder_.emit(op, operands, payload);
  }
  /// Not contracted: all targets give the same bits.
  Value precise(Op op, std::initializer_list<Value> operands) {
    const Value result = emit(op, operands);
    code_.back().flags |= ir::kPrecise;
    return result;
  }
  void mark(Op op, std::initializer_list<Value> operands = {}) { builder_.emit_variadic(op, operands, 0); }
  /// Of an `if` without an `else`.
  void end_if() {
    mark(Op::else_);
    mark(Op::endif);
  }

  ir::Module& module_;
  Layout* const layout_;
  std::pmr::monotonic_buffer_resource scratch_;
  ir::Replacements replacements_;
  ir::Code code_;
  ir::Builder builder_;

 private:
  static uint32_t query(Place place, ir::BindingFact fact) { return ir::BindingQuery{place, fact}.pack(); }
};

/// See lower_primitives(). The code has registers afterwards.
void lower_hull(ir::Module& module, Layout& layout);

}  // namespace texlate::launch
