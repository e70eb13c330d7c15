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
  if (capability == spv::CapabilityShader) return std::nullopt;  // of every module
  const auto row = std::ranges::find(kCapabilities, spv::Capability(capability), &CapabilityRow::capability);
  return row != std::end(kCapabilities) ? std::optional(row->feature) : std::nullopt;
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
  for (const ir::Instruction& instruction : module.code) {
    if (instruction.op != ir::Op::surf_atomic) continue;
    const ir::Resource& view = module.resources[module.access_of(instruction).resource];
    if (view.component_types[0] == ir::ComponentType::float_) return &instruction;
  }
  return nullptr;
}

}  // namespace texlate::spirv
