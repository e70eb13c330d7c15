#include "backend/maxwell/graphics/layout.h"

#include <algorithm>

#include "backend/launch/launch_abi.h"
#include "ir/distances.h"
#include "ir/spelling.h"
#include "ir/tessellation_factor.h"

namespace texlate::maxwell::graphics {

namespace {

using ir::SystemValue;
using launch::range_size;

class LayoutBuilder {
 public:
  LayoutBuilder(const ir::Module& module, std::span<const ir::Parameter> hull_constants, Layout& layout,
                Diagnostics& diagnostics)
      : module_(module),
        hull_constants_(hull_constants),
        layout_(layout),
        diagnostics_(diagnostics),
        is_used_(module.memory()) {}

  bool run() {
    const uint32_t before = diagnostics_.error_count();
    // By stage: pixel, vertex, geometry, hull, domain, compute.
    static constexpr uint32_t kBlocks[] = {0x690, 0x010, 0x4f0, 0x1b0, 0x350, 0x0a0};
    layout_.block = kBlocks[static_cast<size_t>(module_.stage)];
    if (!check_ranges()) return false;
    place_uniforms();
    place_resources();
    for (const ir::Parameter& parameter : module_.inputs) layout_.inputs.push_back(input(parameter));
    for (const ir::Parameter& parameter : module_.outputs) layout_.outputs.push_back(output(parameter));
    place_late_constants();
    for (const ir::Parameter& parameter : module_.patch_constants)
      layout_.patch_constants.push_back(patch_constant(parameter));
    return diagnostics_.error_count() == before;
  }

 private:
  bool check_ranges() {
    constexpr uint32_t kUnbounded = 1024;
    bool good = true;
    const auto check = [&](const auto& binding, std::string_view file, auto uses) {
      if (binding.upper_bound - binding.lower_bound < kUnbounded) return;
      const auto is_use = [&](const ir::Instruction& instruction) {
        return ir::info(instruction.op).has(ir::kResource) && uses(module_.access_of(instruction));
      };
      diagnostics_.error(first_use(is_use),
                         "range {}{}[{}:{}] is too large for dksh, whose stages have at most {} slots", file,
                         binding.id, binding.lower_bound, binding.upper_bound, kTextureSlots);
      good = false;
    };
    using Access = ir::ResourceAccess;
    for (const ir::ConstantBuffer& buffer : module_.constant_buffers)
      check(buffer, "cb", [](const Access&) { return false; });
    for (size_t i = 0; i < module_.resources.size(); ++i)
      check(module_.resources[i], module_.resources[i].is_uav ? "u" : "t",
            [i](const Access& access) { return access.resource == i; });
    for (size_t i = 0; i < module_.samplers.size(); ++i)
      check(module_.samplers[i], "s", [i](const Access& access) { return access.sampler == i; });
    return good;
  }

  /// Before shader model 5.1 a buffer's register is its slot; ranges are consecutive.
  void place_uniforms() {
    const bool by_register = module_.shader_model < 51;
    uint32_t next = 0;
    for (const ir::ConstantBuffer& buffer : module_.constant_buffers) {
      const uint32_t slot = by_register ? buffer.lower_bound : next;
      next = slot + range_size(buffer);
      layout_.uniforms.push_back(slot);
      check_count(next, kUniformSlots, "uniform buffers");
    }
  }

  void check_count(uint32_t count, uint32_t limit, std::string_view what) {
    if (count > limit)
      diagnostics_.error({}, "the shader needs {} {}, but dksh has only {}", count, what, limit);
  }

  void find_uses() {
    is_used_.assign(module_.resources.size(), 0);
    layout_.counters.assign(module_.resources.size(), kNotUsed);
    for (const ir::Instruction& instruction : module_.code) {
      const ir::OpInfo& info = ir::info(instruction.op);
      if (info.has(ir::kResource)) {
        is_used_[module_.access_of(instruction).resource] = 1;
        if (instruction.op == ir::Op::counter) layout_.counters[module_.access_of(instruction).resource] = 0;
      } else if (info.family == ir::Family::binding) {
        const ir::BindingQuery query = ir::BindingQuery::unpack(instruction.payload);
        if (!query.is_sampler_fact()) is_used_[query.resource] = 1;
      }
    }
  }

  void place_pairs() {
    for (const ir::Instruction& instruction : module_.code) {
      if (!ir::info(instruction.op).has(ir::kResource)) continue;
      const ir::ResourceAccess& access = module_.access_of(instruction);
      if (access.sampler == ir::ResourceAccess::kNoSampler) continue;
      if (launch::find_pair(layout_.pairs, access) != nullptr) continue;
      layout_.pairs.push_back({access.resource, access.sampler, textures_});
      const uint32_t samplers = range_size(module_.samplers[access.sampler]);
      Place& place = layout_.resources[access.resource];
      if (place.kind == SlotKind::none) place = {SlotKind::texture, textures_, samplers};
      textures_ += range_size(module_.resources[access.resource]) * samplers;
    }
  }

