#include "tests/targets/glsl/interface.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <iterator>

#include "backend/spirv/descriptors.h"

namespace texlate::glsl {

using ir::BindingFact;
using ir::Dimension;
using ir::Op;
using ir::Stage;
using ir::SystemValue;
using spirv::BindingMap;
using spirv::RegisterClass;

namespace {

struct SystemValueText {
  SystemValue value;
  Stage stage;
  bool is_output;
  std::string_view text;  // $ is the component
};

constexpr SystemValueText kSystemValues[] = {
    {SystemValue::position, Stage::pixel, false, "gl_FragCoord.$"},
    {SystemValue::is_front_face, Stage::pixel, false, "(gl_FrontFacing ? 0xffffffffu : 0u)"},
    {SystemValue::sample_index, Stage::pixel, false, "uint(gl_SampleID)"},
    {SystemValue::depth, Stage::pixel, true, "gl_FragDepth"},
    {SystemValue::thread_id, Stage::compute, false, "gl_GlobalInvocationID.$"},
    {SystemValue::thread_group_id, Stage::compute, false, "gl_WorkGroupID.$"},
    {SystemValue::thread_id_in_group, Stage::compute, false, "gl_LocalInvocationID.$"},
    {SystemValue::thread_id_in_group_flattened, Stage::compute, false, "gl_LocalInvocationIndex"},
};

std::string register_text(const ir::Module& module, std::span<const ir::Parameter> parameters, char letter,
                          const ir::Instruction& instruction) {
  const uint32_t reg = instruction.payload / 4, component = instruction.payload % 4;
  if (instruction.has(ir::kIndexOperand) || instruction.has(ir::kVertexOperand)) return {};
  for (const ir::Parameter& one : parameters) {
    if (one.reg != reg || ((one.mask >> component) & 1) == 0) continue;
    if (one.system_value != SystemValue::none)
      return system_value_text(module.stage, one.system_value, component, letter == 'o');
    return fmt::format("{}{}.{}", letter, reg, "xyzw"[component]);
  }
  return {};
}

/// An interpolation's qualifier; integers are never interpolated.
std::string_view qualifier(const ir::Parameter& parameter) {
  if (register_kind(parameter) == Kind::uint) return "flat ";
  switch (parameter.interpolation) {
    case ir::Interpolation::constant: return "flat ";
    case ir::Interpolation::linear_centroid: return "centroid ";
    case ir::Interpolation::linear_noperspective: return "noperspective ";
    case ir::Interpolation::linear_noperspective_centroid: return "noperspective centroid ";
    case ir::Interpolation::linear_sample: return "sample ";
    case ir::Interpolation::linear_noperspective_sample: return "noperspective sample ";
    case ir::Interpolation::undefined:
    case ir::Interpolation::linear: break;
  }
  return "";
}

class Declarations {
 public:
  Declarations(const ir::Module& module, const ValueKinds& kinds, Diagnostics& diagnostics,
               std::pmr::string& text)
      : module_(module), kinds_(kinds), diagnostics_(diagnostics), text_(text) {}

  void write() {
    add("#version 450\n");
    if (!module_.resources.empty()) add("#extension GL_EXT_samplerless_texture_functions : require\n");
    if (uses(Op::surf_load)) add("#extension GL_EXT_shader_image_load_formatted : require\n");
    if (uses(Op::discard)) add("#extension GL_EXT_demote_to_helper_invocation : require\n");
    if (module_.early_depth_stencil) add("layout(early_fragment_tests) in;\n");
    const uint32_t* const group = module_.thread_group;
    if (module_.stage == Stage::compute)
      add("layout(local_size_x = {}, local_size_y = {}, local_size_z = {}) in;\n", group[0], group[1],
          group[2]);
    for (const ir::Sampler& sampler : module_.samplers) {
      if (!sampler.is_range())
        add("{} uniform sampler{} s{};\n", place(RegisterClass::sampler, sampler),
            sampler.comparison ? "Shadow" : "", sampler.id);
    }
    for (uint32_t i = 0; i < module_.resources.size(); ++i) declare_resource(i);
    for (uint32_t i = 0; i < module_.constant_buffers.size(); ++i) declare_buffer(i);
    declare_registers(module_.inputs, "in", 'v');
    declare_registers(module_.outputs, "out", 'o');
  }

