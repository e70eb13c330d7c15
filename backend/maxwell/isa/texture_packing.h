// Packing of texture fetches: which short or long form expresses a fetch, what goes into Ra and Rb in which
// order, and which register receives which result component. Pure functions over plain structs; the code
// generator has no other source for them. Legalization sees to it that a form exists
// (texture_guarantees.cpp).
//
// Rules: docs/reference/maxwell.md 2, 3 and 6b, and what ptxas showed (docs/maxwell-isa.md). The LOD clamp,
// whose operand no source settles, cannot be requested.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "backend/maxwell/isa/instruction.h"
#include "backend/maxwell/isa/scalar_forms.h"
#include "backend/maxwell/isa/texture_operands.h"

namespace texlate::maxwell {

enum class TextureOperation : uint8_t {
  sample,     // TEX, TEXS: filtered, float coordinates
  fetch,      // TLD, TLDS: integer coordinates, no sampler
  gather,     // TLD4, TLD4S
  gradient,   // TXD: filtered, explicit derivatives
  query_lod,  // TMML
  query,      // TXQ
};

enum class TextureLod : uint8_t {
  implicit,  // from the quad's derivatives; pixel shaders only
  zero,
  bias,
  explicit_,
};

/// What a fetch needs.
struct TextureRequest {
  TextureOperation operation = TextureOperation::sample;
  TextureDim dim = TextureDim::_2d;
  TextureLod lod = TextureLod::implicit;
  bool offset = false;  // a register with the AOFFI word
  bool compare = false;
  bool multisample = false;
  bool bindless = false;  // handle in a register instead of a constant index
  uint8_t mask = 15;      // wanted components, bit 0 = R
  GatherComponent component = GatherComponent::r;
  TextureQuery query = TextureQuery::dimension;

  bool operator==(const TextureRequest&) const = default;
};

/// One way to express a request.
struct TexturePacking : TextureOperands {
  Instruction instruction;  // without its registers and the index of a bound handle
  // The place of each component (R, G, B, A): register 0..3 from Rd0, 4.. from Rd1; -1: not written.
  std::array<int8_t, 4> result{-1, -1, -1, -1};

  bool operator==(const TexturePacking&) const = default;
};

TexturePacking pack_long(const TextureRequest& request);
/// The short form, with up to two components more if only a wider mask has one; nothing if there is none.
std::optional<TexturePacking> pack_short(const TextureRequest& request);

/// The instruction's registers: each is the first of a vector, if there is one.
struct TextureRegisters {
  uint8_t low, high;  // Rd or Rd0; Rd1
  uint8_t a, b;
};
/// `index` is the word index of the handle (0 when bindless). Control keeps its default value.
Instruction make_texture(const TexturePacking& packing, const TextureRegisters& registers, uint32_t index);

// ---- bit fields of packed operands

/// AOFFI word of TEX and TLD: 4 signed bits each, x in 3..0, y in 7..4, z in 11..8.
uint32_t pack_offsets(int x, int y, int z);
/// AOFFI word of TLD4: 8-bit lanes, x in 7..0, y in 15..8, with 6 significant signed bits.
uint32_t pack_gather_offset(int x, int y);

}  // namespace texlate::maxwell
