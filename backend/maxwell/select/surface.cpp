// Typed unordered access. Views without atomics are surfaces: SULD and SUST move the texel as it is stored
// (.D.BA: x counts bytes), out of range they read 0 and drop (.IGN). Buffers and views with atomics are
// linear memory with pitches. Texels are packed and unpacked here for the format that the launch ABI names,
// by Direct3D's conversions (D3D11.3 3.2.3; docs/reference/direct3d.md 3.2, 3.3).

#include <bit>

#include "backend/maxwell/select/selector.h"

namespace texlate::maxwell::select {

namespace {

using ir::Dimension;
using ir::Op;
using ir::Slot;
using ir::Value;
using launch::SurfaceFormat;
using launch::TexelKind;

constexpr uint8_t kUpperHalf = 1;

uint32_t float_bits(float value) {
  return std::bit_cast<uint32_t>(value);
}

/// 32-bit words of a texel; a texel of 1 or 2 bytes counts as one.
uint32_t word_count(const SurfaceFormat& format) {
  return (format.texel_bytes() + 3) / 4;
}

MemorySize memory_size(const SurfaceFormat& format) {
  switch (format.texel_bytes()) {
    case 1: return MemorySize::u8;
    case 2: return MemorySize::u16;
    case 4: return MemorySize::b32;
    case 8: return MemorySize::b64;
    default: return MemorySize::b128;
  }
}

SurfaceDim surface_dim(Dimension dimension) {
  switch (dimension) {
    case Dimension::texture2d_array: return SurfaceDim::_2d_array;
    case Dimension::texture3d: return SurfaceDim::_3d;
    default: return SurfaceDim::_2d;  // 1D views are bound as 2D ones of height 1
  }
}

bool is_signed(TexelKind kind) {
  return kind == TexelKind::sint || kind == TexelKind::snorm;
}

unsigned log2_of(uint32_t power) {
  return static_cast<unsigned>(std::bit_width(power)) - 1;
}

}  // namespace

SurfaceFormat Selector::surface_format(uint16_t resource) const {
  SurfaceFormat format =
      resource < options.surface_formats.size()
          ? options.surface_formats[resource]
          : launch::default_surface_format(module.resources[resource], layout.atomic[resource] != 0);
  // Direct3D allows atomics on R32_UINT and R32_SINT only.
  if (layout.atomic[resource] != 0) {
    format.count = 1;
    format.bits = 32;
    format.packing = launch::TexelPacking::in_order;
  }
  return format;
}

bool Selector::is_linear(const ir::Instruction& instruction) const {
  const ir::ResourceAccess& contract = access(instruction);
  return layout.forms[contract.resource] == launch::BindingForm::memory;
}

/// base + a * b, the product in 64 bits.
Pair Selector::add_product(Pair base, const Source& a, const Source& b) {
  const Source x = Source::of(assembler.reg(a));
  const Source y = Source::of(assembler.reg(b));
  const Source low = Source::of(multiply_words(x, y));
  const Source high = Source::of(multiply_high(x, y, false));
  Draft sum{Opcode::iadd, {Arg(), low, Source::of(base.low)}};
  sum.args[0].flags = kWriteCC;
  Pair result;
  result.low = assembler.emit_word(sum);
  result.high = assembler.emit_word(
      {Opcode::iadd, {Arg(), high, Source::of(base.high)}, {{Modifier::x, ExtendedCarry::on}}});
  return result;
}

// Where the texel is in linear memory: base + z * slice pitch + y * row pitch + x * texel size.
Arg Selector::linear_address(const ir::Instruction& instruction, const SurfaceFormat& format) {
  const ir::ResourceAccess& contract = access(instruction);
  const Field record = resource_record(instruction);
  Pair at = scaled_address(load_word(record, launch::record::kHandle),
                           load_word(record, launch::record::kHandle + 4),
                           reg(slot(instruction, Slot::coordinate0)), log2_of(format.texel_bytes()));
  if (contract.dimension != Dimension::buffer) {
    at = add_product(at, word(slot(instruction, Slot::coordinate1)),
                     load_word(record, launch::record::kRowPitch));
    const Value third =
        slot(instruction, contract.dimension == Dimension::texture3d ? Slot::coordinate2 : Slot::layer);
    if (third != ir::kNoValue)
      at = add_product(at, word(third), load_word(record, launch::record::kSlicePitch));
  }
  return Arg::address(std::array{at.low, at.high}, 0);
}

/// x in bytes, y, then z or the layer. The guard has compared x in texels, so that x times the size cannot
/// wrap back into range.
Arg Selector::surface_coordinates(const ir::Instruction& instruction, const SurfaceFormat& format) {
  const Dimension dimension = access(instruction).dimension;
  const Value x = slot(instruction, Slot::coordinate0);
  std::array<MachineValue, 3> list{kNone, kNone, kNone};
  const unsigned shift = log2_of(format.texel_bytes());
  list[0] = shift == 0
                ? reg(x)
                : assembler.emit_word({Opcode::shl, {Arg(), Source::of(reg(x)), Source::immediate(shift)}});
  list[1] = reg(slot(instruction, Slot::coordinate1));
  if (dimension == Dimension::texture3d) list[2] = reg(slot(instruction, Slot::coordinate2));
  if (dimension == Dimension::texture2d_array) list[2] = reg(slot(instruction, Slot::layer));
  return Arg::address(std::span(list.data(), list[2] == kNone ? 2 : 3), 0);
}

/// The handle's place in bank 0, or the register that holds it.
Arg Selector::surface_handle(const ir::Instruction& instruction) {
  const Field field = resource_record(instruction);
  if (field.is_constant()) return Arg(Source::immediate(field.offset / 4));
  return Arg::reg(assembler.reg(load_word(field, 0)));
}

void Selector::select_surface(const ir::Instruction& instruction) {
  if (is_graphics()) return select_image(instruction);
  const SurfaceFormat format = surface_format(access(instruction).resource);
  const Value guard_value = slot(instruction, Slot::guard);
  const Predicate guard = guard_value == ir::kNoValue ? Predicate::constant(true) : predicate(guard_value);
  if (format.texel_bytes() == 12) return refuse(instruction, "a texel of 12 bytes");
  switch (instruction.op) {
    case Op::surf_load: return select_surface_load(instruction, format, guard);
    case Op::surf_store: return select_surface_store(instruction, format, effective(guard));
    case Op::surf_atomic:
      return emit_global_atomic(instruction, linear_address(instruction, format), effective(guard));
#define IR_COVERED_surface
#include "ir/op_cases.inc"
      break;  // of another family
  }
}

// ---- loads

void Selector::select_surface_load(const ir::Instruction& instruction, const SurfaceFormat& format,
                                   Predicate guard) {
  if (guard.is_false()) return define_fallbacks(instruction);
  define_status(instruction);  // such views are memory
  std::array<MachineValue, 4> words{kNone, kNone, kNone, kNone};
  std::array<MachineValue, 4> zeros{kNone, kNone, kNone, kNone};
  const uint32_t count = word_count(format);
  bool used = false;
  for (uint32_t c = 0; c < 4; ++c) used = used || is_used(instruction.first_result + c);
  for (uint32_t i = 0; i < count; ++i) {
    if (guard.value != kNone) zeros[i] = assembler.fresh_immediate(0);
    words[i] = assembler.general();
  }
  const Arg results = Arg::regs(std::span(words.data(), count));
  const ModifierSetting size{Modifier::memory_size, memory_size(format)};
  if (is_linear(instruction)) {
    const Arg at = linear_address(instruction, format);
    emit(Draft{Opcode::ldg,
               {results, at},
               {{Modifier::e, Extended::on}, {Modifier::load_size, memory_size(format)}}}
             .under(guard))
        .effect = machine::Effect::read;
  } else {
    const Arg at = surface_coordinates(instruction, format);
    emit(Draft{Opcode::suld_d,
               {Arg(), results, at, surface_handle(instruction)},
               {{Modifier::ba, ByteAddressed::on},
                {Modifier::surface_dim, surface_dim(access(instruction).dimension)},
                size,
                {Modifier::surface_clamp, SurfaceClamp::ign}}}
             .under(guard))
        .effect = machine::Effect::read;
  }
  if (guard.value != kNone) leave_zeros(std::span(zeros.data(), count));
  if (used) unpack_texel(instruction, format, words, guard);
}

// Components out of the words; what the format lacks is 0, alpha 1. Guarded off, the fallbacks count.
void Selector::unpack_texel(const ir::Instruction& instruction, const SurfaceFormat& format,
                            const std::array<MachineValue, 4>& words, Predicate guard) {
  const bool integer = format.kind == TexelKind::uint || format.kind == TexelKind::sint;
  const backend::TexelLayout texel = format.layout();
  for (uint32_t c = 0; c < 4; ++c) {
    const Value result = instruction.first_result + c;
    if (!is_used(result)) continue;
    const backend::TexelComponent place = texel.component[c];
    const bool is_missing = place.bits == 0;
    Source component;
    if (is_missing) {
      component = Source::immediate(c < 3 ? 0u : integer ? 1u : float_bits(1.0f));
    } else {
      component = unpack_component(words[place.offset / 32], place, format.kind);
    }
    // A word of zeros unpacks to 0, so that only other fallbacks need a selection.
    const Value fallback = slot(instruction, Slot::fallback0 + c);
    if (guard.value != kNone && (fallback != ir::kNoValue || (is_missing && !component.is_immediate(0)))) {
      const Source otherwise = fallback == ir::kNoValue ? Source::immediate(0) : word(fallback);
      component = Source::of(emit_select(guard, component, otherwise));
    }
    define(result, component);
  }
}

Source Selector::unpack_component(MachineValue packed, backend::TexelComponent place, TexelKind kind) {
  Source source = Source::of(packed);
  const uint32_t bits = place.bits;
  const uint32_t shift = place.offset % 32u;
  if (bits == 32) return source;
  const bool negative = is_signed(kind);
  const auto field = [&] {
    return Source::of(
        assembler.emit_word({Opcode::bfe,
                             {Arg(), source, Source::immediate(bits << 8 | shift)},
                             {{Modifier::is_signed, negative ? IsSigned::s32 : IsSigned::u32}}}));
  };
  if (kind == TexelKind::uint || kind == TexelKind::sint) return field();
  if (kind == TexelKind::float_) {
    uint8_t half = shift != 0 ? kUpperHalf : 0;
    if (bits < 16) {  // 10 and 11 bits: a half without its sign and low bits
      source = Source::of(assembler.emit_word({Opcode::shl, {Arg(), field(), Source::immediate(15 - bits)}}));
      half = 0;
    }
    return Source::of(
        assembler.emit_word(Draft{Opcode::f2f, {Arg(), source.half(half)}}.spelled("F32", "F16")));
  }
  // Bytes and halves are converted where they stand.
  const bool whole = bits == 8 || bits == 16;
  const Modifier sign = bits == 8    ? Modifier::source_sign_8
                        : bits == 16 ? Modifier::source_sign_16
                                     : Modifier::source_sign_32;
  const Source number = Source::of(assembler.emit_word(Draft{
      Opcode::i2f,
      {Arg(), whole ? source.half(static_cast<uint8_t>(shift / 8)) : field()},
      {{Modifier::float_type, FloatType::f32},
       {sign, negative ? 1 : 0}}}.requiring(sign)));
  const float steps = static_cast<float>((1u << (bits - (negative ? 1u : 0u))) - 1u);
  if (steps == 1.0f && !negative) return number;
  // c / s with s = 2^n - 1: exactly rounded by one correction of c * (1 / s), tried for all c of up to 16
  // bits (UnorderedAccess.LoadsConvertByTheRules).
  const Source inverse = Source::immediate(float_bits(1.0f / steps));
  const Source quotient = Source::of(emit_product(number, inverse, 0));
  const Source rest =
      Source::of(emit_fused(quotient, Source::immediate(float_bits(-steps)), number, 0, Fmz::off));
  const Source exact = Source::of(emit_fused(rest, inverse, quotient, 0, Fmz::off));
  if (!negative) return exact;
  return Source::of(
      assembler.emit_word({Opcode::fmnmx,
                           {Arg(), exact, Source::immediate(float_bits(-1.0f)), Predicate::constant(false)},
                           {{Modifier::ftz, Ftz::on}}}));
}

// ---- stores

void Selector::select_surface_store(const ir::Instruction& instruction, const SurfaceFormat& format,
                                    Predicate guard) {
  if (guard.is_false()) return;
  std::array<MachineValue, 4> words{kNone, kNone, kNone, kNone};
  const uint32_t count = word_count(format);
  const backend::TexelLayout texel = format.layout();
  for (uint32_t c = 0; c < 4; ++c) {
    const backend::TexelComponent place = texel.component[c];
    if (place.bits == 0) continue;
    MachineValue& word = words[place.offset / 32];
    const uint32_t shift = place.offset % 32u;
    const Value value = slot(instruction, Slot::value0 + c);
    if (place.bits == 32) {
      word = reg(value);
      continue;
    }
    const Source packed = pack_component(place.bits, format.kind, value);
    const bool is_first = word == kNone;
    // What is signed, and a float without its sign, has bits above its own.
    const bool clean = !is_signed(format.kind) && (format.kind != TexelKind::float_ || place.bits == 16);
    word = is_first && shift == 0 && clean
               ? packed.value
               : assembler.emit_word({Opcode::bfi,
                                      {Arg(), packed, Source::immediate(uint32_t{place.bits} << 8 | shift),
                                       is_first ? Source::immediate(0) : Source::of(word)}});
  }
  const Arg data = Arg::regs(std::span(words.data(), count));
  const ModifierSetting size{Modifier::memory_size, memory_size(format)};
  if (is_linear(instruction)) {
    const Arg at = linear_address(instruction, format);
    emit(Draft{Opcode::stg, {at, data}, {{Modifier::e, Extended::on}, size}}.under(guard)).effect =
        machine::Effect::write;
    return;
  }
  const Arg at = surface_coordinates(instruction, format);
  emit(Draft{Opcode::sust_d,
             {at, data, surface_handle(instruction)},
             {{Modifier::ba, ByteAddressed::on},
              {Modifier::surface_dim, surface_dim(access(instruction).dimension)},
              size,
              {Modifier::surface_clamp, SurfaceClamp::ign}}}
           .under(guard))
      .effect = machine::Effect::write;
}

/// A float of 10 or 11 bits: the upper bits of a half. What is negative is 0; the sign bit of a NaN and of -0
/// stays above.
Source Selector::without_sign(const Source& half, const Source& number, uint32_t bits) {
  const Source cut = Source::of(assembler.emit_word(
      {Opcode::shr, {Arg(), half, Source::immediate(15 - bits)}, {{Modifier::is_signed, IsSigned::u32}}}));
  const MachineValue negative = assembler.predicate();
  assembler.emit_cheaper(
      {Opcode::fsetp,
       {Predicate{negative, false}, Arg(), number, Source::immediate(0), Predicate::constant(true)},
       {{Modifier::float_compare, FloatCompare::lt}, {Modifier::ftz, Ftz::on}}},
      {Opcode::fsetp,
       {Predicate{negative, false}, Arg(), Source::immediate(0), number, Predicate::constant(true)},
       {{Modifier::float_compare, FloatCompare::gt}, {Modifier::ftz, Ftz::on}}});
  return Source::of(emit_select({negative, false}, Source::immediate(0), cut));
}

// Direct3D's conversions on the way out: NaN to 0, clamp, scale, round to nearest, halves away from zero.
Source Selector::pack_component(uint32_t bits, TexelKind kind, Value value) {
  const uint32_t top = (1u << (bits - 1u)) - 1u;
  const auto clamp = [&](Opcode op, const Source& x, uint32_t bound, bool minimum, ModifierSetting setting) {
    return Source::of(assembler.emit_word(
        {op, {Arg(), x, Source::immediate(bound), Predicate::constant(minimum)}, {setting}}));
  };
  const ModifierSetting ftz{Modifier::ftz, Ftz::on};
  const Source x = float_source(value);
  switch (kind) {
    case TexelKind::uint:
      return clamp(Opcode::imnmx, Source::of(reg(value)), 2 * top + 1, true,
                   {Modifier::is_signed, IsSigned::u32});
    case TexelKind::sint: {
      const ModifierSetting sign{Modifier::is_signed, IsSigned::s32};
      return clamp(Opcode::imnmx, clamp(Opcode::imnmx, Source::of(reg(value)), top, true, sign), ~top, false,
                   sign);
    }
    case TexelKind::float_: {
      const Source half = Source::of(assembler.emit_word(
          Draft{Opcode::f2f, {Arg(), x}, {ftz, {Modifier::rounding, Rounding::rz}}}.spelled("F16", "F32")));
      return bits == 16 ? half : without_sign(half, x, bits);
    }
    case TexelKind::unorm:
    case TexelKind::snorm: break;
  }
  const bool negative = kind == TexelKind::snorm;
  Source limited;
  if (negative) {
    const MachineValue number = assembler.predicate();
    const Source plain = Source::of(reg(value));
    emit({Opcode::fsetp,
          {Predicate{number, false}, Arg(), plain, plain, Predicate::constant(true)},
          {{Modifier::float_compare, FloatCompare::eq}, ftz}});
    const Source cleaned = Source::of(emit_select({number, false}, plain, Source::immediate(0)));
    limited = clamp(Opcode::fmnmx, clamp(Opcode::fmnmx, cleaned, float_bits(-1.0f), false, ftz),
                    float_bits(1.0f), true, ftz);
  } else {
    limited = Source::of(
        assembler.emit_word({Opcode::fadd, {Arg(), x, minus_zero()}, {ftz, {Modifier::sat, Sat::on}}}));
  }
  const float steps = static_cast<float>(negative ? top : 2 * top + 1);
  const Source scaled = Source::of(emit_product(limited, Source::immediate(float_bits(steps)), 0));
  Source half = Source::immediate(float_bits(0.5f));
  if (negative) {  // with the sign of the number
    const MachineValue sign = assembler.emit_word(
        {Opcode::lop32i, {Arg(), scaled, Source::immediate(0x80000000)}, {{Modifier::logic, Logic::and_}}});
    half = Source::of(assembler.emit_word({Opcode::lop32i,
                                           {Arg(), Source::of(sign), Source::immediate(float_bits(0.5f))},
                                           {{Modifier::logic, Logic::or_}}}));
  }
  const Source rounded = Source::of(emit_sum(scaled, half, 0));
  return Source::of(assembler.emit_word(Draft{Opcode::f2i,
                                              {Arg(), rounded},
                                              {ftz,
                                               {Modifier::f2i_type, negative ? F2iType::s32 : F2iType::u32},
                                               {Modifier::f2i_rounding, F2iRounding::trunc}}}
                                            .spelled("F32")));
}

}  // namespace texlate::maxwell::select
