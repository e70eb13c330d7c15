// The limits of the device that the caller gave: what a module may count.

#include <algorithm>

#include "backend/spirv/interface_elements.h"
#include "backend/spirv/register_places.h"
#include "ir/distances.h"

namespace texlate::spirv {

namespace {

constexpr int64_t kComponentsOfLocation = 4;
constexpr uint32_t kBytesOfRow = 16;

/// Counts what the module has, and compares.
class LimitCheck {
 public:
  LimitCheck(const ir::Module& module, const Options& options, const HostInterface& host,
             Diagnostics& diagnostics)
      : module_(module), options_(options), host_(host), diagnostics_(diagnostics) {}

  bool run() {
    const uint32_t before = diagnostics_.error_count();
    check_stage();
    check_distances(module_.inputs);
    check_distances(module_.outputs);
    uint64_t buffers = 0;
    for (const Capture& capture : options_.captures)
      buffers = std::max(buffers, uint64_t{capture.buffer} + 1);
    check(Limit::stream_buffers, buffers);
    check_descriptors();
    return diagnostics_.error_count() == before;
  }

 private:
  void check(Limit limit, uint64_t count) {
    const auto most = options_.device.limit(limit);
    if (!most || static_cast<int64_t>(count) <= *most) return;
    diagnostics_.error({}, "{} {}: the device has {} {}, so it cannot be expressed on spirv", count,
                       row_of(limit).what, row_of(limit).name, *most);
  }

  /// Up to the last location that is in use (Vulkan, "Location Assignment").
  uint64_t components(const std::pmr::vector<Parameter>& parameters) const {
    uint32_t locations = 0;
    for (const Parameter& parameter : parameters) {
      if (!is_system_value(parameter) && parameter.reg < ir::kSpecialRegister)
        locations = std::max(locations, location_of(module_, parameter) + 1);
    }
    return uint64_t{locations} * kComponentsOfLocation;
  }

  uint64_t patch_components() const {
    const bool any = std::ranges::any_of(module_.patch_constants, [](const Parameter& parameter) {
      return parameter.system_value == SystemValue::none;
    });
    return any ? uint64_t{last_patch_location(options_) + 1} * kComponentsOfLocation : 0;
  }

  void check_stage() {
    switch (module_.stage) {
      case Stage::vertex:
        check(Limit::vertex_attributes, components(module_.inputs) / kComponentsOfLocation);
        return check(Limit::vertex_outputs, components(module_.outputs));
      case Stage::pixel: return check_pixel();
      case Stage::hull: return check_hull();
      case Stage::domain:
        check(Limit::patch_size, module_.input_control_points);
        check(Limit::evaluation_inputs, components(module_.inputs));
        return check(Limit::evaluation_outputs, components(module_.outputs));
      case Stage::geometry: return check_geometry();
      case Stage::compute: return check_compute();
    }
  }

  void check_pixel() {
    check(Limit::fragment_inputs, components(module_.inputs));
    const uint64_t targets = components(module_.outputs) / kComponentsOfLocation;
    check(Limit::fragment_targets, targets);
    uint64_t written = 0;
    for (const Descriptor& descriptor : host_.descriptors) {
      if (descriptor.register_class == RegisterClass::view ||
          descriptor.register_class == RegisterClass::counter)
        written += register_count(descriptor);
    }
    check(Limit::fragment_resources, targets + written);
  }

  void check_hull() {
    check(Limit::patch_size, std::max(module_.input_control_points, module_.output_control_points));
    check(Limit::control_inputs, components(module_.inputs));
    check(Limit::control_outputs, components(module_.outputs));
    check(Limit::patch_outputs, patch_components());
  }

  void check_geometry() {
    check(Limit::geometry_invocations, module_.gs_instances);
    check(Limit::geometry_inputs, components(module_.inputs));
    const uint64_t outputs = components(module_.outputs);
    check(Limit::geometry_outputs, outputs);
    check(Limit::geometry_vertices, module_.max_vertex_count);
    check(Limit::geometry_total, outputs * module_.max_vertex_count);
    uint32_t streams = 0;
    for (const Parameter& parameter : module_.outputs)
      streams = std::max(streams, uint32_t{parameter.stream} + 1);
    check(Limit::streams, streams);
  }

