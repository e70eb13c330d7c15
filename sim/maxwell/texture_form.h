// The meaning of a texture instruction's operands: the registers of coordinates, layer, level, offset ...
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "sim/maxwell/instruction.h"

namespace texlate::sim::maxwell {

enum class TextureLevel : uint8_t { automatic, zero, bias, level, gradient };

struct TextureForm {
  uint8_t axes = 0;  // number of coordinates that are used: 3 for cubes
  bool array = false, cube = false, multisampled = false;
  TextureLevel level = TextureLevel::automatic;
  bool integer = false;  // TLD, TLDS
  bool gather = false;
  uint8_t component = 0;  // of a gather
  bool per_texel_offsets = false;
  bool compare = false, half = false, non_divergent = false;
  bool bindless = false;
  // Registers; RZ if absent.
  uint8_t layer = kZeroRegister, reference = kZeroRegister, lod = kZeroRegister, sample = kZeroRegister,
          handle = kZeroRegister, gradients = kZeroRegister;
  std::array<uint8_t, 3> coordinate{kZeroRegister, kZeroRegister, kZeroRegister};
  std::array<uint8_t, 2> offset{kZeroRegister, kZeroRegister};
  uint8_t offset_shift = 0;  // TXD: the offset is in the bits above the layer
  RegisterRange a, b;        // the operand vectors
  uint8_t mask = 0;          // requested components
  /// The destination of each requested component, in order. Half-precision results are packed in pairs
  /// (`half`).
  std::array<uint8_t, 4> destination{kZeroRegister, kZeroRegister, kZeroRegister, kZeroRegister};
  RegisterRange d0, d1;
  std::string_view fault;  // why the word is not legal
};

/// For every opcode of Pipe::texture that fetches, samples, gathers or queries the LOD (not TXQ).
TextureForm texture_form(const Instruction& i);

}  // namespace texlate::sim::maxwell
