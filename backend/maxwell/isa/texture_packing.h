// Legality and packing of texture fetches: what a fetch needs, which short and long forms can express it,
// what goes into Ra and Rb in which order, and which register receives which result component. Pure functions
// over plain structs; the code generator has no other source for them.
//
// Rules: docs/reference/maxwell.md 2, 3 and 6b, and what ptxas showed (docs/maxwell-isa.md). The LOD clamp,
// whose operand no source settles, is refused with a separate rule.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

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

enum class TextureOffset : uint8_t {
  none,
  one,   // one offset for all texels: a register with the AOFFI word
  four,  // gather: one offset per texel, two registers
};

/// What a fetch needs.
struct TextureRequest {
  TextureOperation operation = TextureOperation::sample;
  TextureDim dim = TextureDim::_2d;
  TextureLod lod = TextureLod::implicit;
  TextureOffset offset = TextureOffset::none;
  bool compare = false;
  bool multisample = false;
  bool bindless = false;       // handle in a register instead of a constant index
  bool non_divergent = false;  // .NDV
  bool lod_clamp = false;      // .LC: refused, see above
  bool f16_results = false;
  uint8_t mask = 15;  // wanted components, bit 0 = R
  GatherComponent component = GatherComponent::r;
  TextureQuery query = TextureQuery::dimension;

  bool operator==(const TextureRequest&) const = default;
};

enum class TextureRule : uint8_t {
#define RULE(name, text) name,
#include "backend/maxwell/isa/texture_rules.inc"
#undef RULE
  count_
};
std::string_view texture_rule_text(TextureRule rule);

/// One way to express a request.
struct TexturePacking : TextureOperands {
  Opcode opcode = Opcode::tex;
  uint8_t form = 0;  // TexsForm or TldsForm of the short forms
  // The place of each component (R, G, B, A): register 0..3 from Rd0, 4.. from Rd1, times 2, plus 1 for an
  // upper half; -1: not written.
  std::array<int8_t, 4> result{-1, -1, -1, -1};
  bool is_short = false;

  bool operator==(const TexturePacking&) const = default;
};

struct TexturePackingResult {
  TexturePacking packing;
  TextureRule rule = TextureRule::none;  // none: `packing` is valid
  explicit operator bool() const { return rule == TextureRule::none; }
};

/// Whether any form can express the request; never returns a rule of the short forms.
TextureRule check_request(const TextureRequest& request);
TexturePackingResult pack_long(const TextureRequest& request);
TexturePackingResult pack_short(const TextureRequest& request);

/// The instruction's registers: each is the first of a vector (kRZ if the count is 0). `index` is the word
/// index of the handle (0 when bindless). Control keeps its default value.
struct TextureRegisters {
  uint8_t low = 0;     // Rd or Rd0
  uint8_t high = kRZ;  // Rd1
  uint8_t a = kRZ;
  uint8_t b = kRZ;
  uint16_t index = 0;
};
Instruction make_texture(const TextureRequest& request, const TexturePacking& packing,
                         const TextureRegisters& registers);

// ---- bit fields of packed operands

/// AOFFI word of TEX and TLD: 4 signed bits each, x in 3..0, y in 7..4, z in 11..8. Returns false if one is
/// outside -8..7.
bool pack_offsets(int x, int y, int z, uint32_t& out);
/// AOFFI word of TLD4: 8-bit lanes, x in 7..0, y in 15..8, with 6 significant signed bits: -32..31.
bool pack_gather_offset(int x, int y, uint32_t& out);
/// The register of TXD that layer and offsets share: layer in 15..0, x in 19..16, y in 23..20.
bool pack_gradient_layer(uint16_t layer, int x, int y, uint32_t& out);

}  // namespace texlate::maxwell