 private:
  template <typename... Args>
  void add(fmt::format_string<Args...> format, Args&&... args) {
    fmt::format_to(std::back_inserter(text_), format, std::forward<Args>(args)...);
  }
  bool uses(Op op) const {
    return std::ranges::any_of(module_.code, [op](const auto& one) { return one.op == op; });
  }
  bool asks(uint32_t resource, BindingFact fact) const {
    return std::ranges::any_of(module_.code, [&](const ir::Instruction& one) {
      return ir::info(one.op).payload == ir::Payload::binding_query &&
             one.payload == ir::BindingQuery{static_cast<uint16_t>(resource), fact}.pack();
    });
  }

  /// Where the host binds a register: as for SPIR-V, so that both can be used alike (docs/spirv.md).
  template <typename Declared>
  static std::string place(RegisterClass of, const Declared& declared) {
    const spirv::Place at = BindingMap::default_place(of, declared.space, declared.lower_bound);
    return fmt::format("layout(set = {}, binding = {})", at.set, at.binding);
  }

  void declare_resource(uint32_t index) {
    const ir::Resource& resource = module_.resources[index];
    const std::string name = name_of(resource);
    if (resource.is_range() || dimension_name(resource.dimension).empty()) return;
    const bool reads = uses(Op::surf_load);
    add("{} uniform {}{}{}{}{} {};\n",
        place(resource.is_uav ? RegisterClass::view : RegisterClass::resource, resource),
        resource.is_uav && !reads ? "writeonly " : "", resource.globally_coherent ? "coherent " : "",
        texel_prefix(resource), resource.is_uav ? "image" : "texture", dimension_name(resource.dimension),
        name);
    if (asks(index, BindingFact::bound))
      add("layout(constant_id = {}) const bool {}_bound = true;\n", spirv::bound_id(index), name);
    if (asks(index, BindingFact::missing_alpha))
      add("layout(constant_id = {}) const uint {}_missing_alpha = 0u;\n", spirv::missing_alpha_id(index),
          name);
  }

  /// Rows that are read by a constant number count as declared.
  void declare_buffer(uint32_t index) {
    const ir::ConstantBuffer& buffer = module_.constant_buffers[index];
    uint32_t rows = buffer.rows;
    for (const ir::Instruction& load : module_.code) {
      if (load.op != Op::cb_load || load.payload != index) continue;
      const ir::Value row = module_.operands_of(load)[0];
      if (module_.is_constant(row)) rows = std::max(rows, module_.constant_bits(row) + 1);
    }
    if (rows == 0 || buffer.is_range()) return;
    add("{} uniform cb{}_block {{ {}vec4 cb{}[{}]; }};\n", place(RegisterClass::constant_buffer, buffer),
        buffer.id, vector_prefix(kinds_.constant_buffers[index]), buffer.id, rows);
  }

  /// A register is one vector of four, however many elements it has: then both sides of an interface match.
  void declare_registers(std::span<const ir::Parameter> parameters, std::string_view direction, char letter) {
    for (const ir::Parameter& one : parameters) {
      if (one.system_value != SystemValue::none) continue;
      const auto same = [&](const ir::Parameter& other) {
        return other.reg == one.reg && other.system_value == SystemValue::none;
      };
      const ir::Parameter& first = *std::ranges::find_if(parameters, same);
      const std::string_view how = direction == "out" ? "" : qualifier(one);
      if (&first == &one) {
        add("layout(location = {}) {}{} {}vec4 {}{};\n", one.reg, how, direction,
            vector_prefix(register_kind(one)), letter, one.reg);
      } else if (qualifier(first) != qualifier(one) || register_kind(first) != register_kind(one)) {
        diagnostics_.error({}, "two types or interpolations in {}{} cannot be expressed on glsl", letter,
                           one.reg);
      }
    }
  }

