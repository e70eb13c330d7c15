// The capabilities and extensions that a module declares, and the features of the device that allow them.

#include <algorithm>

#include "backend/spirv/emit.h"
#include "backend/spirv/grammar.h"

namespace texlate::spirv {

namespace {

void add_feature(std::optional<Feature> feature, HostInterface& host) {
  if (feature && std::ranges::find(host.features, row_of(*feature).name) == host.features.end())
    host.features.push_back(row_of(*feature).name);
}

/// Of an execution mode of float controls.
std::optional<Feature> feature_of_mode(uint32_t mode, uint32_t width) {
  for (const FloatControlRow& row : kFloatControls) {
    if (static_cast<uint32_t>(row.mode) == mode && row.width == width) return row.feature;
  }
  return std::nullopt;
}

}  // namespace

void list_requirements(std::span<const uint32_t> words, const ir::Module& module, HostInterface& host) {
  // All are at the beginning, execution modes last (SPIR-V 2.4 "Logical Layout of a Module").
  bool is_after_entry = false;
  for (size_t at = kHeaderWords; at < words.size(); at += words[at] >> spv::WordCountShift) {
    const uint32_t opcode = words[at] & spv::OpCodeMask;
    if (opcode != spv::OpExecutionMode && is_after_entry) break;
    if (opcode == spv::OpEntryPoint) {
      is_after_entry = true;
    } else if (opcode == spv::OpCapability) {
      host.capabilities.push_back(grammar::capability_name(words[at + 1]));
      add_feature(feature_of(words[at + 1]), host);
    } else if (opcode == spv::OpExtension) {
      host.extensions.emplace_back(reinterpret_cast<const char*>(&words[at + 1]));
    } else if (opcode == spv::OpExecutionMode && words[at] >> spv::WordCountShift == 4) {
      add_feature(feature_of_mode(words[at + 2], words[at + 3]), host);
    }
  }
  if (first_store(module) != nullptr) add_feature(feature_of_stores(module.stage), host);
  if (first_float_atomic(module) != nullptr) add_feature(Feature::float_atomics, host);
}

}  // namespace texlate::spirv
