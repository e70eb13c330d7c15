// System values, and the evaluation of inputs at other places than the pixel's own.

#include <spirv/unified1/GLSL.std.450.h>

#include "backend/spirv/families.h"
#include "backend/spirv/system_values.h"

namespace texlate::spirv {

// Direct3D's w of a pixel's position is the vertex's, interpolated; FragCoord.w is its reciprocal.
Id Inputs::inverse_w() {
  if (inverse_w_ != Id::none) return inverse_w_;
  const uint32_t whole = interface_.builtin_vector(spv::BuiltInFragCoord, 4, As::float_);
  const Id w = values_.component(whole, 3, As::float_);
  return inverse_w_ = at_entry([&] { return emit(spv::OpFDiv, As::float_, {real(1), w}); });
}

// A declared input register with a system value that is a number; none: there is none.
Id Inputs::input_system_value(SystemValue which) {
  const Id uint = builder_.uint_type();
  switch (which) {
    // Direct3D counts vertices and instances without the draw's base.
    case SystemValue::vertex_id:
    case SystemValue::instance_id: {
      const bool vertex = which == SystemValue::vertex_id;
      builder_.require(spv::CapabilityDrawParameters);
      if (options_.version < Version::v1_3) builder_.require_extension("SPV_KHR_shader_draw_parameters");
      const Id index =
          interface_.load_builtin(vertex ? spv::BuiltInVertexIndex : spv::BuiltInInstanceIndex, uint);
      const Id base =
          interface_.load_builtin(vertex ? spv::BuiltInBaseVertex : spv::BuiltInBaseInstance, uint);
      return at_entry([&] { return emit(spv::OpISub, uint, {index, base}); });
    }
    case SystemValue::primitive_id:
    case SystemValue::primitive_register:
      if (module_.stage == Stage::pixel)
        builder_.require(device_has(Feature::geometry_shader) ? spv::CapabilityGeometry
                                                              : spv::CapabilityTessellation);
      return interface_.load_builtin(spv::BuiltInPrimitiveId, uint);
    case SystemValue::is_front_face: {
      const Id front = interface_.load_builtin(spv::BuiltInFrontFacing, builder_.bool_type());
      return at_entry([&] { return select(uint, {front, constant(0xffffffffu), constant(0)}); });
    }
    case SystemValue::sample_index:
      return !device_has(Feature::sample_rate) && is_single_sampled(options_)
                 ? constant(0)
                 : interface_.load_builtin(spv::BuiltInSampleId, uint);
    case SystemValue::render_target_array_index:
      interface_.require_or_index_layer(device_has(Feature::geometry_shader), spv::CapabilityGeometry);
      return interface_.load_builtin(spv::BuiltInLayer, uint);
    case SystemValue::viewport_array_index:
      interface_.require_or_index_layer(device_has(Feature::multi_viewport), spv::CapabilityMultiViewport);
      return interface_.load_builtin(spv::BuiltInViewportIndex, uint);
    default: return Id::none;
  }
}

void Inputs::emit_system_value(const Instruction& instruction) {
  const auto which = static_cast<SystemValue>(instruction.payload / 4);
  const uint32_t component = instruction.payload % 4;
  const Id uint = builder_.uint_type();
  const Value result = instruction.first_result;
  // A component of a vector built-in.
  const auto define_part = [&](spv::BuiltIn builtin, Kind kind) {
    if (component > 2) return define(result, kind, builder_.constant(type_of(kind), 0));
    values_.define_lane(result, interface_.builtin_vector(builtin, 3, as_of(kind)), component);
  };
  switch (which) {
    case SystemValue::thread_id: return define_part(spv::BuiltInGlobalInvocationId, Kind::uint);
    case SystemValue::thread_group_id: return define_part(spv::BuiltInWorkgroupId, Kind::uint);
    case SystemValue::thread_id_in_group: return define_part(spv::BuiltInLocalInvocationId, Kind::uint);
    case SystemValue::thread_id_in_group_flattened:
      return define(result, Kind::uint, interface_.load_builtin(spv::BuiltInLocalInvocationIndex, uint));
    case SystemValue::coverage: {
      const Id mask =
          interface_.builtin(spv::BuiltInSampleMask, builder_.array_type(uint, 1), spv::StorageClassInput);
      const Id pointer = access_chain(spv::StorageClassInput, uint, {mask, constant(0)});
      return define(result, Kind::uint, emit(spv::OpLoad, uint, {pointer}));
    }
    case SystemValue::inner_coverage: {
      builder_.require(spv::CapabilityFragmentFullyCoveredEXT);
      builder_.require_extension("SPV_EXT_fragment_fully_covered");
      const Id covered = interface_.load_builtin(spv::BuiltInFullyCoveredEXT, builder_.bool_type());
      return define(result, Kind::uint, select(uint, {covered, constant(0xffffffffu), constant(0)}));
    }
    case SystemValue::gs_instance_id:
    case SystemValue::output_control_point_id: return define(result, Kind::uint, interface_.invocation());
    case SystemValue::fork_instance_id:
    case SystemValue::join_instance_id: return define(result, Kind::uint, hull_.instance());
    case SystemValue::domain_point: return define_part(spv::BuiltInTessCoord, Kind::float_);
    case SystemValue::primitive_register:
      if (!holds(stages_that_read(which), module_.stage))
        return refuse_system_value(instruction, which, "an input");
      return define(result, Kind::uint, input_system_value(which));
    default: return refuse_system_value(instruction, which, "an input");
  }
}

// eval_*: InterpolateAt* of the variable itself (D3D11.3 16.5; offsets in 1/16 pixel, low four bits, signed).
void Inputs::emit_evaluation(const Instruction& instruction) {
  Element* element =
      find_element(interface_.elements().inputs, instruction.payload / 4, instruction.payload % 4);
  if (element == nullptr || element->system_value != SystemValue::none) {
    return refuse(instruction, "evaluation of this input");
  }
  builder_.require(spv::CapabilityInterpolationFunction);
  const Id type = builder_.float_type();
  Id pointer = element->variable;
  if (element->count != 1) {
    pointer = access_chain(spv::StorageClassInput, type,
                           {pointer, constant(instruction.payload % 4 - element->first)});
  }
  Id id;
  if (instruction.op == Op::eval_centroid) {
    id = extended(GLSLstd450InterpolateAtCentroid, type, {pointer});
  } else if (instruction.op == Op::eval_sample) {
    id = extended(GLSLstd450InterpolateAtSample, type, {pointer, as_uint(operand(instruction, 0))});
  } else {
    Id offset[2];
    for (uint32_t i = 0; i < 2; ++i) {
      const Id sixteenths = emit(spv::OpBitFieldSExtract, As::uint,
                                 {as_uint(operand(instruction, i)), constant(0), constant(4)});
      const Id number = emit(spv::OpConvertSToF, type, {sixteenths});
      offset[i] = emit(spv::OpFMul, type, {number, real(0.0625f)});
    }
    const Id pair = emit(spv::OpCompositeConstruct, builder_.vector_type(type, 2), {offset[0], offset[1]});
    id = extended(GLSLstd450InterpolateAtOffset, type, {pointer, pair});
  }
  define(instruction.first_result, Kind::float_, id);
}

}  // namespace texlate::spirv