  const ir::Module& module_;
  const ValueKinds& kinds_;
  Diagnostics& diagnostics_;
  std::pmr::string& text_;
};

}  // namespace

std::string name_of(const ir::Resource& resource) {
  return fmt::format("{}{}", resource.is_uav ? 'u' : 't', resource.id);
}

std::string_view dimension_name(Dimension dimension) {
  switch (dimension) {
    case Dimension::buffer: return "Buffer";
    case Dimension::texture1d: return "1D";
    case Dimension::texture1d_array: return "1DArray";
    case Dimension::texture2d: return "2D";
    case Dimension::texture2d_array: return "2DArray";
    case Dimension::texture2d_ms: return "2DMS";
    case Dimension::texture2d_ms_array: return "2DMSArray";
    case Dimension::texture3d: return "3D";
    case Dimension::texture_cube: return "Cube";
    case Dimension::texture_cube_array: return "CubeArray";
    case Dimension::raw_buffer:
    case Dimension::structured_buffer: break;
  }
  return {};
}

std::string_view texel_prefix(const ir::Resource& resource) {
  const ir::ComponentType type = resource.component_types[0];
  return type == ir::ComponentType::uint ? "u" : type == ir::ComponentType::sint ? "i" : "";
}

void declare(const ir::Module& module, const ValueKinds& kinds, Diagnostics& diagnostics,
             std::pmr::string& text) {
  Declarations(module, kinds, diagnostics, text).write();
}

std::string input_text(const ir::Module& module, const ir::Instruction& instruction) {
  return register_text(module, module.inputs, 'v', instruction);
}
std::string output_text(const ir::Module& module, const ir::Instruction& instruction) {
  return register_text(module, module.outputs, 'o', instruction);
}

std::string system_value_text(Stage stage, SystemValue which, uint32_t component, bool is_output) {
  // Direct3D's w is the vertex's, interpolated; gl_FragCoord.w is its reciprocal.
  if (which == SystemValue::position && stage == Stage::pixel && component == 3)
    return "1.0 / gl_FragCoord.w";
  for (const SystemValueText& row : kSystemValues) {
    if (row.value != which || row.stage != stage || row.is_output != is_output) continue;
    std::string text(row.text);
    if (const size_t at = text.find('$'); at != std::string::npos) {
      if (component == 3 && stage == Stage::compute) return "0u";  // there are three axes
      text[at] = "xyzw"[component];
    }
    return text;
  }
  return {};
}

std::string fact_text(const ir::Module& module, ir::BindingQuery query) {
  if (query.is_sampler_fact()) return {};
  const ir::Resource& resource = module.resources[query.resource];
  const std::string name = name_of(resource);
  const Dimension dimension = resource.dimension;
  const uint32_t axes = ir::is_cube(dimension) ? 2 : ir::coordinate_count(dimension);
  const bool has_mips = !resource.is_uav && !ir::is_multisampled(dimension) && !ir::is_buffer(dimension);
  const auto size = [&](uint32_t axis) -> std::string {
    if (axis >= axes + (ir::is_array(dimension) ? 1 : 0)) return "1u";
    return fmt::format("uint({}({}{}).{})", resource.is_uav ? "imageSize" : "textureSize", name,
                       has_mips ? ", 0" : "", "xyz"[axis]);
  };
  switch (query.fact) {
    case BindingFact::bound: return name + "_bound";
    case BindingFact::missing_alpha: return name + "_missing_alpha";
    case BindingFact::width: return size(0);
    case BindingFact::height: return axes < 2 ? "1u" : size(1);
    case BindingFact::depth: return axes < 3 ? "1u" : size(2);
    case BindingFact::layers: return ir::is_array(dimension) ? size(axes) : "1u";
    case BindingFact::levels: return has_mips ? fmt::format("uint(textureQueryLevels({}))", name) : "1u";
    case BindingFact::samples:
      return ir::is_multisampled(dimension) ? fmt::format("uint(textureSamples({}))", name) : "1u";
    default: return {};
  }
}

std::string literal(Kind kind, uint32_t bits) {
  if (kind == Kind::boolean) return bits != 0 ? "true" : "false";
  if (kind == Kind::uint) return bits < 0x10000 ? fmt::format("{}u", bits) : fmt::format("{:#x}u", bits);
  const float value = std::bit_cast<float>(bits);
  if (value != 0 && !std::isnormal(value)) return fmt::format("uintBitsToFloat({:#x}u)", bits);
  std::string text = fmt::format("{}", value);
  if (text.find_first_of(".e") == std::string::npos) text += ".0";
  return text;
}

}  // namespace texlate::glsl
