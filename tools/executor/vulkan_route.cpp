#include "tools/executor/vulkan_route.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <optional>
#include <spirv/unified1/spirv.hpp>

#include "tools/executor/known_scene.h"
#include "tools/executor/parameter_block.h"
#include "tools/executor/shader.h"
#include "tools/executor/texture_objects.h"

namespace texlate::executor {

namespace {

using ir::SystemValue;
using sim::vulkan::Descriptor;
using sim::vulkan::DescriptorKind;

constexpr sim::Dimension kDimensions[] = {
    sim::Dimension::texture1d,          sim::Dimension::texture1d,       sim::Dimension::texture1d_array,
    sim::Dimension::texture2d,          sim::Dimension::texture2d_array, sim::Dimension::texture2dms,
    sim::Dimension::texture2dms_array,  sim::Dimension::texture3d,       sim::Dimension::texture_cube,
    sim::Dimension::texture_cube_array, sim::Dimension::texture1d,       sim::Dimension::texture1d,
};

DescriptorKind kind_of(const ir::Resource& resource) {
  switch (resource.dimension) {
    case ir::Dimension::raw_buffer:
    case ir::Dimension::structured_buffer: return DescriptorKind::words;
    case ir::Dimension::buffer:
      return resource.is_uav ? DescriptorKind::storage_typed_buffer : DescriptorKind::typed_buffer;
    default: return resource.is_uav ? DescriptorKind::storage_texture : DescriptorKind::texture;
  }
}

sim::Kind texel_of(const ir::Resource& resource) {
  if (resource.component_types[0] == ir::ComponentType::uint) return sim::Kind::uint;
  return resource.component_types[0] == ir::ComponentType::sint ? sim::Kind::sint : sim::Kind::float_;
}

bool is_there(const sim::BoundResource& bound) {
  return bound.texture.bound() || (bound.buffer.bound() && bound.buffer.element_count != 0);
}

/// The format of what is bound to a view; none if its registers differ. An empty slot may have any format
/// of its type.
void add_view_format(const ir::Resource& resource, std::span<const sim::BoundResource> registers,
                     std::vector<backend::ViewFormat>& formats) {
  if (!resource.is_uav) return;
  backend::TexelKind kind = backend::TexelKind::float_;
  if (texel_of(resource) == sim::Kind::uint) kind = backend::TexelKind::uint;
  if (texel_of(resource) == sim::Kind::sint) kind = backend::TexelKind::sint;
  backend::ViewFormat view{resource.id, 1, 32, kind};
  sim::Format first = sim::Format::unknown;
  for (const sim::BoundResource& bound : registers) {
    if (!bound.texture.bound() && !bound.buffer.bound()) continue;
    const sim::Format bound_format = bound.format();
    if (first != sim::Format::unknown && bound_format != first) return;
    first = bound_format;
    if (!view_format_of(first, view)) return;
    view.uav = resource.id;
  }
  formats.push_back(view);
}

/// A Vulkan sampler has a border of floats or of integers, and must not be used with textures of the other
/// kind (Vulkan, VkBorderColor). One that is used with both keeps floats.
sim::Sampler sampler_of(const sim::Sampler& state, ir::ComponentType sampled) {
  const bool is_signed = sampled == ir::ComponentType::sint;
  if (!is_signed && sampled != ir::ComponentType::uint) return state;
  sim::Sampler sampler = state;
  const auto format = is_signed ? sim::Format::r32g32b32a32_sint : sim::Format::r32g32b32a32_uint;
  sampler.border = border_of(state, sim::format_info(format));
  sampler.border_is_bits = true;
  return sampler;
}

class Describer {
 public:
  Describer(const ir::Module& module, const sim::Bindings& bindings, sim::vulkan::Shader& shader)
      : module_(module),
        bindings_(bindings),
        shader_(shader),
        compared_(module.resources.size(), false),
        sampled_(module.samplers.size(), ir::ComponentType::none) {
    for (const ir::Instruction& instruction : module.code) {
      if (!ir::info(instruction.op).has(ir::kResource)) continue;
      const ir::ResourceAccess& access = module.access_of(instruction);
      if (access.compare) compared_[access.resource] = true;
      if (access.sampler == ir::ResourceAccess::kNoSampler) continue;
      ir::ComponentType& type = sampled_[access.sampler];
      if (type == ir::ComponentType::none) type = access.type;
      if (type != access.type) type = ir::ComponentType::float_;
    }
  }

