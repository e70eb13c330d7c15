// What a SPIR-V module declares: capabilities, inputs, outputs. Read from its words according to the SPIR-V
// specification.
#pragma once

#include <cstdint>
#include <span>
#include <spirv/unified1/spirv.hpp>
#include <vector>

namespace texlate::sim::vulkan {

enum class ScalarKind : uint8_t { float_, int_, uint };

/// An input or output variable: a scalar, or a vector of scalars; `array` is its number of elements (0: not
/// an array).
struct InterfaceVariable {
  uint32_t id = 0;
  bool is_input = false;
  bool is_builtin = false;
  uint32_t number = 0;     // location or SPIR-V BuiltIn
  uint32_t component = 0;  // first component of the location
  ScalarKind kind = ScalarKind::float_;
  uint32_t components = 1;
  uint32_t array = 0;
  bool flat = false;
  // The position at which the module itself captures it, in bytes. A stride of 0 means that it does not.
  uint32_t capture_offset = 0, capture_stride = 0;
};

struct ModuleInterface {
  std::vector<spv::Capability> capabilities;
  std::vector<InterfaceVariable> variables;
  uint32_t entry = 0;
  bool early_fragment_tests = false;
};

/// Throws Failure if the words are not a module.
ModuleInterface read_interface(std::span<const uint32_t> words);

/// The same module, changed to write every output to transform feedback buffer 0. `offsets` gets the byte
/// offset of each output variable of `interface` (in its order), and `stride` the bytes per vertex. A module
/// that captures outputs itself, into buffer 0, is unchanged; the interface must then have no other outputs.
std::vector<uint32_t> with_transform_feedback(std::span<const uint32_t> words,
                                              const ModuleInterface& interface,
                                              std::vector<uint32_t>& offsets, uint32_t& stride);

}  // namespace texlate::sim::vulkan
