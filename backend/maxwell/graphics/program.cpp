#include "backend/maxwell/graphics/program.h"

#include <algorithm>

#include "backend/launch/launch.h"
#include "backend/launch/lower_addresses.h"
#include "backend/maxwell/graphics/lower_deko3d.h"
#include "backend/maxwell/isa/program.h"
#include "backend/maxwell/isa/table.h"
#include "ir/base/input_primitive.h"

namespace texlate::maxwell::graphics {

namespace {

using ir::SystemValue;

/// Registers of generic vectors end here (lower_deko3d.h).
constexpr uint32_t kGenericEnd = 0x280 / 16;

/// Size of an entry of the branch stack and one for the waiting lanes, 16 bytes each, in units of 512.
uint32_t call_stack_bytes(uint32_t depth) {
  return (32 * depth + 511) / 512 * 512;
}

/// What the header must declare about the code. Images count as memory, and so does local memory, as in uam
/// (docs/reference/maxwell-graphics.md 2).
void describe_code(const ir::Module& module, const Kernel& kernel, ProgramHeader& header) {
  for (const Instruction instruction : kernel.instructions) {
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
  header.uses_doubles = std::ranges::any_of(module.code, [](const ir::Instruction& instruction) {
    return ir::info(instruction.op).family == ir::Family::float64;
  });
}

InputMode input_mode(const ir::Parameter& parameter) {
  if (parameter.interpolation == ir::Interpolation::constant) return InputMode::constant;
  return ir::is_noperspective(parameter.interpolation) ? InputMode::screen_linear : InputMode::perspective;
}

void mark_read_back(ProgramHeader& header, uint32_t word) {
  header.store_first = std::min(header.store_first, static_cast<uint8_t>(word));
  header.store_last = std::max(header.store_last, static_cast<uint8_t>(word));
}

/// A run-time register number may reach every vector from its base to the last that is declared.
void map_indexed_inputs(const ir::Module& module, ProgramHeader& header) {
  for (const ir::Instruction& instruction : module.code) {
    const bool points = instruction.op == ir::Op::output_control_point;
    if ((instruction.op != ir::Op::input && !points) || !instruction.has(ir::kVertexOperand) ||
        !instruction.has(ir::kIndexOperand))
      continue;
    const uint32_t component = instruction.payload % 4;
    uint32_t end = 0;
    for (const ir::Parameter& parameter : points ? module.outputs : module.inputs) {
      if (parameter.has(component) && parameter.reg < kGenericEnd) end = std::max(end, parameter.reg + 1);
    }
    for (uint32_t word = instruction.payload; word < 4 * end; word += 4) {
      if (points) {
        mark_read_back(header, word);
      } else {
        header.inputs[word] = 1;
      }
    }
  }
}

/// ALD and AST with .P, of a patch, or with .PHYS, of an address that is only known at run time.
bool is_in_no_map(const Instruction& instruction) {
  const Form& f = form(instruction);
  return std::any_of(f.modifiers.begin(), f.modifiers.begin() + f.modifier_count,
                     [](const ModifierField& modifier) { return modifier.kind == Modifier::literal; });
}

/// The attribute words that the code reads and writes. Those of patches are in no map.
void map_attributes(const ir::Module& module, const Kernel& kernel, ProgramHeader& header) {
  AttributeFlags modes{};
  for (const ir::Parameter& input : module.inputs) {
    const bool generic = module.stage == ir::Stage::pixel && input.system_value == SystemValue::none;
    for (uint32_t c = 0; c < 4 && input.reg < ir::kSpecialRegister; ++c) {
      const InputMode mode = generic ? input_mode(input) : InputMode::constant;
      if (input.has(c)) modes[4 * input.reg + c] = static_cast<uint8_t>(mode);
    }
  }
  for (const Instruction instruction : kernel.instructions) {
    const Opcode op = opcode(instruction);
    if (op != Opcode::ipa && op != Opcode::ald && op != Opcode::ast) continue;
    if (is_in_no_map(instruction)) continue;
    const uint32_t place = op == Opcode::ast ? 0 : 1;
    const uint32_t word = static_cast<uint32_t>(instruction.operands[place].value) / 4;
    const uint32_t count = op == Opcode::ipa ? 1 : get_modifier(instruction, Modifier::attribute_size) + 1u;
    const bool reads_back = op == Opcode::ald && get_modifier(instruction, Modifier::o) != 0;
    for (uint32_t i = 0; i < count; ++i) {
      if (op == Opcode::ast) {
        header.outputs[word + i] = 1;
      } else if (reads_back) {
        mark_read_back(header, word + i);
      } else if (has_input_bit(header.stage, word + i)) {
        header.inputs[word + i] = std::max<uint8_t>(modes[word + i], 1);
      }
    }
  }
  map_indexed_inputs(module, header);
}

// ---- hull, domain, geometry

constexpr uint32_t kPoints = 1, kLineStrip = 3;  // D3D10_PRIMITIVE_TOPOLOGY
constexpr uint32_t kMostVertices = 1024;
/// Words that an instance of a geometry program may emit. Beyond this the hardware refuses the header.
constexpr uint32_t kMostEmittedWords = 1024;

bool describe_geometry(const ir::Module& module, ProgramHeader& header, Diagnostics& diagnostics) {
  // Patches that no tessellator reads are lists of primitives with as many vertices, if there are such.
  if (const uint32_t vertices = vertices_of_input_primitive(module.input_primitive);
      vertices > 4 && vertices != 6) {
    diagnostics.error(
        {}, "a geometry shader of patches of {} control points cannot be expressed in a dksh program",
        vertices);
    return false;
  }
  header.threads = static_cast<uint8_t>(std::max(module.gs_instances, 1u));
  header.topology = module.output_topology == kPoints      ? ProgramTopology::points
                    : module.output_topology == kLineStrip ? ProgramTopology::line_strip
                                                           : ProgramTopology::triangle_strip;
  header.max_vertices = static_cast<uint16_t>(std::clamp(module.max_vertex_count, 1u, kMostVertices));
  header.stream_mask = 1;
  for (const ir::Instruction& instruction : module.code) {
    if (instruction.op == ir::Op::emit) header.stream_mask |= static_cast<uint8_t>(1u << instruction.payload);
  }
  uint32_t words = 0;
  for (const uint8_t written : header.outputs) words += written != 0 ? 1 : 0;
  if (words * header.max_vertices <= kMostEmittedWords) return true;
  diagnostics.error(
      {}, "the shader may emit {} vertices of {} words: a dksh program emits at most {} words in all",
      header.max_vertices, words, kMostEmittedWords);
  return false;
}

/// Words of a patch's attributes: the factors, and every vector up to the last that is declared.
uint8_t patch_words(const ir::Module& module) {
  constexpr uint32_t kFactorWords = 6;
  uint32_t words = kFactorWords;
  for (const ir::Parameter& constant : module.patch_constants) {
    if (constant.reg >= kPatchVectors / 16) words = std::max(words, 4 * constant.reg + 4);
  }
  return static_cast<uint8_t>(words);
}

bool tessellation_mode(const ir::Module& module, const HullFacts* hull, TessellationMode& mode,
                       Diagnostics& diagnostics) {
  if (hull == nullptr) {
    diagnostics.error({},
                      "a domain shader as a dksh program needs its hull shader, which declares the "
                      "partitioning and the output primitive (docs/dksh.md)");
    return false;
  }
  if (hull->domain != module.tessellator_domain) {
    diagnostics.error({}, "the hull shader tessellates another domain than the domain shader's");
    return false;
  }
  // Direct3D's numbers: domains 1 isoline, 2 tri, 3 quad; partitioning 1 integer, 2 pow2, 3 fractional odd,
  // 4 fractional even; output 1 point, 2 line, 3 triangle_cw, 4 triangle_ccw. The code of the hull shader
  // rounds for pow2; the tessellator then treats it as integer (D3D11.3 11.7.7.1).
  constexpr uint32_t kOdd = 3;
  mode.domain = static_cast<TessellationMode::Domain>(hull->domain - 1);
  mode.spacing = hull->partitioning < kOdd
                     ? TessellationMode::Spacing::integer
                     : static_cast<TessellationMode::Spacing>(hull->partitioning - kOdd + 1);
  mode.primitives = static_cast<TessellationMode::Primitives>(hull->output_primitive - 1);
  const bool good = hull->domain - 1 < 3 && hull->partitioning - 1 < 4 && hull->output_primitive - 1 < 4;
  if (!good) diagnostics.error({}, "the hull shader does not declare what the tessellator needs");
  return good;
}

bool describe_primitives(const ir::Module& module, const HullFacts* hull, DkshProgram& dksh,
                         Diagnostics& diagnostics) {
  ProgramHeader& header = dksh.header;
  switch (module.stage) {
    case ir::Stage::hull:
      header.threads = static_cast<uint8_t>(std::max(module.output_control_points, 1u));
      header.patch_words = patch_words(module);
      return true;
    case ir::Stage::domain:
      // The hardware refuses the header otherwise (Mesa: nvc0_program.c, nvc0_tep_gen_header; NAK, sph.rs).
      header.outputs[kDomainPoint / 4] = header.outputs[kDomainPoint / 4 + 1] = 1;
      return tessellation_mode(module, hull, dksh.tessellator, diagnostics);
    case ir::Stage::geometry: return describe_geometry(module, header, diagnostics);
    default: return true;
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

/// By ir::Stage. Compute programs have no header.
struct StageNames {
  DkshStage container;
  ProgramStage header;
};
constexpr StageNames kStages[] = {
    {DkshStage::pixel, ProgramStage::pixel},       {DkshStage::vertex, ProgramStage::vertex},
    {DkshStage::geometry, ProgramStage::geometry}, {DkshStage::hull, ProgramStage::hull},
    {DkshStage::domain, ProgramStage::domain},     {DkshStage::compute, ProgramStage::vertex}};
static_assert(std::size(kStages) == static_cast<size_t>(ir::Stage::compute) + 1);

void fill_pixel(const ir::Module& module, DkshProgram& dksh) {
  dksh.early_tests = module.early_depth_stencil;
  dksh.per_sample = ir::runs_per_sample(module);
  const ProgramHeader& header = dksh.header;
  describe_results(module, dksh.header);
  // Registers of results that are not written must exist, too.
  uint32_t results = 0;
  for (const uint8_t mask : header.targets) results += mask != 0 ? 4 : 0;
  if (header.writes_sample_mask) results += 1;
  if (header.writes_depth) results += header.writes_sample_mask ? 1 : 2;
  dksh.registers = std::max(dksh.registers, results);
}

/// `module`: lowered; `source`: as it was before.
bool fill_container(const ir::Module& source, const ir::Module& module, const Kernel& kernel,
                    const HullFacts* hull, DkshProgram& dksh, Diagnostics& diagnostics) {
  encode_unchecked(kernel.instructions, dksh.words);
  dksh.constants.assign(kernel.constants.begin(), kernel.constants.end());
  if (module.stage == ir::Stage::compute) {
    static_cast<DkshFacts&>(dksh) = kernel;
    dksh.call_stack_bytes = call_stack_bytes(kernel.branches);
  }
  const StageNames& stage = kStages[static_cast<size_t>(module.stage)];
  dksh.stage = stage.container;
  dksh.registers = std::max(4u, kernel.registers);
  if (module.stage == ir::Stage::compute) return true;
  ProgramHeader& header = dksh.header;
  header.stage = stage.header;
  header.local_bytes = kernel.local_bytes;
  header.call_stack_bytes = call_stack_bytes(kernel.branches);
  describe_code(module, kernel, header);
  map_attributes(module, kernel, header);
  if (module.stage == ir::Stage::pixel) fill_pixel(source, dksh);
  return describe_primitives(module, hull, dksh, diagnostics);
}

/// Compute programs have few banks. Uniform buffers beyond them are memory.
std::pmr::vector<uint16_t> add_uniform_rows(ir::Module& module, Layout& layout) {
  std::pmr::vector<uint16_t> rows(module.constant_buffers.size(), launch::kNoRows, module.memory());
  for (size_t i = 0; i < rows.size() && module.stage == ir::Stage::compute; ++i) {
    const ir::ConstantBuffer& buffer = module.constant_buffers[i];
    if (layout.uniforms[i] + launch::range_size(buffer) <= kComputeUniformBanks) continue;
    rows[i] = static_cast<uint16_t>(module.resources.size());
    module.resources.push_back(launch::rows_of(buffer));
    layout.resources.push_back({SlotKind::uniform, layout.uniforms[i]});
  }
  return rows;
}

}  // namespace

bool make_program(const ir::Module& module, const KernelOptions& options, const HullFacts* hull,
                  Program& program, Diagnostics& diagnostics) {
  const std::span<const ir::Parameter> constants = hull != nullptr && module.stage == ir::Stage::domain
                                                       ? hull->patch_constants
                                                       : std::span<const ir::Parameter>();
  if (!make_layout(module, constants, program.layout, diagnostics)) return false;
  Kernel kernel(module.memory());
  ir::Module own(module.memory());
  own = module;
  const std::pmr::vector<uint16_t> rows = add_uniform_rows(own, program.layout);
  if (launch::may_access_memory(own)) {
    constexpr uint32_t kWordBytes = 4;  // buffers guarantee no more (docs/dksh.md)
    launch::lower_addresses(own, {.alignment = kWordBytes, .may_lack_counters = false, .rows = rows});
  }
  if (!lower_deko3d(own, program.layout, diagnostics)) return false;
  launch::show_lowered(own, kLowerDeko3d, options.finish.observer);
  const launch::Layout no_block(module.memory());
  if (!make_kernel(own, no_block, options, kernel, diagnostics, nullptr, &program.layout)) return false;
  if (!fill_container(module, own, kernel, hull, program.dksh, diagnostics)) return false;
  program.instructions = static_cast<uint32_t>(kernel.instructions.size());
  program.spilled_values = kernel.spilled_values;
  return true;
}

}  // namespace texlate::maxwell::graphics
