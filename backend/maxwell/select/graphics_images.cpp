#include "backend/maxwell/select/graphics_host.h"

namespace texlate::maxwell::select {

namespace {

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

}  // namespace

/// x, y, z, then the layer; in bytes along x for atomics.
Arg Images::coordinates(const ir::Instruction& instruction, bool in_bytes) {
  const Dimension dimension = access(instruction).dimension;
  std::array<MachineValue, 4> list{kNone, kNone, kNone, kNone};
  uint32_t count = 0;
  for (uint32_t i = 0; i < ir::coordinate_count(dimension); ++i)
    list[count++] = reg(slot(instruction, Slot::coordinate0 + i));
  if (ir::is_array(dimension)) list[count++] = reg(slot(instruction, Slot::layer));
  if (in_bytes) {
    list[0] = emit_word({Opcode::shl, {Arg(), Source::of(list[0]), Source::immediate(2)}});
  }
  return Arg::address(std::span(list.data(), count), 0);
}

void Images::select(const ir::Instruction& instruction) {
  const Predicate guard = guard_of(instruction);
  switch (instruction.op) {
    case Op::surf_load: return select_load(instruction, guard);
    case Op::surf_store: return select_store(instruction, effective(guard));
    case Op::surf_atomic: return select_atomic(instruction, effective(guard));
#define IR_COVERED_surface
#include "ir/op_cases.inc"
      return;  // of another family
  }
}

void Images::select_load(const ir::Instruction& instruction, Predicate guard) {
  const ir::ResourceAccess& contract = access(instruction);
  if (guard.is_false()) return define_fallbacks(instruction);
  const uint32_t used = used_words(instruction, 4);
  if (used == 0) return;
  const uint32_t count = used == 1 ? 1 : used <= 3 ? 2 : 4;
  const LoadedWords words = define_loaded(instruction, 0, count, guard);
  const bool is_coherent = module_.resources[contract.resource].globally_coherent;
  const Arg at = coordinates(instruction, false);
  emit_access({Opcode::suld_p,
               {Arg(), Arg::regs(std::span(words.results.data(), count)), at, handle(instruction)},
               {{Modifier::surface_dim, image_dim(contract.dimension)},
                {Modifier::load_cache, is_coherent ? LoadCache::cg : LoadCache::none},
                {Modifier::surface_mask, (1u << count) - 1},
                kIgnored}},
              guard, machine::Effect::read);
  if (guard.value != kNone) leave_zeros(std::span(words.otherwise.data(), count));
}

void Images::select_store(const ir::Instruction& instruction, Predicate guard) {
  const ir::ResourceAccess& contract = access(instruction);
  if (guard.is_false()) return;
  std::array<MachineValue, 4> values{kNone, kNone, kNone, kNone};
  for (uint32_t c = 0; c < 4; ++c) values[c] = reg(slot(instruction, Slot::value0 + c));
  const bool is_coherent = module_.resources[contract.resource].globally_coherent;
  const Arg at = coordinates(instruction, false);
  emit_access({Opcode::sust_p,
               {at, Arg::regs(values), handle(instruction)},
               {{Modifier::surface_dim, image_dim(contract.dimension)},
                {Modifier::store_cache, is_coherent ? StoreCache::cg : StoreCache::none},
                {Modifier::surface_mask, SurfaceMask::rgba},
                kIgnored}},
              guard, machine::Effect::write);
}

void Images::select_atomic(const ir::Instruction& instruction, Predicate guard) {
  const ir::ResourceAccess& contract = access(instruction);
  define_guarded(instruction.first_result, guard, [&](MachineValue result) {
    const Arg at = coordinates(instruction, true);
    const MachineValue value = reg(slot(instruction, Slot::value0));
    const ModifierSetting dim{Modifier::surface_dim, image_dim(contract.dimension)};
    const AtomicForm form = atomic_form(contract.atomic);
    const SurfaceAtomicType type = form.is_signed ? SurfaceAtomicType::s32 : SurfaceAtomicType::u32;
    if (contract.atomic == ir::AtomicOp::compare_exchange) {
      const Arg values = Arg::regs({reg(slot(instruction, Slot::compare)), value});
      return emit_access({Opcode::suatom_cas,
                          {Arg(), Arg::reg(result), at, values, handle(instruction)},
                          {kInBytes, dim, kIgnored}},
                         guard, machine::Effect::write);
    }
    emit_access({Opcode::suatom,
                 {Arg::reg(result), at, Arg::reg(value), handle(instruction)},
                 {kInBytes,
                  dim,
                  {Modifier::atomic, form.operation},
                  {Modifier::surface_atomic_type, type},
                  kIgnored}},
                guard, machine::Effect::write);
  });
}

}  // namespace texlate::maxwell::select
