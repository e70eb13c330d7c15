// Raw and structured buffers: guarded global memory. Counters of structured buffers.

#include <algorithm>
#include <array>
#include <bit>
#include <utility>

#include "backend/launch/buffer_alignment.h"
#include "backend/ptx/emitter.h"

namespace texlate::ptx {

namespace {

using ir::Slot;

constexpr std::string_view kAtomicNames[] = {"add.u32", "and.b32", "or.b32",  "xor.b32",  "min.s32",
                                             "max.s32", "min.u32", "max.u32", "exch.b32", "cas.b32"};

}  // namespace

Effect Emitter::effect_of(const Instruction& instruction) {
  Effect effect{slot(instruction, Slot::guard), tests_live_};
  effect.is_both = tests_live_ && effect.guard != ir::kNoValue;
  if (effect.is_both) {
    effect.both = temp_pred();
    line("and.pred ", effect.both, ", ", Pred{effect.guard}, ", %live");
  }
  return effect;
}

/// Starts a line.
void Emitter::put_condition(const Effect& effect) {
  put('\t');
  if (effect.is_conditional()) put('@', effect, ' ');
}

// address + index * stride + offset, in 64 bits: Direct3D's reference does not wrap
// (docs/reference/direct3d.md 1.3, Structured).
Emitter::BufferPlace Emitter::buffer_place(const Instruction& instruction) {
  const ir::ResourceAccess& contract = access(instruction);
  const uint32_t stride = module_.resources[contract.resource].stride;
  const Temp64 buffer = handle(instruction, false);
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
  BufferPlace place{{}, 0, raw ? 4 : launch::buffer_alignment(module_.resources[contract.resource])};
  const Value index = slot(instruction, Slot::coordinate0);
  const Value offset = raw ? index : slot(instruction, Slot::byte_offset);
  if (!raw) {
    ElementAddress& known = element_address_;
    const bool same = known.region == region_ && known.buffer.n == buffer.n && known.index == index;
    if (same) {
      address = known.address;
    } else {
      add(index, stride);
      known = {region_, buffer, address, index};
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

void Emitter::put_words(Value first, uint32_t count) {
  if (count > 1) put('{');
  for (uint32_t i = 0; i < count; ++i) {
    if (i != 0) put(", ");
    put(Int{first + i});
  }
  if (count > 1) put('}');
}

void Emitter::emit_buffer(const Instruction& instruction) {
  switch (instruction.op) {
    case Op::buf_load: return emit_buffer_load(instruction, buffer_place(instruction));
    case Op::buf_store: return emit_buffer_store(instruction, buffer_place(instruction));
    case Op::buf_atomic: return emit_buffer_atomic(instruction, buffer_place(instruction));
    case Op::counter: return emit_counter(instruction);
    case Op::buf_size:
#define IR_COVERED_buffer
#include "ir/op_cases.inc"
      return refuse(instruction, "a query that is not legalized");
  }
}

void Emitter::emit_buffer_atomic(const Instruction& instruction, const BufferPlace& place) {
  Temp64 address = place.address;
  if (place.displacement != 0) {
    address = temp64();
    line("add.u64 ", address, ", ", place.address, ", ", place.displacement);
  }
  emit_global_atomic(instruction, address);
}

// Loads the words that are used, and words between them in the same access: all of them belong to the
// structure.
void Emitter::emit_buffer_load(const Instruction& instruction, const BufferPlace& place) {
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
      put_guard(instruction);
      put(load);
      put(count == 4 ? "v4.b32 " : count == 2 ? "v2.b32 " : "b32 ");
      put_words(instruction.first_result + i, count);
      end_line(", [", place.address, "+", place.displacement + 4 * i, "]");
    }
    i += count;
  }
  if (contract.feedback) line("mov.b32 ", Int{instruction.first_result + 4}, ", -1");
}

void Emitter::emit_buffer_store(const Instruction& instruction, const BufferPlace& place) {
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
    put(coherent ? "st.volatile.global." : "st.global.");
    put(count == 4 ? "v4.b32 [" : count == 2 ? "v2.b32 [" : "b32 [");
    put(place.address);
    put('+');
    put(place.displacement + 4 * i);
    put(count > 1 ? "], {" : "], ");
    for (uint32_t w = 0; w < count; ++w) {
      const Value value = slot(instruction, Slot::value0 + i + w);
      if (w != 0) put(", ");
      if (count > 1 && module_.is_constant(value)) {
        put(constants[w]);
      } else {
        put(Int{value});
      }
    }
    put(count > 1 ? "};\n" : ";\n");
  }
}

// An atomic whose guard is false does nothing and returns 0.
void Emitter::emit_global_atomic(const Instruction& instruction, Temp64 address) {
  const ir::ResourceAccess& contract = access(instruction);
  const Effect effect = effect_of(instruction);
  const bool returns = is_used(instruction.first_result);
  if (effect.is_conditional() && returns) line("mov.b32 ", Int{instruction.first_result}, ", 0");
  put_condition(effect);
  // red has no exchange and no compare.
  const bool reduction = !returns && contract.atomic != ir::AtomicOp::exchange &&
                         contract.atomic != ir::AtomicOp::compare_exchange;
  put(reduction ? "red.global." : "atom.global.");
  put(kAtomicNames[static_cast<uint32_t>(contract.atomic)]);
  put(' ');
  if (!reduction) {
    put(Int{instruction.first_result});
    put(", ");
  }
  put('[');
  put(address);
  put("], ");
  if (contract.atomic == ir::AtomicOp::compare_exchange) {
    put(Int{slot(instruction, Slot::compare)});
    put(", ");
  }
  put(Int{slot(instruction, Slot::value0)});
  put(";\n");
}

// alloc returns the count before, consume the count after; both wrap (docs/reference/direct3d.md 1.4).
void Emitter::emit_counter(const Instruction& instruction) {
  const bool alloc = access(instruction).counter == ir::CounterOp::alloc;
  const Temp64 address = field64(resource_record(instruction), record::kCounter);
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
  put("\t@");
  put(counts);
  put(' ');
  put("atom.global.add.u32 ");
  put(Int{result});
  put(", [");
  put(address);
  put(alloc ? "], 1;\n" : "], -1;\n");
  if (!alloc) line("add.u32 ", Int{result}, ", ", Int{result}, ", -1");
}

}  // namespace texlate::ptx
