#include "backend/spirv/device.h"

#include <algorithm>

namespace texlate::spirv {

bool Device::set(std::string_view name, int64_t value) {
  for (const FeatureRow& row : kFeatures) {
    if (row.name != name) continue;
    if (value == 0) remove(row.feature);
    return true;
  }
  for (const LimitRow& row : kLimits) {
    if (row.name != name) continue;
    set(row.limit, value);
    return true;
  }
  return false;
}

std::optional<Feature> feature_of(uint32_t capability) {
  static constexpr auto kByNumber = [] {
    std::array<CapabilityRow, std::size(kCapabilities)> rows{};
    std::ranges::copy(kCapabilities, rows.begin());
    std::ranges::sort(rows, {}, &CapabilityRow::capability);
    return rows;
  }();
  const auto row =
      std::ranges::lower_bound(kByNumber, spv::Capability(capability), {}, &CapabilityRow::capability);
  const bool is_known = row != kByNumber.end() && row->capability == spv::Capability(capability);
  return is_known ? std::optional(row->feature) : std::nullopt;
}

spv::Capability capability_of(Feature feature) {
  return std::ranges::find(kCapabilities, feature, &CapabilityRow::feature)->capability;
}

std::optional<Feature> feature_of_stores(ir::Stage stage) {
  if (stage == ir::Stage::compute) return std::nullopt;
  return stage == ir::Stage::pixel ? Feature::fragment_stores : Feature::vertex_stores;
}

const ir::Instruction* first_store(const ir::Module& module) {
  if (std::ranges::none_of(module.resources, &ir::Resource::is_uav)) return nullptr;
  for (const ir::Instruction& instruction : module.code) {
    const ir::OpInfo& info = ir::info(instruction.op);
    if (info.has(ir::kResource) && info.has(ir::kWritesMemory)) return &instruction;
  }
  return nullptr;
}

const ir::Instruction* first_float_atomic(const ir::Module& module) {
  const auto has_floats = [](const ir::Resource& view) {
    return view.is_uav && view.component_types[0] == ir::ComponentType::float_;
  };
  if (std::ranges::none_of(module.resources, has_floats)) return nullptr;
  for (const ir::Instruction& instruction : module.code) {
    if (instruction.op != ir::Op::surf_atomic) continue;
    if (has_floats(module.resources[module.access_of(instruction).resource])) return &instruction;
  }
  return nullptr;
}

}  // namespace texlate::spirv