  /// The descriptors of the emitted module, filled from the bindings. False: its constants cannot express the
  /// bindings.
  bool describe(const spirv::HostInterface& host, Diagnostics& diagnostics) {
    for (const spirv::Specialization& constant : host.specializations) {
      if (!is_expressible(constant, diagnostics)) return false;
    }
    for (const spirv::Descriptor& wanted : host.descriptors) {
      Descriptor& descriptor = shader_.descriptors.emplace_back();
      descriptor.set = wanted.place.set;
      descriptor.binding = wanted.place.binding;
      switch (wanted.register_class) {
        case spirv::RegisterClass::constant_buffer:
          descriptor.kind = DescriptorKind::constant_buffer;
          descriptor.least_bytes = module_.constant_buffers[wanted.index].rows * 16;
          for (const auto& words : bindings_.constant_buffers(wanted.index)) {
            descriptor.elements.emplace_back().constants = words;
          }
          break;
        case spirv::RegisterClass::sampler:
          descriptor.kind = DescriptorKind::sampler;
          for (const sim::Sampler& state : bindings_.samplers(wanted.index)) {
            descriptor.elements.emplace_back().sampler = sampler_of(state, sampled_[wanted.index]);
          }
          break;
        case spirv::RegisterClass::counter:
          descriptor.kind = DescriptorKind::counter;
          for (const sim::BoundResource& bound : bindings_.resources(wanted.index)) {
            descriptor.elements.emplace_back().buffer = bound.buffer;
          }
          break;
        default: describe_resource(wanted.index, descriptor); break;
      }
    }
    for (uint32_t i = 0; i < module_.resources.size(); ++i) specialize(i);
    for (uint32_t i = 0; i < module_.specialized.size(); ++i) {
      const ir::Specialized& constant = module_.specialized[i];
      const uint32_t value = value_of(module_, constant, bindings_);
      // The driver takes the default of a constant that is left out.
      if (value != constant.value) shader_.constants.push_back({spirv::known_id(module_, i), value});
    }
    return true;
  }

 private:
  /// A large range of registers has one constant for all of them (docs/spirv.md, Robustness).
  bool is_expressible(const spirv::Specialization& constant, Diagnostics& diagnostics) const {
    const bool is_bound = constant.fact == spirv::Fact::bound;
    if (!is_bound && constant.fact != spirv::Fact::missing_alpha) return true;
    const ir::Resource& resource = module_.resources[constant.index];
    if (spirv::fact_count(resource) == bindings_.resources(constant.index).size()) return true;
    std::optional<uint32_t> first;
    for (const sim::BoundResource& bound : bindings_.resources(constant.index)) {
      if (!is_bound && !is_there(bound)) continue;
      const uint32_t fact = is_bound ? uint32_t{is_there(bound)}
                                     : sim::binding_fact(bound, resource, ir::BindingFact::missing_alpha);
      if (first.value_or(fact) != fact) {
        diagnostics.error(
            {},
            "vulkan: with --robustness shader, the registers of {}{} must {}, because so large a range "
            "has one specialization constant (docs/spirv.md)",
            resource.is_uav ? "U" : "T", resource.id,
            is_bound ? "all be bound or all be unbound"
                     : "have formats that agree on the alpha of out-of-bounds reads");
        return false;
      }
      first = fact;
    }
    return true;
  }

  void describe_resource(uint32_t index, Descriptor& descriptor) {
    const ir::Resource& resource = module_.resources[index];
    descriptor.kind = kind_of(resource);
    descriptor.dimension = kDimensions[static_cast<uint32_t>(resource.dimension)];
    descriptor.texel = texel_of(resource);
    descriptor.compared = compared_[index];
    for (const sim::BoundResource& bound : bindings_.resources(index)) {
      sim::vulkan::Element& element = descriptor.elements.emplace_back();
      element.texture = bound.texture;
      element.buffer = bound.buffer;
    }
  }

