// Buffers and typed views. Where an access has an address, it is one of global memory. Otherwise kernels
// access texels as they are stored (.D, x in bytes), in words (ir/passes/pack_texels.h), and in programs of
// deko3d the descriptor's format converts them (.P); out of range, loads read 0 and stores are dropped
// (.IGN).

#include <bit>

#include "backend/maxwell/select/families.h"

namespace texlate::maxwell::select {

namespace {

SurfaceDim surface_dim(Dimension dimension) {
  switch (dimension) {
    case Dimension::buffer: return SurfaceDim::_1d_buffer;
    case Dimension::texture1d: return SurfaceDim::_1d;
    case Dimension::texture1d_array: return SurfaceDim::_1d_array;
    case Dimension::texture2d_array: return SurfaceDim::_2d_array;
    case Dimension::texture3d: return SurfaceDim::_3d;
    default: return SurfaceDim::_2d;
  }
}

ModifierSetting dim_of(const ir::ResourceAccess& contract) {
  return {Modifier::surface_dim, surface_dim(contract.dimension)};
}

bool is_stored(const ir::ResourceAccess& contract) {
  return contract.type == ir::ComponentType::none;
}

}  // namespace

void Views::select(const ir::Instruction& instruction) {
  const ir::ResourceAccess& contract = access(instruction);
  const bool is_memory = contract.has(Slot::address);
  const bool is_surface = ir::info(instruction.op).family == ir::Family::surface;
  if (!is_memory && !is_surface)
    return refuse(instruction, "an access without an address, or a query that is not legalized");
  if (!is_memory && options_.graphics == nullptr && !is_stored(contract))
    return refuse(instruction, "an access whose texels are not packed");
  const Predicate guard = guard_of(instruction);
  switch (instruction.op) {
    case Op::buf_load:
    case Op::surf_load:
      if (guard.is_false()) return define_fallbacks(instruction);
      if (!is_memory) return load_texel(instruction, guard);
      define_status(instruction);
      return load_words(instruction, guard);
    case Op::buf_store:
    case Op::surf_store:
      if (guard.is_false()) return;
      return is_memory ? store_words(instruction, effective(guard))
                       : store_texel(instruction, effective(guard));
    case Op::buf_atomic:
    case Op::surf_atomic:
      return is_memory ? emit_global_atomic(instruction, effective(guard))
                       : emit_texel_atomic(instruction, effective(guard));
    case Op::buf_size:
    case Op::counter:
#define IR_COVERED_buffer
#define IR_COVERED_surface
#include "ir/op_cases.inc"
      return;  // without an address
  }
}

/// x in units of `bytes`, y, z, then the layer. The guard has compared x in texels, so x times the size
/// cannot wrap back into range.
Arg Views::coordinates(const ir::Instruction& instruction, uint32_t bytes) {
  const Dimension dimension = access(instruction).dimension;
  std::array<MachineValue, 4> list{kNone, kNone, kNone, kNone};
  uint32_t count = 0;
  const MachineValue x = reg(slot(instruction, Slot::coordinate0));
  const Source shift = Source::immediate(static_cast<uint32_t>(std::countr_zero(bytes)));
  list[count++] = bytes == 1 ? x : emit_word({Opcode::shl, {Arg(), Source::of(x), shift}});
  while (count < ir::coordinate_count(dimension)) {
    list[count] = reg(slot(instruction, Slot::coordinate0 + count));
    ++count;
  }
  if (ir::is_array(dimension)) list[count++] = reg(slot(instruction, Slot::layer));
  return Arg::address(std::span(list.data(), count), 0);
}

/// Where a load or store is.
Arg Views::place(const ir::Instruction& instruction) {
  const ir::ResourceAccess& contract = access(instruction);
  return coordinates(instruction, is_stored(contract) ? module_.resources[contract.resource].stride : 1);
}

/// The index of the handle's word in bank 0, or the register that holds it.
Arg Views::handle(const ir::Instruction& instruction) {
  const Field field = host_.resource_record(instruction);
  if (field.is_constant()) return Arg(Source::immediate(field.offset / 4));
  return Arg::reg(assembler_.reg(load_word(field, 0)));
}

void Views::load_texel(const ir::Instruction& instruction, Predicate guard) {
  const ir::ResourceAccess& contract = access(instruction);
  const ir::Resource& resource = module_.resources[contract.resource];
  const uint32_t used = used_words(instruction, 4);
  if (used == 0) return;
  const bool stored = is_stored(contract);
  const uint32_t count = stored      ? static_cast<uint32_t>(std::popcount(contract.component_mask))
                         : used == 1 ? 1
                         : used <= 3 ? 2
                                     : 4;
  const LoadedWords words = define_loaded(instruction, 0, count, guard);
  Draft load{
      stored ? Opcode::suld_d : Opcode::suld_p,
      {Arg(), Arg::regs(std::span(words.results.data(), count)), place(instruction), handle(instruction)},
      {dim_of(contract), kIgnored}};
  if (stored) {
    load.with(kInBytes).with({Modifier::memory_size, memory_size<MemorySize>(resource.stride, count)});
  } else {
    load.with({Modifier::load_cache, resource.globally_coherent ? LoadCache::cg : LoadCache::none})
        .with({Modifier::surface_mask, (1u << count) - 1});
  }
  emit_access(load, guard, machine::Effect::read);
  if (guard.value != kNone) leave_zeros(std::span(words.otherwise.data(), count));
}

void Views::store_texel(const ir::Instruction& instruction, Predicate guard) {
  const ir::ResourceAccess& contract = access(instruction);
  const ir::Resource& resource = module_.resources[contract.resource];
  const auto count = static_cast<uint32_t>(std::popcount(contract.component_mask));
  std::array<MachineValue, 4> words{kNone, kNone, kNone, kNone};
  for (uint32_t i = 0; i < count; ++i) words[i] = reg(slot(instruction, Slot::value0 + i));
  const bool stored = is_stored(contract);
  const Arg at = place(instruction);
  Draft store{stored ? Opcode::sust_d : Opcode::sust_p,
              {at, Arg::regs(std::span(words.data(), count)), handle(instruction)},
              {dim_of(contract), kIgnored}};
  if (stored) {
    store.with(kInBytes).with({Modifier::memory_size, memory_size<MemorySize>(resource.stride, count)});
  } else {
    store.with({Modifier::store_cache, resource.globally_coherent ? StoreCache::cg : StoreCache::none})
        .with({Modifier::surface_mask, SurfaceMask::rgba});
  }
  emit_access(store, guard, machine::Effect::write);
}

void Views::emit_texel_atomic(const ir::Instruction& instruction, Predicate guard) {
  constexpr uint32_t kTexelBytes = 4;
  const ir::ResourceAccess& contract = access(instruction);
  define_guarded(instruction.first_result, guard, [&](MachineValue result) {
    const Arg at = coordinates(instruction, kTexelBytes);
    const MachineValue value = reg(slot(instruction, Slot::value0));
    const AtomicForm form = atomic_form(contract.atomic);
    const SurfaceAtomicType type = form.is_signed ? SurfaceAtomicType::s32 : SurfaceAtomicType::u32;
    if (contract.atomic == ir::AtomicOp::compare_exchange) {
      const Arg values = Arg::regs({reg(slot(instruction, Slot::compare)), value});
      return emit_access({Opcode::suatom_cas,
                          {Arg(), Arg::reg(result), at, values, handle(instruction)},
                          {kInBytes, dim_of(contract), kIgnored}},
                         guard, machine::Effect::write);
    }
    emit_access({Opcode::suatom,
                 {Arg::reg(result), at, Arg::reg(value), handle(instruction)},
                 {kInBytes,
                  dim_of(contract),
                  {Modifier::atomic, form.operation},
                  {Modifier::surface_atomic_type, type},
                  kIgnored}},
                guard, machine::Effect::write);
  });
}

}  // namespace texlate::maxwell::select
