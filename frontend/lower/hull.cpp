// Hull shaders: one program with several phases (D3D11.3 chapter 10 and 22.3; docs/reference/direct3d.md
// 4.2).
//
// The control-point phase runs once for each output control point. Without one, control points pass through
// unchanged, and a phase that copies them is made here. Fork and join phases write patch constants; each runs
// in as many instances as declared. Each phase has separate temporaries (r#, x#).

#include "frontend/lower/families.h"
#include "frontend/lower/patch_constants.h"

namespace texlate::lower {

namespace {

using sm4::Instruction;
using sm4::RegisterFile;
using sm4::SignatureElement;

void begin(Lowering& lowering, ir::HullPhase kind) {
  if (lowering.part != Part::whole) lowering.finish_code();
  lowering.part = kind == ir::HullPhase::control_point ? Part::control_points : Part::patch;
  lowering.reachable = true;
  lowering.index_ranges.clear();
  lowering.emit_control(Op::phase, {}, static_cast<uint32_t>(lowering.module.phases.size()));
  lowering.module.phases.push_back({kind, 1});
}

bool is_fixed_function(ir::SystemValue value) {
  return value == ir::SystemValue::position || value == ir::SystemValue::clip_distance ||
         value == ir::SystemValue::cull_distance || value == ir::SystemValue::render_target_array_index ||
         value == ir::SystemValue::viewport_array_index;
}

/// Positions, distances and array indices that the vertex shader wrote may be elsewhere than user-defined
/// inputs. A hull shader's signature shows this; without one, the declaration may.
ir::SystemValue input_system_value(const std::pmr::vector<SignatureElement>& signature,
                                   const ir::Parameter& parameter) {
  for (const SignatureElement& element : signature) {
    if (element.register_index != parameter.reg || (element.mask & parameter.mask) == 0) continue;
    const auto value = static_cast<ir::SystemValue>(element.system_value);
    return is_fixed_function(value) ? value : ir::SystemValue::none;
  }
  return is_fixed_function(parameter.system_value) ? parameter.system_value : ir::SystemValue::none;
}

/// Adds `parameter` except for the components that are already declared.
void merge(std::pmr::vector<ir::Parameter>& parameters, ir::Parameter parameter) {
  for (ir::Parameter& known : parameters) {
    if (known.reg != parameter.reg) continue;
    // vpc# and vicp repeat declarations, without the system value.
    parameter.mask &= static_cast<uint8_t>(~known.mask);
    if (known.system_value == parameter.system_value && known.semantic == ir::kNoName) {
      known.mask |= parameter.mask;
      parameter.mask = 0;
    }
  }
  if (parameter.mask != 0) parameters.push_back(parameter);
}

/// The control-point phase, which fxc omits if it would only copy (10.3). Without output control points there
/// is nothing to copy, and the phase is empty (D3D11.3 functional specification 22.3.19).
void pass_control_points_through(Lowering& lowering, const Instruction& next) {
  if (lowering.module.output_control_points == 0) return begin(lowering, ir::HullPhase::control_point);
  const auto& signature = lowering.program.input_signature;
  // If a header has other signatures, it also has this one: it is empty, and nothing passes through.
  const bool has_signatures =
      !lowering.program.output_signature.empty() || !lowering.program.patch_constant_signature.empty();
  if (signature.empty() && !has_signatures) {
    return lowering.unsupported(next,
                                "has no control-point phase before it: control points are passed through, "
                                "but the shader has no signature that lists them");
  }
  begin(lowering, ir::HullPhase::control_point);
  const Value point = lowering.emit(Op::system_value, {},
                                    static_cast<uint32_t>(ir::SystemValue::output_control_point_id) * 4);
  for (const SignatureElement& element : signature) {
    ir::Parameter parameter;
    parameter.reg = element.register_index;
    parameter.mask = element.mask;
    parameter.array_size = lowering.module.input_control_points;
    name_parameter(lowering, parameter, signature);
    ir::Parameter input = parameter;
    input.system_value = input_system_value(signature, input);
    parameter.array_size = 0;
    lowering.module.inputs.push_back(input);
    lowering.module.outputs.push_back(parameter);
    for (uint32_t c = 0; c < 4; ++c) {
      if (((element.mask >> c) & 1) == 0) continue;
      const Value value =
          lowering.builder.emit(Op::input, {point}, element.register_index * 4 + c, ir::kVertexOperand);
      lowering.emit(Op::output, {value}, element.register_index * 4 + c);
    }
  }
}

}  // namespace

void start_phase(Lowering& lowering, size_t index) {
  const Instruction& marker = lowering.program.instructions[index];
  lowering.builder.set_location(marker.location);
  const bool is_first = lowering.module.phases.empty();
  lowering.locals.clear();
  switch (marker.opcode) {
    case Opcode::hs_control_point_phase:
      if (!is_first) return lowering.unsupported(marker, "is not the first phase");
      begin(lowering, ir::HullPhase::control_point);
      break;
    case Opcode::hs_fork_phase:
    case Opcode::hs_join_phase:
      if (is_first) pass_control_points_through(lowering, marker);
      begin(lowering, marker.opcode == Opcode::hs_fork_phase ? ir::HullPhase::fork : ir::HullPhase::join);
      break;
    default: break;
  }
  lower_declarations(lowering, index + 1);
}

void add_hull_parameter(Lowering& lowering, const Instruction& dcl) {
  const sm4::Operand& operand = lowering.operand(dcl, 0);
  ir::Parameter parameter;
  ir::Module& module = lowering.module;
  const bool patch = lowering.part == Part::patch;
  parameter.mask = operand.write_mask();
  parameter.system_value = static_cast<ir::SystemValue>(sm4::declared_system_value(lowering.program, dcl));
  switch (operand.file) {
    case RegisterFile::input:
    case RegisterFile::input_control_point:
      parameter.reg = operand.index[operand.index_count - 1].immediate;
      parameter.array_size = module.input_control_points;
      name_parameter(lowering, parameter, lowering.program.input_signature);
      parameter.system_value = input_system_value(lowering.program.input_signature, parameter);
      return merge(module.inputs, parameter);
    case RegisterFile::output:
      parameter.reg = operand.index[0].immediate;
      // Control points may name system values, but nothing reads these as such before the rasterizer
      // (D3D11.3 22.3.32).
      if (!patch) {
        parameter.system_value = ir::SystemValue::none;
        name_parameter(lowering, parameter, lowering.program.output_signature);
        return merge(module.outputs, parameter);
      }
      for (ir::Parameter part : split_patch_constant(lowering, parameter)) {
        name_parameter(lowering, part, lowering.program.patch_constant_signature);
        if (part.mask != 0) merge(module.patch_constants, part);
      }
      return;
    case RegisterFile::output_control_point:
      parameter.reg = operand.index[1].immediate;
      parameter.system_value = ir::SystemValue::none;
      return merge(module.outputs, parameter);
    case RegisterFile::input_patch_constant:
      parameter.reg = operand.index[0].immediate;
      return merge(module.patch_constants, parameter);
    default: return;  // vPrim, vOutputControlPointID and similar are read by sysval
  }
}

}  // namespace texlate::lower
