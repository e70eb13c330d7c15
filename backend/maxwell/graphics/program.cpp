#include "backend/maxwell/graphics/program.h"

#include <algorithm>

#include "backend/maxwell/isa/table.h"

namespace texlate::maxwell::graphics {

namespace {

using ir::SystemValue;

/// Size of an entry of the branch stack and one for the waiting lanes, 16 bytes each, in units of 512.
uint32_t call_stack_bytes(uint32_t depth) {
  return (32 * depth + 511) / 512 * 512;
}

/// What the header must declare about the code. Images count as memory, and so does local memory, as in uam
/// (docs/reference/maxwell-graphics.md 2).
void describe_code(const ir::Module& module, const Kernel& kernel, ProgramHeader& header) {
  for (const Instruction& instruction : kernel.instructions) {
    switch (opcode(instruction)) {
      case Opcode::kil: header.kills_pixels = true; break;
      case Opcode::ldg:
      case Opcode::suld_p:
      case Opcode::suld_d: header.accesses_memory = true; break;
      case Opcode::stg:
      case Opcode::atom:
      case Opcode::atom_cas:
      case Opcode::red:
      case Opcode::sust_p:
      case Opcode::sust_d:
      case Opcode::suatom:
      case Opcode::suatom_cas:
      case Opcode::sured: header.accesses_memory = header.stores_to_memory = true; break;
      default: break;
    }
  }
  if (kernel.local_bytes != 0) header.accesses_memory = true;
  header.uses_doubles =
      std::any_of(module.code.begin(), module.code.end(), [](const ir::Instruction& instruction) {
        return ir::info(instruction.op).family == ir::Family::float64;
      });
}

InputMode input_mode(const ir::Parameter& parameter) {
  using enum ir::Interpolation;
  switch (parameter.interpolation) {
    case constant: return InputMode::constant;
    case undefined:
    case linear:
    case linear_centroid:
    case linear_sample: return InputMode::perspective;
    case linear_noperspective:
    case linear_noperspective_centroid:
    case linear_noperspective_sample: return InputMode::screen_linear;
  }
  return InputMode::perspective;
}

bool is_per_sample(const ir::Parameter& parameter) {
  return parameter.interpolation == ir::Interpolation::linear_sample ||
         parameter.interpolation == ir::Interpolation::linear_noperspective_sample ||
         parameter.system_value == SystemValue::sample_index;
}

/// The attribute words that the code reads and writes.
void map_attributes(const ir::Module& module, const Layout& layout, const Kernel& kernel,
                    ProgramHeader& header) {
  AttributeFlags modes{};
  for (size_t i = 0; i < module.inputs.size(); ++i) {
    const bool generic =
        module.stage == ir::Stage::pixel && module.inputs[i].system_value == SystemValue::none;
    for (uint32_t c = 0; c < 4; ++c) {
      if (((module.inputs[i].mask >> c) & 1) == 0 || layout.inputs[i][c] == kNotUsed) continue;
      const InputMode mode = generic ? input_mode(module.inputs[i]) : InputMode::constant;
      modes[layout.inputs[i][c] / 4] = static_cast<uint8_t>(mode);
    }
  }
  for (const Instruction& instruction : kernel.instructions) {
    const Opcode op = opcode(instruction);
    if (op != Opcode::ipa && op != Opcode::ald && op != Opcode::ast) continue;
    const uint32_t place = op == Opcode::ast ? 0 : 1;
    const uint32_t word = static_cast<uint32_t>(instruction.operands[place].value) / 4;
    const uint32_t count = op == Opcode::ipa ? 1 : get_modifier(instruction, Modifier::attribute_size) + 1u;
    for (uint32_t i = 0; i < count; ++i) {
      if (op == Opcode::ast) {
        header.outputs[word + i] = 1;
      } else if (has_input_bit(header.stage, word + i)) {
        header.inputs[word + i] = std::max<uint8_t>(modes[word + i], 1);
      }
    }
  }
}

void describe_results(const ir::Module& module, ProgramHeader& header) {
  // If this is off, the first target's results go to all targets.
  header.multiple_targets = true;
  const uint32_t targets = targets_of(module);
  for (uint32_t t = 0; t < kRenderTargets; ++t) header.targets[t] = (targets >> t & 1) != 0 ? 0xf : 0;
  for (const ir::Parameter& output : module.outputs) {
    if (output.system_value == SystemValue::coverage_out) header.writes_sample_mask = true;
    header.writes_depth |= is_depth(output.system_value);
  }
  // The hardware traps if position w is not marked as read (Mesa, nvc0_program.c, nvc0_fp_gen_header).
  header.inputs[0x7c / 4] = 1;
}

void fill_container(const ir::Module& module, const Kernel& kernel, Program& program) {
  DkshProgram& dksh = program.dksh;
  dksh.registers = std::max(4u, kernel.register_count);
  dksh.words.assign(kernel.words.begin(), kernel.words.end());
  dksh.constants.assign(kernel.tables.begin(), kernel.tables.end());
  if (module.stage == ir::Stage::compute) {
    dksh.stage = DkshStage::compute;
    std::copy(module.thread_group, module.thread_group + 3, dksh.block.begin());
    dksh.shared_bytes = kernel.shared_bytes;
    dksh.local_bytes = kernel.local_bytes;
    dksh.call_stack_bytes = call_stack_bytes(kernel.stack_depth);
    dksh.barriers = kernel.barrier_count;
    return;
  }
  const bool pixel = module.stage == ir::Stage::pixel;
  dksh.stage = pixel ? DkshStage::pixel : DkshStage::vertex;
  dksh.early_fragment_tests = module.early_depth_stencil;
  dksh.per_sample = pixel && std::any_of(module.inputs.begin(), module.inputs.end(), is_per_sample);
  ProgramHeader& header = dksh.header;
  header.stage = pixel ? ProgramStage::pixel : ProgramStage::vertex;
  header.local_bytes = kernel.local_bytes;
  header.call_stack_bytes = call_stack_bytes(kernel.stack_depth);
  describe_code(module, kernel, header);
  map_attributes(module, program.layout, kernel, header);
  if (!pixel) return;
  describe_results(module, header);
  // Registers of results that are not written must exist, too.
  uint32_t results = 0;
  for (const uint8_t mask : header.targets) results += mask != 0 ? 4 : 0;
  if (header.writes_sample_mask) results += 1;
  if (header.writes_depth) results += header.writes_sample_mask ? 1 : 2;
  dksh.registers = std::max(dksh.registers, results);
}

}  // namespace

bool make_program(const ir::Module& module, const KernelOptions& options, Program& program,
                  Diagnostics& diagnostics) {
  if (!make_layout(module, program.layout, diagnostics)) return false;
  Kernel kernel(module.memory());
  if (!make_graphics_kernel(module, program.layout, options, kernel, diagnostics)) return false;
  fill_container(module, kernel, program);
  program.instructions = static_cast<uint32_t>(kernel.instructions.size());
  program.spilled_values = kernel.spilled_values;
  return true;
}

}  // namespace texlate::maxwell::graphics
