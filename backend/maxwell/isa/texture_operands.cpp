#include "backend/maxwell/isa/texture_operands.h"

#include <algorithm>
#include <bit>

#include "backend/maxwell/isa/table.h"
#include "backend/maxwell/isa/words.h"

namespace texlate::maxwell {
namespace {

using enum TextureValue;

/// The operand in the slot of that kind; 0 if there is none.
uint32_t word_of(const Instruction& instruction, SlotKind kind) {
  const Form& f = form(instruction);
  for (unsigned i = 0; i < f.operand_count; ++i) {
    if (f.operands[i].kind == kind) return static_cast<uint32_t>(instruction.operands[i].value);
  }
  return 0;
}

/// A .B form: the index of its header has no bits.
bool is_bindless(const Form& form) {
  return std::any_of(form.operands.begin(), form.operands.begin() + form.operand_count,
                     [](const Slot& slot) { return slot.kind == SlotKind::unsigned_imm && slot.width == 0; });
}

/// Puts values behind each other.
class Packer {
 public:
  Packer(const Instruction& instruction, TextureOperands& out) : i_(instruction), out_(out) {}

  /// As the modifiers ask for them; a form that lacks one counts as having its default.
  void long_form() {
    const Form& f = form(i_);
    const auto dim = static_cast<unsigned>(word_of(i_, SlotKind::texture_dim));
    constexpr uint8_t kAxes[] = {1, 2, 3, 3};
    const unsigned axes = kAxes[dim / 2];
    const bool is_array = dim % 2 != 0;
    const bool bindless = is_bindless(f);
    switch (f.opcode) {
      case Opcode::txd:
      case Opcode::txd_b:
        a({handle}, bindless);
        coordinates(axes);
        a({layer_offset}, is_array || has(Modifier::aoffi));
        b({dx_dx, dx_dy});
        b({dy_dx, dy_dy}, axes > 1);
        break;
      case Opcode::txq:
      case Opcode::txq_b:
        a({handle}, bindless);
        a({mip});
        break;
      default:  // [layer] x [y] [z], and what the pages of TEX, TLD, TLD4 and TMML have in Rb
        // The LOD clamp shares the layer's register, which exists for the clamp even without a layer.
        a({has(Modifier::lc) ? layer_clamp : layer}, is_array || has(Modifier::lc));
        coordinates(axes);
        b({handle}, bindless);
        lod_operand();
        offset_operands();
        b({reference}, has(Modifier::dc));
        b({sample}, has(Modifier::ms));
        break;
    }
    out_.mask = static_cast<uint8_t>(i_.operands[f.operand_count - 1].value & 15);
    out_.low_count = static_cast<uint8_t>(std::popcount(out_.mask));
  }

  void row(const ScalarForm& row) {
    for (const TextureValue value : row.a) a({value}, value != none);
    for (const TextureValue value : row.b) b({value}, value != none);
    out_.f16 = get_modifier(i_, Modifier::f32_result) == static_cast<uint8_t>(F32Result::f16);
    out_.mask = scalar_mask_bits(word_of(i_, SlotKind::scalar_mask), i_.operands[0].reg != kRZ);
    scalar_results();
  }

  void tld4s() {
    const bool is_pair = has(Modifier::aoffi) || has(Modifier::dc);
    a({x});
    a({y}, is_pair);
    b({y}, !is_pair);
    b({offset}, has(Modifier::aoffi));
    b({reference}, has(Modifier::dc));
    out_.f16 = has(Modifier::f16_result);
    // There are always four results; RZ as Rd1 discards the second pair.
    out_.mask = i_.operands[0].reg == kRZ ? 3 : 15;
    scalar_results();
  }

 private:
  using Values = std::initializer_list<TextureValue>;

  bool has(Modifier modifier) const { return get_modifier(i_, modifier) != 0; }
  void a(Values values, bool exist = true) {
    for (const TextureValue value : values)
      if (exist) out_.a[out_.a_count++] = value;
  }
  void b(Values values, bool exist = true) {
    for (const TextureValue value : values)
      if (exist) out_.b[out_.b_count++] = value;
  }
  void coordinates(unsigned axes) {
    a({x});
    a({y}, axes > 1);
    a({z}, axes > 2);
  }
  void lod_operand() {
    const auto mode = static_cast<LodMode>(get_modifier(i_, Modifier::lod));
    b({bias}, mode == LodMode::lb || mode == LodMode::lba);
    b({lod}, mode == LodMode::ll || mode == LodMode::lla || has(Modifier::fetch_lod));
  }
  void offset_operands() {
    const auto gather = static_cast<GatherOffset>(get_modifier(i_, Modifier::gather_offset));
    b({offset}, has(Modifier::aoffi) || gather == GatherOffset::aoffi);
    b({offsets_low, offsets_high}, gather == GatherOffset::ptp);
  }
  /// Two components per register with f16 results, otherwise one; the first two components go to Rd0.
  void scalar_results() {
    const int components = std::popcount(out_.mask);
    const int low = std::min(components, 2), high = components - low;
    out_.low_count = static_cast<uint8_t>(out_.f16 ? (low + 1) / 2 : low);
    out_.high_count = static_cast<uint8_t>(out_.f16 ? (high + 1) / 2 : high);
  }

  const Instruction& i_;
  TextureOperands& out_;
};

}  // namespace

bool texture_operands(const Instruction& instruction, TextureOperands& out) {
  out = {};
  if (latency_class(instruction) != LatencyClass::texture) return false;
  Packer packer(instruction, out);
  switch (const Opcode op = opcode(instruction); op) {
    case Opcode::tld4s: packer.tld4s(); return true;
    case Opcode::texs:
    case Opcode::tlds: {
      const bool is_texs = op == Opcode::texs;
      const Modifier kind = is_texs ? Modifier::texs_form : Modifier::tlds_form;
      const ScalarForm* row = scalar_form(is_texs, get_modifier(instruction, kind));
      if (row == nullptr) return false;
      packer.row(*row);
      return true;
    }
    default: packer.long_form(); return true;
  }
}

}  // namespace texlate::maxwell