  void check_compute() {
    const auto& [x, y, z] = module_.thread_group;
    check(Limit::group_x, x);
    check(Limit::group_y, y);
    check(Limit::group_z, z);
    check(Limit::group_threads, uint64_t{x} * y * z);
    uint64_t bytes = 0;
    for (const ir::SharedArray& array : module_.shared) bytes += array.bytes;
    check(Limit::shared_bytes, bytes);
  }

  void check_distances(std::span<const Parameter> parameters) {
    const uint32_t clip = ir::distance_count(parameters, SystemValue::clip_distance, 0);
    const uint32_t cull = ir::distance_count(parameters, SystemValue::cull_distance, 0);
    check(Limit::clip_distances, clip);
    check(Limit::cull_distances, cull);
    check(Limit::distances, clip + cull);
  }

  /// Of the array that the module declares; an unbounded one is for the host to limit.
  uint64_t register_count(const Descriptor& descriptor) const {
    if (descriptor.place.array_size == kUnsizedArray) return 1;
    if (descriptor.place.array_size != 0) return descriptor.place.array_size;
    const Registers registers = registers_of(module_, descriptor.register_class, descriptor.index);
    return registers.upper_bound == UINT32_MAX ? 1 : registers.upper_bound - registers.lower_bound + 1;
  }

  /// As Vulkan counts them ("Required Limits", maxPerStageDescriptor...).
  void check_descriptors() {
    std::array<uint64_t, std::size(kLimits)> counts{};
    const auto count_of = [&counts](Limit limit) -> uint64_t& { return counts[static_cast<size_t>(limit)]; };
    uint64_t &sets = count_of(Limit::sets), &push_bytes = count_of(Limit::push_bytes);
    for (const Descriptor& descriptor : host_.descriptors) {
      const Place& at = descriptor.place;
      if (at.offset_at != kNoOffset)
        push_bytes = std::max(push_bytes, uint64_t{at.offset_at} + sizeof(uint32_t));
      if (descriptor.register_class == RegisterClass::constant_buffer) {
        const uint64_t bytes = uint64_t{module_.constant_buffers[descriptor.index].rows} * kBytesOfRow;
        if (descriptor.kind == DescriptorKind::push_constants) {
          push_bytes = std::max(push_bytes, at.binding + (at.size != 0 ? at.size : bytes));
          continue;
        }
        check(Limit::uniform_bytes, bytes);
      }
      sets = std::max(sets, uint64_t{at.set} + 1);
      const uint64_t count = register_count(descriptor);
      switch (descriptor.kind) {
        case DescriptorKind::sampler: count_of(Limit::samplers) += count; break;
        case DescriptorKind::combined_image_sampler: count_of(Limit::samplers) += count; [[fallthrough]];
        case DescriptorKind::sampled_image:
        case DescriptorKind::uniform_texel_buffer: count_of(Limit::sampled_images) += count; break;
        case DescriptorKind::storage_image:
        case DescriptorKind::storage_texel_buffer: count_of(Limit::storage_images) += count; break;
        case DescriptorKind::uniform_buffer: count_of(Limit::uniform_buffers) += count; break;
        case DescriptorKind::storage_buffer: count_of(Limit::storage_buffers) += count; break;
        case DescriptorKind::push_constants: break;
      }
    }
    // Samplers do not count; the targets of a pixel shader do (Vulkan, maxPerStageResources).
    uint64_t& all = count_of(Limit::resources);
    if (module_.stage == Stage::pixel) all = components(module_.outputs) / kComponentsOfLocation;
    for (const Limit limit :
         {Limit::uniform_buffers, Limit::storage_buffers, Limit::sampled_images, Limit::storage_images})
      all += count_of(limit);
    // The rows from this one on are those that are counted here.
    for (uint32_t limit = static_cast<uint32_t>(Limit::push_bytes); limit < counts.size(); ++limit)
      check(static_cast<Limit>(limit), counts[limit]);
  }

  const ir::Module& module_;
  const Options& options_;
  const HostInterface& host_;
  Diagnostics& diagnostics_;
};

}  // namespace

bool check_limits(const ir::Module& module, const Options& options, const HostInterface& host,
                  Diagnostics& diagnostics) {
  return !options.device.has_limits() || LimitCheck(module, options, host, diagnostics).run();
}

}  // namespace texlate::spirv
