#include <algorithm>
#include <array>
#include <bit>

#include "backend/launch/buffer_alignment.h"
#include "backend/ptx/families.h"

namespace texlate::ptx {

using ir::Slot;

namespace {

/// Of `words` words, or of a texel of 1 or 2 bytes.
std::string_view memory_type(uint32_t alignment, uint32_t words) {
  if (alignment < 4) return alignment == 1 ? "b8 " : "b16 ";
  return words == 4 ? "v4.b32 " : words == 2 ? "v2.b32 " : "b32 ";
}

}  // namespace

void Buffers::emit(const Instruction& instruction) {
  if (!access(instruction).has(Slot::address))
    return refuse(instruction, "an access without an address, or a query that is not legalized");
  switch (instruction.op) {
    case Op::buf_load:
    case Op::surf_load: return emit_load(instruction);
    case Op::buf_store:
    case Op::surf_store: return emit_store(instruction);
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
void Buffers::emit_load(const Instruction& instruction) {
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
      end_line(Words{instruction.first_result + i, count}, ", [",
               MemoryPlace{place.address, place.displacement + 4 * i}, "]");
    }
    i += count;
  }
  if (contract.feedback) line("mov.b32 ", Int{instruction.first_result + 4}, ", -1");
}

void Buffers::emit_store(const Instruction& instruction) {
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
    put(coherent ? "st.volatile.global." : "st.global.", memory_type(contract.alignment, count), '[');
    put(MemoryPlace{place.address, place.displacement + 4 * i}, "], ");
    put_stored(instruction, i, count, in_registers ? &constants : nullptr);
  }
}

}  // namespace texlate::ptx
