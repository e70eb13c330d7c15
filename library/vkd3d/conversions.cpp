#include "library/vkd3d/conversions.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <vector>

#include "library/vkd3d/real_library.h"
#include "texlate/texlate.h"

namespace texlate::vkd3d {

namespace {

constexpr size_t kSources = 7;

struct TargetRow {
  TargetType type;
  const char* texlate;  // null: only other libraries make it
  const char* name;
};
constexpr TargetRow kTargets[] = {
    {TargetType::spirv_binary, "spirv", "SPIR-V"},
    {TargetType::spirv_text, "spirv-text", "SPIR-V text"},
    {TargetType::d3d_asm, "asm", "assembly text"},
    {TargetType::d3d_bytecode, nullptr, "Direct3D 9 byte code"},
    {TargetType::dxbc_tpf, nullptr, "DXBC"},
    {TargetType::glsl, nullptr, "GLSL"},
    {TargetType::fx, nullptr, "an effect"},
    {TargetType::msl, nullptr, "MSL"},
};

bool translates_to(const char* name) {
  texlate_target_info info{};
  info.struct_size = sizeof info;
  for (uint32_t i = 0; texlate_target_get_info(i, &info) == TEXLATE_OK; ++i) {
    if (std::string_view(info.name) == name) return true;
  }
  return false;
}

template <typename Type>
void add(std::vector<Type>& to, Type type) {
  if (std::ranges::find(to, type) == to.end()) to.push_back(type);
}

struct Conversions {
  std::vector<SourceType> sources = {SourceType::dxbc_tpf};
  std::array<std::vector<TargetType>, kSources> targets;  // by source

  Conversions() {
    for (const TargetRow& row : kTargets) {
      if (row.texlate != nullptr && translates_to(row.texlate)) add(targets[size_t{1}], row.type);
    }
    using SourceTypes = const SourceType*(uint32_t*);
    using TargetTypes = const TargetType*(SourceType, uint32_t*);
    const auto their_sources = real<SourceTypes>("vkd3d_shader_get_supported_source_types");
    const auto their_targets = real<TargetTypes>("vkd3d_shader_get_supported_target_types");
    if (their_sources == nullptr || their_targets == nullptr) return;
    uint32_t count = 0;
    const SourceType* const list = their_sources(&count);
    for (const SourceType source : std::span(list, count)) {
      const auto index = static_cast<size_t>(source);
      if (index >= kSources) continue;
      add(sources, source);
      uint32_t target_count = 0;
      const TargetType* const made = their_targets(source, &target_count);
      for (const TargetType target : std::span(made, target_count)) add(targets[index], target);
    }
    std::ranges::sort(sources);
    for (std::vector<TargetType>& list_of_one : targets) std::ranges::sort(list_of_one);
  }
};

const Conversions& conversions() {
  static const Conversions* const all = new Conversions;  // never destroyed: clients keep the arrays
  return *all;
}

}  // namespace

std::span<const SourceType> source_types() {
  return conversions().sources;
}

std::span<const TargetType> target_types(SourceType source) {
  const auto index = static_cast<size_t>(source);
  return index < kSources ? std::span<const TargetType>(conversions().targets[index])
                          : std::span<const TargetType>();
}

const char* texlate_target(TargetType target) {
  for (const TargetRow& row : kTargets) {
    if (row.type == target && row.texlate != nullptr && translates_to(row.texlate)) return row.texlate;
  }
  return nullptr;
}

const char* name_of(SourceType source) {
  constexpr const char* kNames[kSources] = {
      "nothing",         "DXBC", "HLSL", "Direct3D 9 byte code (shader models 1 to 3)", "DXIL", "an effect",
      "a texture shader"};
  const auto index = static_cast<size_t>(source);
  return index < kSources ? kNames[index] : "an unknown source";
}

const char* name_of(TargetType target) {
  for (const TargetRow& row : kTargets) {
    if (row.type == target) return row.name;
  }
  return "an unknown target";
}

}  // namespace texlate::vkd3d
