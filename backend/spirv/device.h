// What the caller says about the Vulkan device: features that it lacks, and its limits. A translation then
// takes another form, or ends in an error that names what is missing (device_properties.inc).
#pragma once

#include <array>
#include <cstdint>
#include <iterator>
#include <optional>
#include <string_view>

#include <spirv/unified1/spirv.hpp>

#include "ir/module.h"

namespace texlate::spirv {

enum class Feature : uint8_t {
#define SPIRV_FEATURE(enumerator, name, what, without) enumerator,
#include "backend/spirv/device_properties.inc"
};
enum class Limit : uint8_t {
#define SPIRV_LIMIT(enumerator, name, what) enumerator,
#include "backend/spirv/device_properties.inc"
};

struct FeatureRow {
  Feature feature;
  std::string_view name;     // Vulkan's
  std::string_view what;     // the part of a shader that needs it
  std::string_view without;  // what a module has instead; empty: an error
};
struct CapabilityRow {
  spv::Capability capability;
  std::string_view name;
  Feature feature;
};
struct LimitRow {
  Limit limit;
  std::string_view name;  // Vulkan's; of an array with the component
  std::string_view what;  // that is counted
};
/// A mode that has Direct3D's float rules, with the capability of the same name (Vulkan, "Float Controls").
struct FloatControlRow {
  spv::ExecutionMode mode;
  spv::Capability capability;
  uint32_t width;  // of the floats
  Feature feature;
};
// The rows of device_properties.inc. All features and limits are there, in their order.
inline constexpr FeatureRow kFeatures[] = {
#define SPIRV_FEATURE(enumerator, name, what, without) {Feature::enumerator, name, what, without},
#include "backend/spirv/device_properties.inc"
};
inline constexpr CapabilityRow kCapabilities[] = {
#define SPIRV_CAPABILITY(capability, feature) {spv::Capability##capability, #capability, Feature::feature},
#include "backend/spirv/device_properties.inc"
};
inline constexpr LimitRow kLimits[] = {
#define SPIRV_LIMIT(enumerator, name, what) {Limit::enumerator, name, what},
#include "backend/spirv/device_properties.inc"
};
inline constexpr FloatControlRow kFloatControls[] = {
#define SPIRV_FLOAT_CONTROL(mode, width, feature) \
  {spv::ExecutionMode##mode, spv::Capability##mode, width, Feature::feature},
#include "backend/spirv/device_properties.inc"
};
static_assert(std::size(kFeatures) <= 64, "Device has a word for the missing ones");
constexpr const FeatureRow& row_of(Feature feature) {
  return kFeatures[static_cast<size_t>(feature)];
}
constexpr const LimitRow& row_of(Limit limit) {
  return kLimits[static_cast<size_t>(limit)];
}

/// Unless it is told otherwise, the device has every feature, and no limit matters.
class Device {
 public:
  bool has(Feature feature) const { return (missing_ >> static_cast<uint32_t>(feature) & 1) == 0; }
  std::optional<int64_t> limit(Limit which) const { return limits_[static_cast<size_t>(which)]; }
  void remove(Feature feature) { missing_ |= uint64_t{1} << static_cast<uint32_t>(feature); }
  /// Is any limit known?
  bool has_limits() const { return has_limits_; }
  void set(Limit which, int64_t value) {
    limits_[static_cast<size_t>(which)] = value;
    has_limits_ = true;
  }
  /// By the name of a feature (0: the device lacks it) or a limit. False: there is none of this name.
  bool set(std::string_view name, int64_t value);

 private:
  uint64_t missing_ = 0;  // by Feature
  bool has_limits_ = false;
  std::array<std::optional<int64_t>, std::size(kLimits)> limits_{};
};

/// The feature that allows a capability; none: every device has it.
std::optional<Feature> feature_of(uint32_t capability);
/// The first capability that a feature allows.
spv::Capability capability_of(Feature feature);
/// The feature that lets this stage write to memory; none for compute shaders.
std::optional<Feature> feature_of_stores(ir::Stage stage);
/// The first instruction that writes to a view or a buffer; null: there is none.
const ir::Instruction* first_store(const ir::Module& module);
/// The first exchange of floats in a typed view; null: there is none. No capability tells of it.
const ir::Instruction* first_float_atomic(const ir::Module& module);

}  // namespace texlate::spirv
