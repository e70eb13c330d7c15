#include "backend/maxwell/isa/texture_operands.h"

#include <bit>

#include "backend/maxwell/isa/table.h"
#include "backend/maxwell/isa/words.h"

namespace texlate::maxwell {
namespace {

using enum TextureValue;

struct Fields {
  explicit Fields(const Instruction& instruction) : i(instruction) {}
  bool has(Modifier modifier) const { return get_modifier(i, modifier) != 0; }
  LodMode lod_mode() const { return static_cast<LodMode>(get_modifier(i, Modifier::lod)); }
  const Instruction& i;
};

/// The operand in the slot of that kind; 0 if there is none.
uint32_t word_of(const Instruction& instruction, SlotKind kind) {
  const Form& f = form(instruction);
  for (unsigned i = 0; i < f.operand_count; ++i) {
    if (f.operands[i].kind == kind) return static_cast<uint32_t>(instruction.operands[i].value);
  }
  return 0;
}

class Packer {
 public:
  explicit Packer(TextureOperands& out) : out_(out) {}
  void a(TextureValue value) { out_.a[out_.a_count++] = value; }
  void b(TextureValue value) { out_.b[out_.b_count++] = value; }

  /// [layer] x [y] [z]
  void coordinates(TextureDim dim, bool lod_clamp) {
    // The LOD clamp shares the layer's register, which exists for the clamp even without a layer.
    if (is_array(dim) || lod_clamp) a(lod_clamp ? layer_clamp : layer);
    axes(dim);
  }
  void axes(TextureDim dim) {
    a(x);
    const unsigned count = axis_count(dim);
    if (count > 1) a(y);
    if (count > 2) a(z);
  }

  static bool is_array(TextureDim dim) { return (static_cast<unsigned>(dim) & 1) != 0; }
  static unsigned axis_count(TextureDim dim) {
    constexpr uint8_t kAxes[] = {1, 2, 3, 3};
    return kAxes[static_cast<unsigned>(dim) >> 1];
  }

 private:
  TextureOperands& out_;
};

void pack_long(const Instruction& instruction, Opcode op, TextureOperands& out) {
  const Fields fields(instruction);
  const TextureDim dim = static_cast<TextureDim>(word_of(instruction, SlotKind::texture_dim));
  Packer pack(out);
  switch (op) {
    case Opcode::tex:
    case Opcode::tex_b: {
      pack.coordinates(dim, fields.has(Modifier::lc));
      if (op == Opcode::tex_b) pack.b(handle);
      const LodMode mode = fields.lod_mode();
      if (mode == LodMode::lb || mode == LodMode::lba) pack.b(bias);
      if (mode == LodMode::ll || mode == LodMode::lla) pack.b(lod);
      if (fields.has(Modifier::aoffi)) pack.b(offset);
      if (fields.has(Modifier::dc)) pack.b(reference);
      break;
    }
    case Opcode::tld:
    case Opcode::tld_b:
      pack.coordinates(dim, false);
      if (op == Opcode::tld_b) pack.b(handle);
      if (fields.has(Modifier::fetch_lod)) pack.b(lod);
      if (fields.has(Modifier::aoffi)) pack.b(offset);
      if (fields.has(Modifier::ms)) pack.b(sample);
      break;
    case Opcode::tld4:
    case Opcode::tld4_b: {
      pack.coordinates(dim, false);
      if (op == Opcode::tld4_b) pack.b(handle);
      const auto mode = static_cast<GatherOffset>(get_modifier(instruction, Modifier::gather_offset));
      if (mode == GatherOffset::aoffi) pack.b(offset);
      if (mode == GatherOffset::ptp) {
        pack.b(offsets_low);
        pack.b(offsets_high);
      }
      if (fields.has(Modifier::dc)) pack.b(reference);
      break;
    }
    case Opcode::txd:
    case Opcode::txd_b:
      if (op == Opcode::txd_b) pack.a(handle);
      pack.axes(dim);
      if (Packer::is_array(dim) || fields.has(Modifier::aoffi)) pack.a(layer_offset);
      pack.b(dx_dx);
      pack.b(dx_dy);
      if (Packer::axis_count(dim) > 1) {
        pack.b(dy_dx);
        pack.b(dy_dy);
      }
      break;
    case Opcode::tmml:
    case Opcode::tmml_b:
      pack.coordinates(dim, false);
      if (op == Opcode::tmml_b) pack.b(handle);
      break;
    default:  // TXQ
      if (op == Opcode::txq_b) pack.a(handle);
      pack.a(mip);
      break;
  }
  const Form& f = form(instruction);
  out.mask = static_cast<uint8_t>(instruction.operands[f.operand_count - 1].value & 15);
  out.low_count = static_cast<uint8_t>(std::popcount(out.mask));
}

void pack_row(const ScalarForm& row, TextureOperands& out) {
  Packer pack(out);
  for (const TextureValue value : row.a) {
    if (value != none) pack.a(value);
  }
  for (const TextureValue value : row.b) {
    if (value != none) pack.b(value);
  }
}

/// Two components per register with f16 results, otherwise one; the first two components go to Rd0.
void scalar_results(TextureOperands& out) {
  const unsigned components = static_cast<unsigned>(std::popcount(out.mask));
  const unsigned low = components < 2 ? components : 2;
  const unsigned high = components - low;
  out.low_count = static_cast<uint8_t>(out.f16 ? (low + 1) / 2 : low);
  out.high_count = static_cast<uint8_t>(out.f16 ? (high + 1) / 2 : high);
}

void pack_tld4s(const Instruction& instruction, TextureOperands& out) {
  const bool aoffi = get_modifier(instruction, Modifier::aoffi) != 0;
  const bool dc = get_modifier(instruction, Modifier::dc) != 0;
  Packer pack(out);
  pack.a(x);
  if (aoffi || dc) {
    pack.a(y);
  } else {
    pack.b(y);
  }
  if (aoffi) pack.b(offset);
  if (dc) pack.b(reference);
  out.f16 = get_modifier(instruction, Modifier::f16_result) != 0;
  // There are always four results; RZ as Rd1 discards the second pair.
  out.mask = instruction.operands[0].reg == kRZ ? 3 : 15;
  scalar_results(out);
}

}  // namespace

bool texture_operands(const Instruction& instruction, TextureOperands& out) {
  out = {};
  const Opcode op = form(instruction).opcode;
  if (opcode_info(op).latency_class != LatencyClass::texture) return false;
  if (op == Opcode::tld4s) {
    pack_tld4s(instruction, out);
    return true;
  }
  if (op != Opcode::texs && op != Opcode::tlds) {
    pack_long(instruction, op, out);
    return true;
  }
  const bool is_texs = op == Opcode::texs;
  const ScalarForm* row =
      scalar_form(is_texs, get_modifier(instruction, is_texs ? Modifier::texs_form : Modifier::tlds_form));
  if (row == nullptr) return false;
  pack_row(*row, out);
  out.f16 = get_modifier(instruction, Modifier::f32_result) == static_cast<uint8_t>(F32Result::f16);
  out.mask =
      scalar_mask_bits(word_of(instruction, SlotKind::scalar_mask), instruction.operands[0].reg != kRZ);
  scalar_results(out);
  return true;
}

}  // namespace texlate::maxwell
