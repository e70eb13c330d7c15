// Attributes of vertices, control points and patches, and vertices that are emitted
// (docs/reference/maxwell-graphics.md 1 and 5).

#include "backend/maxwell/select/graphics_host.h"

namespace texlate::maxwell::select {

namespace {

/// Fields of SR_INVOCATION_INFO: the primitive's number in the batch, and the vertices of a primitive.
constexpr uint32_t kBatchPrimitiveAt = 0, kVertexCountAt = 16, kInfoFieldBits = 8;
constexpr uint32_t kVertexId = 0x2fc;

constexpr uint32_t kPointList = 1;  // D3D10_PRIMITIVE_TOPOLOGY

/// Words that one ALD or AST may access from `address` on: two need 8-byte alignment, three and four 16-byte
/// alignment (docs/reference/maxwell-graphics.md 1).
constexpr uint32_t widest_attribute(uint32_t address) {
  return address % 8 != 0 ? 1 : address % 16 != 0 ? 2 : 4;
}

ModifierSetting size_of(uint32_t words) {
  return {Modifier::attribute_size, static_cast<AttributeSize>(words - 1)};
}

}  // namespace

// ---- loads

bool GraphicsHost::is_of_patch(const ir::Instruction& instruction) const {
  return module_.stage == ir::Stage::domain && !instruction.has(ir::kVertexOperand);
}

/// What ALD takes for the vertex: a handle, or the lane that has made an output.
MachineValue GraphicsHost::vertex_of(const ir::Instruction& instruction) {
  if (!instruction.has(ir::kVertexOperand)) return kNone;
  const Value vertex = operand(instruction, 0);
  const bool is_first = module_.is_constant(vertex, 0);
  const bool is_output = instruction.op == Op::output_control_point;
  // Fork and join phases run in the lane of point 0.
  if (is_output && is_first) return special_register(kLaneId);
  return assembler_.once({is_output ? Shared::vertex_lane : Shared::vertex_handle, vertex.number()}, [&] {
    MachineValue number = is_output ? special_register(kLaneId) : first_vertex();
    if (!is_first) number = emit_integer_sum(Source::of(number), word(vertex));
    return is_output ? number : emit_word({Opcode::isberd, {Arg(), Arg::address(number, 0)}});
  });
}

/// The number of the primitive's first vertex in the batch: 8 bits times 8 bits.
MachineValue GraphicsHost::first_vertex() {
  return assembler_.once({Shared::first_vertex, 0}, [&] {
    const Source info = Source::of(special_register(kInvocationInfo));
    // The other bits are not specified.
    const auto field = [&](uint32_t at) {
      return emit_source(
          {Opcode::bfe, {Arg(), info, Source::immediate(kInfoFieldBits << 8 | at)}, {kUnsigned}});
    };
    const Source primitive = field(kBatchPrimitiveAt), count = field(kVertexCountAt);
    return emit_word({Opcode::xmad, {Arg(), primitive, count, Source::immediate(0)}});
  });
}

/// .P, .O and the order among accesses to what the program itself stores.
void GraphicsHost::emit_load(const ir::Instruction& instruction, Draft load) {
  if (is_of_patch(instruction)) load.spelled("P");
  const bool is_output = instruction.op == Op::output_control_point;
  if (is_output) load.with({Modifier::o, 1});
  machine::Instruction& code = emit(load);
  if (!is_output) return;
  code.effect = machine::Effect::read;
  code.space = kAttributeSpace;
}

/// One load for this operation and those right after it that read further words of the same vector.
void GraphicsHost::load_vector(const ir::Instruction& first) {
  const uint32_t address = 4 * first.payload;
  const MachineValue vertex = vertex_of(first);
  std::array<MachineValue, 4> values{kNone, kNone, kNone, kNone};
  uint32_t count = 0;
  for (const ir::Instruction* next = &first; next->op == first.op && next->flags == first.flags; ++next) {
    const uint32_t word = next->payload - first.payload;
    if (word >= widest_attribute(address) || values[word] != kNone) break;
    if (vertex != kNone && operand(*next, 0) != operand(first, 0)) break;
    if (!is_used(next->first_result)) continue;
    values[word] = assembler_.general();
    define(next->first_result, values[word]);
    count = std::max(count, word + 1);
    values_.skip(*next);
  }
  emit_load(first, {Opcode::ald,
                    {Arg::regs(std::span(values).first(count)), Arg::word(static_cast<int32_t>(address)),
                     vertex != kNone ? Arg::reg(vertex) : Arg()},
                    {size_of(count)}});
  if (module_.stage != ir::Stage::vertex || address != kVertexId) return;
  // Direct3D counts without the draw's base.
  Source base = Source::constant(0, graphics::kBaseVertex);
  base.flags = kNegate;
  emit_to(first.first_result, {Opcode::iadd, {Arg(), Source::of(values[0]), base}});
}

/// AL2P gives the address of a generic vector for ALD.PHYS; those of patches need no conversion.
void GraphicsHost::load_indexed(const ir::Instruction& instruction) {
  const bool is_patch = is_of_patch(instruction);
  const Value index = operand(instruction, instruction.operand_count - 1);
  const MachineValue vertex = vertex_of(instruction);
  const MachineValue bytes = emit_word({Opcode::shl, {Arg(), word(index), Source::immediate(4)}});
  const auto first = static_cast<int32_t>(4 * instruction.payload);
  Arg address = Arg::address(bytes, first);
  if (!is_patch) {
    const MachineValue physical = assembler_.general();
    emit({Opcode::al2p,
          {Arg(), Arg::reg(physical), Arg::reg(bytes), Arg::word(first)},
          {{Modifier::o, instruction.op == Op::output_control_point ? 1 : 0}}});
    address = Arg::address(physical, 0);
  }
  const MachineValue result = assembler_.general();
  Draft load{Opcode::ald, {Arg::reg(result), address, vertex != kNone ? Arg::reg(vertex) : Arg()}};
  if (!is_patch) load.spelled("PHYS");
  emit_load(instruction, load);
  define(instruction.first_result, result);
}

// ---- stores

/// One store for this operation and those right after it that write the next words.
void GraphicsHost::store_vector(const ir::Instruction& first) {
  const uint32_t address = 4 * first.payload;
  std::array<MachineValue, 4> values{kNone, kNone, kNone, kNone};
  uint32_t count = 0;
  for (const ir::Instruction* next = &first;
       count < widest_attribute(address) && next->op == first.op && next->payload == first.payload + count;
       ++next) {
    values[count++] = reg(operand(*next, 0));
    values_.skip(*next);
  }
  const Arg vertex = module_.stage == ir::Stage::geometry ? Arg::reg(state_.handle()) : Arg();
  Draft store{Opcode::ast,
              {Arg::word(static_cast<int32_t>(address)), Arg::regs(std::span(values.data(), count)), vertex},
              {size_of(count)}};
  if (first.op == Op::patch_output) store.spelled("P");
  machine::Instruction& code = emit(store);
  code.effect = machine::Effect::write;
  code.space = kAttributeSpace;
}

// AST writes the vertex under construction, whose handle is the last OUT's result, 0 at the start. Cuts of
// points have no effect, and only points have several streams (D3D11.3 13.3 and 13.5.2).
void GraphicsHost::select_emission(const ir::Instruction& instruction) {
  const uint32_t stream = instruction.payload;
  const bool strips = module_.output_topology != kPointList && stream == 0;
  if (instruction.op == Op::cut && !strips) return;
  Emit how = Emit::cut;
  if (instruction.op == Op::emit) {
    const ir::Instruction& next = module_.code[index_of(instruction) + 1];
    const bool cuts = strips && next.op == Op::cut && next.payload == stream;
    if (cuts) values_.skip(next);
    how = cuts ? Emit::emit_then_cut : Emit::emit;
  }
  const MachineValue after = assembler_.general();
  machine::Instruction& code = emit({Opcode::out,
                                     {Arg::reg(after), Arg::reg(state_.handle()), Source::immediate(stream)},
                                     {{Modifier::emit, how}}});
  code.effect = machine::Effect::write;
  code.space = kAttributeSpace;
  state_.set_handle(after);
}

}  // namespace texlate::maxwell::select
