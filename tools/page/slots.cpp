#include "tools/page/slots.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include <fmt/format.h>

#include "ir/spelling.h"

namespace texlate::page {

namespace {

using Json = nlohmann::json;

constexpr uint32_t kMostOfRange = 16;  // controls for more would hide everything else

/// Calls `take` with the name of each register, as scenes spell it.
template <typename Declaration, typename Take>
void for_each_register(std::string_view prefix, const Declaration& declaration, Take take) {
  if (!declaration.is_range()) return take(fmt::format("{}{}", prefix, declaration.id));
  const uint32_t count = std::min(declaration.upper_bound - declaration.lower_bound, kMostOfRange - 1) + 1;
  const bool endless = declaration.upper_bound == UINT32_MAX;
  for (uint32_t i = 0; i < (endless ? 1 : count); ++i)
    take(fmt::format("{}{}[{}]", prefix, declaration.id, declaration.lower_bound + i));
}

}  // namespace

Json slots_json(const ir::Module& module) {
  Json slots = Json::array();
  for (const ir::Resource& resource : module.resources) {
    for_each_register(resource.is_uav ? "u" : "t", resource, [&](const std::string& name) {
      slots.push_back({{"section", resource.is_uav ? "uavs" : "textures"},
                       {"name", name},
                       {"kind", ir::is_buffer(resource.dimension) ? "buffer" : "texture"},
                       {"dimension", ir::spelling(resource.dimension)},
                       {"type", ir::spelling(resource.component_types[0])},
                       {"stride", resource.stride},
                       {"counter", resource.has_counter}});
    });
  }
  for (const ir::Sampler& sampler : module.samplers) {
    for_each_register("s", sampler, [&](const std::string& name) {
      slots.push_back(
          {{"section", "samplers"}, {"name", name}, {"kind", "sampler"}, {"comparison", sampler.comparison}});
    });
  }
  for (const ir::ConstantBuffer& buffer : module.constant_buffers) {
    for_each_register("cb", buffer, [&](const std::string& name) {
      slots.push_back(
          {{"section", "constants"}, {"name", name}, {"kind", "constants"}, {"rows", buffer.rows}});
    });
  }
  for (const ir::Parameter& input : module.inputs) {
    if (input.reg >= ir::kSpecialRegister) continue;
    slots.push_back({{"section", "inputs"},
                     {"name", fmt::format("v{}", input.reg)},
                     {"kind", "input"},
                     {"mask", input.mask},
                     {"system_value", ir::spelling(input.system_value)},
                     {"semantic", module.name_at(input.semantic)}});
  }
  return slots;
}

}  // namespace texlate::page
