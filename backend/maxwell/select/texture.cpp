// Texture instructions. The request goes to the packing layer, which has every short and long form; the code
// here puts the operands into the order that it returns.
//
// A handle is the low word of the launch ABI's 64-bit texture object. It is in the parameter block, constant
// bank 0, so its word index can be in the instruction. A handle that depends on a run-time index is loaded
// and passed in a register (.B).

#include <algorithm>
#include <bit>

#include "backend/maxwell/select/families.h"

namespace texlate::maxwell::select {

namespace {

using ir::LodRule;

/// The first target whose texture unit reports residency (docs/maxwell.md, "Residency").
constexpr uint32_t kLeastTargetOfResidency = 52;

/// The texel that a direction points at: a point sample of the view's own object.
bool is_by_direction(const ir::Instruction& instruction, const ir::ResourceAccess& contract) {
  return instruction.op == Op::tex_fetch && ir::is_cube(contract.dimension);
}

}  // namespace

std::optional<TextureDim> texture_dim(Dimension dimension) {
  switch (dimension) {
    case Dimension::buffer:
    case Dimension::texture1d: return TextureDim::_1d;
    case Dimension::texture1d_array: return TextureDim::array_1d;
    case Dimension::texture2d:
    case Dimension::texture2d_ms: return TextureDim::_2d;
    case Dimension::texture2d_array:
    case Dimension::texture2d_ms_array: return TextureDim::array_2d;
    case Dimension::texture3d: return TextureDim::_3d;
    case Dimension::texture_cube: return TextureDim::cube;
    case Dimension::texture_cube_array: return TextureDim::array_cube;
    case Dimension::raw_buffer:
    case Dimension::structured_buffer: break;
  }
  return std::nullopt;
}

/// The request of the access, without its mask. Returns false if it is not legal on this target.
bool Textures::make_request(const ir::Instruction& instruction, TextureRequest& request) const {
  const ir::ResourceAccess& contract = access(instruction);
  const std::optional<TextureDim> dim = texture_dim(contract.dimension);
  if (!dim || contract.has(Slot::lod_clamp)) return false;
  request.dim = *dim;
  const bool fetch = instruction.op == Op::tex_fetch && !is_by_direction(instruction, contract);
  request.operation = fetch                               ? TextureOperation::fetch
                      : instruction.op == Op::tex_gather  ? TextureOperation::gather
                      : contract.lod == LodRule::gradient ? TextureOperation::gradient
                                                          : TextureOperation::sample;
  request.compare = contract.compare;
  request.multisample = contract.has(Slot::sample);
  if (instruction.op == Op::tex_gather)
    request.component = static_cast<GatherComponent>(contract.gather_component);
  request.offset = contract.has_offset || contract.has(Slot::offset0);
  switch (contract.lod) {
    case LodRule::none:
      request.lod = instruction.op == Op::tex_fetch ? TextureLod::zero : TextureLod::implicit;
      break;
    case LodRule::implicit:
    case LodRule::gradient: request.lod = TextureLod::implicit; break;
    case LodRule::bias: request.lod = TextureLod::bias; break;
    case LodRule::zero: request.lod = TextureLod::zero; break;
    case LodRule::level: {
      const Value level = slot(instruction, Slot::lod);
      // -0 is also level 0.
      const bool zero =
          module_.is_constant(level) && (module_.constant_bits(level) & (fetch ? ~0u : 0x7fffffffu)) == 0;
      request.lod = zero ? TextureLod::zero : TextureLod::explicit_;
      break;
    }
  }
  return true;
}

void Textures::select(const ir::Instruction& instruction) {
  switch (instruction.op) {
    case Op::tex_fetch:
    case Op::tex_sample:
    case Op::tex_gather: return select_texel_access(instruction);
    case Op::mapped: {
      const Source status = Source::of(reg(operand(instruction, 0)));
      return define(instruction.first_result,
                    compare_words(status, IntegerCompare::eq, Source::immediate(ir::kAllMapped)));
    }
    case Op::tex_lod:
    case Op::tex_size:
    case Op::tex_samples:
    case Op::sample_position: return host_.select_query(instruction);
#define IR_COVERED_texture
#include "ir/op_cases.inc"
      return;  // of another family
  }
}

void Textures::select_texel_access(const ir::Instruction& instruction) {
  const ir::ResourceAccess& contract = access(instruction);
  if (contract.compare && instruction.op == Op::tex_sample && host_.select_comparison(instruction)) return;
  if (contract.compare && contract.lod == LodRule::gradient)
    return refuse(instruction, "a comparison with explicit derivatives");
  TextureRequest request;
  if (!make_request(instruction, request)) return refuse(instruction, "an access that is not legalized");
  const uint32_t mask = used_words(instruction, 4);
  const bool asks_status = wants_status(instruction);
  if (mask == 0 && !asks_status) return;
  if (asks_status && options_.sm < kLeastTargetOfResidency)
    return refuse(instruction, "residency feedback before sm_52");
  request.mask = static_cast<uint8_t>(mask == 0 ? 1 : mask);
  const Predicate guard = guard_of(instruction);
  if (guard.is_false()) return define_fallbacks(instruction);
  const Field handle =
      instruction.op == Op::tex_fetch ? host_.resource_record(instruction) : host_.pair_record(instruction);
  request.bindless = !handle.is_constant();
  if (prefers_sums(instruction)) request.offset = false;
  // Only the long forms report residency.
  const std::optional<TexturePacking> packed = asks_status ? std::nullopt : pack_short(request);
  emit_texel_access(instruction, request, packed ? *packed : pack_long(request), handle, guard);
}

/// Mips are integers; TEX takes a float.
MachineValue Textures::float_level(const ir::Instruction& instruction) {
  const Source level = word(slot(instruction, Slot::lod));
  if (level.is_immediate())
    return assembler_.immediate(std::bit_cast<uint32_t>(static_cast<float>(level.bits)));
  return emit_word({Opcode::i2f,
                    {Arg(), level},
                    {{Modifier::float_type, FloatType::f32}, {Modifier::source_sign_32, SourceSign32::u32}}});
}

/// The register of one packed operand.
MachineValue Textures::texture_operand(const ir::Instruction& instruction, const TextureRequest& request,
                                       TextureValue value, const std::array<MachineValue, 3>& coordinates,
                                       MachineValue handle) {
  const ir::ResourceAccess& contract = access(instruction);
  const auto& offset = contract.offset;
  switch (value) {
    case TextureValue::handle: return handle;
    case TextureValue::x: return coordinates[0];
    case TextureValue::y: return coordinates[1];
    case TextureValue::z: return coordinates[2];
    case TextureValue::layer: return layer_operand(instruction);
    case TextureValue::lod:
      if (is_by_direction(instruction, contract)) return float_level(instruction);
      return reg(slot(instruction, Slot::lod));
    case TextureValue::bias: return reg(slot(instruction, Slot::lod));
    case TextureValue::reference: return reg(slot(instruction, Slot::reference));
    case TextureValue::sample: return reg(slot(instruction, Slot::sample));
    case TextureValue::offset:
      if (!contract.has_offset) return run_time_offset(instruction);
      return assembler_.immediate(request.operation == TextureOperation::gather
                                      ? pack_gather_offset(offset[0], offset[1])
                                      : pack_offsets(offset[0], offset[1], offset[2]));
    case TextureValue::layer_offset: return layer_and_offset(instruction);
    case TextureValue::dx_dx: return reg(slot(instruction, Slot::ddx0));
    case TextureValue::dx_dy: return reg(slot(instruction, Slot::ddy0));
    case TextureValue::dy_dx: return reg(slot(instruction, Slot::ddx1));
    case TextureValue::dy_dy: return reg(slot(instruction, Slot::ddy1));
    case TextureValue::none:
    case TextureValue::layer_clamp:
    case TextureValue::offsets_low:
    case TextureValue::offsets_high:
    case TextureValue::mip: break;
  }
  return kNone;
}

void Textures::find_offset_uses() {
  knows_offset_uses_ = true;
  for (const ir::Instruction& instruction : module_.code) {
    if (instruction.op != Op::tex_fetch) continue;
    const ir::ResourceAccess& contract = access(instruction);
    if (!contract.has_offset || contract.dimension != Dimension::texture2d) continue;
    const Value x = slot(instruction, Slot::coordinate0), y = slot(instruction, Slot::coordinate0 + 1);
    auto found = std::find_if(offset_uses_.begin(), offset_uses_.end(),
                              [&](const OffsetUses& uses) { return uses.x == x && uses.y == y; });
    if (found == offset_uses_.end()) found = offset_uses_.insert(found, OffsetUses{x, y});
    const uint32_t along_x = static_cast<uint32_t>(contract.offset[0] + 8);
    const uint32_t along_y = static_cast<uint32_t>(contract.offset[1] + 8);
    found->along_x |= 1u << along_x;
    found->along_y |= 1u << along_y;
    found->pairs[along_y / 2] |= 1u << (along_x + 16 * (along_y % 2));
  }
}

/// A fetch with an offset requires x and y in a pair and the offset in a register; one without takes x and y
/// from any registers. Sums along an axis serve several fetches, so there are often fewer sums than offsets.
bool Textures::prefers_sums(const ir::Instruction& instruction) {
  const ir::ResourceAccess& contract = access(instruction);
  if (instruction.op != Op::tex_fetch || !contract.has_offset || contract.dimension != Dimension::texture2d)
    return false;
  if (!knows_offset_uses_) find_offset_uses();
  constexpr uint32_t kNoOffset = 1u << 8;
  for (const OffsetUses& uses : offset_uses_) {
    if (uses.x != slot(instruction, Slot::coordinate0) || uses.y != slot(instruction, Slot::coordinate0 + 1))
      continue;
    int pairs = 0;
    for (const uint32_t word : uses.pairs) pairs += std::popcount(word);
    return std::popcount(uses.along_x & ~kNoOffset) + std::popcount(uses.along_y & ~kNoOffset) <= pairs;
  }
  return false;
}

/// Modulo 2^32, as Direct3D adds offsets (docs/reference/direct3d.md 1.3).
MachineValue Accesses::offset_coordinate(Value coordinate, int8_t offset) {
  if (offset == 0) return reg(coordinate);
  const uint32_t addend = static_cast<uint32_t>(int32_t{offset});
  const Source source = word(coordinate);
  if (source.is_immediate()) return assembler_.reg(Source::immediate(source.bits + addend));
  const MachineValue base = assembler_.reg(source);
  return assembler_.once({Shared::moved_coordinate, base.number(), addend & 15},
                         [&] { return emit_integer_sum(Source::of(base), Source::immediate(addend)); });
}

/// The low 16 bits matter: a greater layer becomes the highest one, which no texture has.
MachineValue Textures::layer_operand(const ir::Instruction& instruction) {
  const Value layer = slot(instruction, Slot::layer);
  const bool is_float = (instruction.op == Op::tex_sample || instruction.op == Op::tex_gather) &&
                        !access(instruction).layer_is_integer;
  if (is_float) {
    // Rounded to nearest even, negative and NaN to 0; the unit clamps to the last layer.
    return emit_word(
        Draft{Opcode::f2i, {Arg(), float_source(layer)}, {{Modifier::f2i_type, F2iType::u16}}}.spelled(
            "F32"));
  }
  if (greatest(layer) <= 0xffff) return reg(layer);
  return emit_word({Opcode::i2i,
                    {Arg(), Source::of(reg(layer))},
                    {{Modifier::i2i_type, I2iType::u16},
                     {Modifier::source_sign_32, SourceSign32::u32},
                     {Modifier::sat, Sat::on}}});
}

/// The offsets of gather4_po: bytes, of which the unit takes six bits, as Direct3D does.
MachineValue Textures::run_time_offset(const ir::Instruction& instruction) {
  const Source x = word(slot(instruction, Slot::offset0));
  const Source y = word(slot(instruction, Slot::offset1));
  // y at bit 8, above x.
  return emit_word({Opcode::bfi, {Arg(), Source::of(assembler_.reg(y)), Source::immediate(0x808), x}});
}

/// TXD: the layer, with the offsets above it, in one register.
MachineValue Textures::layer_and_offset(const ir::Instruction& instruction) {
  const ir::ResourceAccess& contract = access(instruction);
  const uint32_t offsets = pack_offsets(contract.offset[0], contract.offset[1], 0);
  if (!contract.has(Slot::layer)) return assembler_.immediate(offsets << 16);
  const MachineValue layer = layer_operand(instruction);
  if (!contract.has_offset) return layer;
  // 12 bits at bit 16.
  return emit_word(
      {Opcode::bfi,
       {Arg(), Source::of(assembler_.immediate(offsets)), Source::immediate(0xc10), Source::of(layer)}});
}

/// `offset`: added to them; null: none is.
std::array<MachineValue, 3> Accesses::texture_coordinates(const ir::Instruction& instruction,
                                                          const int8_t* offset) {
  const Dimension dimension = access(instruction).dimension;
  const auto coordinate = [&](uint32_t i) { return slot(instruction, Slot::coordinate0 + i); };
  if (ir::is_cube(dimension))
    return cube_coordinates(
        {float_source(coordinate(0)), float_source(coordinate(1)), float_source(coordinate(2))});
  std::array<MachineValue, 3> coordinates{kNone, kNone, kNone};
  for (uint32_t i = 0; i < ir::coordinate_count(dimension); ++i)
    coordinates[i] = offset_coordinate(coordinate(i), offset != nullptr ? offset[i] : int8_t{0});
  return coordinates;
}

// In the order of the text: the residency predicate, Rd1, Rd0 of short forms, Rd of long ones, then Ra, Rb.
void Accesses::append_texture(const TexturePacking& packing, const Field& handle,
                              const TextureValues& texture, Predicate guard) {
  constexpr uint8_t kAny = machine::kVirtual;
  maxwell::Instruction code =
      make_texture(packing, {kAny, kAny, kAny, kAny}, handle.is_constant() ? handle.offset / 4 : 0);
  std::array<MachineValue, 17> values{};
  size_t count = 0;
  if (texture.resident != kNone) {
    values[count++] = texture.resident;
    code.operands[0] = Operand::p(machine::kVirtual);
  }
  for (unsigned k = 0; k < packing.high_count; ++k) values[count++] = texture.results[4 + k];
  for (unsigned k = 0; k < packing.low_count; ++k) values[count++] = texture.results[k];
  for (unsigned k = 0; k < unsigned{packing.a_count} + packing.b_count; ++k)
    values[count++] = texture.sources[k];
  assembler_.append(code, std::span(values.data(), count), guard);
}

void Textures::emit_texel_access(const ir::Instruction& instruction, const TextureRequest& request,
                                 const TexturePacking& packing, const Field& handle, Predicate guard) {
  const ir::ResourceAccess& contract = access(instruction);
  const bool adds = contract.has_offset && !request.offset;
  const std::array<MachineValue, 3> coordinates =
      texture_coordinates(instruction, adds ? contract.offset : nullptr);
  const MachineValue handle_register = request.bindless ? assembler_.reg(load_word(handle, 0)) : kNone;
  TextureValues texture;
  texture.fill_sources(packing, [&](TextureValue value) {
    return texture_operand(instruction, request, value, coordinates, handle_register);
  });
  // What the results are if the guard is false.
  std::array<MachineValue, 8> otherwise;
  otherwise.fill(kNone);
  for (uint32_t c = 0; c < 4; ++c) {
    const Value result = instruction.first_result + c;
    if (packing.result[c] < 0 || !is_used(result)) continue;
    const auto place = static_cast<unsigned>(packing.result[c]);
    otherwise[place] = otherwise_of(instruction, c, guard);
    texture.results[place] = assembler_.general();
    define(result, texture.results[place]);
  }
  std::array<MachineValue, 9> merged{};
  size_t merged_count = 0;
  if (wants_status(instruction)) {
    texture.resident = assembler_.predicate();
    // An access that its guard skips reports all texels as mapped.
    if (guard.value != kNone) merged[merged_count++] = assembler_.fresh_predicate(kAlways);
  }
  append_texture(packing, handle, texture, guard);
  if (guard.value != kNone) {
    for (unsigned k = 0; k < packing.high_count; ++k) merged[merged_count++] = otherwise[4 + k];
    for (unsigned k = 0; k < packing.low_count; ++k) merged[merged_count++] = otherwise[k];
    leave_zeros(std::span(merged.data(), merged_count));
  }
  if (texture.resident == kNone) return;
  define(instruction.first_result + kStatusResult,
         emit_select({texture.resident, false}, Source::immediate(ir::kAllMapped),
                     Source::immediate(ir::kNotAllMapped)));
}

}  // namespace texlate::maxwell::select
