#include <algorithm>

#include "backend/maxwell/select/graphics_host.h"

namespace texlate::maxwell::select {

namespace {

using graphics::SlotKind;
using ir::BindingFact;

constexpr uint32_t kBankBytes = 0x10000;

}  // namespace

// ---- places

Field GraphicsHost::slot_at(const graphics::Place& place, Value index) {
  const uint32_t first = options_.graphics->offset(place.kind, place.slot);
  return field_at(first, options_.graphics->offset(place.kind, place.slot + place.stride) - first, index);
}

Field GraphicsHost::resource_record(const ir::Instruction& instruction) {
  return slot_at(options_.graphics->resources[access(instruction).resource],
                 slot(instruction, Slot::resource_index));
}

Field GraphicsHost::pair_record(const ir::Instruction& instruction) {
  const auto* const pair = launch::find_pair(options_.graphics->pairs, access(instruction));
  if (pair == nullptr) {
    refuse(instruction, "a texture and sampler pair that has no slot");
    return {};
  }
  const uint32_t samplers = launch::range_size(module_.samplers[pair->sampler]);
  const uint32_t base = options_.graphics->offset(SlotKind::texture, pair->slot);
  return add_index(field_at(base, 4 * samplers, slot(instruction, Slot::resource_index)), 4,
                   slot(instruction, Slot::sampler_index));
}

// ---- facts

std::array<MachineValue, 4> GraphicsHost::query_texture(const Field& handle, TextureQuery what,
                                                        const Source& level) {
  TextureRequest request;
  request.operation = TextureOperation::query;
  request.query = what;
  request.bindless = !handle.is_constant();
  const TexturePacking packing = pack_long(request);
  std::array<MachineValue, 4> results;
  for (MachineValue& result : results) result = assembler_.general();
  TextureValues texture;
  std::ranges::copy(results, texture.results.begin());
  texture.fill_sources(packing, [&](TextureValue value) {
    return assembler_.reg(value == TextureValue::handle ? load_word(handle, 0) : level);
  });
  append_texture(packing, handle, texture);
  return results;
}

/// Facts that the lowering left are the bytes of a storage buffer and the elements of a typed one.
void GraphicsHost::select_binding(const ir::Instruction& instruction) {
  if (instruction.op == Op::specialized) return refuse(instruction, "a specialization constant");
  const Value result = instruction.first_result;
  // Slots that a program names are bound (docs/dksh.md).
  if (instruction.op == Op::bound) return define(result, kAlways);
  const ir::BindingQuery query = ir::BindingQuery::unpack(instruction.payload);
  graphics::Place place = options_.graphics->resources[query.resource];
  if (query.fact == BindingFact::counter) place.slot = options_.graphics->counters[query.resource];
  const Field slot = slot_at(place, instruction.operand_count != 0 ? operand(instruction, 0) : ir::kNoValue);
  if (instruction.op == Op::address) return define(result, words_at(slot, 0));
  if (place.kind == SlotKind::buffer) return define(result, load_word(slot, graphics::kBufferSize));
  define(result, query_texture(slot, TextureQuery::dimension, Source::immediate(0))[0]);
}

// ---- queries

void GraphicsHost::select_query(const ir::Instruction& instruction) {
  switch (instruction.op) {
    case Op::tex_size: return select_size(instruction);
    case Op::tex_samples: {
      const auto facts =
          query_texture(resource_record(instruction), TextureQuery::texture_type, Source::immediate(0));
      return define(instruction.first_result, facts[2]);
    }
    case Op::tex_lod: return select_lod(instruction);
    case Op::sample_position:
    case Op::tex_fetch:
    case Op::tex_sample:
    case Op::tex_gather:
    case Op::mapped:
#define IR_COVERED_texture
#include "ir/op_cases.inc"
      return refuse(instruction, "a query that is not legalized");
  }
}

/// The level exists: legalization has compared it.
void GraphicsHost::select_size(const ir::Instruction& instruction) {
  const ir::ResourceAccess& contract = access(instruction);
  const Dimension dimension = contract.dimension;
  const Value level = slot(instruction, Slot::lod);
  const Field handle = resource_record(instruction);
  const std::array<MachineValue, 4> sizes = query_texture(
      handle, TextureQuery::dimension, level == ir::kNoValue ? Source::immediate(0) : word(level));
  const uint32_t axes = ir::is_cube(dimension) ? 2 : ir::coordinate_count(dimension);
  const Value first = instruction.first_result;
  for (uint32_t i = 0; i < 3; ++i) define(first + i, i < axes ? Source::of(sizes[i]) : Source::immediate(0));
  // After the axes: of 1D arrays G; of cube arrays B, which counts cubes (docs/reference/maxwell.md 3, TXQ).
  if (ir::is_array(dimension)) define(first + axes, sizes[axes]);
  define(first + 3, sizes[3]);
}

/// TMML: R is the level before clamps as S8.8, G the level after them as U8.8, in the low halves.
void GraphicsHost::select_lod(const ir::Instruction& instruction) {
  const Value first = instruction.first_result;
  TextureRequest request;
  request.operation = TextureOperation::query_lod;
  request.dim = *texture_dim(access(instruction).dimension);
  request.mask = static_cast<uint8_t>((is_used(first + 1) ? 1 : 0) | (is_used(first) ? 2 : 0));
  if (request.mask == 0) return;
  const Field handle = pair_record(instruction);
  request.bindless = !handle.is_constant();
  const TexturePacking packing = pack_long(request);
  const std::array<MachineValue, 3> coordinates = texture_coordinates(instruction);
  TextureValues texture;
  std::array<MachineValue, 2> fixed{kNone, kNone};
  for (uint32_t k = 0, place = 0; k < 2; ++k) {
    if (((request.mask >> k) & 1) != 0) texture.results[place++] = fixed[k] = assembler_.general();
  }
  texture.fill_sources(packing, [&](TextureValue value) {
    switch (value) {
      case TextureValue::handle: return assembler_.reg(load_word(handle, 0));
      case TextureValue::layer: return assembler_.immediate(0);  // irrelevant for a level
      case TextureValue::y: return coordinates[1];
      case TextureValue::z: return coordinates[2];
      default: return coordinates[0];
    }
  });
  append_texture(packing, handle, texture);
  constexpr uint32_t kStep = 0x3b800000;  // 1 / 256
  for (uint32_t k = 0; k < 2; ++k) {
    if (fixed[k] == kNone) continue;
    const Source number =
        emit_source({Opcode::i2f,
                     {Arg(), Source::of(fixed[k])},
                     {{Modifier::float_type, FloatType::f32},
                      {Modifier::source_sign_16, k == 0 ? SourceSign16::s16 : SourceSign16::u16}}});
    define(first + 1 - k, emit_product(number, Source::immediate(kStep), 0));
  }
}

// ---- uniform buffers

void GraphicsHost::select_constant_buffer(const ir::Instruction& instruction) {
  if (instruction.op == Op::cb_rows) return refuse(instruction, "the size of a uniform buffer");
  const Value row = operand(instruction, 0);
  const Value first = instruction.first_result;
  const uint32_t operands = instruction.operand_count - (instruction.has(ir::kGuarded) ? 1 : 0);
  uint32_t number = options_.graphics->uniforms[instruction.payload];
  if (operands > 1) {
    if (!module_.is_constant(operand(instruction, 1)))
      return refuse(instruction, "a constant buffer that is chosen at run time");
    number += module_.constant_bits(operand(instruction, 1));
  }
  const Predicate guard = guard_of(instruction);
  const bool is_fixed = module_.is_constant(row) && module_.constant_bits(row) < kBankBytes / kRowBytes;
  const uint8_t bank = static_cast<uint8_t>(graphics::kFirstUniformBank + number);
  if (!is_fixed || !guard.is_true()) return load_constants(instruction, bank, 0, guard);
  for (uint32_t c = 0; c < 4; ++c)
    define(first + c, Source::constant(bank, module_.constant_bits(row) * kRowBytes + 4 * c));
}

}  // namespace texlate::maxwell::select
