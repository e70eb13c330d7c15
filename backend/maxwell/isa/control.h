// Control words: one 64-bit word controls the three instructions that follow it (docs/reference/maxwell.md
// 1).
#pragma once

#include <cstdint>

namespace texlate::maxwell {

/// Scoreboard barriers 0 .. 5.
inline constexpr unsigned kBarriers = 6;

/// One 21-bit slot of a control word.
struct Control {
  static constexpr uint8_t kNoBarrier = 7;

  uint8_t stall = 0;  // bits 0..3: cycles before the next issue, 0 = issue together with the next
  bool yield = true;  // bit 4, inverted in the word: the scheduler may switch warps
  uint8_t write_barrier = kNoBarrier;  // bits 5..7: scoreboard 0..5 signalled when the result is written
  uint8_t read_barrier = kNoBarrier;  // bits 8..10: scoreboard 0..5 signalled when the sources have been read
  uint8_t wait_mask = 0;              // bits 11..16: bit b waits for scoreboard b before issue
  uint8_t reuse = 0;  // bits 17..20: operand cache hints; texture phase on texture instructions

  bool operator==(const Control&) const = default;
};

/// The texture phase, kept in the reuse bits of a texture instruction's slot. NVIDIA's compiler marks every
/// fetch of a batch `t` except the last, which is `p`; `none` is legal (nouveau and NAK never set one).
enum class TexturePhase : uint8_t { none = 0, t = 1, p = 2 };

constexpr uint32_t encode_control(const Control& control) {
  return (control.stall & 15u) | (control.yield ? 0u : 1u) << 4 | (control.write_barrier & 7u) << 5 |
         (control.read_barrier & 7u) << 8 | (control.wait_mask & 63u) << 11 | (control.reuse & 15u) << 17;
}

constexpr Control decode_control(uint32_t slot) {
  Control control;
  control.stall = slot & 15;
  control.yield = (slot >> 4 & 1) == 0;
  control.write_barrier = slot >> 5 & 7;
  control.read_barrier = slot >> 8 & 7;
  control.wait_mask = slot >> 11 & 63;
  control.reuse = slot >> 17 & 15;
  return control;
}

/// The slot of instruction `index` (0, 1, 2) after a control word; and the word with that slot replaced. Bit
/// 63 stays 0.
constexpr uint32_t control_slot(uint64_t word, unsigned index) {
  return word >> (21 * index) & 0x1fffff;
}
constexpr uint64_t with_control_slot(uint64_t word, unsigned index, uint32_t slot) {
  return (word & ~(uint64_t{0x1fffff} << (21 * index))) | static_cast<uint64_t>(slot & 0x1fffff)
                                                              << (21 * index);
}

/// Code consists of groups of four words: a control word and three instructions. Byte addresses count from
/// the program's start, which is 32-byte aligned.
inline constexpr uint32_t kGroupInstructions = 3;
constexpr uint32_t instruction_address(uint32_t index) {
  return index / kGroupInstructions * 32 + 8 + index % kGroupInstructions * 8;
}
constexpr bool is_control_address(uint32_t address) {
  return address % 32 == 0;
}

}  // namespace texlate::maxwell
