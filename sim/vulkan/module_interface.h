// What a SPIR-V module declares: capabilities, inputs, outputs. Read from its words according to the SPIR-V
// specification.
#pragma once

#include <array>
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
  uint32_t vertices = 0;  // of hull, domain and geometry shaders: one such variable for each vertex
  bool is_patch = false;  // one for each patch
  uint32_t stream = 0;    // of a geometry shader's outputs
  bool flat = false;
  // The position at which the module itself captures it, in bytes. A stride of 0 means that it does not.
  uint32_t capture_offset = 0, capture_stride = 0;
};

struct ModuleInterface {
  std::vector<spv::Capability> capabilities;
  std::vector<InterfaceVariable> variables;
  uint32_t entry = 0;
  spv::ExecutionModel model = spv::ExecutionModelMax;
  bool early_fragment_tests = false;
  bool exchanges_floats = false;              // atomically
  std::array<uint32_t, 3> group = {1, 1, 1};  // of compute shaders: threads
};

/// Throws Failure if the words are not a module.
ModuleInterface read_interface(std::span<const uint32_t> words);

/// The same module, changed to write every output of stream s to transform feedback buffer s. `offsets` gets
/// the byte offset of each output variable of `interface` (in its order), and `strides` the bytes per vertex
/// of each stream. A module that captures outputs itself, into buffer 0, is unchanged; the interface must
/// then have no other outputs.
using StreamStrides = std::array<uint32_t, 4>;
std::vector<uint32_t> with_transform_feedback(std::span<const uint32_t> words,
                                              const ModuleInterface& interface,
                                              std::vector<uint32_t>& offsets, StreamStrides& strides);

}  // namespace texlate::sim::vulkan
