// The reverse of backend/maxwell/isa/texture_packing.h: what a texture instruction asks for.
#pragma once

#include "backend/maxwell/isa/table.h"
#include "backend/maxwell/isa/texture_operands.h"
#include "backend/maxwell/isa/texture_packing.h"
#include "backend/maxwell/isa/words.h"

namespace texlate::maxwell {

/// The short form if there is one, otherwise the long one.
inline TexturePacking pack_texture(const TextureRequest& request) {
  const std::optional<TexturePacking> result = pack_short(request);
  return result ? *result : pack_long(request);
}

/// The operation determines what the LOD field of a request may hold; everything else comes directly from the
/// modifiers.
inline bool describe_lod(const Instruction& i, TextureRequest& r) {
  if (r.operation == TextureOperation::fetch) {
    r.lod = get_modifier(i, Modifier::fetch_lod) != 0 ? TextureLod::explicit_ : TextureLod::zero;
    return true;
  }
  switch (static_cast<LodMode>(get_modifier(i, Modifier::lod))) {
    case LodMode::none: r.lod = TextureLod::implicit; return true;
    case LodMode::lz: r.lod = TextureLod::zero; return true;
    case LodMode::lb: r.lod = TextureLod::bias; return true;
    case LodMode::ll: r.lod = TextureLod::explicit_; return true;
    default: return false;  // LBA, LLA
  }
}

inline void describe_row(const ScalarForm& row, TextureRequest& r) {
  r.dim = row.dim;
  r.lod = row.lz ? TextureLod::zero : row.ll ? TextureLod::explicit_ : TextureLod::implicit;
  r.offset = row.offset;
  r.compare = row.compare;
  r.multisample = row.multisample;
}

inline bool describe_operation(Opcode op, TextureRequest& r) {
  switch (op) {
    case Opcode::tex:
    case Opcode::texs: r.operation = TextureOperation::sample; return true;
    case Opcode::tex_b: r.operation = TextureOperation::sample; break;
    case Opcode::tld:
    case Opcode::tlds: r.operation = TextureOperation::fetch; return true;
    case Opcode::tld_b: r.operation = TextureOperation::fetch; break;
    case Opcode::tld4:
    case Opcode::tld4s: r.operation = TextureOperation::gather; return true;
    case Opcode::tld4_b: r.operation = TextureOperation::gather; break;
    case Opcode::txd: r.operation = TextureOperation::gradient; return true;
    case Opcode::txd_b: r.operation = TextureOperation::gradient; break;
    case Opcode::tmml: r.operation = TextureOperation::query_lod; return true;
    case Opcode::tmml_b: r.operation = TextureOperation::query_lod; break;
    case Opcode::txq: r.operation = TextureOperation::query; return true;
    case Opcode::txq_b: r.operation = TextureOperation::query; break;
    default: return false;
  }
  r.bindless = true;
  return true;
}

/// The operand of that kind, if the instruction has one.
inline const Operand* find_operand(const Instruction& instruction, SlotKind kind) {
  const Form& f = form(instruction);
  for (unsigned i = 0; i < f.operand_count; ++i) {
    if (f.operands[i].kind == kind) return &instruction.operands[i];
  }
  return nullptr;
}

/// Returns false if it is not a texture instruction, or has something that cannot be requested.
inline bool describe_texture(const Instruction& i, TextureRequest& request) {
  request = {};
  const Opcode op = form(i).opcode;
  if (!describe_operation(op, request)) return false;
  TextureOperands operands;
  if (!texture_operands(i, operands) || operands.f16) return false;
  for (const Modifier modifier : {Modifier::lc, Modifier::cl, Modifier::ndv})
    if (get_modifier(i, modifier) != 0) return false;
  request.mask = operands.mask;
  request.component = static_cast<GatherComponent>(get_modifier(i, Modifier::gather_component));
  if (const Operand* query = find_operand(i, SlotKind::texture_query))
    request.query = static_cast<TextureQuery>(query->value);
  if (op == Opcode::texs || op == Opcode::tlds) {
    const ScalarForm* row = scalar_form(
        op == Opcode::texs, get_modifier(i, op == Opcode::texs ? Modifier::texs_form : Modifier::tlds_form));
    if (row == nullptr) return false;
    describe_row(*row, request);
    return true;
  }
  if (!describe_lod(i, request)) return false;
  if (const Operand* dim = find_operand(i, SlotKind::texture_dim))
    request.dim = static_cast<TextureDim>(dim->value);
  request.compare = get_modifier(i, Modifier::dc) != 0;
  request.multisample = get_modifier(i, Modifier::ms) != 0;
  const uint8_t gather_offset = get_modifier(i, Modifier::gather_offset);
  request.offset = get_modifier(i, Modifier::aoffi) != 0 || gather_offset != 0;
  return gather_offset != static_cast<uint8_t>(GatherOffset::ptp);
}

}  // namespace texlate::maxwell
