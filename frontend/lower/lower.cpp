#include "frontend/lower/lower.h"

#include <fmt/format.h>

#include "frontend/lower/families.h"
#include "frontend/lower/operations.h"
#include "ir/passes/propagate_copies.h"

namespace texlate::lower {

namespace {

using sm4::Instruction;
using sm4::Operand;
using sm4::RegisterFile;

// abort and debug_break are for Direct3D's debug layer (Direct3D HLSL reference, `abort`). No target has one.
void lower_debug_statement(Lowering& lowering, const Instruction& instruction) {
  lowering.diagnostics.warning(instruction.location, "{} is ignored: it only affects Direct3D's debug layer",
                               sm4::info(instruction.opcode).mnemonic);
}

constexpr std::array<Handler, sm4::kOpcodeLimit> make_handlers() {
  std::array<Handler, sm4::kOpcodeLimit> table{};
  auto set = [&table](Handler handler, std::initializer_list<Opcode> opcodes) {
    for (Opcode opcode : opcodes) table[static_cast<uint32_t>(opcode)] = handler;
  };
  auto set_rows = [&table](Handler handler, const auto& rows) {
    for (const auto& row : rows) table[static_cast<uint32_t>(row.opcode)] = handler;
  };
  using enum Opcode;
  set_rows(lower_componentwise, kComponentwise);
  set_rows(lower_compare, kCompare);
  set(lower_dot, {dp2, dp3, dp4});
  set(lower_mov, {mov});
  set(lower_movc, {movc});
  set(lower_swapc, {swapc});
  set(lower_sincos, {sincos});
  set(lower_imul, {imul});
  set(lower_umul, {umul});
  set(lower_udiv, {udiv});
  set(lower_uaddc, {uaddc});
  set(lower_usubb, {usubb});
  set(lower_f16tof32, {f16tof32});
  set(lower_nop, {nop});
  set(lower_debug_statement, {abort_, debug_break});
  set(lower_double, {dmov, dmovc});
  set_rows(lower_double, kDouble);
  set_rows(lower_double_compare, kDoubleCompare);
  set_rows(lower_double_narrow, kDoubleNarrow);
  set_rows(lower_double_widen, kDoubleWiden);
  set(lower_if, {if_});
  set(lower_else, {else_});
  set(lower_endif, {endif});
  set(lower_loop, {loop});
  set(lower_endloop, {endloop});
  set(lower_switch, {switch_});
  set(lower_case, {case_, default_});
  set(lower_endswitch, {endswitch});
  set_rows(lower_jump, kJumps);
  set_rows(lower_conditional_jump, kConditionalJumps);
  set(lower_call, {call, callc});
  set(lower_fcall, {fcall});
  set(lower_discard, {discard});
  set(lower_sync, {sync});
  set(lower_ld, {ld, ldms, ld_s, ldms_s});
  set_rows(lower_sample, kSamples);
  set(lower_gather,
      {gather4, gather4_c, gather4_po, gather4_po_c, gather4_s, gather4_c_s, gather4_po_s, gather4_po_c_s});
  set(lower_lod, {lod});
  set(lower_resinfo, {resinfo});
  set(lower_sampleinfo, {sampleinfo});
  set(lower_samplepos, {samplepos});
  set(lower_bufinfo, {bufinfo});
  set(lower_check_access, {check_access_fully_mapped});
  set_rows(lower_eval, kEvaluations);
  set(lower_ld_uav_typed, {ld_uav_typed, ld_uav_typed_s});
  set(lower_store_uav_typed, {store_uav_typed});
  set(lower_ld_raw, {ld_raw, ld_raw_s});
  set(lower_ld_structured, {ld_structured, ld_structured_s});
  set(lower_store_raw, {store_raw});
  set(lower_store_structured, {store_structured});
  set_rows(lower_atomic, kAtomics);
  set(lower_emit, {emit, cut, emit_then_cut, emit_stream, cut_stream, emit_then_cut_stream});
  set(lower_counter, {imm_atomic_alloc, imm_atomic_consume});
  return table;
}

/// Indexed by opcode number. An opcode without a handler gives a clear error.
constexpr std::array<Handler, sm4::kOpcodeLimit> kHandlers = make_handlers();

/// True if the opcode matters even if it is unreachable: a marker of control flow.
bool is_marker(Opcode opcode) {
  switch (opcode) {
    case Opcode::if_:
    case Opcode::else_:
    case Opcode::endif:
    case Opcode::loop:
    case Opcode::endloop:
    case Opcode::switch_:
    case Opcode::case_:
    case Opcode::default_:
    case Opcode::endswitch: return true;
    default: return false;
  }
}

bool is_declared_temp(const Operand& operand, uint32_t declared) {
  return operand.file == RegisterFile::temp && operand.index_count == 1 &&
         operand.index[0].relative == sm4::kNoOperand && operand.index[0].immediate < declared;
}

/// The register of an operand must be declared, because the tables are accessed without further checks.
bool is_declared(Lowering& lowering, const Operand& operand) {
  switch (operand.file) {
    case RegisterFile::constant_buffer: {
      uint32_t id;
      if (operand.index_count < 2 || !lowering.register_number(operand.index[0], id)) return false;
      if (operand.index[0].relative != sm4::kNoOperand) declare_constant_buffer(lowering, id);
      return lowering.constant_buffers.has(id);
    }
    case RegisterFile::this_pointer: {
      Lanes lanes;
      return load_this(lowering, operand, 0xf, lanes);
    }
    case RegisterFile::immediate_constant_buffer:
      return operand.index_count >= 1 && lowering.icb_table != Lowering::kNoTable;
    case RegisterFile::indexable_temp:
      return operand.index_count >= 2 && lowering.locals.has(operand.index[0].immediate);
    case RegisterFile::temp: return is_declared_temp(operand, lowering.module.register_count);
    case RegisterFile::input:
    case RegisterFile::output:
    case RegisterFile::input_patch_constant: return operand.index_count >= 1;
    case RegisterFile::input_control_point:
    case RegisterFile::output_control_point: return operand.index_count == 2;
    default: return true;
  }
}

/// The components that an operand names.
uint32_t named_components(const Operand& operand) {
  if (operand.selection == sm4::Selection::mask) return operand.write_mask();
  uint32_t named = 0;
  for (uint32_t lane = 0; lane < 4; ++lane) named |= 1u << operand.source_component(lane);
  return named;
}

/// The registers of subroutines of a hull shader are declared by some phase: here, by the one that calls?
bool is_of_phase(const Lowering& lowering, const Operand& operand) {
  const ir::Module& module = lowering.module;
  const uint32_t named = named_components(operand);
  if (operand.file == RegisterFile::indexable_temp) {
    const ir::LocalArray& array = module.locals[lowering.locals[operand.index[0].immediate]];
    const sm4::OperandIndex& row = operand.index[1];
    return named >> array.components == 0 && (row.relative != sm4::kNoOperand || row.immediate < array.rows);
  }
  if (operand.file != RegisterFile::output || operand.index[0].relative != sm4::kNoOperand) return true;
  uint32_t declared = 0;
  for (const ir::Parameter& parameter :
       lowering.part == Part::patch ? module.patch_constants : module.outputs) {
    if (parameter.reg == operand.index[0].immediate) declared |= parameter.mask;
  }
  return (named & ~declared) == 0;
}

/// Does a class instance say which register this is?
bool is_of_instance(const Operand& operand) {
  return operand.file == RegisterFile::this_pointer ||
         (operand.file == RegisterFile::constant_buffer && operand.index_count != 0 &&
          operand.index[0].relative != sm4::kNoOperand);
}

std::string register_name(const Operand& operand) {
  std::string name(sm4::info(operand.file).spelling);
  if (operand.index_count != 0) name += fmt::format("{}", operand.index[0].immediate);
  return name;
}

/// Checks an operand that is neither a literal nor a declared temporary, and the registers in its indices.
[[gnu::noinline]] bool check_operand(Lowering& lowering, const Instruction& instruction,
                                     const Operand& operand) {
  bool declared = is_declared(lowering, operand);
  for (uint32_t i = 0; declared && i < operand.index_count; ++i) {
    const uint32_t relative = operand.index[i].relative;
    if (relative != sm4::kNoOperand) declared = is_declared(lowering, lowering.program.operands[relative]);
  }
  if (declared && !lowering.calls.empty() && lowering.module.stage == ir::Stage::hull)
    declared = is_of_phase(lowering, operand);
  if (declared) return true;
  lowering.unsupported(instruction, operand,
                       is_of_instance(operand)
                           ? "needs a class instance (texlate translate --class)"
                           : fmt::format("uses undeclared register {}", register_name(operand)));
  return false;
}

[[gnu::always_inline]] inline bool check_operands(Lowering& lowering, const Instruction& instruction) {
  const uint32_t count = instruction.operand_count;
  if (count < sm4::info(instruction.opcode).operand_count) {
    lowering.unsupported(instruction, "has too few operands");
    return false;
  }
  const Operand* const operands = lowering.program.operands.data() + instruction.first_operand;
  const uint32_t temps = lowering.module.register_count;
  for (uint32_t i = 0; i < count; ++i) {
    if (is_declared_temp(operands[i], temps) || operands[i].is_immediate()) continue;
    if (!check_operand(lowering, instruction, operands[i])) return false;
  }
  return true;
}

bool check_stage(Lowering& lowering) {
  switch (lowering.program.version.stage) {
    case sm4::Stage::pixel: lowering.module.stage = ir::Stage::pixel; return true;
    case sm4::Stage::vertex: lowering.module.stage = ir::Stage::vertex; return true;
    case sm4::Stage::geometry: lowering.module.stage = ir::Stage::geometry; return true;
    case sm4::Stage::domain: lowering.module.stage = ir::Stage::domain; return true;
    case sm4::Stage::compute: lowering.module.stage = ir::Stage::compute; return true;
    case sm4::Stage::hull: lowering.module.stage = ir::Stage::hull; return true;
    default: lowering.diagnostics.error({}, "a shader of an unknown stage"); return false;
  }
}

/// Phases, declarations and subroutines: what is not lowered where it is.
constexpr std::array<bool, sm4::kOpcodeLimit> kStepsAside = [] {
  std::array<bool, sm4::kOpcodeLimit> table{};
  for (uint32_t i = 0; i < sm4::kOpcodeLimit; ++i) {
    const auto opcode = static_cast<Opcode>(i);
    table[i] = starts_phase(opcode) || opcode == Opcode::label || sm4::info(opcode).has(sm4::kDeclaration);
  }
  return table;
}();

/// Returns the last instruction that is done with.
size_t step_aside(Lowering& lowering, size_t i) {
  const Instruction& instruction = lowering.program.instructions[i];
  if (starts_phase(instruction.opcode)) {
    start_phase(lowering, i);
    return i;
  }
  if (instruction.opcode == Opcode::label) {
    // Subroutines follow the program (or phase) that calls them.
    if (lowering.reachable) lowering.unsupported(instruction, "comes after code that does not return");
    return end_of_subroutine(lowering, i) - 1;
  }
  if (lowering.keeps_messages && lowering.reachable && instruction.opcode == Opcode::custom_data &&
      instruction.controls == sm4::kShaderMessage && check_operands(lowering, instruction)) {
    lowering.builder.set_location(instruction.location);
    lower_message(lowering, instruction);
  }
  return i;
}

}  // namespace

Lowering::Lowering(const sm4::Program& source, ir::Module& target, Diagnostics& sink)
    : program(source),
      module(target),
      diagnostics(sink),
      builder(target, source.instructions.size() * 4 + 16),
      resources(target.memory()),
      views(target.memory()),
      samplers(target.memory()),
      constant_buffers(target.memory()),
      locals(target.memory()),
      shared(target.memory()),
      constructs(target.memory()),
      index_ranges(target.memory()),
      labels(target.memory()),
      calls(target.memory()),
      cases(target.memory()),
      registers(source, target, sink),
      errors_before(sink.error_count()) {}

void Lowering::unsupported(const Instruction& instruction, std::string_view what) {
  diagnostics.error(instruction.location, "{} {}", sm4::info(instruction.opcode).mnemonic, what);
}

void Lowering::unsupported(const Instruction& instruction, const Operand& operand, std::string_view what) {
  diagnostics.error(program.place_of(instruction, operand), "{} {}", sm4::info(instruction.opcode).mnemonic,
                    what);
}

void Lowering::finish_code() {
  for (const Construct& construct : constructs) {
    diagnostics.error(construct.location, "this if, loop or switch is not closed");
  }
  constructs.clear();
  if (reachable) emit_control(Op::return_);
}

void lower_code(Lowering& lowering, size_t begin, size_t end) {
  for (size_t i = begin; i < end && !lowering.diagnostics.full(); ++i) {
    const Instruction& instruction = lowering.program.instructions[i];
    lowering.current = i;
    if (kStepsAside[static_cast<uint32_t>(instruction.opcode)]) [[unlikely]] {
      i = step_aside(lowering, i);
      continue;
    }
    if (lowering.module.stage == ir::Stage::hull && lowering.part == Part::whole) {
      lowering.unsupported(instruction, "is outside the phases of a hull shader");
      return;
    }
    if (!lowering.reachable && !is_marker(instruction.opcode)) continue;
    const Handler handler = kHandlers[static_cast<uint32_t>(instruction.opcode)];
    if (handler == nullptr) {
      lowering.unsupported(instruction, "is not supported");
      continue;
    }
    if (!check_operands(lowering, instruction)) continue;
    lowering.builder.set_location(instruction.location);
    if (lowering.log != nullptr)
      lowering.log->entries.push_back({.position = static_cast<uint32_t>(lowering.module.code.size()),
                                       .instruction = static_cast<uint32_t>(i),
                                       .begins = true});
    handler(lowering, instruction);
  }
}

bool lower(const sm4::Program& program, ir::Module& module, Diagnostics& diagnostics,
           const Options& options) {
  Lowering lowering(program, module, diagnostics);
  lowering.classes = options.classes;
  lowering.log = options.log;
  lowering.keeps_messages = options.messages;
  if (!check_stage(lowering)) return false;
  module.shader_model = static_cast<uint8_t>(program.version.model());
  // A scalar instruction becomes about four operations; growing would copy.
  module.code.reserve(program.instructions.size() * 8);
  module.operands.reserve(program.instructions.size() * 16);
  module.values.reserve(program.instructions.size() * 8);
  module.locations.reserve(program.instructions.size());
  lower_declarations(lowering, 0);
  if (program.lenient) extend_declarations(lowering);
  count_vertices(lowering);
  lower_code(lowering, 0, program.instructions.size());
  if (module.stage == ir::Stage::hull && lowering.part == Part::whole) {
    diagnostics.error({}, "a hull shader without phases");
    return false;
  }
  lowering.finish_code();
  complete_distances(lowering);
  module.register_count = 0;
  if (diagnostics.error_count() != lowering.errors_before) return false;
  if (lowering.registers.may_pass_copies()) ir::propagate_copies(module);
  return true;
}

}  // namespace texlate::lower