  void place_resources() {
    find_uses();
    layout_.resources.resize(module_.resources.size());
    place_pairs();
    uint32_t images = 0, buffers = 0;
    for (uint32_t i = 0; i < module_.resources.size(); ++i) {
      const ir::Resource& resource = module_.resources[i];
      Place& place = layout_.resources[i];
      if (is_used_[i] == 0 || place.kind != SlotKind::none) continue;
      const bool bytes = ir::is_untyped(resource.dimension);
      uint32_t& next = bytes ? buffers : resource.is_uav ? images : textures_;
      place.kind = bytes ? SlotKind::buffer : resource.is_uav ? SlotKind::image : SlotKind::texture;
      place.slot = next;
      next += range_size(resource);
      if (layout_.counters[i] == kNotUsed) continue;
      layout_.counters[i] = next;
      next += range_size(resource);
    }
    check_count(textures_, kTextureSlots, "texture slots (one for each pair of texture and sampler)");
    check_count(images, kImageSlots, "images");
    check_count(buffers, kBufferSlots, "storage buffers");
  }

  /// Where the first instruction for which `is_it` holds is from.
  template <typename Predicate>
  SourceLocation first_use(Predicate is_it) const {
    const auto found = std::ranges::find_if(module_.code, is_it);
    return found == module_.code.end() ? SourceLocation{} : module_.location_of(*found);
  }

  void refuse(const ir::Parameter& parameter, std::string_view what) {
    const SourceLocation at = first_use([&](const ir::Instruction& instruction) {
      return (instruction.op == ir::Op::input || instruction.op == ir::Op::output) &&
             instruction.payload / 4 == parameter.reg && parameter.has(instruction.payload % 4) &&
             (instruction.op == ir::Op::input) == (what == kInput);
    });
    diagnostics_.error(at, "{} ({}) cannot be expressed in a dksh program", what,
                       ir::spelling(parameter.system_value));
  }

  static constexpr std::string_view kInput = "an input";

  static Attribute vector(uint32_t first) { return {first, first + 4, first + 8, first + 12}; }
  static Attribute scalar(uint32_t address) { return {address, address, address, address}; }
  static Attribute nowhere() { return {kNotUsed, kNotUsed, kNotUsed, kNotUsed}; }

  Attribute input(const ir::Parameter& parameter) {
    const bool vertex = module_.stage == ir::Stage::vertex;
    switch (parameter.system_value) {
      case SystemValue::none: return vector(0x80 + 16 * parameter.reg);
      case SystemValue::position:
        // In vertex programs the position is a plain input.
        return vector(vertex ? 0x80 + 16 * parameter.reg : 0x70);
      case SystemValue::clip_distance:
      case SystemValue::cull_distance:
        if (vertex || module_.stage == ir::Stage::pixel) break;
        return distances(module_.inputs, parameter);
      case SystemValue::primitive_id: return scalar(kPrimitiveId);
      case SystemValue::render_target_array_index: return scalar(0x64);
      case SystemValue::viewport_array_index: return scalar(0x68);
      case SystemValue::instance_id: return scalar(0x2f8);
      case SystemValue::vertex_id: return scalar(0x2fc);
      case SystemValue::is_front_face: return scalar(0x3fc);
      case SystemValue::sample_index: return nowhere();
      default: break;
    }
    refuse(parameter, kInput);
    return nowhere();
  }

  Attribute output(const ir::Parameter& parameter) {
    if (module_.stage == ir::Stage::pixel) {
      if (parameter.system_value == SystemValue::stencil_ref) refuse(parameter, "an output");
      return nowhere();
    }
    switch (parameter.system_value) {
      case SystemValue::none: return vector(0x80 + 16 * parameter.reg);
      case SystemValue::position: return vector(0x70);
      case SystemValue::render_target_array_index: return scalar(0x64);
      case SystemValue::viewport_array_index: return scalar(0x68);
      case SystemValue::clip_distance:
      case SystemValue::cull_distance: return distances(module_.outputs, parameter);
      case SystemValue::primitive_id:
        if (module_.stage == ir::Stage::geometry) return scalar(kPrimitiveId);
        [[fallthrough]];
      default: refuse(parameter, "an output"); return nowhere();
    }
  }

