// Reads from a texture instruction which values its coordinate and extra registers carry, and where each
// result component goes. The packing layer (texture_packing.h) is the reverse direction.
#pragma once

#include <array>
#include <cstdint>

#include "backend/maxwell/isa/instruction.h"
#include "backend/maxwell/isa/scalar_forms.h"

namespace texlate::maxwell {

constexpr uint8_t kMaxTextureRegisters = 4;

struct TextureOperands {
  // What each register from Ra and from Rb carries. A count of 0: RZ.
  std::array<TextureValue, kMaxTextureRegisters> a{};
  std::array<TextureValue, kMaxTextureRegisters> b{};
  uint8_t a_count = 0;
  uint8_t b_count = 0;
  // Component mask (bit 0 = R), and the number of registers from Rd (Rd0) and Rd1. With f16 results a
  // register holds two components, low half first.
  uint8_t mask = 0;
  uint8_t low_count = 0;
  uint8_t high_count = 0;
  bool f16 = false;

  bool operator==(const TextureOperands&) const = default;
};

/// Returns false if the instruction is not a texture instruction.
bool texture_operands(const Instruction& instruction, TextureOperands& out);

}  // namespace texlate::maxwell