  void specialize(uint32_t index) {
    const auto& registers = bindings_.resources(index);
    const ir::Resource& resource = module_.resources[index];
    if (spirv::fact_count(resource) == registers.size()) {
      for (uint32_t e = 0; e < registers.size(); ++e) {
        const auto id = [&](spirv::Fact fact) { return spirv::register_fact_id(module_, fact, index, e); };
        shader_.constants.push_back({id(spirv::Fact::bound), is_there(registers[e]) ? 1u : 0u});
        shader_.constants.push_back(
            {id(spirv::Fact::missing_alpha),
             sim::binding_fact(registers[e], resource, ir::BindingFact::missing_alpha)});
      }
      return;
    }
    const bool there = std::all_of(registers.begin(), registers.end(), is_there);
    shader_.constants.push_back({spirv::bound_id(index), there ? 1u : 0u});
    if (registers.empty()) return;
    const auto first = std::ranges::find_if(registers, is_there);
    const uint32_t alpha = sim::binding_fact(first != registers.end() ? *first : registers[0], resource,
                                             ir::BindingFact::missing_alpha);
    shader_.constants.push_back({spirv::missing_alpha_id(index), alpha});
  }

  const ir::Module& module_;
  const sim::Bindings& bindings_;
  sim::vulkan::Shader& shader_;
  std::vector<bool> compared_;
  std::vector<ir::ComponentType>
      sampled_;  // by sampler: the type of what is sampled through it; none: nothing
};

/// The device's value for a system value at an element. Returns false if it has no defined value here.
bool expected_system_value(const ir::Module& module, const ir::Parameter& parameter, uint32_t component,
                           uint32_t element, uint32_t x, uint32_t y, uint32_t& value) {
  const bool pixel = module.stage == ir::Stage::pixel;
  switch (parameter.system_value) {
    case SystemValue::position: {
      if (!pixel) return false;
      const float place[] = {static_cast<float>(x) + 0.5f, static_cast<float>(y) + 0.5f, kSceneDepth, 1.0f};
      value = std::bit_cast<uint32_t>(place[component]);
      return true;
    }
    case SystemValue::vertex_id: value = element; return true;
    case SystemValue::is_front_face: value = 0xffffffffu; return true;
    case SystemValue::primitive_id:
    case SystemValue::instance_id:
    case SystemValue::sample_index:
    case SystemValue::render_target_array_index:
    case SystemValue::viewport_array_index:
    case SystemValue::clip_distance:
    case SystemValue::cull_distance: value = 0; return true;
    default: return false;
  }
}

/// A binding of its own for each declaration, in the stage's set: register spaces of all stages would
/// otherwise meet in the same sets.
std::vector<spirv::BindingEntry> bindings_of_stage(const ir::Module& module, uint32_t set) {
  std::vector<spirv::BindingEntry> entries;
  const auto add = [&](spirv::RegisterClass register_class, uint32_t space, uint32_t reg) {
    spirv::Place place;
    place.set = set;
    place.binding = static_cast<uint32_t>(entries.size());
    entries.push_back({register_class, space, reg, place, 1});
  };
  for (const ir::ConstantBuffer& buffer : module.constant_buffers)
    add(spirv::RegisterClass::constant_buffer, buffer.space, buffer.lower_bound);
  for (const ir::Sampler& sampler : module.samplers)
    add(spirv::RegisterClass::sampler, sampler.space, sampler.lower_bound);
  for (const ir::Resource& resource : module.resources) {
    if (!resource.is_uav) {
      add(spirv::RegisterClass::resource, resource.space, resource.lower_bound);
      continue;
    }
    add(spirv::RegisterClass::view, resource.space, resource.lower_bound);
    add(spirv::RegisterClass::counter, resource.space, resource.lower_bound);
  }
  return entries;
}

/// By default a register space is a descriptor set. Vulkan promises four (maxBoundDescriptorSets), of which
/// the executor takes one.
bool has_sets_for_spaces(const ir::Module& module) {
  constexpr uint32_t kLastSpace = 2;
  const auto fits = [](const auto& declared) { return declared.space <= kLastSpace; };
  return std::ranges::all_of(module.constant_buffers, fits) && std::ranges::all_of(module.samplers, fits) &&
         std::ranges::all_of(module.resources, fits);
}

}  // namespace

bool has_system_values_of_device(const ir::Module& module, const sim::StreamLaunch& launch, uint32_t width,
                                 Diagnostics& diagnostics) {
  const uint32_t quads = (width + 1) / 2;
  for (const ir::Parameter& parameter : module.inputs) {
    if (parameter.system_value == SystemValue::none || parameter.reg >= ir::kSpecialRegister) continue;
    for (uint32_t c = 0; c < 4; ++c) {
      if (((parameter.mask >> c) & 1) == 0) continue;
      for (uint32_t e = 0; e < launch.count; ++e) {
        const uint32_t quad = e / 4;
        const uint32_t x = quads == 0 ? 0 : quad % quads * 2 + e % 2,
                       y = quads == 0 ? 0 : quad / quads * 2 + e % 4 / 2;
        uint32_t expected = 0;
        const size_t at = (size_t{parameter.reg} * 4 + c) * launch.count + e;
        // A position that the scene does not know: only the translation reads it.
        if (at >= launch.inputs.size() && parameter.system_value == SystemValue::position) continue;
        const uint32_t given = at < launch.inputs.size() ? launch.inputs[at] : 0;
        if (expected_system_value(module, parameter, c, e, x, y, expected) && expected == given) continue;
        diagnostics.error(
            {}, "vulkan: v{}.{} is a system value, which the device provides and the scene cannot set",
            parameter.reg, "xyzw"[c]);
        return false;
      }
    }
  }
  return true;
}

uint32_t builtin_of(SystemValue value) {
  switch (value) {
    case SystemValue::position: return spv::BuiltInPosition;
    case SystemValue::clip_distance: return spv::BuiltInClipDistance;
    case SystemValue::cull_distance: return spv::BuiltInCullDistance;
    case SystemValue::render_target_array_index: return spv::BuiltInLayer;
    case SystemValue::viewport_array_index: return spv::BuiltInViewportIndex;
    case SystemValue::primitive_id: return spv::BuiltInPrimitiveId;
    default: return spv::BuiltInMax;
  }
}

bool vulkan_reads_back(const ir::Module& module, const ir::Parameter& output) {
  if (output.system_value != SystemValue::cull_distance)
    return output.system_value != SystemValue::coverage_out;
  // Mesa packs cull distances after clip distances into vectors of four. If they begin inside one vector and
  // extend past its end, transform feedback captures clip distances in place of the rest (22.3, llvmpipe).
  uint32_t clip = 0, cull = 0;
  for (const ir::Parameter& one : module.outputs) {
    const auto components = static_cast<uint32_t>(std::popcount(one.mask));
    if (one.system_value == SystemValue::clip_distance) clip += components;
    if (one.system_value == SystemValue::cull_distance) cull += components;
  }
  return clip % 4 == 0 || clip % 4 + cull <= 4;
}

const backend::Target& spirv_target() {
  return *library::find_target("spirv");
}

bool make_vulkan_shader(const ir::Module& module, spirv::Robustness robustness,
                        const sim::vulkan::Device& device, const sim::Bindings& bindings,
                        uint32_t raster_samples, VulkanShader& result, Diagnostics& diagnostics,
                        const VulkanStage* stage) {
  // Stores need the format for what it cannot hold.
  std::vector<bool> needs_format(module.resources.size(), !device.reads_without_format());
  for (const ir::Instruction& instruction : module.code) {
    if (instruction.op == ir::Op::surf_store) needs_format[module.access_of(instruction).resource] = true;
  }
  for (uint32_t i = 0; i < module.resources.size(); ++i) {
    if (needs_format[i]) add_view_format(module.resources[i], bindings.resources(i), result.view_formats);
  }
  result.options.emit.robustness = robustness;
  result.options.emit.float_controls = device.has_float_controls();
  result.options.emit.preserve_specials = device.preserves_specials();
  // The module was legalized before the device was known.
  result.options.emit.device.remove(spirv::Feature::preserve_halves);
  if (stage != nullptr || !has_sets_for_spaces(module)) {
    result.bindings = bindings_of_stage(module, stage != nullptr ? stage->set : 0);
    result.options.emit.bindings.entries = result.bindings;
  }
  if (stage != nullptr) {
    result.options.emit.feeds_rasterizer = stage->feeds_rasterizer;
    result.options.emit.point_size = stage->point_size;
    result.options.emit.dual_source_blending = stage->dual_source;
  }
  backend::Options options;
  options.view_formats = result.view_formats;
  options.own = &result.options;
  result.emitted.data.clear();
  if (!library::emit(module, spirv_target(), options, result.emitted, diagnostics)) return false;
  result.words.resize(result.emitted.data.size() / sizeof(uint32_t));
  std::memcpy(result.words.data(), result.emitted.data.data(), result.emitted.data.size());
  result.shader.words = result.words;
  result.shader.constants.push_back({spirv::kRasterSamplesId, raster_samples});
  return Describer(module, bindings, result.shader)
      .describe(spirv::host_of(result.emitted.host).interface, diagnostics);
}

bool run_vulkan_vertices(sim::vulkan::Device& device, const ir::Module& module, const VulkanShader& shader,
                         const sim::StreamLaunch& launch, Diagnostics& diagnostics) {
  if (!has_system_values_of_device(module, launch, 0, diagnostics)) return false;
  sim::vulkan::VertexJob job;
  job.count = launch.count;
  job.inputs.assign(launch.inputs.begin(), launch.inputs.end());
  if (!device.draw_vertices(shader.shader, job, diagnostics)) return false;
  std::fill(launch.written.begin(), launch.written.end(), 1u);
  // The distances of all registers are one array, in the order of registers and components.
  uint32_t clip = 0, cull = 0;
  for (const ir::Parameter& parameter : module.outputs) {
    const uint32_t reg = sim::output_plane_register(module, parameter);
    const bool builtin = parameter.system_value != SystemValue::none;
    for (uint32_t c = 0; c < 4; ++c) {
      if (((parameter.mask >> c) & 1) == 0) continue;
      uint32_t word = c;
      switch (parameter.system_value) {
        case SystemValue::clip_distance: word = clip++; break;
        case SystemValue::cull_distance: word = cull++; break;
        case SystemValue::render_target_array_index:
        case SystemValue::viewport_array_index: word = 0; break;
        default: break;
      }
      for (const sim::vulkan::VertexJob::Output& output : job.outputs) {
        if (output.is_builtin != builtin) continue;
        if (output.number != (builtin ? builtin_of(parameter.system_value) : parameter.reg)) continue;
        if (word < output.component || word - output.component >= output.words) continue;
        for (uint32_t e = 0; e < launch.count; ++e) {
          launch.outputs[(size_t{reg} * 4 + c) * launch.count + e] =
              output.data[size_t{e} * output.words + word - output.component];
        }
      }
    }
  }
  return true;
}

bool run_vulkan_pixels(sim::vulkan::Device& device, const ir::Module& module, const VulkanShader& shader,
                       uint32_t width, uint32_t height, const sim::StreamLaunch& launch,
                       Diagnostics& diagnostics) {
  if (!has_system_values_of_device(module, launch, width, diagnostics)) return false;
  sim::vulkan::PixelJob job;
  job.width = width;
  job.height = height;
  const uint32_t count = launch.count;
  const uint32_t pitch = job.padded_width();
  auto pixel_of = [&](uint32_t e) {
    const uint32_t quad = e / 4, quads = pitch / 2;
    return std::array{quad % quads * 2 + e % 2, quad / quads * 2 + e % 4 / 2};
  };
  const size_t planes = launch.inputs.size() / std::max(1u, count);
  job.inputs.resize(planes * count);
  for (size_t p = 0; p < planes; ++p) {
    for (uint32_t e = 0; e < count; ++e) {
      const auto [x, y] = pixel_of(e);
      job.inputs[p * count + size_t{y} * pitch + x] = launch.inputs[p * count + e];
    }
  }
  if (!device.draw_pixels(shader.shader, job, diagnostics)) return false;
  for (uint32_t e = 0; e < count; ++e) {
    const auto [x, y] = pixel_of(e);
    if (x >= width || y >= height) continue;
    const size_t pixel = size_t{y} * width + x;
    if (!launch.written.empty()) launch.written[e] = job.written[pixel];
    if (job.written[pixel] == 0) continue;
    for (const ir::Parameter& parameter : module.outputs) {
      const size_t plane = size_t{sim::output_plane_register(module, parameter)} * 4;
      switch (parameter.system_value) {
        case SystemValue::depth:
        case SystemValue::depth_greater_equal:
        case SystemValue::depth_less_equal: launch.outputs[plane * count + e] = job.depth[pixel]; break;
        case SystemValue::stencil_ref: launch.outputs[plane * count + e] = job.stencil[pixel]; break;
        default: break;
      }
      if (parameter.reg >= ir::kSpecialRegister) continue;
      for (const sim::vulkan::PixelJob::Target& target : job.targets) {
        if (target.location != parameter.reg) continue;
        for (uint32_t c = 0; c < 4; ++c) {
          if (((parameter.mask >> c) & 1) != 0)
            launch.outputs[(plane + c) * count + e] = target.texels[pixel * 4 + c];
        }
      }
    }
  }
  return true;
}

}  // namespace texlate::executor
