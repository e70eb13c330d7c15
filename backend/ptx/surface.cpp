// Typed unordered access. Views that are only read or only written are CUDA surfaces (suld, sust); the others
// are linear memory with pitches (launch_abi.cpp says why). Texels are packed and unpacked here by Direct3D's
// conversion rules (D3D11.3 3.2.3; docs/reference/direct3d.md 3.2, 3.3), because sust.p leaves rounding and
// missing components open (PTX ISA 9.7.11.2).

#include <array>
#include <bit>

#include "backend/ptx/emitter.h"

namespace texlate::ptx {

namespace {

using ir::Dimension;
using ir::Slot;

std::string_view geometry(Dimension dimension) {
  switch (dimension) {
    case Dimension::texture2d: return "2d";
    case Dimension::texture2d_array: return "a2d";
    case Dimension::texture3d: return "3d";
    default: return {};
  }
}

/// 32-bit words of a texel; a texel of 1 or 2 bytes counts as one.
uint32_t word_count(const SurfaceFormat& format) {
  return (format.texel_bytes() + 3) / 4;
}

/// ".b8", ".b16", ".b32", ".v2.b32", ".v4.b32"
std::string_view access_type(const SurfaceFormat& format) {
  switch (format.texel_bytes()) {
    case 1: return "b8";
    case 2: return "b16";
    case 4: return "b32";
    case 8: return "v2.b32";
    default: return "v4.b32";
  }
}

uint32_t float_bits(float value) {
  return std::bit_cast<uint32_t>(value);
}

}  // namespace

SurfaceFormat Emitter::surface_format(uint16_t resource) const {
  if (resource < options_.surface_formats.size()) return options_.surface_formats[resource];
  return default_surface_format(module_.resources[resource], layout_.atomic[resource] != 0);
}

// Where the texel is in linear memory: base + z * slice pitch + y * row pitch + x * texel size.
Temp64 Emitter::linear_address(const Instruction& instruction, const SurfaceFormat& format) {
  const ir::ResourceAccess& contract = access(instruction);
  const Record record = resource_record(instruction);
  const Temp64 address = handle(instruction, false);
  auto add = [&](Value coordinate, Temp pitch) {
    const Temp64 offset = temp64();
    line("mul.wide.u32 ", offset, ", ", Int{coordinate}, ", ", pitch);
    line("add.u64 ", address, ", ", address, ", ", offset);
  };
  const Temp64 along = temp64();
  line("mul.wide.u32 ", along, ", ", Int{slot(instruction, Slot::coordinate0)}, ", ", format.texel_bytes());
  line("add.u64 ", address, ", ", address, ", ", along);
  if (contract.dimension == Dimension::buffer) return address;
  const Temp row_pitch = temp();
  load_field("u32", row_pitch, record, record::kRowPitch);
  add(slot(instruction, Slot::coordinate1), row_pitch);
  const Value third = contract.dimension == Dimension::texture3d ? slot(instruction, Slot::coordinate2)
                                                                 : slot(instruction, Slot::layer);
  if (third != ir::kNoValue) {
    const Temp slice_pitch = temp();
    load_field("u32", slice_pitch, record, record::kSlicePitch);
    add(third, slice_pitch);
  }
  return address;
}

// x counts bytes. The guard has compared x in texels, so x times the size cannot wrap back into range.
void Emitter::put_surface_coordinates(const Instruction& instruction, const SurfaceFormat&) {
  const Dimension dimension = access(instruction).dimension;
  put(", {");
  if (dimension == Dimension::texture2d_array) {
    put(Int{slot(instruction, Slot::layer)});
    put(", ");
  }
  put(Temp{temps_ - 1});  // x in bytes: the temporary made last
  put(", ");
  put(Int{slot(instruction, Slot::coordinate1)});
  if (dimension == Dimension::texture3d) {
    put(", ");
    put(Int{slot(instruction, Slot::coordinate2)});
    put(", ");
    put(Int{slot(instruction, Slot::coordinate2)});
  } else if (dimension == Dimension::texture2d_array) {
    put(", ");
    put(Int{slot(instruction, Slot::coordinate1)});
  }
  put("}]");
}

void Emitter::emit_surface(const Instruction& instruction) {
  const ir::ResourceAccess& contract = access(instruction);
  const SurfaceFormat format = surface_format(contract.resource);
  if (instruction.op == Op::surf_atomic)
    return emit_global_atomic(instruction, linear_address(instruction, format));
  if (instruction.op == Op::surf_load) return emit_surface_load(instruction, format);
  emit_surface_store(instruction, format);
}

void Emitter::emit_surface_load(const Instruction& instruction, const SurfaceFormat& format) {
  const ir::ResourceAccess& contract = access(instruction);
  const bool linear = in_memory(contract.resource);
  const bool coherent = module_.resources[contract.resource].globally_coherent;
  std::array<Temp, 4> words;
  const uint32_t count = word_count(format);
  const bool narrow = format.texel_bytes() < 4;
  const Half narrow_word = narrow ? half() : Half{0};
  Temp64 address{0};
  if (linear) {
    address = linear_address(instruction, format);
  } else {
    address = handle(instruction, false);
  }
  for (uint32_t i = 0; i < count; ++i) {
    words[i] = temp();
    line("mov.b32 ", words[i], ", 0");
  }
  if (narrow) line("mov.b16 ", narrow_word, ", 0");
  if (!linear) {
    const Temp bytes = temp();
    line("mul.lo.u32 ", bytes, ", ", Int{slot(instruction, Slot::coordinate0)}, ", ", format.texel_bytes());
  }
  put_guard(instruction);
  if (linear) {
    put(coherent ? "ld.volatile.global." : "ld.global.");
    put(access_type(format));
  } else {
    put("suld.b.");
    put(geometry(contract.dimension));
    put('.');
    put(access_type(format));
    put(".zero");
  }
  put(count > 1 ? " {" : " ");
  for (uint32_t i = 0; i < count; ++i) {
    if (i != 0) put(", ");
    if (narrow) {
      put(narrow_word);
    } else {
      put(words[i]);
    }
  }
  put(count > 1 ? "}, [" : ", [");
  put(address);
  if (linear) {
    put(']');
  } else {
    put_surface_coordinates(instruction, format);
  }
  put(";\n");
  if (narrow) line("cvt.u32.u16 ", words[0], ", ", narrow_word);
  unpack_texel(instruction, format, std::span<const Temp>(words.data(), count));
  if (contract.feedback) line("mov.b32 ", Int{instruction.first_result + 4}, ", -1");
}

// value / divisor as div.rn gives it, for the integers of 8 and 16 bits and their numbers of steps (checked
// for all of them: PtxQuotient): multiply by the reciprocal, then correct by what is left.
void Emitter::put_quotient(Value value, float divisor) {
  const auto literal = [this](float number) {
    put(", 0f");
    put_hex(float_bits(number), 8);
  };
  const Temp quotient = temp();
  const Temp rest = temp();
  put("\tmul.rn.ftz.f32 ");
  put(quotient);
  put(", ");
  put(Int{value});
  literal(1.0f / divisor);
  put(";\n\tfma.rn.ftz.f32 ");
  put(rest);
  put(", ");
  put(quotient);
  literal(-divisor);
  put(", ");
  put(Int{value});
  put(";\n\tfma.rn.ftz.f32 ");
  put(Int{value});
  put(", ");
  put(rest);
  literal(1.0f / divisor);
  put(", ");
  put(quotient);
  put(";\n");
}

// Components out of the words; what the format lacks is 0, alpha 1. Guarded off, the fallbacks count.
void Emitter::unpack_texel(const Instruction& instruction, const SurfaceFormat& format,
                           std::span<const Temp> words) {
  const bool integer = format.kind == TexelKind::uint || format.kind == TexelKind::sint;
  const Value guard = slot(instruction, Slot::guard);
  const backend::TexelLayout layout = format.layout();
  for (uint32_t c = 0; c < 4; ++c) {
    const Value result = instruction.first_result + c;
    if (!is_used(result)) continue;
    const backend::TexelComponent component = layout.component[c];
    if (component.bits == 0) {
      const uint32_t missing = c < 3 ? 0u : integer ? 1u : float_bits(1.0f);
      line("mov.b32 ", Int{result}, ", ", missing);
    } else {
      unpack_component(result, words[component.offset / 32], component, format.kind);
    }
    const Value fallback = slot(instruction, Slot::fallback0 + c);
    if (guard != ir::kNoValue && (fallback != ir::kNoValue || component.bits == 0)) {
      put("\tselp.b32 ");
      put(Int{result});
      put(", ");
      put(Int{result});
      put(", ");
      if (fallback == ir::kNoValue) {
        put('0');
      } else {
        put(Int{fallback});
      }
      put(", ");
      put(Pred{guard});
      put(";\n");
    }
  }
}

void Emitter::unpack_component(Value result, Temp word, backend::TexelComponent component, TexelKind kind) {
  const uint32_t bits = component.bits;
  if (bits == 32) return line("mov.b32 ", Int{result}, ", ", word);
  const bool is_signed = kind == TexelKind::sint || kind == TexelKind::snorm;
  line(is_signed ? "bfe.s32 " : "bfe.u32 ", Int{result}, ", ", word, ", ", uint32_t{component.offset % 32u},
       ", ", bits);
  switch (kind) {
    case TexelKind::float_: {
      // 10 and 11 bits: a half without its sign and low bits.
      if (bits < 16) line("shl.b32 ", Int{result}, ", ", Int{result}, ", ", 15 - bits);
      const Half h = half();
      line("cvt.u16.u32 ", h, ", ", Int{result});
      return line("cvt.f32.f16 ", Int{result}, ", ", h);
    }
    case TexelKind::unorm:
    case TexelKind::snorm: {
      // c / (2^n - 1), correctly rounded; SNORM's most negative value counts as -1.
      const uint32_t steps = (1u << (bits - (is_signed ? 1u : 0u))) - 1u;
      line(is_signed ? "cvt.rn.f32.s32 " : "cvt.rn.f32.u32 ", Int{result}, ", ", Int{result});
      if (steps != 1) put_quotient(result, static_cast<float>(steps));
      if (is_signed) line("max.ftz.f32 ", Int{result}, ", ", Int{result}, ", 0fBF800000");
      return;
    }
    case TexelKind::uint:
    case TexelKind::sint: return;
  }
}

void Emitter::pack_texel(const Instruction& instruction, const SurfaceFormat& format,
                         std::span<const Temp> words) {
  const backend::TexelLayout layout = format.layout();
  for (const Temp word : words) line("mov.b32 ", word, ", 0");
  for (uint32_t c = 0; c < 4; ++c) {
    const backend::TexelComponent component = layout.component[c];
    if (component.bits == 0) continue;
    const Value value = slot(instruction, Slot::value0 + c);
    const Temp word = words[component.offset / 32];
    if (component.bits == 32) {
      line("mov.b32 ", word, ", ", Int{value});
      continue;
    }
    const Temp packed = temp();
    pack_component(packed, value, component.bits, format.kind);
    line("bfi.b32 ", word, ", ", packed, ", ", word, ", ", uint32_t{component.offset % 32u}, ", ",
         uint32_t{component.bits});
  }
}

// Direct3D's conversions on the way out: NaN to 0, clamp, scale, round (docs/reference/direct3d.md 3.3).
void Emitter::pack_component(Temp packed, Value value, uint32_t bits, TexelKind kind) {
  const uint32_t top = (1u << (bits - 1u)) - 1u;
  switch (kind) {
    case TexelKind::float_: {  // 16 bits, toward zero; 10 and 11: no sign, what is negative is 0
      const Half h = half();
      line("cvt.rz.ftz.f16.f32 ", h, ", ", Float{value});
      line("cvt.u32.u16 ", packed, ", ", h);
      if (bits == 16) return;
      const TempPred negative = temp_pred();
      line("setp.lt.ftz.f32 ", negative, ", ", Float{value}, ", 0f00000000");
      line("shr.u32 ", packed, ", ", packed, ", ", 15 - bits);
      return line("selp.b32 ", packed, ", 0, ", packed, ", ", negative);
    }
    case TexelKind::unorm:
      line("cvt.ftz.sat.f32.f32 ", packed, ", ", Float{value});
      put_scaled(packed, 2 * top + 1);
      line("add.rn.ftz.f32 ", packed, ", ", packed, ", 0f3F000000");
      return line("cvt.rzi.ftz.u32.f32 ", packed, ", ", packed);
    case TexelKind::snorm: {
      // max and min drop a NaN; a NaN must become 0, so it is taken out first.
      const TempPred number = temp_pred();
      const Temp rounding = temp();
      line("setp.eq.ftz.f32 ", number, ", ", Float{value}, ", ", Float{value});
      line("selp.b32 ", packed, ", ", Int{value}, ", 0, ", number);
      line("max.ftz.f32 ", packed, ", ", packed, ", 0fBF800000");
      line("min.ftz.f32 ", packed, ", ", packed, ", 0f3F800000");
      put_scaled(packed, top);
      line("and.b32 ", rounding, ", ", packed, ", 0x80000000");
      line("or.b32 ", rounding, ", ", rounding, ", 0x3F000000");  // +-0.5
      line("add.rn.ftz.f32 ", packed, ", ", packed, ", ", rounding);
      return line("cvt.rzi.ftz.s32.f32 ", packed, ", ", packed);
    }
    case TexelKind::uint: return line("min.u32 ", packed, ", ", Int{value}, ", ", 2 * top + 1);
    case TexelKind::sint:
      line("min.s32 ", packed, ", ", Int{value}, ", ", top);
      return line("max.s32 ", packed, ", ", packed, ", -", top + 1);
  }
}

void Emitter::put_scaled(Temp packed, uint32_t steps) {
  put("\tmul.rn.ftz.f32 ");
  put(packed);
  put(", ");
  put(packed);
  put(", 0f");
  put_hex(float_bits(static_cast<float>(steps)), 8);
  put(";\n");
}

void Emitter::emit_surface_store(const Instruction& instruction, const SurfaceFormat& format) {
  const ir::ResourceAccess& contract = access(instruction);
  const bool linear = in_memory(contract.resource);
  const bool coherent = module_.resources[contract.resource].globally_coherent;
  std::array<Temp, 4> words;
  const uint32_t count = word_count(format);
  for (uint32_t i = 0; i < count; ++i) words[i] = temp();
  pack_texel(instruction, format, std::span<const Temp>(words.data(), count));
  const bool narrow = format.texel_bytes() < 4;
  const Half narrow_word = narrow ? half() : Half{0};
  if (narrow) line("cvt.u16.u32 ", narrow_word, ", ", words[0]);
  const Temp64 address = linear ? linear_address(instruction, format) : handle(instruction, false);
  TempPred effective{0};
  const bool predicated = effect_predicate(instruction, effective);
  if (!linear) {
    const Temp bytes = temp();
    line("mul.lo.u32 ", bytes, ", ", Int{slot(instruction, Slot::coordinate0)}, ", ", format.texel_bytes());
  }
  put('\t');
  if (predicated) {
    put('@');
    put(effective);
    put(' ');
  }
  if (linear) {
    put(coherent ? "st.volatile.global." : "st.global.");
    put(access_type(format));
    put(" [");
    put(address);
    put("], ");
  } else {
    put("sust.b.");
    put(geometry(contract.dimension));
    put('.');
    put(access_type(format));
    put(".zero [");
    put(address);
    put_surface_coordinates(instruction, format);
    put(", ");
  }
  if (count > 1) put('{');
  for (uint32_t i = 0; i < count; ++i) {
    if (i != 0) put(", ");
    if (narrow) {
      put(narrow_word);
    } else {
      put(words[i]);
    }
  }
  put(count > 1 ? "};\n" : ";\n");
}

}  // namespace texlate::ptx
