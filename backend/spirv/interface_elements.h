// Which part of a signature becomes one SPIR-V variable. Registers are locations: a register is one vector of
// four, whatever its elements, so that the two sides of an interface match however much of it each declares.
// Between stages all variables are floats (bits pass unchanged); vertex attributes and render targets have
// the type in their signature.
#pragma once

#include <algorithm>
#include <array>

#include "backend/spirv/emit.h"
#include "backend/spirv/kinds.h"
#include "backend/spirv/module_builder.h"

namespace texlate::spirv {

/// A variable of the interface, or a system value of a register. Ids are none until they are needed.
struct Element {
  uint32_t reg = 0;
  uint8_t mask = 0;
  uint8_t first = 0;  // component of the register that is component 0 of the variable
  uint8_t count = 4;  // components of the variable
  Kind kind = Kind::float_;
  bool is_output = false;
  bool is_patch = false;       // a patch constant
  bool is_point_size = false;  // see add_point_size()
  bool is_signed = false;      // Kind::uint: the variable has signed integers
  static constexpr uint32_t kNoCapture = 0xffffffffu;
  uint32_t capture = kNoCapture;  // index into Options::captures: part of a transform feedback buffer
  ir::SystemValue system_value = ir::SystemValue::none;
  ir::Interpolation interpolation = ir::Interpolation::undefined;
  Id variable = Id::none;
  Id whole = Id::none;   // inputs: loaded at entry
  uint32_t vector = 0;   // the same, if it has several components: number of Vectors
  Id component[4] = {};  // outputs: access chains
  /// Outputs: what is to be stored, by component; kNoValue: nothing.
  std::array<ir::Value, 4> held{ir::kNoValue, ir::kNoValue, ir::kNoValue, ir::kNoValue};
  uint8_t clip_base[4] = {};  // distances: index into the array of all of them, by component
  uint8_t stream = 0;
  uint32_t location = 0;
  uint32_t array_size = 0;                              // vertices or control points
  uint32_t semantic = ir::kNoName, semantic_index = 0;  // see ir::Parameter

  bool has(uint32_t part) const { return ((mask >> part) & 1) != 0; }
  bool is_vector() const {
    if (is_point_size) return false;
    return system_value == ir::SystemValue::none || system_value == ir::SystemValue::position;
  }
};

using Elements = ArenaBuffer<Element>;

struct InterfaceElements {
  explicit InterfaceElements(std::pmr::monotonic_buffer_resource& arena)
      : inputs(&arena), outputs(&arena), patch_constants(&arena) {}

  Elements inputs, outputs, patch_constants;
};

/// Is the parameter a system value in Vulkan, too? Otherwise it has a location.
bool is_system_value(const ir::Parameter& parameter);
/// The Location of an input or output that is not.
uint32_t location_of(const ir::Module& module, const ir::Parameter& parameter);
/// The last Location that patch constants may have: 31 if the device allows it.
uint32_t last_patch_location(const Options& options);
/// The Location of a register of the patch constants, which count down: control points count up from 0.
inline uint32_t location_of_patch_constant(uint32_t reg, const Options& options) {
  return last_patch_location(options) - reg;
}

/// The elements of a module's signatures, without ids.
void plan_interface(const ir::Module& module, std::span<const Capture> captures, InterfaceElements& elements);

/// The element that has this component of a register; null: none.
template <typename List>
auto* find_element(List& elements, uint32_t reg, uint32_t component) {
  const auto found = std::ranges::find_if(
      elements, [&](const Element& element) { return element.reg == reg && element.has(component); });
  return found != elements.end() ? &*found : nullptr;
}

bool is_clip_or_cull(ir::SystemValue value);

/// As what `input` and `output` instructions read and write 32 bits.
Kind input_kind(const InterfaceElements& elements, const ir::Instruction& instruction);
Kind output_kind(const InterfaceElements& elements, const ir::Instruction& instruction);
Kind output_kind(const Element& element);

}  // namespace texlate::spirv
