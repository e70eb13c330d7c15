#include <algorithm>
#include <array>
#include <bit>
#include <utility>

#include "backend/launch/buffer_alignment.h"
#include "backend/ptx/families.h"

namespace texlate::ptx {

using ir::Slot;

// address + index * stride + offset, in 64 bits: Direct3D's reference does not wrap
// (docs/reference/direct3d.md 1.3, Structured).
Buffers::Place Buffers::place_of(const Instruction& instruction) {
  const ir::ResourceAccess& contract = access(instruction);
  const uint32_t stride = module_.resources[contract.resource].stride;
  const Temp64 buffer = records_.handle(instruction);
  Temp64 address = buffer;
  const auto add = [&](Value bytes, uint32_t scale) {
    const Temp64 offset = temp64();
    const Temp64 before = std::exchange(address, temp64());
    if (scale == 1) {
      line("cvt.u64.u32 ", offset, ", ", Int{bytes});
    } else {
      line("mul.wide.u32 ", offset, ", ", Int{bytes}, ", ", scale);
    }
    line("add.u64 ", address, ", ", before, ", ", offset);
  };
  const bool raw = contract.dimension == ir::Dimension::raw_buffer;
  Place place{{}, 0, raw ? 4 : launch::buffer_alignment(module_.resources[contract.resource])};
  const Value index = slot(instruction, Slot::coordinate0);
  const Value offset = raw ? index : slot(instruction, Slot::byte_offset);
  if (!raw) {
    ElementAddress& known = element_address_;
    const bool same = known.region == core_.region && known.buffer.n == buffer.n && known.index == index;
    if (same) {
      address = known.address;
    } else {
      add(index, stride);
      known = {core_.region, buffer, address, index};
    }
  }
  if (module_.is_constant(offset) && module_.constant_bits(offset) < kMostDisplacement) {
    place.displacement = module_.constant_bits(offset);
  } else {
    place.alignment = 4;
    add(offset, 1);
  }
  place.address = address;
  return place;
}

void Buffers::emit(const Instruction& instruction) {
  switch (instruction.op) {
    case Op::buf_load: return emit_load(instruction, place_of(instruction));
    case Op::buf_store: return emit_store(instruction, place_of(instruction));
    case Op::buf_atomic: return emit_atomic(instruction, place_of(instruction));
    case Op::counter: return emit_counter(instruction);
    case Op::buf_size:
#define IR_COVERED_buffer
#include "ir/op_cases.inc"
      return refuse(instruction, "a query that is not legalized");
  }
}

void Buffers::emit_atomic(const Instruction& instruction, const Place& place) {
  Temp64 address = place.address;
  if (place.displacement != 0) {
    address = temp64();
    line("add.u64 ", address, ", ", place.address, ", ", place.displacement);
  }
  emit_global_atomic(instruction, address);
}

// Loads the words that are used, and words between them in the same access: all of them belong to the
// structure.
void Buffers::emit_load(const Instruction& instruction, const Place& place) {
  const ir::ResourceAccess& contract = access(instruction);
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
        launch::loaded_words(place.alignment, place.displacement + 4 * i, words - i, used >> i);
    if (count != 1 || ((used >> i) & 1) != 0) {
      put('\t', guard_of(instruction), load, count == 4 ? "v4.b32 " : count == 2 ? "v2.b32 " : "b32 ");
      end_line(Words{instruction.first_result + i, count}, ", [", place.address, "+",
               place.displacement + 4 * i, "]");
    }
    i += count;
  }
  if (contract.feedback) line("mov.b32 ", Int{instruction.first_result + 4}, ", -1");
}

void Buffers::emit_store(const Instruction& instruction, const Place& place) {
  const ir::ResourceAccess& contract = access(instruction);
  const bool coherent = module_.resources[contract.resource].globally_coherent;
  const Effect effect = effect_of(instruction);
  const auto words = static_cast<uint32_t>(std::popcount(contract.component_mask));
  for (uint32_t i = 0, count = 0; i < words; i += count) {
    count = launch::stored_words(place.alignment, place.displacement + 4 * i, words - i);
    std::array<Temp, 4> constants;  // the elements of a vector must be registers
    for (uint32_t w = 0; w < count && count > 1; ++w) {
      const Value value = slot(instruction, Slot::value0 + i + w);
      if (!module_.is_constant(value)) continue;
      constants[w] = temp();
      line("mov.b32 ", constants[w], ", ", Int{value});
    }
    put_condition(effect);
    put(coherent ? "st.volatile.global." : "st.global.", count == 4   ? "v4.b32 ["
                                                         : count == 2 ? "v2.b32 ["
                                                                      : "b32 [");
    put(place.address, '+', place.displacement + 4 * i, count > 1 ? "], {" : "], ");
    for (uint32_t w = 0; w < count; ++w) {
      const Value value = slot(instruction, Slot::value0 + i + w);
      if (w != 0) put(", ");
      count > 1 && module_.is_constant(value) ? put(constants[w]) : put(Int{value});
    }
    put(count > 1 ? "};\n" : ";\n");
  }
}

// alloc returns the count before, consume the count after; both wrap (docs/reference/direct3d.md 1.4).
void Buffers::emit_counter(const Instruction& instruction) {
  const bool alloc = access(instruction).counter == ir::CounterOp::alloc;
  const Temp64 address = records_.field64(records_.resource_of(instruction), record::kCounter);
  const Effect effect = effect_of(instruction);
  const Value result = instruction.first_result;
  // A view without the counter that the shader uses: Direct3D leaves only the result undefined.
  const TempPred counts = temp_pred();
  if (effect.is_conditional()) {
    line("setp.ne.and.u64 ", counts, ", ", address, ", 0, ", effect);
  } else {
    line("setp.ne.u64 ", counts, ", ", address, ", 0");
  }
  line("mov.b32 ", Int{result}, ", ", alloc ? 0u : 1u);
  line('@', counts, " atom.global.add.u32 ", Int{result}, ", [", address, alloc ? "], 1" : "], -1");
  if (!alloc) line("add.u32 ", Int{result}, ", ", Int{result}, ", -1");
}

}  // namespace texlate::ptx