  /// Clip distances come first, then cull distances; the host specifies which are which. Among themselves
  /// they are in the order of registers and components, however they are declared.
  Attribute distances(const std::pmr::vector<ir::Parameter>& parameters, const ir::Parameter& parameter) {
    Attribute attribute = nowhere();
    const SystemValue kind = parameter.system_value;
    const uint32_t stream = parameter.stream;
    const uint32_t clip = kind == SystemValue::cull_distance
                              ? ir::distance_count(parameters, SystemValue::clip_distance, stream)
                              : 0;
    for (uint32_t c = 0; c < 4; ++c) {
      if (parameter.has(c))
        attribute[c] = 0x2c0 + 4 * (clip + ir::distances_before(parameters, kind, stream, parameter.reg, c));
    }
    return attribute;
  }

  /// What the hull shader declares for a component of a patch constant, or else what this shader does.
  SystemValue patch_value(const ir::Parameter& parameter, uint32_t component) const {
    for (const ir::Parameter& declared : hull_constants_) {
      if (declared.reg == parameter.reg && declared.has(component)) return declared.system_value;
    }
    return parameter.system_value;
  }

  /// Factors have fixed places, by system value; everything else the place of its register, because hull and
  /// domain shader are translated apart. The last two registers have none: see place_late_constants().
  Attribute patch_constant(const ir::Parameter& parameter) {
    Attribute attribute = nowhere();
    for (uint32_t c = 0; c < 4; ++c) {
      if (!parameter.has(c)) continue;
      attribute[c] = factor_address(patch_value(parameter, c));
      if (attribute[c] != kNotUsed) continue;
      attribute[c] = parameter.reg < kPatchVectorCount ? kPatchVectors + 16 * parameter.reg + 4 * c
                                                       : late_[late_place(parameter.reg, c)];
    }
    return attribute;
  }

  /// Calls visit(register, component) for what is no factor of what the hull shader declares.
  template <typename Visit>
  void for_each_constant(Visit visit) const {
    const std::span<const ir::Parameter> own = module_.patch_constants;
    for (const ir::Parameter& parameter : hull_constants_.empty() ? own : hull_constants_) {
      for (uint32_t c = 0; c < 4; ++c) {
        if (parameter.has(c) && factor_address(patch_value(parameter, c)) == kNotUsed)
          visit(parameter.reg, c);
      }
    }
  }
  /// Registers beyond the last vector take, in their order, words that the hull shader's other constants
  /// leave: both shaders know its declarations. What only a domain shader declares is undefined.
  void place_late_constants() {
    late_.fill(kPatchVectors);
    std::array<bool, kPatchVectorCount * 4> taken{};
    uint32_t late = 0;  // components
    for_each_constant([&](uint32_t reg, uint32_t c) {
      if (reg < kPatchVectorCount) taken[reg * 4 + c] = true;
      if (reg >= kPatchVectorCount) late |= 1u << late_place(reg, c);
    });
    uint32_t next = 0, missing = 0;
    for (uint32_t place = 0; place < kLateConstants; ++place) {
      if (((late >> place) & 1) == 0) continue;
      while (next < taken.size() && taken[next]) ++next;
      missing += next == taken.size() ? 1 : 0;
      late_[place] = kPatchVectors + 4 * next;
      next += next < taken.size() ? 1 : 0;
    }
    if (missing != 0)
      diagnostics_.error({},
                         "the patch constants need {} words besides the tessellation factors, but a patch of "
                         "a dksh program has only {}",
                         taken.size() + missing, taken.size());
  }
  static uint32_t late_place(uint32_t reg, uint32_t c) {
    return std::min((reg - kPatchVectorCount) * 4 + c, kLateConstants - 1);
  }

  /// Those of the edges come first.
  static uint32_t factor_address(SystemValue value) {
    const auto factor = ir::tessellation_factor(value);
    return factor ? (factor->inner ? 0x010 : 0x000) + 4 * factor->index : kNotUsed;
  }

  static constexpr uint32_t kLateConstants = 8;  // components of registers 30 and 31
  const ir::Module& module_;
  std::span<const ir::Parameter> hull_constants_;
  std::array<uint32_t, kLateConstants> late_{};  // their addresses
  Layout& layout_;
  Diagnostics& diagnostics_;
  std::pmr::vector<uint8_t> is_used_;  // by resource
  uint32_t textures_ = 0;
};

}  // namespace

uint32_t targets_of(const ir::Module& module) {
  uint32_t targets = 0;
  bool writes_depth = false;
  for (const ir::Parameter& output : module.outputs) {
    if (output.reg < kRenderTargets) targets |= 1u << output.reg;
    writes_depth |= is_depth(output.system_value);
  }
  return targets == 0 && !writes_depth ? 1 : targets;
}

bool make_layout(const ir::Module& module, std::span<const ir::Parameter> hull_constants, Layout& layout,
                 Diagnostics& diagnostics) {
  return LayoutBuilder(module, hull_constants, layout, diagnostics).run();
}

}  // namespace texlate::maxwell::graphics
