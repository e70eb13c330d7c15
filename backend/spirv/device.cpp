#include "backend/spirv/device.h"

#include <algorithm>

namespace texlate::spirv {

namespace {

constexpr FeatureRow kFeatures[] = {
#define SPIRV_FEATURE(enumerator, name, what, without) {Feature::enumerator, name, what, without},
#include "backend/spirv/device_properties.inc"
};
constexpr CapabilityRow kCapabilities[] = {
#define SPIRV_CAPABILITY(capability, feature) {spv::Capability##capability, #capability, Feature::feature},
#include "backend/spirv/device_properties.inc"
};
constexpr LimitRow kLimits[] = {
#define SPIRV_LIMIT(enumerator, name, what) {Limit::enumerator, name, what},
#include "backend/spirv/device_properties.inc"
};
constexpr FloatControlRow kFloatControls[] = {
#define SPIRV_FLOAT_CONTROL(mode, width, feature) \
  {spv::ExecutionMode##mode, spv::Capability##mode, width, Feature::feature},
#include "backend/spirv/device_properties.inc"
};
static_assert(std::size(kFeatures) <= 64 && std::size(kLimits) <= 64, "Device has room for 64 of each");

}  // namespace

std::span<const FeatureRow> features() {
  return kFeatures;
}
std::span<const CapabilityRow> capabilities() {
  return kCapabilities;
}
std::span<const LimitRow> limits() {
  return kLimits;
}
std::span<const FloatControlRow> float_controls() {
  return kFloatControls;
}

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
  for (const CapabilityRow& row : kCapabilities) {
    if (static_cast<uint32_t>(row.capability) == capability) return row.feature;
  }
  return std::nullopt;
}

spv::Capability capability_of(Feature feature) {
  return std::ranges::find(kCapabilities, feature, &CapabilityRow::feature)->capability;
}

std::optional<Feature> feature_of_stores(ir::Stage stage) {
  switch (stage) {
    case ir::Stage::compute: return std::nullopt;
    case ir::Stage::pixel: return Feature::fragment_stores;
    case ir::Stage::vertex:
    case ir::Stage::geometry:
    case ir::Stage::hull:
    case ir::Stage::domain: return Feature::vertex_stores;
  }
  return std::nullopt;
}

const ir::Instruction* first_store(const ir::Module& module) {
  if (std::ranges::none_of(module.resources, &ir::Resource::is_uav)) return nullptr;
  for (const ir::Instruction& instruction : module.code) {
    const ir::OpInfo& info = ir::info(instruction.op);
    if (info.has(ir::kResource) && info.has(ir::kWritesMemory)) return &instruction;
  }
  return nullptr;
}

void refuse_without(Feature feature, SourceLocation where, Diagnostics& diagnostics) {
  diagnostics.error(where, "{} needs {}, which the device lacks: it cannot be expressed on spirv",
                    row_of(feature).what, row_of(feature).name);
}

}  // namespace texlate::spirv
