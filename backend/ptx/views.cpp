// Buffers and typed views. Where an access has an address, it is guarded global memory; otherwise it is one
// of a CUDA surface (suld, sust), whose texels are accessed as they are stored: pack_texels (ir/passes)
// converts them.

#include <bit>

#include "backend/launch/buffer_alignment.h"
#include "backend/ptx/families.h"

namespace texlate::ptx {

using ir::Dimension;
using ir::Slot;

namespace {

/// Of `words` words, or of a texel of 1 or 2 bytes.
std::string_view memory_type(uint32_t bytes, uint32_t words) {
  if (bytes < 4) return bytes == 1 ? "b8" : "b16";
  return words == 4 ? "v4.b32" : words == 2 ? "v2.b32" : "b32";
}

}  // namespace

void Views::emit(const Instruction& instruction) {
  const ir::ResourceAccess& contract = access(instruction);
  const bool is_memory = contract.has(Slot::address);
  const bool is_surface = ir::info(instruction.op).family == ir::Family::surface;
  if (!is_memory && !is_surface)
    return refuse(instruction, "an access without an address, or a query that is not legalized");
  if (!is_memory && contract.type != ir::ComponentType::none)
    return refuse(instruction, "an access whose texels are not packed");
  switch (instruction.op) {
    case Op::buf_load:
    case Op::surf_load: return is_memory ? emit_load(instruction) : load_texel(instruction);
    case Op::buf_store:
    case Op::surf_store: return is_memory ? emit_store(instruction) : store_texel(instruction);
    case Op::buf_atomic:
    case Op::surf_atomic: return emit_global_atomic(instruction);
    case Op::counter:
    case Op::buf_size:
#define IR_COVERED_buffer
#define IR_COVERED_surface
#include "ir/op_cases.inc"
      return;  // without an address
  }
}

// Loads the words that are used, and words between them in the same access: all of them belong to the
// structure.
void Views::emit_load(const Instruction& instruction) {
  const ir::ResourceAccess& contract = access(instruction);
  const MemoryPlace place = place_of(instruction);
  const ir::Resource& resource = module_.resources[contract.resource];
  const std::string_view load = !resource.is_uav             ? "ld.global.nc."
                                : resource.globally_coherent ? "ld.volatile.global."
                                                             : "ld.global.";
  const auto words = static_cast<uint32_t>(std::bit_width(contract.component_mask));
  uint32_t used = 0;
  for (uint32_t i = 0; i < words; ++i) used |= (is_used(instruction.first_result + i) ? 1u : 0u) << i;
  preset_results(instruction, words);
  for (uint32_t i = 0; i < words;) {
    const uint32_t count =
        launch::loaded_words(contract.alignment, place.displacement + 4 * i, words - i, used >> i);
    if (count != 1 || ((used >> i) & 1) != 0) {
      put('\t', guard_of(instruction), load, memory_type(contract.alignment, count));
      put(' ', Words{instruction.first_result + i, count}, ", [",
          MemoryPlace{place.address, place.displacement + 4 * i}, "];\n");
    }
    i += count;
  }
  if (contract.feedback) line("mov.b32 ", Int{instruction.first_result + 4}, ", 0");
}

void Views::emit_store(const Instruction& instruction) {
  const ir::ResourceAccess& contract = access(instruction);
  const MemoryPlace place = place_of(instruction);
  const bool coherent = module_.resources[contract.resource].globally_coherent;
  const Effect effect = effect_of(instruction);
  const auto words = static_cast<uint32_t>(std::popcount(contract.component_mask));
  for (uint32_t i = 0, count = 0; i < words; i += count) {
    count = launch::stored_words(contract.alignment, place.displacement + 4 * i, words - i);
    const bool in_registers = count > 1 || contract.alignment < 4;
    const auto constants = load_constants(instruction, i, in_registers ? count : 0);
    put_condition(effect);
    put(coherent ? "st.volatile.global." : "st.global.", memory_type(contract.alignment, count), " [");
    put(MemoryPlace{place.address, place.displacement + 4 * i}, "], ");
    put_stored(instruction, i, count, in_registers ? &constants : nullptr);
  }
}

// [surface, {x in bytes, y ...}].
void Views::put_place(const Instruction& instruction, const Texels& texels) {
  put('[', texels.surface);
  const Dimension dimension = access(instruction).dimension;
  const Int y{slot(instruction, Slot::coordinate1)};
  put(", {");
  if (dimension == Dimension::texture2d_array) put(Int{slot(instruction, Slot::layer)}, ", ");
  put(texels.x, ", ", y);
  if (dimension == Dimension::texture3d) {
    const Int z{slot(instruction, Slot::coordinate2)};
    put(", ", z, ", ", z);
  } else if (dimension == Dimension::texture2d_array) {
    put(", ", y);
  }
  put("}]");
}

Views::Texels Views::find_texels(const Instruction& instruction) {
  Texels texels;
  texels.bytes = module_.resources[access(instruction).resource].stride;
  texels.surface = records_.handle(instruction);
  // The guard has compared x in texels, so x times the size cannot wrap back into range.
  texels.x = temp();
  line("mul.lo.u32 ", texels.x, ", ", Int{slot(instruction, Slot::coordinate0)}, ", ", texels.bytes);
  return texels;
}

void Views::load_texel(const Instruction& instruction) {
  const ir::ResourceAccess& contract = access(instruction);
  const Value first = instruction.first_result;
  const uint32_t count = static_cast<uint32_t>(std::popcount(contract.component_mask));
  const Texels texels = find_texels(instruction);
  const bool narrow = texels.bytes < 4;
  const Half narrow_word = narrow ? text_.half() : Half{0};
  if (!narrow) {
    preset_results(instruction, count);
  } else if (contract.has(Slot::guard)) {
    line("mov.b16 ", narrow_word, ", 0");
  }
  put('\t', guard_of(instruction), "suld.b.", geometry(contract.dimension), '.');
  put(memory_type(texels.bytes, texels.bytes / 4), ".zero ");
  narrow ? put(narrow_word, ", ") : put(Words{first, count}, ", ");
  put_place(instruction, texels);
  put(";\n");
  if (narrow) line("cvt.u32.u16 ", Int{first}, ", ", narrow_word);
}

void Views::store_texel(const Instruction& instruction) {
  const ir::ResourceAccess& contract = access(instruction);
  const uint32_t count = static_cast<uint32_t>(std::popcount(contract.component_mask));
  const Texels texels = find_texels(instruction);
  const bool narrow = texels.bytes < 4;
  const Half narrow_word = narrow ? text_.half() : Half{0};
  if (narrow) line("cvt.u16.u32 ", narrow_word, ", ", Int{slot(instruction, Slot::value0)});
  const auto constants = load_constants(instruction, 0, narrow ? 0 : count);
  const Effect effect = effect_of(instruction);
  put_condition(effect);
  put("sust.b.", geometry(contract.dimension), '.', memory_type(texels.bytes, texels.bytes / 4), ".zero ");
  put_place(instruction, texels);
  put(", ");
  narrow ? put(narrow_word, ";\n") : put_stored(instruction, 0, count, &constants);
}

}  // namespace texlate::ptx
