// Resources of a program of deko3d: handles and descriptors in the driver's constant buffer c[0], uniform
// buffers as separate banks, images by their descriptors' formats, facts by TXQ
// (docs/reference/maxwell-graphics.md 4).

#include <algorithm>
#include <bit>

#include "backend/maxwell/select/selector.h"

namespace texlate::maxwell::select {

namespace {

using graphics::SlotKind;
using ir::BindingFact;
using ir::Dimension;
using ir::Op;
using ir::Slot;
using ir::Value;

constexpr uint32_t kRowBytes = 16;
constexpr uint32_t kBankBytes = 0x10000;
constexpr uint32_t kCubeFaces = 6;

SurfaceDim image_dim(Dimension dimension) {
  switch (dimension) {
    case Dimension::buffer: return SurfaceDim::_1d_buffer;
    case Dimension::texture1d: return SurfaceDim::_1d;
    case Dimension::texture1d_array: return SurfaceDim::_1d_array;
    case Dimension::texture2d_array: return SurfaceDim::_2d_array;
    case Dimension::texture3d: return SurfaceDim::_3d;
    default: return SurfaceDim::_2d;
  }
}

TextureDim query_dim(Dimension dimension) {
  switch (dimension) {
    case Dimension::texture1d: return TextureDim::_1d;
    case Dimension::texture1d_array: return TextureDim::array_1d;
    case Dimension::texture2d_array: return TextureDim::array_2d;
    case Dimension::texture3d: return TextureDim::_3d;
    case Dimension::texture_cube: return TextureDim::cube;
    case Dimension::texture_cube_array: return TextureDim::array_cube;
    default: return TextureDim::_2d;
  }
}

}  // namespace

// ---- places

Selector::Field Selector::slot_field(uint16_t resource, Value index) {
  const graphics::Place& place = options.graphics->resources[resource];
  const uint32_t record = place.kind == SlotKind::buffer ? graphics::kBufferRecord : 4 * place.stride;
  return field_at(options.graphics->offset(place.kind, place.slot), record, index);
}

/// The handle of a texture with its sampler.
Selector::Field Selector::pair_field(const ir::Instruction& instruction) {
  const ir::ResourceAccess& contract = access(instruction);
  for (const graphics::TexturePair& pair : options.graphics->pairs) {
    if (pair.resource != contract.resource || pair.sampler != contract.sampler) continue;
    const uint32_t samplers = launch::range_size(module.samplers[pair.sampler]);
    const uint32_t base = options.graphics->offset(SlotKind::texture, pair.slot);
    Field field = field_at(base, 4 * samplers, slot(instruction, Slot::resource_index));
    const Field within = field_at(0, 4, slot(instruction, Slot::sampler_index));
    field.offset += within.offset;
    if (within.dynamic) {
      field.index =
          field.dynamic ? emit_integer_sum(Source::of(field.index), Source::of(within.index)) : within.index;
      field.dynamic = true;
    }
    return field;
  }
  refuse(instruction, "a texture and sampler pair that has no slot");
  return {};
}

// ---- facts

std::array<MachineValue, 4> Selector::query_texture(const Field& handle, TextureQuery what,
                                                    const Source& level) {
  TextureRequest request;
  request.operation = TextureOperation::query;
  request.query = what;
  request.bindless = handle.dynamic;
  const TexturePacking packing = pack_long(request).packing;
  TextureRegisters registers;
  registers.a = machine::kVirtual;
  registers.index = handle.dynamic ? uint16_t{0} : static_cast<uint16_t>(handle.offset / 4);
  std::array<MachineValue, 4> results;
  for (MachineValue& result : results) result = assembler.general();
  std::array<MachineValue, 8> values{};
  size_t count = 0;
  for (const MachineValue result : results) values[count++] = result;
  for (unsigned k = 0; k < packing.a_count; ++k) {
    values[count++] =
        packing.a[k] == TextureValue::handle ? assembler.reg(load_word(handle, 0)) : assembler.reg(level);
  }
  assembler.append(make_texture(request, packing, registers), std::span(values.data(), count));
  return results;
}

/// The same for a resource's mip 0, once per region.
std::array<MachineValue, 4> Selector::query_header(uint16_t resource, Value index, TextureQuery what) {
  const uint64_t key =
      kSpecialKey | uint64_t{1} << 50 | uint64_t{static_cast<uint8_t>(what)} << 40 | uint64_t{resource} << 8;
  std::array<MachineValue, 4> results{kNone, kNone, kNone, kNone};
  const bool is_fixed = index == ir::kNoValue;
  if (is_fixed && assembler.recall(key) != kNone) {
    for (uint32_t c = 0; c < 4; ++c) results[c] = assembler.recall(key | c);
    return results;
  }
  results = query_texture(slot_field(resource, index), what, Source::immediate(0));
  for (uint32_t c = 0; is_fixed && c < 4; ++c) assembler.remember(key | c, results[c]);
  return results;
}

/// number / divisor, unsigned: a product with the divisor's 33-bit inverse (Granlund and Montgomery,
/// "Division by Invariant Integers using Multiplication", figure 4.1).
Source Selector::divide(const Source& number, uint32_t divisor) {
  const auto shifted = [&](const Source& x, uint32_t count) {
    if (count == 0) return x;
    return Source::of(assembler.emit_word({Opcode::shr,
                                           {Arg(), Source::of(assembler.reg(x)), Source::immediate(count)},
                                           {{Modifier::is_signed, IsSigned::u32}}}));
  };
  if (divisor <= 1) return number;
  if (std::has_single_bit(divisor)) return shifted(number, static_cast<uint32_t>(std::countr_zero(divisor)));
  const uint32_t log = static_cast<uint32_t>(std::bit_width(divisor - 1));
  const uint64_t inverse = ((uint64_t{1} << 32) * ((uint64_t{1} << log) - divisor)) / divisor + 1;
  const Source n = Source::of(assembler.reg(number));
  const Source t =
      Source::of(multiply_high(n, Source::of(assembler.immediate(static_cast<uint32_t>(inverse))), false));
  Source minus = t;
  minus.flags = kNegate;
  const Source rest = Source::of(assembler.emit_word({Opcode::iadd, {Arg(), n, minus}}));
  return shifted(Source::of(emit_integer_sum(shifted(rest, 1), t)), log - 1);
}

void Selector::select_slot_fact(const ir::Instruction& instruction) {
  const ir::BindingQuery query = ir::BindingQuery::unpack(instruction.payload);
  const Value result = instruction.first_result;
  const Value index = instruction.operand_count != 0 ? operand(instruction, 0) : ir::kNoValue;
  // Slots that a program names are bound (docs/dksh.md).
  if (instruction.op == Op::bound) return define(result, Predicate::constant(true));
  if (query.is_sampler_fact()) return refuse(instruction, "the state of a sampler");
  const ir::Resource& resource = module.resources[query.resource];
  const auto header = [&](TextureQuery what, uint32_t component) {
    return Source::of(query_header(query.resource, index, what)[component]);
  };
  if (options.graphics->resources[query.resource].kind == SlotKind::buffer) {
    const Source bytes = load_word(slot_field(query.resource, index), graphics::kBufferSize);
    if (query.fact == BindingFact::bytes) return define(result, bytes);
    if (query.fact == BindingFact::width) return define(result, divide(bytes, resource.stride));
    return refuse(instruction, "this property of a storage buffer");
  }
  switch (query.fact) {
    case BindingFact::width: return define(result, header(TextureQuery::dimension, 0));
    case BindingFact::height: return define(result, header(TextureQuery::dimension, 1));
    case BindingFact::depth: return define(result, header(TextureQuery::dimension, 2));
    case BindingFact::layers: {
      const Source layers = header(TextureQuery::dimension, 2);
      return define(result, ir::is_cube(resource.dimension) ? divide(layers, kCubeFaces) : layers);
    }
    case BindingFact::levels: return define(result, header(TextureQuery::dimension, 3));
    case BindingFact::samples: return define(result, header(TextureQuery::texture_type, 2));
    default: return refuse(instruction, "this property of a texture");
  }
}

// ---- queries

void Selector::select_texture_query(const ir::Instruction& instruction) {
  switch (instruction.op) {
    case Op::tex_size: return select_size(instruction);
    case Op::tex_samples: {
      const Value index = slot(instruction, Slot::resource_index);
      const uint16_t resource = access(instruction).resource;
      return define(instruction.first_result, query_header(resource, index, TextureQuery::texture_type)[2]);
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
void Selector::select_size(const ir::Instruction& instruction) {
  const ir::ResourceAccess& contract = access(instruction);
  const Dimension dimension = contract.dimension;
  const Value level = slot(instruction, Slot::lod);
  const Field handle = slot_field(contract.resource, slot(instruction, Slot::resource_index));
  const std::array<MachineValue, 4> sizes = query_texture(
      handle, TextureQuery::dimension, level == ir::kNoValue ? Source::immediate(0) : word(level));
  const uint32_t axes = ir::is_cube(dimension) ? 2 : ir::coordinate_count(dimension);
  const Value first = instruction.first_result;
  for (uint32_t i = 0; i < 3; ++i) define(first + i, i < axes ? Source::of(sizes[i]) : Source::immediate(0));
  if (ir::is_array(dimension) && is_used(first + axes)) {
    const Source layers = Source::of(sizes[2]);
    define(first + axes, ir::is_cube(dimension) ? divide(layers, kCubeFaces) : layers);
  }
  define(first + 3, sizes[3]);
}

/// TMML: R is the level before clamps as S8.8, G the level after them as U8.8, in the low halves.
void Selector::select_lod(const ir::Instruction& instruction) {
  const ir::ResourceAccess& contract = access(instruction);
  const Value first = instruction.first_result;
  TextureRequest request;
  request.operation = TextureOperation::query_lod;
  request.dim = query_dim(contract.dimension);
  request.mask = static_cast<uint8_t>((is_used(first + 1) ? 1 : 0) | (is_used(first) ? 2 : 0));
  if (request.mask == 0) return;
  const Field handle = pair_field(instruction);
  request.bindless = handle.dynamic;
  const TexturePackingResult packed = pack_long(request);
  if (!packed) return refuse(instruction, texture_rule_text(packed.rule));
  std::array<MachineValue, 3> coordinates{kNone, kNone, kNone};
  if (ir::is_cube(contract.dimension)) {
    coordinates = cube_coordinates(instruction);
  } else {
    for (uint32_t i = 0; i < ir::coordinate_count(contract.dimension); ++i)
      coordinates[i] = reg(slot(instruction, Slot::coordinate0 + i));
  }
  const auto source = [&](TextureValue value) {
    switch (value) {
      case TextureValue::handle: return assembler.reg(load_word(handle, 0));
      case TextureValue::layer: return assembler.immediate(0);  // irrelevant for a level
      case TextureValue::y: return coordinates[1];
      case TextureValue::z: return coordinates[2];
      default: return coordinates[0];
    }
  };
  TextureRegisters registers;
  registers.low = machine::kVirtual;
  registers.a = machine::kVirtual;
  registers.b = packed.packing.b_count > 0 ? machine::kVirtual : kRZ;
  registers.index = handle.dynamic ? uint16_t{0} : static_cast<uint16_t>(handle.offset / 4);
  std::array<MachineValue, 12> values{};
  std::array<MachineValue, 2> fixed{kNone, kNone};
  size_t count = 0;
  for (uint32_t k = 0; k < 2; ++k) {
    if (((request.mask >> k) & 1) != 0) values[count++] = fixed[k] = assembler.general();
  }
  for (unsigned k = 0; k < packed.packing.a_count; ++k) values[count++] = source(packed.packing.a[k]);
  for (unsigned k = 0; k < packed.packing.b_count; ++k) values[count++] = source(packed.packing.b[k]);
  assembler.append(make_texture(request, packed.packing, registers), std::span(values.data(), count));
  constexpr uint32_t kStep = 0x3b800000;  // 1 / 256
  for (uint32_t k = 0; k < 2; ++k) {
    if (fixed[k] == kNone) continue;
    const Source number = Source::of(assembler.emit_word(Draft{
        Opcode::i2f,
        {Arg(), Source::of(fixed[k])},
        {{Modifier::float_type, FloatType::f32},
         {Modifier::source_sign_16,
          k == 0 ? SourceSign16::s16 : SourceSign16::u16}}}.requiring(Modifier::source_sign_16)));
    define(first + 1 - k, emit_product(number, Source::immediate(kStep), 0));
  }
}

// ---- uniform buffers

void Selector::select_uniform(const ir::Instruction& instruction) {
  const Value row = operand(instruction, 0);
  const Value first = instruction.first_result;
  const uint32_t operands = instruction.operand_count - (instruction.has(ir::kGuarded) ? 1 : 0);
  uint32_t number = options.graphics->uniforms[instruction.payload];
  if (operands > 1) {
    if (!module.is_constant(operand(instruction, 1)))
      return refuse(instruction, "a constant buffer that is chosen at run time");
    number += module.constant_bits(operand(instruction, 1));
  }
  const Predicate guard = memory_guard(instruction);
  const bool is_fixed = module.is_constant(row) && module.constant_bits(row) < kBankBytes / kRowBytes;
  if (module.stage == ir::Stage::compute && number >= graphics::kComputeUniformBanks) {
    const uint32_t record = graphics::kComputeUniforms + graphics::kUniformAddress * number;
    if (is_fixed) {
      const Pair base = assembler.constant_pair(0, static_cast<int32_t>(record));
      return load_row(instruction, base, static_cast<int32_t>(module.constant_bits(row) * kRowBytes), guard);
    }
    const Pair at = scaled_address(Source::constant(0, record), Source::constant(0, record + 4), reg(row), 4);
    return load_row(instruction, at, 0, guard);
  }
  const uint8_t bank = static_cast<uint8_t>(graphics::kFirstUniformBank + number);
  if (!is_fixed || !guard.is_true()) return load_constants(instruction, bank, 0, guard);
  for (uint32_t c = 0; c < 4; ++c)
    define(first + c, Source::constant(bank, module.constant_bits(row) * kRowBytes + 4 * c));
}

// ---- images: converted by the descriptor's format (.P); out of range reads 0, stores are dropped (.IGN)

/// x, y, z, then the layer; in bytes along x for atomics.
Arg Selector::image_coordinates(const ir::Instruction& instruction, bool in_bytes) {
  const Dimension dimension = access(instruction).dimension;
  std::array<MachineValue, 4> list{kNone, kNone, kNone, kNone};
  uint32_t count = 0;
  for (uint32_t i = 0; i < ir::coordinate_count(dimension); ++i)
    list[count++] = reg(slot(instruction, Slot::coordinate0 + i));
  if (ir::is_array(dimension)) list[count++] = reg(slot(instruction, Slot::layer));
  if (in_bytes) {
    list[0] = assembler.emit_word({Opcode::shl, {Arg(), Source::of(list[0]), Source::immediate(2)}});
  }
  return Arg::address(std::span(list.data(), count), 0);
}

void Selector::select_image(const ir::Instruction& instruction) {
  const Value guard_value = slot(instruction, Slot::guard);
  const Predicate guard = guard_value == ir::kNoValue ? Predicate::constant(true) : predicate(guard_value);
  switch (instruction.op) {
    case Op::surf_load: return select_image_load(instruction, guard);
    case Op::surf_store: return select_image_store(instruction, effective(guard));
    case Op::surf_atomic: return select_image_atomic(instruction, effective(guard));
#define IR_COVERED_surface
#include "ir/op_cases.inc"
      return;  // of another family
  }
}

void Selector::select_image_load(const ir::Instruction& instruction, Predicate guard) {
  const ir::ResourceAccess& contract = access(instruction);
  if (guard.is_false()) return define_fallbacks(instruction);
  const uint32_t used = used_words(instruction, 4);
  if (used == 0) return;
  const uint32_t count = used == 1 ? 1 : used <= 3 ? 2 : 4;
  const LoadedWords words = define_loaded(instruction, 0, count, guard);
  const bool is_coherent = module.resources[contract.resource].globally_coherent;
  const Arg at = image_coordinates(instruction, false);
  emit(Draft{Opcode::suld_p,
             {Arg(), Arg::regs(std::span(words.results.data(), count)), at, surface_handle(instruction)},
             {{Modifier::surface_dim, image_dim(contract.dimension)},
              {Modifier::load_cache, is_coherent ? LoadCache::cg : LoadCache::none},
              {Modifier::surface_mask, (1u << count) - 1},
              {Modifier::surface_clamp, SurfaceClamp::ign}}}
           .under(guard))
      .effect = machine::Effect::read;
  if (guard.value != kNone) leave_zeros(std::span(words.otherwise.data(), count));
}

void Selector::select_image_store(const ir::Instruction& instruction, Predicate guard) {
  const ir::ResourceAccess& contract = access(instruction);
  if (guard.is_false()) return;
  std::array<MachineValue, 4> values{kNone, kNone, kNone, kNone};
  for (uint32_t c = 0; c < 4; ++c) values[c] = reg(slot(instruction, Slot::value0 + c));
  const bool is_coherent = module.resources[contract.resource].globally_coherent;
  const Arg at = image_coordinates(instruction, false);
  emit(Draft{Opcode::sust_p,
             {at, Arg::regs(values), surface_handle(instruction)},
             {{Modifier::surface_dim, image_dim(contract.dimension)},
              {Modifier::store_cache, is_coherent ? StoreCache::cg : StoreCache::none},
              {Modifier::surface_mask, SurfaceMask::rgba},
              {Modifier::surface_clamp, SurfaceClamp::ign}}}
           .under(guard))
      .effect = machine::Effect::write;
}

void Selector::select_image_atomic(const ir::Instruction& instruction, Predicate guard) {
  const ir::ResourceAccess& contract = access(instruction);
  const Value first = instruction.first_result;
  if (guard.is_false()) return define(first, Source::immediate(0));
  const bool used = is_used(first);
  const MachineValue zero = used && guard.value != kNone ? assembler.fresh_immediate(0) : kNone;
  const MachineValue result = used ? assembler.general() : kNone;
  const Arg at = image_coordinates(instruction, true);
  const MachineValue value = reg(slot(instruction, Slot::value0));
  const ModifierSetting bytes{Modifier::ba, ByteAddressed::on};
  const ModifierSetting dim{Modifier::surface_dim, image_dim(contract.dimension)};
  const ModifierSetting ignore{Modifier::surface_clamp, SurfaceClamp::ign};
  if (contract.atomic == ir::AtomicOp::compare_exchange) {
    emit(Draft{Opcode::suatom_cas,
               {Arg(), Arg::reg(result), at, Arg::regs({reg(slot(instruction, Slot::compare)), value}),
                surface_handle(instruction)},
               {bytes, dim, ignore}}
             .under(guard))
        .effect = machine::Effect::write;
  } else {
    const AtomicForm form = atomic_form(contract.atomic);
    const SurfaceAtomicType type = form.is_signed ? SurfaceAtomicType::s32 : SurfaceAtomicType::u32;
    emit(
        Draft{Opcode::suatom,
              {Arg::reg(result), at, Arg::reg(value), surface_handle(instruction)},
              {bytes, dim, {Modifier::atomic, form.operation}, {Modifier::surface_atomic_type, type}, ignore}}
            .under(guard))
        .effect = machine::Effect::write;
  }
  if (!used) return;
  if (guard.value != kNone) leave_zeros(std::array{zero});
  define(first, result);
}

}  // namespace texlate::maxwell::select
