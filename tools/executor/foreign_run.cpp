// Binds a scene to a foreign kernel and launches it.
#include <algorithm>
#include <cstring>

#include "tools/executor/foreign_kernel.h"
#include "tools/executor/ptx_run.h"
#include "tools/executor/texture_objects.h"

namespace texlate::executor {

namespace {

/// An empty buffer also needs an address.
std::byte no_bytes[16];

class Binder {
 public:
  Binder(const ForeignKernel& kernel, const ir::Module& declarations, const sim::Scene& scene,
         sim::ptx::Machine& machine)
      : kernel_(kernel), declarations_(declarations), scene_(scene), machine_(machine) {}

  std::vector<std::byte> parameters() {
    std::vector<std::byte> block(kernel_.entry->parameter_bytes);
    for (const ForeignBinding& binding : kernel_.bindings) {
      if (binding.use == ForeignUse::none) {
        std::copy(binding.value.begin(), binding.value.end(), block.begin() + binding.offset);
        continue;
      }
      const uint64_t handle = handle_of(binding);
      if (binding.opaque != sim::ptx::kNone) {
        machine_.bind(binding.opaque, handle);
      } else {
        std::memcpy(block.data() + binding.offset, &handle, sizeof handle);
      }
    }
    return block;
  }

 private:
  const sim::BoundResource& resource_of(const ForeignBinding& binding) const {
    for (uint32_t i = 0; i < declarations_.resources.size(); ++i) {
      const ir::Resource& resource = declarations_.resources[i];
      if (resource.id == binding.slot && resource.is_uav == binding.is_uav)
        return scene_.bindings().resources(i)[0];
    }
    static const sim::BoundResource kUnbound;
    return kUnbound;
  }
  /// `format`: of the texture with this sampler; null if it is not known.
  sim::ptx::SamplerObject sampler_of(uint32_t slot, const sim::FormatInfo* format) const {
    for (uint32_t i = 0; i < declarations_.samplers.size(); ++i) {
      if (declarations_.samplers[i].id != slot) continue;
      const sim::Sampler& sampler = scene_.bindings().samplers(i)[0];
      sim::ptx::SamplerObject object = sampler_object(sampler);
      if (format != nullptr) object.border = border_of(sampler, *format);
      // The host declares this for a native comparison; a CUDA texture object has none.
      if (declarations_.samplers[i].comparison) object.comparison = sampler.comparison;
      return object;
    }
    return {};
  }
  uint64_t handle_of(const ForeignBinding& binding) {
    const sim::ptx::OpaqueVariable* variable =
        binding.opaque == sim::ptx::kNone ? nullptr : &kernel_.program->opaques[binding.opaque];
    if (binding.use == ForeignUse::sampler) return machine_.add_sampler(sampler_of(binding.slot, nullptr));
    const sim::BoundResource& bound = resource_of(binding);
    if (!bound.bound()) return 0;
    switch (binding.use) {
      case ForeignUse::texture: {
        sim::ptx::TextureObject object;
        static_cast<sim::ptx::SamplerObject&>(object) =
            sampler_of(binding.slot, &sim::format_info(bound.texture.format));
        object.view = bound.texture;
        if (variable != nullptr) {
          variable->apply(object);
          object.normalized = variable->normalized.value_or(true);
        }
        return machine_.add_texture(object);
      }
      case ForeignUse::surface: return machine_.add_surface({bound.texture});
      case ForeignUse::memory: {
        std::span<std::byte> memory(bound.buffer.data, bound.buffer.element_count);
        return machine_.map_memory(memory.empty() ? std::span<std::byte>(no_bytes) : memory, binding.is_uav);
      }
      case ForeignUse::sampler:
      case ForeignUse::none: break;
    }
    return 0;
  }

  const ForeignKernel& kernel_;
  const ir::Module& declarations_;
  const sim::Scene& scene_;
  sim::ptx::Machine& machine_;
};

bool samplers_fit(const ir::Module& declarations, const sim::Scene& scene, Diagnostics& diagnostics) {
  bool good = true;
  for (uint32_t i = 0; i < declarations.samplers.size(); ++i) {
    const std::string_view what = beyond_texture_objects(scene.bindings().samplers(i)[0], 3);
    if (what.empty()) continue;
    diagnostics.error({}, "s{} has {}, which samplers of PTX cannot express", declarations.samplers[i].id,
                      what);
    good = false;
  }
  return good;
}

}  // namespace

bool run_foreign(const ForeignKernel& kernel, const ir::Module& declarations, sim::Scene& scene,
                 const RunLimits& limits, RouteResult& result, Diagnostics& diagnostics) {
  scene.reset_uavs();
  if (!samplers_fit(declarations, scene, diagnostics)) return false;
  const auto launch = [&](const sim::ptx::MachineOptions& options, RouteResult&) {
    sim::ptx::Machine machine(*kernel.program, options);
    const std::vector<std::byte> parameters = Binder(kernel, declarations, scene, machine).parameters();
    const auto& groups = scene.groups();
    return machine.launch(kernel.entry->name, {groups[0], groups[1], groups[2]},
                          {kernel.block[0], kernel.block[1], kernel.block[2]}, parameters,
                          kernel.shared_bytes);
  };
  run_under_schedules({kernel.text, {}, false}, scene, limits, launch, result);
  return true;
}

}  // namespace texlate::executor
