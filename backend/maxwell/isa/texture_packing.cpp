#include "backend/maxwell/isa/texture_packing.h"

#include <algorithm>
#include <bit>
#include <span>

#include "backend/maxwell/isa/table.h"
#include "backend/maxwell/isa/words.h"

namespace texlate::maxwell {
namespace {

Opcode long_opcode(const TextureRequest& r) {
  const auto either = [&](Opcode bound, Opcode bindless) { return r.bindless ? bindless : bound; };
  switch (r.operation) {
    case TextureOperation::sample: return either(Opcode::tex, Opcode::tex_b);
    case TextureOperation::fetch: return either(Opcode::tld, Opcode::tld_b);
    case TextureOperation::gather: return either(Opcode::tld4, Opcode::tld4_b);
    case TextureOperation::gradient: return either(Opcode::txd, Opcode::txd_b);
    case TextureOperation::query_lod: return either(Opcode::tmml, Opcode::tmml_b);
    case TextureOperation::query: return either(Opcode::txq, Opcode::txq_b);
  }
  return Opcode::tex;
}

LodMode lod_mode(TextureLod lod) {
  switch (lod) {
    case TextureLod::implicit: return LodMode::none;
    case TextureLod::zero: return LodMode::lz;
    case TextureLod::bias: return LodMode::lb;
    case TextureLod::explicit_: return LodMode::ll;
  }
  return LodMode::none;
}

void set_word(Instruction& instruction, SlotKind kind, int32_t value) {
  const Form& f = form(instruction);
  for (unsigned i = 0; i < f.operand_count; ++i) {
    if (f.operands[i].kind == kind) instruction.operands[i].value = value;
  }
}

/// Everything except the registers.
Instruction instruction_for(const TextureRequest& r, Opcode op) {
  Instruction i = make_instruction(op);
  set(i, Modifier::lod, lod_mode(r.lod));
  set(i, Modifier::fetch_lod, r.lod == TextureLod::explicit_ ? FetchLod::ll : FetchLod::lz);
  set(i, Modifier::aoffi, r.offset ? 1 : 0);
  set(i, Modifier::gather_offset, r.offset ? GatherOffset::aoffi : GatherOffset::none);
  set(i, Modifier::gather_component, r.component);
  set(i, Modifier::dc, r.compare ? 1 : 0);
  set(i, Modifier::ms, r.multisample ? 1 : 0);
  set(i, Modifier::f32_result, F32Result::f32);
  set_word(i, SlotKind::texture_dim, static_cast<int32_t>(r.dim));
  set_word(i, SlotKind::texture_query, static_cast<int32_t>(r.query));
  return i;
}

/// The operands as texture_operands() reads them from the instruction: their order is defined only once.
TexturePacking packing_of(const Instruction& instruction, bool is_short) {
  TexturePacking packing;
  texture_operands(instruction, packing);
  packing.instruction = instruction;
  int place = 0;
  for (unsigned component = 0; component < 4; ++component) {
    if ((packing.mask >> component & 1) == 0) continue;
    // Of short forms, two to a vector.
    packing.result[component] = static_cast<int8_t>(is_short ? place / 2 * 4 + place % 2 : place);
    ++place;
  }
  return packing;
}

bool row_matches(const ScalarForm& row, const TextureRequest& r) {
  return row.dim == r.dim && row.lz == (r.lod == TextureLod::zero) &&
         row.ll == (r.lod == TextureLod::explicit_) && row.compare == r.compare && row.offset == r.offset &&
         row.multisample == r.multisample;
}

/// The least mask of a short form that has the components; 0: none has.
uint8_t short_mask(const TextureRequest& r) {
  constexpr uint8_t kRgb = 7;
  // RB and GB have no code.
  if (r.operation != TextureOperation::gather) return scalar_mask_code(r.mask) > 7 ? kRgb : r.mask;
  // A gather writes RG or RGBA, which is too much for B or A alone.
  if (r.mask <= 3) return 3;
  return std::has_single_bit(r.mask) ? 0 : 15;
}

uint32_t low_bits(int value, unsigned bits) {
  return static_cast<uint32_t>(value) & ((1u << bits) - 1);
}

}  // namespace

TexturePacking pack_long(const TextureRequest& request) {
  Instruction instruction = instruction_for(request, long_opcode(request));
  instruction.operands[form(instruction).operand_count - 1u].value = request.mask;
  return packing_of(instruction, false);
}

std::optional<TexturePacking> pack_short(const TextureRequest& request) {
  if (request.bindless) return std::nullopt;
  Opcode op = Opcode::tld4s;
  const ScalarForm* row = nullptr;
  switch (request.operation) {
    case TextureOperation::gather:
      if (request.dim != TextureDim::_2d) return std::nullopt;
      break;
    case TextureOperation::sample:
    case TextureOperation::fetch: {
      const bool is_sample = request.operation == TextureOperation::sample;
      op = is_sample ? Opcode::texs : Opcode::tlds;
      const std::span<const ScalarForm> rows = is_sample ? std::span<const ScalarForm>(kTexs) : kTlds;
      const auto found =
          std::ranges::find_if(rows, [&](const ScalarForm& f) { return row_matches(f, request); });
      if (found == rows.end() || request.lod == TextureLod::bias) return std::nullopt;
      row = &*found;
      break;
    }
    case TextureOperation::gradient:
    case TextureOperation::query_lod:
    case TextureOperation::query: return std::nullopt;
  }
  const uint8_t mask = short_mask(request);
  if (mask == 0) return std::nullopt;
  Instruction instruction = instruction_for(request, op);
  if (row != nullptr) {
    set(instruction, op == Opcode::texs ? Modifier::texs_form : Modifier::tlds_form, row->form);
    set_word(instruction, SlotKind::scalar_mask, scalar_mask_code(mask));
  }
  // The mask's meaning depends on Rd1 being RZ: any other register will do.
  instruction.operands[0].reg = std::popcount(mask) > 2 ? 0 : kRZ;
  return packing_of(instruction, true);
}

Instruction make_texture(const TexturePacking& packing, const TextureRegisters& registers, uint32_t index) {
  Instruction i = packing.instruction;
  const Form& f = form(i);
  const auto vector = [](unsigned count, uint8_t first) { return count > 0 ? first : kRZ; };
  for (unsigned k = 0; k < f.operand_count; ++k) {
    Operand& operand = i.operands[k];
    switch (f.operands[k].span) {
      case Span::texture_result:
      case Span::scalar_result_low: operand.reg = registers.low; break;
      case Span::scalar_result_high: operand.reg = vector(packing.high_count, registers.high); break;
      case Span::texture_coordinates:
      case Span::scalar_first: operand.reg = vector(packing.a_count, registers.a); break;
      case Span::texture_extra:
      case Span::scalar_second: operand.reg = vector(packing.b_count, registers.b); break;
      default: break;
    }
    const bool is_index = f.operands[k].kind == SlotKind::unsigned_imm && f.operands[k].at == 36;
    if (is_index) operand.value = static_cast<int32_t>(index);
  }
  return i;
}

uint32_t pack_offsets(int x, int y, int z) {
  return low_bits(x, 4) | low_bits(y, 4) << 4 | low_bits(z, 4) << 8;
}

uint32_t pack_gather_offset(int x, int y) {
  return low_bits(x, 8) | low_bits(y, 8) << 8;
}

}  // namespace texlate::maxwell
