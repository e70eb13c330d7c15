// What SPIR-V's emission must know about the module's constructs before it starts.
#pragma once

#include <memory_resource>
#include <span>

#include "ir/module.h"

namespace texlate::spirv {

constexpr uint32_t kNoIndex = 0xffffffffu;

/// Indexed by instruction; all spans are empty if the module has no constructs.
struct ControlMap {
  /// if: its else; else: its endif; loop, switch: the end marker.
  std::span<uint32_t> end_of;
  /// The marker whose results the operands of this marker or jump become; kNoIndex: none.
  std::span<uint32_t> flows_to;
  /// For opening markers: nothing inside the construct reads outputs or jumps out of it, so that outputs can
  /// be held back over it.
  std::span<uint8_t> holds_over;
};

ControlMap map_control(const ir::Module& module, std::pmr::monotonic_buffer_resource& arena);

}  // namespace texlate::spirv
