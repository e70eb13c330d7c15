// Shared by the printer and the parser of the text form. The form itself is described in docs/ir.md.
#pragma once

#include <array>
#include <string_view>

#include "ir/module.h"

namespace texlate::ir::text_form {

/// Slots that are written together: `coord(%1, %2)`. A slot that is absent between others is `_`. `lod` and
/// `reference` are written with their rule (`level(%3)`, `compare(%4)`) wherever the access has both.
struct SlotGroup {
  std::string_view word;
  Slot first;
  uint32_t count;
};
inline constexpr std::array<SlotGroup, 17> kSlotGroups = {{
    {"guard", Slot::guard, 1},
    {"else", Slot::fallback0, 4},
    {"address", Slot::address, 1},
    {"coord", Slot::coordinate0, 3},
    {"layer", Slot::layer, 1},
    {"sample", Slot::sample, 1},
    {"byte_offset", Slot::byte_offset, 1},
    {"lod", Slot::lod, 1},
    {"ddx", Slot::ddx0, 3},
    {"ddy", Slot::ddy0, 3},
    {"offset_by", Slot::offset0, 2},
    {"reference", Slot::reference, 1},
    {"lod_clamp", Slot::lod_clamp, 1},
    {"resource_index", Slot::resource_index, 1},
    {"sampler_index", Slot::sampler_index, 1},
    {"value", Slot::value0, 4},
    {"expected", Slot::compare, 1},
}};

constexpr bool every_slot_is_spelled() {
  uint32_t next = 0;
  for (const SlotGroup& group : kSlotGroups) {
    if (static_cast<uint32_t>(group.first) != next) return false;
    next += group.count;
  }
  return next == kSlotCount;
}
static_assert(every_slot_is_spelled());

/// Level rules that are separate words; bias and level take the operand `lod` in parentheses.
struct LodWord {
  std::string_view word;
  LodRule rule;
  bool takes_lod;
};
inline constexpr std::array<LodWord, 5> kLodWords = {{
    {"implicit", LodRule::implicit, false},
    {"bias", LodRule::bias, true},
    {"level", LodRule::level, true},
    {"level_zero", LodRule::zero, false},
    {"gradient", LodRule::gradient, false},
}};

/// Flags of an access that are a word each.
struct AccessFlag {
  std::string_view word;
  bool ResourceAccess::*member;
};
inline constexpr std::array<AccessFlag, 4> kAccessFlags = {{
    {"compare", &ResourceAccess::compare},
    {"feedback", &ResourceAccess::feedback},
    {"integer_layer", &ResourceAccess::layer_is_integer},
    {"non_uniform", &ResourceAccess::non_uniform},
}};

/// Properties of a module that take one line each: a word and a number. Printed if they differ from the
/// initial value.
struct ModuleNumber {
  std::string_view word;
  uint32_t Module::*member;
};
inline constexpr std::array<ModuleNumber, 10> kModuleNumbers = {{
    {"registers", &Module::register_count},
    {"input_primitive", &Module::input_primitive},
    {"output_topology", &Module::output_topology},
    {"max_vertex_count", &Module::max_vertex_count},
    {"gs_instances", &Module::gs_instances},
    {"input_control_points", &Module::input_control_points},
    {"output_control_points", &Module::output_control_points},
    {"tessellator_domain", &Module::tessellator_domain},
    {"tessellator_partitioning", &Module::tessellator_partitioning},
    {"tessellator_output", &Module::tessellator_output},
}};
struct ModuleFlag {
  std::string_view word;
  bool Module::*member;
};
inline constexpr std::array<ModuleFlag, 2> kModuleFlags = {{
    {"early_depth_stencil", &Module::early_depth_stencil},
    {"refactoring_allowed", &Module::refactoring_allowed},
}};

struct ResourceFlag {
  std::string_view word;
  bool Resource::*member;
};
inline constexpr std::array<ResourceFlag, 4> kResourceFlags = {{
    {"coherent", &Resource::globally_coherent},
    {"ordered", &Resource::rasterizer_ordered},
    {"counter", &Resource::has_counter},
    {"ordered_counter", &Resource::ordered_counter},
}};

/// Numbers of declared inputs and outputs, printed if not 0.
struct ParameterNumber {
  std::string_view word;
  uint8_t Parameter::*member;
};
inline constexpr std::array<ParameterNumber, 2> kParameterNumbers = {{
    {"component_type", &Parameter::component_type},
    {"stream", &Parameter::stream},
}};

struct ParameterList {
  std::string_view word;
  std::string_view prefix;  // of the register
  std::pmr::vector<Parameter> Module::*member;
};
inline constexpr std::array<ParameterList, 3> kParameterLists = {{
    {"input", "v", &Module::inputs},
    {"output", "o", &Module::outputs},
    {"patch_constant", "p", &Module::patch_constants},
}};

inline constexpr std::string_view kComponents = "xyzw";

/// The word before a marker's operands.
constexpr std::string_view operand_word(Op op) {
  switch (op) {
    case Op::loop: return "init";
    case Op::else_:
    case Op::endif:
    case Op::endloop:
    case Op::break_:
    case Op::continue_: return "yields";
    default: return {};
  }
}

/// Prefix of the register in the payload.
constexpr std::string_view register_prefix(Op op) {
  switch (op) {
    case Op::reg_load:
    case Op::reg_store: return "r";
    case Op::output: return "o";
    case Op::patch_output: return "p";
    case Op::patch_input: return "vpc";
    case Op::output_control_point: return "vocp";
    default: return "v";
  }
}

/// Memory whose first operand is in brackets: `cb0[%1]`, `x0[%1].y`.
constexpr std::string_view memory_prefix(Payload payload) {
  switch (payload) {
    case Payload::constant_buffer: return "cb";
    case Payload::table: return "table";
    case Payload::local: return "x";
    case Payload::shared:
    case Payload::shared_atomic: return "g";
    default: return {};
  }
}

}  // namespace texlate::ir::text_form
