// Typed views of the launch ABI.

#include <bit>

#include "backend/maxwell/select/launch_host.h"

namespace texlate::maxwell::select {

namespace {

using launch::SurfaceFormat;

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

unsigned log2_of(uint32_t power) {
  return static_cast<unsigned>(std::bit_width(power)) - 1;
}

}  // namespace

SurfaceFormat Surfaces::format_of(uint16_t resource) const {
  return launch::surface_format(module_, records_.layout(), options_.surface_formats, resource);
}

/// x in bytes, y, then z or the layer. The guard has compared x in texels, so x times the size cannot wrap
/// back into range.
Arg Surfaces::coordinates(const ir::Instruction& instruction, const SurfaceFormat& format) {
  const Dimension dimension = access(instruction).dimension;
  const Value x = slot(instruction, Slot::coordinate0);
  std::array<MachineValue, 3> list{kNone, kNone, kNone};
  const unsigned shift = log2_of(format.texel_bytes());
  list[0] =
      shift == 0 ? reg(x) : emit_word({Opcode::shl, {Arg(), Source::of(reg(x)), Source::immediate(shift)}});
  list[1] = reg(slot(instruction, Slot::coordinate1));
  if (dimension == Dimension::texture3d) list[2] = reg(slot(instruction, Slot::coordinate2));
  if (dimension == Dimension::texture2d_array) list[2] = reg(slot(instruction, Slot::layer));
  return Arg::address(std::span(list.data(), list[2] == kNone ? 2 : 3), 0);
}

void Surfaces::select(const ir::Instruction& instruction) {
  if (access(instruction).type != ir::ComponentType::none)
    return refuse(instruction, "an access whose texels are not packed");
  const SurfaceFormat format = format_of(access(instruction).resource);
  const Predicate guard = guard_of(instruction);
  instruction.op == Op::surf_load ? select_load(instruction, format, guard)
                                  : select_store(instruction, format, effective(guard));
}

void Surfaces::select_load(const ir::Instruction& instruction, const SurfaceFormat& format, Predicate guard) {
  if (guard.is_false()) return define_fallbacks(instruction);
  const uint32_t count = word_count(format);
  if (used_words(instruction, count) == 0) return;
  const LoadedWords words = define_loaded(instruction, 0, count, guard);
  emit_access({Opcode::suld_d,
               {Arg(), Arg::regs(std::span(words.results.data(), count)), coordinates(instruction, format),
                surface_handle(records_.resource_of(instruction))},
               {kInBytes,
                {Modifier::surface_dim, surface_dim(access(instruction).dimension)},
                {Modifier::memory_size, memory_size(format)},
                kIgnored}},
              guard, machine::Effect::read);
  if (guard.value != kNone) leave_zeros(std::span(words.otherwise.data(), count));
}

void Surfaces::select_store(const ir::Instruction& instruction, const SurfaceFormat& format,
                            Predicate guard) {
  if (guard.is_false()) return;
  std::array<MachineValue, 4> words{kNone, kNone, kNone, kNone};
  const uint32_t count = word_count(format);
  for (uint32_t i = 0; i < count; ++i) words[i] = reg(slot(instruction, Slot::value0 + i));
  const Arg at = coordinates(instruction, format);
  emit_access(
      {Opcode::sust_d,
       {at, Arg::regs(std::span(words.data(), count)), surface_handle(records_.resource_of(instruction))},
       {kInBytes,
        {Modifier::surface_dim, surface_dim(access(instruction).dimension)},
        {Modifier::memory_size, memory_size(format)},
        kIgnored}},
      guard, machine::Effect::write);
}

}  // namespace texlate::maxwell::select
