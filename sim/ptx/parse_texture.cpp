// Operands of tex, tld4, txq and of the surface instructions (PTX ISA 9.7.10, 9.7.11). Forms that ptxas
// accepts but miscompiles (docs/reference/ptx.md 1.2) are errors here.
#include <algorithm>

#include "sim/ptx/parser.h"
#include "sim/ptx/texture_geometry.h"

namespace texlate::sim::ptx {

// {a, b, c, d}, a vector register, or one bare register for a single coordinate.
bool Parser::parse_coordinates(std::array<uint32_t, 4>& list, Type type, int least) {
  const Token start = peek();
  int count = 0;
  if (accept('{')) {
    do {
      if (count == 4) break;
      if (!source(list[count], type)) return false;
      ++count;
    } while (accept(','));
    if (!expect('}')) return false;
  } else if (const Symbol* vector = vector_register(start)) {
    next();
    count = static_cast<int>(vector->count);
    for (int c = 0; c < count; ++c) list[c] = vector->index + static_cast<uint32_t>(c);
  } else {
    if (!source(list[0], type)) return false;
    count = 1;
  }
  if (count < least || count == 3) {
    diagnostics_.error(start.location(), "a vector of {} does not match the geometry", count);
    return false;
  }
  return true;
}

bool Parser::parse_texture(Instruction& instruction) {
  const Token start = peek();
  const Geometry geometry = geometry_of(instruction);
  if (geometry == Geometry::none || instruction.type == Type::none || instruction.type2 == Type::none) {
    diagnostics_.error(start.location(), "a texture instruction needs a geometry and two types");
    return false;
  }
  const bool halves = instruction.type == Type::f16 || instruction.type == Type::f16x2;
  const bool words =
      instruction.type == Type::u32 || instruction.type == Type::s32 || instruction.type == Type::f32;
  if (!words && (!halves || instruction.opcode == Opcode::tld4)) {
    diagnostics_.error(start.location(),
                       "texture results are .u32, .s32 or .f32; those of tex may also be .f16 or .f16x2");
    return false;
  }
  const int results = instruction.type == Type::f16x2 ? 2 : 4;
  if (instruction.vector != results) {
    diagnostics_.error(start.location(),
                       "texture results are vectors of four; those of .f16x2 are vectors of two");
    return false;
  }
  if (!parse_vector(instruction, true, results)) return false;
  TexOperands operands;
  if (accept('|') && !destination(operands.resident, true)) return false;
  const bool gather = instruction.opcode == Opcode::tld4;
  const GeometryInfo& info = geometry_info(geometry);
  const bool integer = instruction.type2 == Type::s32;
  if ((!integer && instruction.type2 != Type::f32) || (integer && (info.cube || gather)) ||
      (!integer && info.multisampled) || (gather && info.axes != 2)) {
    diagnostics_.error(start.location(), "these coordinates do not match the geometry");
    return false;
  }
  // [texture, coordinates]; in independent mode [texture, sampler, coordinates].
  if (!expect(',') || !expect('[') || !handle_operand(operands.handle, OpaqueKind::texture) || !expect(','))
    return false;
  if (module_->independent && (!handle_operand(operands.sampler, OpaqueKind::sampler) || !expect(',')))
    return false;
  if (!parse_coordinates(operands.coordinate, instruction.type2, info.coordinates)) return false;
  if (peek().is(',')) {
    diagnostics_.error(peek().location(), "a separate sampler needs .target texmode_independent");
    return false;
  }
  if (!expect(']') || !parse_texture_tail(instruction, operands)) return false;
  instruction.target = static_cast<uint32_t>(module_->tex_operands.size());
  module_->tex_operands.push_back(operands);
  return true;
}

// [, lod | , dPdx, dPdy] [, {offsets}] [, compare].
bool Parser::parse_texture_tail(Instruction& instruction, TexOperands& operands) {
  const GeometryInfo& info = geometry_info(geometry_of(instruction));
  if (instruction.has(Mod::level) && (!expect(',') || !source(operands.level, instruction.type2)))
    return false;
  const int gradients = info.axes == 1 ? 1 : info.axes == 2 && !info.cube ? 2 : 4;
  if (instruction.has(Mod::grad) &&
      (!expect(',') || !parse_coordinates(operands.ddx, Type::f32, gradients) || !expect(',') ||
       !parse_coordinates(operands.ddy, Type::f32, gradients))) {
    return false;
  }
  if (info.multisampled && (instruction.has(Mod::level) || instruction.has(Mod::grad))) {
    diagnostics_.error(peek().location(), "multi-sample textures have no levels");
    return false;
  }
  if (peek().is(',') && peek(1).is('{')) {
    next();
    if (info.cube) {
      diagnostics_.error(peek().location(), "cubes cannot have an offset");
      return false;
    }
    if (!parse_coordinates(operands.offset, Type::s32, info.axes == 3 ? 4 : info.axes)) return false;
  }
  if (accept(',')) {
    const Token at = peek();
    if (!source(operands.reference, Type::f32)) return false;
    // An integer here is an offset without braces, which ptxas silently drops.
    const bool offset = at.kind == TokenKind::integer || at.is('-');
    if (instruction.type2 == Type::s32 || info.axes == 3 || offset) {
      diagnostics_.error(at.location(), "this form has no depth comparison; an offset must be in braces");
      return false;
    }
  }
  return true;
}

// suld: vec, [surface, {x, y, z, pad}];  sust: [surface, coordinates], vec;  sured: [surface, coordinates],
// value.
bool Parser::parse_surface(Instruction& instruction, bool store) {
  const Token start = peek();
  const Geometry geometry = geometry_of(instruction);
  const GeometryInfo& info = geometry_info(geometry);
  if (geometry == Geometry::none || info.cube || info.multisampled) {
    diagnostics_.error(start.location(), "a surface instruction needs a geometry of 1d, 2d, 3d, a1d, a2d");
    return false;
  }
  if (!instruction.has(Mod::trap) && !instruction.has(Mod::clamp) && !instruction.has(Mod::zero)) {
    diagnostics_.error(start.location(), "a clamp modifier is required (.trap, .clamp, .zero)");
    return false;
  }
  if (!store && (!parse_vector(instruction, true, instruction.vector) || !expect(','))) return false;
  TexOperands operands;
  if (!expect('[') || !handle_operand(operands.handle, OpaqueKind::surface) || !expect(',') ||
      !parse_coordinates(operands.coordinate, Type::s32, info.coordinates) || !expect(']')) {
    return false;
  }
  if (store && (!expect(',') || !parse_vector(instruction, false, instruction.vector))) return false;
  instruction.target = static_cast<uint32_t>(module_->tex_operands.size());
  module_->tex_operands.push_back(operands);
  return true;
}

// txq.query.b32 d, [handle];  txq.level.query.b32 d, [handle], lod (PTX ISA 9.7.10.5, 9.7.11.4).
bool Parser::parse_query(Instruction& instruction) {
  const Token start = peek();
  TexOperands operands;
  constexpr Mod kOfLevels[] = {Mod::width, Mod::height, Mod::depth};
  constexpr Mod kOfTextures[] = {Mod::array_size,        Mod::num_samples,   Mod::num_mipmap_levels,
                                 Mod::channel_data_type, Mod::channel_order, Mod::memory_layout,
                                 Mod::normalized_coords};
  constexpr Mod kOfSamplers[] = {Mod::force_unnormalized_coords, Mod::filter_mode, Mod::addr_mode_0,
                                 Mod::addr_mode_1, Mod::addr_mode_2};
  const auto asked = [&](std::span<const Mod> queries) {
    return std::count_if(queries.begin(), queries.end(), [&](Mod query) { return instruction.has(query); });
  };
  const bool of_sampler = asked(kOfSamplers) != 0;
  if (asked(kOfLevels) + asked(kOfTextures) + asked(kOfSamplers) != 1) {
    diagnostics_.error(start.location(), "a query must ask for exactly one property");
    return false;
  }
  if (instruction.has(Mod::level) && asked(kOfLevels) == 0) {
    diagnostics_.error(start.location(), ".level can only query a width, height or depth");
    return false;
  }
  if (instruction.has(Mod::force_unnormalized_coords) && !module_->independent) {
    diagnostics_.error(start.location(),
                       "only a .samplerref, which needs texmode_independent, has this field");
    return false;
  }
  // In unified mode the sampler's fields belong to the texture.
  const OpaqueKind kind = instruction.opcode == Opcode::suq    ? OpaqueKind::surface
                          : of_sampler && module_->independent ? OpaqueKind::sampler
                                                               : OpaqueKind::texture;
  uint32_t& handle = kind == OpaqueKind::sampler ? operands.sampler : operands.handle;
  if (!destination(instruction.dst[0], false) || !expect(',') || !expect('[') ||
      !handle_operand(handle, kind) || !expect(']')) {
    return false;
  }
  if (instruction.has(Mod::level) && (!expect(',') || !source(operands.level, Type::s32))) return false;
  instruction.target = static_cast<uint32_t>(module_->tex_operands.size());
  module_->tex_operands.push_back(operands);
  return true;
}

}  // namespace texlate::sim::ptx
