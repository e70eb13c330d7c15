#include "backend/maxwell/isa/texture_packing.h"

#include <algorithm>
#include <bit>

#include "backend/maxwell/isa/table.h"
#include "backend/maxwell/isa/texture_operands.h"
#include "backend/maxwell/isa/words.h"

namespace texlate::maxwell {
namespace {

constexpr std::string_view kTextureRuleTexts[] = {
#define RULE(name, text) text,
#include "backend/maxwell/isa/texture_rules.inc"
#undef RULE
};

TextureDim without_array(TextureDim dim) {
  return static_cast<TextureDim>(static_cast<unsigned>(dim) & ~1u);
}

TextureRule check_sample(const TextureRequest& r) {
  if (r.compare && without_array(r.dim) == TextureDim::_3d) return TextureRule::compare_3d;
  return TextureRule::none;
}

TextureRule check_fetch(const TextureRequest& r) {
  if (without_array(r.dim) == TextureDim::cube) return TextureRule::fetch_cube;
  if (r.compare) return TextureRule::fetch_compare;
  if (r.lod != TextureLod::zero && r.lod != TextureLod::explicit_) return TextureRule::fetch_without_lod;
  if (r.non_divergent) return TextureRule::ndv_not_here;
  if (!r.multisample) return TextureRule::none;
  if (without_array(r.dim) != TextureDim::_2d) return TextureRule::multisample_dim;
  return r.lod != TextureLod::zero ? TextureRule::multisample_lod : TextureRule::none;
}

TextureRule check_gather(const TextureRequest& r) {
  const TextureDim dim = without_array(r.dim);
  if (dim != TextureDim::_2d && dim != TextureDim::cube) return TextureRule::gather_dim;
  return r.lod != TextureLod::implicit ? TextureRule::gather_lod : TextureRule::none;
}

TextureRule check_gradient(const TextureRequest& r) {
  const TextureDim dim = without_array(r.dim);
  if (dim != TextureDim::_1d && dim != TextureDim::_2d) return TextureRule::gradient_dim;
  if (r.compare) return TextureRule::gradient_compare;
  if (r.lod != TextureLod::implicit) return TextureRule::gradient_lod;
  return r.non_divergent ? TextureRule::ndv_not_here : TextureRule::none;
}

TextureRule check_query(const TextureRequest& r) {
  if (r.lod != TextureLod::implicit || r.offset != TextureOffset::none || r.compare)
    return TextureRule::query_plain;
  return r.operation == TextureOperation::query && r.non_divergent ? TextureRule::ndv_not_here
                                                                   : TextureRule::none;
}

TextureRule check_operation(const TextureRequest& r) {
  switch (r.operation) {
    case TextureOperation::sample: return check_sample(r);
    case TextureOperation::fetch: return check_fetch(r);
    case TextureOperation::gather: return check_gather(r);
    case TextureOperation::gradient: return check_gradient(r);
    case TextureOperation::query_lod:
    case TextureOperation::query: return check_query(r);
  }
  return TextureRule::none;
}

Opcode long_opcode(const TextureRequest& r) {
  switch (r.operation) {
    case TextureOperation::sample: return r.bindless ? Opcode::tex_b : Opcode::tex;
    case TextureOperation::fetch: return r.bindless ? Opcode::tld_b : Opcode::tld;
    case TextureOperation::gather: return r.bindless ? Opcode::tld4_b : Opcode::tld4;
    case TextureOperation::gradient: return r.bindless ? Opcode::txd_b : Opcode::txd;
    case TextureOperation::query_lod: return r.bindless ? Opcode::tmml_b : Opcode::tmml;
    case TextureOperation::query: return r.bindless ? Opcode::txq_b : Opcode::txq;
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

bool is_short(Opcode op) {
  return op == Opcode::texs || op == Opcode::tlds || op == Opcode::tld4s;
}

void set_word(Instruction& instruction, SlotKind kind, int32_t value) {
  const Form& f = form(instruction);
  for (unsigned i = 0; i < f.operand_count; ++i) {
    if (f.operands[i].kind == kind) instruction.operands[i].value = value;
  }
}

/// Everything except the registers. A short form's mask depends on Rd1 being RZ: any other register will do.
Instruction instruction_for(const TextureRequest& r, Opcode op, uint8_t short_form, bool second_result) {
  Instruction i = make_instruction(op);
  set(i, Modifier::lod, lod_mode(r.lod));
  set(i, Modifier::fetch_lod, r.lod == TextureLod::explicit_ ? FetchLod::ll : FetchLod::lz);
  set(i, Modifier::aoffi, r.offset == TextureOffset::one ? 1 : 0);
  set(i, Modifier::gather_offset, static_cast<uint8_t>(r.offset));
  set(i, Modifier::gather_component, r.component);
  set(i, Modifier::dc, r.compare ? 1 : 0);
  set(i, Modifier::ms, r.multisample ? 1 : 0);
  set(i, Modifier::ndv, r.non_divergent ? 1 : 0);
  set(i, Modifier::f32_result, r.f16_results ? F32Result::f16 : F32Result::f32);
  set(i, Modifier::f16_result, r.f16_results ? 1 : 0);
  set(i, Modifier::texs_form, short_form);
  set(i, Modifier::tlds_form, short_form);
  set_word(i, SlotKind::texture_dim, static_cast<int32_t>(r.dim));
  set_word(i, SlotKind::texture_query, static_cast<int32_t>(r.query));
  set_word(i, SlotKind::scalar_mask, scalar_mask_code(r.mask));
  if (is_short(op)) {
    i.operands[0].reg = second_result ? 0 : kRZ;
  } else {
    i.operands[form(i).operand_count - 1u].value = r.mask;
  }
  return i;
}

/// The operands as texture_operands() reads them from the instruction: their order is defined only once.
TexturePacking packing_of(const Instruction& instruction, Opcode op, uint8_t short_form) {
  TexturePacking packing;
  texture_operands(instruction, packing);
  packing.opcode = op;
  packing.form = short_form;
  packing.is_short = is_short(op);
  unsigned place = 0;
  for (unsigned component = 0; component < 4; ++component) {
    if ((packing.mask >> component & 1) == 0) continue;
    const unsigned k = place++;
    unsigned reg = k;
    unsigned half = 0;
    if (packing.is_short) {
      reg = packing.f16 ? (k / 2) * 4 : (k / 2) * 4 + k % 2;
      half = packing.f16 ? k % 2 : 0;
    }
    packing.result[component] = static_cast<int8_t>(reg * 2 + half);
  }
  return packing;
}

bool row_matches(const ScalarForm& row, const TextureRequest& r) {
  return row.dim == r.dim && row.lz == (r.lod == TextureLod::zero) &&
         row.ll == (r.lod == TextureLod::explicit_) && row.compare == r.compare &&
         row.offset == (r.offset == TextureOffset::one) && row.multisample == r.multisample;
}

template <size_t count>
const ScalarForm* find_row(const ScalarForm (&rows)[count], const TextureRequest& r) {
  const auto row =
      std::find_if(std::begin(rows), std::end(rows), [&](const ScalarForm& f) { return row_matches(f, r); });
  return row == std::end(rows) ? nullptr : row;
}

bool is_short_operation(TextureOperation operation) {
  return operation == TextureOperation::sample || operation == TextureOperation::fetch ||
         operation == TextureOperation::gather;
}

bool fits(int value, unsigned bits) {
  return value >= -(1 << (bits - 1)) && value < 1 << (bits - 1);
}
uint32_t low_bits(int value, unsigned bits) {
  return static_cast<uint32_t>(value) & ((1u << bits) - 1);
}

}  // namespace

std::string_view texture_rule_text(TextureRule rule) {
  return kTextureRuleTexts[static_cast<size_t>(rule)];
}

TextureRule check_request(const TextureRequest& r) {
  if (r.mask == 0) return TextureRule::mask_empty;
  if (r.mask > 15) return TextureRule::mask_above_rgba;
  if (r.dim == TextureDim::array_3d && r.operation != TextureOperation::query)
    return TextureRule::no_3d_array;
  if (r.lod_clamp) return TextureRule::lod_clamp_unsettled;
  if (r.component != GatherComponent::r && r.operation != TextureOperation::gather)
    return TextureRule::component_not_gather;
  if (r.multisample && r.operation != TextureOperation::fetch) return TextureRule::multisample_fetch;
  if (r.offset == TextureOffset::four && r.operation != TextureOperation::gather)
    return TextureRule::four_offsets_gather;
  const bool is_query = r.operation == TextureOperation::query || r.operation == TextureOperation::query_lod;
  if (!is_query && r.offset != TextureOffset::none && without_array(r.dim) == TextureDim::cube)
    return TextureRule::offset_cube;
  return check_operation(r);
}

TexturePackingResult pack_long(const TextureRequest& request) {
  const TextureRule rule = check_request(request);
  if (rule != TextureRule::none) return {{}, rule};
  if (request.f16_results) return {{}, TextureRule::f16_long};
  const Opcode op = long_opcode(request);
  return {packing_of(instruction_for(request, op, 0, false), op, 0), TextureRule::none};
}

TexturePackingResult pack_short(const TextureRequest& request) {
  const TextureRule rule = check_request(request);
  if (rule != TextureRule::none) return {{}, rule};
  if (!is_short_operation(request.operation)) return {{}, TextureRule::short_operation};
  if (request.bindless) return {{}, TextureRule::short_bindless};
  if (request.non_divergent) return {{}, TextureRule::short_non_divergent};
  const bool second = std::popcount(request.mask) > 2;
  if (request.operation == TextureOperation::gather) {
    if (request.dim != TextureDim::_2d) return {{}, TextureRule::short_combination};
    if (request.offset == TextureOffset::four) return {{}, TextureRule::short_offset};
    if (request.mask != 3 && request.mask != 15) return {{}, TextureRule::short_gather_mask};
    return {packing_of(instruction_for(request, Opcode::tld4s, 0, second), Opcode::tld4s, 0),
            TextureRule::none};
  }
  const bool sample = request.operation == TextureOperation::sample;
  if (sample && request.offset != TextureOffset::none) return {{}, TextureRule::short_offset};
  const ScalarForm* row = sample ? find_row(kTexs, request) : find_row(kTlds, request);
  if (row == nullptr || request.lod == TextureLod::bias) return {{}, TextureRule::short_combination};
  if (scalar_mask_code(request.mask) > 7) return {{}, TextureRule::short_mask};
  const Opcode op = sample ? Opcode::texs : Opcode::tlds;
  return {packing_of(instruction_for(request, op, row->form, second), op, row->form), TextureRule::none};
}

Instruction make_texture(const TextureRequest& request, const TexturePacking& packing,
                         const TextureRegisters& registers) {
  Instruction i = instruction_for(request, packing.opcode, packing.form, packing.high_count > 0);
  const Form& f = form(i);
  for (unsigned k = 0; k < f.operand_count; ++k) {
    switch (f.operands[k].span) {
      case Span::texture_result:
      case Span::scalar_result_low: i.operands[k].reg = registers.low; break;
      case Span::scalar_result_high: i.operands[k].reg = packing.high_count > 0 ? registers.high : kRZ; break;
      case Span::texture_coordinates:
      case Span::scalar_first: i.operands[k].reg = registers.a; break;
      case Span::texture_extra:
      case Span::scalar_second: i.operands[k].reg = packing.b_count > 0 ? registers.b : kRZ; break;
      default: break;
    }
    const bool index_slot = f.operands[k].kind == SlotKind::unsigned_imm && f.operands[k].at == 36;
    if (index_slot) i.operands[k].value = registers.index;
  }
  return i;
}

bool pack_offsets(int x, int y, int z, uint32_t& out) {
  out = low_bits(x, 4) | low_bits(y, 4) << 4 | low_bits(z, 4) << 8;
  return fits(x, 4) && fits(y, 4) && fits(z, 4);
}

bool pack_gather_offset(int x, int y, uint32_t& out) {
  out = low_bits(x, 8) | low_bits(y, 8) << 8;
  return fits(x, 6) && fits(y, 6);
}

bool pack_gradient_layer(uint16_t layer, int x, int y, uint32_t& out) {
  out = layer | low_bits(x, 4) << 16 | low_bits(y, 4) << 20;
  return fits(x, 4) && fits(y, 4);
}

}  // namespace texlate::maxwell
